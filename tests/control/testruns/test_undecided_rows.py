"""What could not be decided is told of its baseline: each check with its point and reason, once, and no other client's."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.testruns.driving import Create, Show, recorded

from gatecrash.control import wall
from gatecrash.control.testruns import undecided_rows
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe
from gatecrash.fakes.fake_node import FakeNode, vulnerable
from gatecrash.wire.work import Result

BLOCKED = inconclusive("sqli", ("get", "q"), Inconclusive.BLOCKED, "403 where the recorded request got 200")
UNSTABLE = inconclusive("xss", (), Inconclusive.UNSTABLE)


def told(client_id: str, run_id: str, baseline_id: str) -> list[tuple[str, tuple[str, ...], str]]:
    with wall.client(client_id):
        rows = undecided_rows.of_baseline(run_id, baseline_id)
    return [(row["type"], tuple(row["point"]), row["reason"]) for row in rows]


def test_a_final_result_tells_why_and_a_repeated_one_changes_nothing(
    client_id: str, node: FakeNode, create: Create, show: Show, person: Callable[..., Person]
) -> None:
    run = create()
    recorded(node, run["id"], 2)
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    verdicts = (BLOCKED, vulnerable(held), safe("rce", ("get", "q")), UNSTABLE)  # type: ignore[arg-type]
    result = Result(baseline_id=held.id, final=True, status="failed", verdicts=verdicts, sent=9)
    for _ in range(2):
        node.report(run["id"], result)
        assert told(client_id, run["id"], held.id) == [("sqli", ("get", "q"), "blocked"), ("xss", (), "unstable")]
    assert show(run["id"])["inconclusive_count"] == 2
    text = person("viewer").text(f"/runs/{run['id']}/baselines/{held.id}/")
    for words in (
        "Could not be decided",
        "SQL injection",
        "something in front of the application",
        "got 200",
        "Unstable",
    ):
        assert words in text


def test_a_baseline_that_was_decided_has_no_such_part(
    node: FakeNode, create: Create, person: Callable[..., Person]
) -> None:
    run = create()
    recorded(node, run["id"], 1)
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    node.finish(run["id"], "passed")
    assert "Could not be decided" not in person("viewer").text(f"/runs/{run['id']}/baselines/{held.id}/")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "odd",
    [
        inconclusive("t" * 300, ("get", "p" * 9000), Inconclusive.BUDGET, "d\x00" * 900),
        inconclusive("sqli", ("get", "a\x00b"), Inconclusive.SESSION),
    ],
    ids=["long", "zero bytes"],
)
def test_whatever_a_node_says_can_be_kept(client_id: str, odd: Verdict) -> None:
    with wall.client(client_id):
        undecided_rows.keep("tr_x", "bl_x", [odd])
        (row,) = undecided_rows.of_baseline("tr_x", "bl_x")
    assert len(row["type"]) <= undecided_rows.MOST_TYPE
    assert len(row["detail"]) <= undecided_rows.MOST_DETAIL
    assert "\x00" not in row["detail"]


@pytest.mark.django_db
def test_only_so_many_are_kept_and_only_for_their_client(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        undecided_rows.keep("tr_x", "bl_x", [BLOCKED] * (undecided_rows.MOST + 9))
    assert len(told(client_id, "tr_x", "bl_x")) == undecided_rows.MOST
    assert told(other_id, "tr_x", "bl_x") == []
