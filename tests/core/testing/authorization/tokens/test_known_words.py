"""Words that sign are kept by origin, and found where answers tell them as keys and secrets."""

import html
import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.known_words import remember, words_known, words_told

HERE, THERE = "https://a.example", "https://b.example"


def test_they_are_kept_by_origin():
    told: set[tuple[str, ...]] = {("something else", HERE, "tea")}
    remember(told, HERE, b"Otter-71")
    remember(told, HERE, b"\xe4\xff")
    remember(told, THERE, b"quagmire")
    assert words_known(told, HERE) == [b"Otter-71", b"\xe4\xff"]
    assert words_known(told, "https://c.example") == []


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"auth": {"jwtSecret": "Otter-71-Quay"}}),
        json.dumps({"note": json.dumps({"secret_key": "Otter-71-Quay"})}),
        html.escape(json.dumps({"signingKey": "Otter-71-Quay"})),
        "PORT=80\nSECRET_KEY=Otter-71-Quay\nDEBUG=1",
        "const JWT_SECRET = 'Otter-71-Quay';",
        "hmac-key: Otter-71-Quay",
        "define('AUTH_KEY' => 'Otter-71-Quay')",
    ],
)
def test_an_answer_tells_them(text):
    assert words_told(Response(200, body=text.encode())) == (b"Otter-71-Quay",)


@pytest.mark.parametrize("text", ["", "no secret is told here", '{"secret": true}', '{"keys": []}', '{"key": "short"}'])
def test_an_answer_without_any(text):
    assert words_told(Response(200, body=text.encode())) == ()


def test_not_too_many_are_kept():
    lines = "".join(f"key{number}=value-of-{number}\n" for number in range(1000))
    assert len(words_told(Response(200, body=lines.encode()))) == 50


def test_a_run_keeps_no_more_than_it_can_try():
    told: set[tuple[str, ...]] = set()
    for number in range(20_000):
        remember(told, HERE, b"%d" % number)
    assert len(words_known(told, HERE)) == 5_000
    remember(told, HERE, b"Otter-71", fits=True)
    assert b"Otter-71" in words_known(told, HERE), "one that signs is kept"


def test_hostile_answers_end():
    for text in ("key" * 60_000, "key" + " " * 190_000, "secret_" * 20_000 + "="):
        words_told(Response(200, body=text.encode()))
