"""The texts of an interface are told from what people keep."""

import json
from itertools import permutations

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.openness.interface_texts import are_texts_of_an_interface
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.oracles.leaves import Leaf

TEXTS = [Leaf(("form", f"text{number}"), f"Please say {'abc'[number % 3] * 3} again") for number in range(40)]


def with_one(*path: str, value: str) -> list[Leaf]:
    return [*TEXTS, Leaf(path, value)]


@pytest.mark.parametrize(
    "told",
    [
        TEXTS,
        with_one("form", "password", value="Password"),
        with_one("form", "separator", value="-"),
        with_one("form", "hint", value="Your name <name@example.com>"),
        [Leaf(leaf.path, "お名前 を 入力") for leaf in TEXTS],
        [*TEXTS, *(Leaf(("button", f"of{number}"), "Cancel") for number in range(60))],
    ],
)
def test_labels_and_sentences_are_texts(told):
    assert are_texts_of_an_interface(told)


@pytest.mark.parametrize(
    "told",
    [
        TEXTS[:39],
        with_one("form", "text1", value="Say it twice"),
        with_one("database", "password", value="hunter22x"),
        with_one("contact", "email", value="ann@club.example"),
        [*TEXTS, *(Leaf(("limit", f"of{number}"), str(number)) for number in range(5))],
        [*TEXTS, *(Leaf(("on", f"of{number}"), "True") for number in range(5))],
        [Leaf(leaf.path, "lamp") for leaf in TEXTS],
    ],
    ids=["few", "a list", "a password", "an address", "numbers", "switches", "no sentences"],
)
def test_whatever_holds_something_else_is_none(told):
    assert not are_texts_of_an_interface(told)


@pytest.mark.parametrize(("password", "private"), [("Password", False), ("pw-91f4cc02", True)])
def test_the_texts_of_an_interface_have_names_for_what_is_private_and_nothing_of_anybody(password, private):
    texts = {"".join(letters): f"Where to go from {letters[0]}" for letters in permutations("abcd")}
    labels = {f"label{number}": "Save" for number in range(20)}
    told = {**texts, **labels, "login": {"username": "Your name", "password": password, "email": "E-mail"}}
    assert (
        is_private(Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode()), strictly=True)
        is private
    )
