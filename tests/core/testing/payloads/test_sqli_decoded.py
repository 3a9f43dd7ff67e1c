"""Texts that are decoded once more behind a filter of quotes, read by a real SQLite, and looked for by the thorough policy alone."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from html import unescape
from urllib.parse import parse_qs, unquote

import pytest
from tests.core.testing.driving import runs

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.payloads.sqli_decoded import DECODED
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome


def found(value: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as base:
        return base.execute(f"SELECT 1 WHERE 'lamp' = '{value}'").fetchone() is not None


@pytest.mark.parametrize(
    ("context", "decode"), [*zip(DECODED, (unquote, unescape), strict=True)], ids=["address", "markup"]
)
def test_decoded_it_is_a_condition_and_else_a_text(context, decode):
    for word, right, holds in (("AND", "101", True), ("AND", "102", False)):
        text = context.pattern.format(value="lamp", word=word, left="101", right=right, same="xqzr", mark="")
        assert found(decode(text)) is holds
        assert not found(text)
    with pytest.raises(sqlite3.Error):
        found(decode(context.pattern.format(value="lamp", word=context.lookalikes[0], left="1", right="1", same="x")))


def looked_up(filtered: Callable[[str], str]) -> Callable[[Request], Response]:
    def application(request: Request) -> Response:
        try:
            (value,) = parse_qs((request.query or b"").decode())["q"]
            there = found(filtered(value))
        except (sqlite3.Error, KeyError, ValueError):
            there = False
        return Response(200, (), b"<p>A lamp.</p>") if there else Response(404, (), b"<p>Nothing here.</p>")

    return application


def refusing(value: str) -> str:
    if "'" in value:
        raise ValueError(value)
    return unquote(value)


FILTERS = {
    "refused, then decoded": (refusing, True),
    "doubled, then decoded": (lambda value: unquote(value.replace("'", "''")), True),
    "taken out, then decoded as markup": (lambda value: unescape(value.replace("'", "")), True),
    "decoded, then doubled": (lambda value: unescape(unquote(value)).replace("'", "''"), False),
}


def outcome(name: str, policy: Policy) -> Outcome:
    made = runs(looked_up(FILTERS[name][0]), Request("GET", b"/items?q=lamp"), (PROBE,), policy)
    return next(run.verdict.outcome for run in made if run.check.point == Point.of("get", "q"))


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_before_the_decoding_is_passed(name: str):
    assert outcome(name, THOROUGH) is (Outcome.VULNERABLE if FILTERS[name][1] else Outcome.SAFE)


def test_the_default_policy_does_not_ask_for_it():
    assert outcome("refused, then decoded", DEFAULT) is Outcome.SAFE
