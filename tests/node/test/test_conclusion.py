"""What verdicts come to: found, decided, or the reason why nothing could be."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.verdict import (
    NOTHING_FITS,
    Inconclusive,
    Outcome,
    Proof,
    Verdict,
    inconclusive,
    nothing_there,
    safe,
)
from gatecrash.node.test.conclusion import concluded, found_any, shown_of, unreached
from gatecrash.node.test.rejection import TurnedAway

EXCHANGE = Exchange(Request("GET", b"/"), Response(200, body=b"ok"))
SAFE = safe("xss", Point())
FOUND = Verdict(outcome=Outcome.VULNERABLE, type="sqli", threat=9, proof=Proof(test=EXCHANGE, verified_by="."))
BLOCKED = inconclusive("xss", Point(), Inconclusive.BLOCKED, "seen")
LOST = inconclusive("idor", Point(), Inconclusive.SESSION, "over")


@pytest.mark.parametrize(
    ("verdicts", "refused", "status", "reason", "detail"),
    [
        ([SAFE], False, "passed", None, ""),
        ([SAFE, BLOCKED], False, "passed", None, "xss at the request: blocked"),
        ([SAFE, FOUND], False, "failed", None, ""),
        ([BLOCKED], False, "error", "connection_failed", "blocked: seen"),
        ([BLOCKED, LOST], False, "error", "auth_failed", None),
        ([SAFE, LOST], True, "error", "auth_failed", None),
        ([FOUND, LOST], True, "failed", None, None),
    ],
)
def test_what_verdicts_come_to(verdicts, refused, status, reason, detail) -> None:
    ending = concluded(EXCHANGE, verdicts, TurnedAway(), refused=refused)
    assert ending[:2] == (status, reason), ending
    assert detail is None or ending[2] == detail
    assert found_any(verdicts) is (status == "failed")


def test_what_was_answered_404_is_told_as_that_and_leaves_nothing_undecided() -> None:
    gone = Exchange(EXCHANGE.request, Response(404))
    unknown = inconclusive("auth", Point(), Inconclusive.NO_CONTROL, "no whole answer")
    for verdicts in ([], [unknown]):
        status, reason, detail = concluded(gone, verdicts, TurnedAway(), refused=False)
        assert (status, reason, detail) == ("passed", None, nothing_there(404))
        assert shown_of(verdicts, status, detail) == ()
    assert concluded(gone, [SAFE, unknown], TurnedAway(), refused=False)[2] == "auth at the request: no whole answer"
    assert shown_of([SAFE, unknown], "passed", "auth at the request: no whole answer") == (unknown,)
    assert concluded(EXCHANGE, [], TurnedAway(), refused=False)[2] == NOTHING_FITS


def test_what_may_not_be_asked_is_told_by_its_host() -> None:
    assert unreached("shop.example", "not_allowed", "") == (
        "error",
        "connection_failed",
        "not allowed: shop.example may not be tested; name it in ALLOWED_HOSTS",
    )
    assert unreached("shop.example", "away", "gone") == ("error", "connection_failed", "gone")


def test_what_was_decided_before_holds_for_a_part_that_decides_nothing() -> None:
    told = concluded(EXCHANGE, [BLOCKED], TurnedAway(), refused=False, before=True)
    assert told == ("passed", None, "xss at the request: blocked")
    assert concluded(EXCHANGE, [SAFE, LOST], TurnedAway(), refused=True, before=True)[:2] == ("error", "auth_failed")
