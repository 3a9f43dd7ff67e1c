"""A finding that is gone is fixed only where it was looked for again."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.testing.comparison import compare

TESTED = {("h", "GET /a")}


def finding(code: str, **more: Any) -> dict[str, Any]:
    return {"code": code, "type": "sqli", "host": "h", "endpoint": "GET /a", **more}


def test_new_persisting_and_fixed() -> None:
    found = compare(
        [finding("S0001"), finding("S0002")], [finding("S0002"), finding("S0003")], tested=TESTED, types=["sqli"]
    )
    assert [one["code"] for one in found.new] == ["S0003"]
    assert [one["code"] for one in found.persisting] == ["S0002"]
    assert [one["code"] for one in found.fixed] == ["S0001"]
    assert found.not_tested == ()


def test_what_was_not_tested_again_is_not_fixed() -> None:
    gone = [
        finding("S0001"),
        finding("S0002", endpoint="GET /b"),
        finding("S0003", type="xss"),
        finding("S0004", host="g"),
    ]
    found = compare(gone, [], tested=TESTED, types=["sqli"])
    assert [one["code"] for one in found.fixed] == ["S0001"]
    assert [one["code"] for one in found.not_tested] == ["S0002", "S0003", "S0004"]


def test_what_the_policy_does_not_reach_any_more_is_not_fixed() -> None:
    found = compare([finding("S0001")], [], tested=TESTED, types=["sqli"], reached=lambda _: False)
    assert [one["code"] for one in found.not_tested] == ["S0001"]


def test_the_same_flaw_at_two_baselines_is_one() -> None:
    found = compare([], [finding("S0001"), finding("S0001", at=2)], tested=TESTED, types=["sqli"])
    assert len(found.new) == 1


codes = st.lists(st.sampled_from(["S0001", "S0002", "S0003", "S0004"]))


@given(codes, codes, st.booleans())
def test_every_code_is_in_exactly_one_place(before: list[str], after: list[str], was_tested: bool) -> None:
    tested = TESTED if was_tested else set()
    found = compare(map(finding, before), map(finding, after), tested=tested, types=["sqli"])
    placed = [one["code"] for part in (found.new, found.persisting, found.fixed, found.not_tested) for one in part]
    assert sorted(placed) == sorted({*before, *after})
