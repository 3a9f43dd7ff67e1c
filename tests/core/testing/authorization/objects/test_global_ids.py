"""Identifiers that hold a kind and a number in base64."""

import base64

import pytest

from gatecrash.core.testing.authorization.objects.global_ids import GlobalId


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("Card:510", "510"),
        ("Board:51", "51"),
        ("gid://shop/Card/510", "510"),
        ("user|65f0c3a1b2d4e6f8a9b0c1d2", "65f0c3a1b2d4e6f8a9b0c1d2"),
        ("Order:0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ],
)
def test_one_is_read_and_another_of_its_kind_is_written(text, inner):
    told = GlobalId.read(encoded(text))
    assert told.inner == inner
    assert told.of(inner) == encoded(text)
    assert base64.b64decode(told.of("7")).decode() == told.kind + "7"


@pytest.mark.parametrize(("text", "thing"), [("Card:510", "card"), ("gid://shop/OrderLine/510", "orderline")])
def test_it_says_what_it_names(text, thing):
    assert GlobalId.read(encoded(text)).thing == thing


def test_padding_is_left_out_where_it_was():
    told = GlobalId.read(encoded("Card:510").rstrip("="))
    assert told.of("99") == encoded("Card:99").rstrip("=")


@pytest.mark.parametrize(
    "value",
    ["510", "hello", encoded("no number"), encoded("12345678"), "Q2FyZDo1MTA=x", "zzzzzz", "A" * 400, "/w8PDw=="],
)
def test_anything_else_is_none(value):
    assert GlobalId.read(value) is None
