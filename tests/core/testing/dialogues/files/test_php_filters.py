"""Proof by PHP's filters: a reader that follows them is found, and nobody else who deals in base64."""

import base64
import html
import re
from collections.abc import Callable

import pytest
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.files.php_filters import Filtered, picks_a_part, reads_by_filter, takes_filters
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.ptrav import PROBE

SOURCE = b'<?php $key = "sesame"; echo "About us";'
FOUND = Response(200, (), b"<p>About us</p>")
FILTERS = re.compile(r"php://filter/([\w.|-]+)/resource=(.*)")


def outcome(application: Callable[[str], Response], seed: int = 1) -> Filtered | None:
    """What comes of it at an application that is told the value, which was "about" at first."""
    inquiry = inquiry_into("page", record(lambda _: FOUND, Request("GET", b"/?page=about")), PROBE, seed)
    return played(reads_by_filter(inquiry), lambda told: application(told.partition("&")[0]))


def included(value: str) -> Response:
    """As `include("$page.php")` does: what is no code is shown as it is."""
    found = FILTERS.fullmatch(value)
    name, filters = (found[2], found[1].split("|")) if found else (value, [])
    if name != "about":
        return Response(200, (), b"<p></p>")
    content = SOURCE
    for each in filters:
        content = base64.b64encode(content) if each == "convert.base64-encode" else content
    return Response(200, (), b"<p>About us</p>" if content == SOURCE else b"<p>" + content + b"</p>")


def test_a_page_that_adds_an_extension_and_follows_filters_is_found():
    found = outcome(included)
    assert found is not None
    assert found.content == SOURCE
    assert "resource=about" in found.shown.payload
    assert "sesame" in found.told().verified_by


@pytest.mark.parametrize(
    "application",
    [
        lambda value: included(value.rpartition("/")[2]),
        lambda value: FOUND if value == "about" else Response(404, (), b"no such page"),
        lambda value: Response(200, (), html.escape(value).encode()),
        lambda value: Response(200, (), base64.b64encode(value.encode())),
        lambda value: Response(200, (), base64.b64encode(base64.b64encode(base64.b64encode(value.encode())))),
        lambda _: Response(200, (), base64.b64encode(SOURCE)),
        lambda value: Response(200, (), base64.b64encode(SOURCE) if "filter" in value else b"none"),
    ],
)
def test_no_other_base64_is_one(application):
    for seed in range(20):
        assert outcome(application, seed) is None


PHP = ((b"X-Powered-By", b"PHP/8.2"),)


def situation(value: str, headers: tuple[tuple[bytes, bytes], ...] = PHP, method: str = "GET") -> Situation:
    recorded = record(lambda _: Response(200, headers, b"<p>About us</p>"), Request(method, f"/?mod={value}".encode()))
    return inquiry_into("mod", recorded, PROBE, 1).situation


@pytest.mark.parametrize(
    ("asked", "picks"),
    [
        (situation("news"), True),
        (situation("about-us"), True),
        (situation("7"), False),
        (situation("red%20tea"), False),
        (situation("news", ()), False),
        (situation("news", method="POST"), False),
    ],
    ids=["a word", "two words", "a number", "a text", "not PHP", "may write"],
)
def test_a_word_in_a_link_of_php_may_be_a_part_of_a_page(asked: Situation, picks: bool) -> None:
    assert picks_a_part(asked) == picks
    of_a_reader_in_php = asked.value in (b"7", b"red tea") or picks
    assert takes_filters(asked, file_named=True) == of_a_reader_in_php
