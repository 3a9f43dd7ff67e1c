"""What tells most for least is asked of everything first, by turns of reads and of what adds; what destroys is last."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.ordering import rank
from gatecrash.core.testing.pacing.passes import (
    MANY_LEFT,
    Pass,
    Sort,
    pass_of,
    put_off,
    sort_of,
    turn_of,
    turns,
    up_to,
    words_behind,
    words_for,
)
from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probes import sqli_stored

HEADERS = ((b"Host", b"shop.example"), (b"Cookie", b"theme=dark"))
FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
BASELINE = Baseline("bl_1", Exchange(Request("GET", b"/find?q=lamp", HEADERS), Response(200, body=b"lamp")))


def passes(policy: Policy) -> dict[str, set[Pass]]:
    """Of each type the passes in which it is asked at parameters."""
    found: dict[str, set[Pass]] = {}
    for check in plan(BASELINE, policy):
        if check.point[:1] != ("header",):
            found.setdefault(check.probe.type, set()).add(pass_of(check))
    return found


def of_headers() -> list[Check]:
    return [check for check in plan(BASELINE, THOROUGH) if check.point[:1] == ("header",)]


def test_what_shows_at_once_is_asked_before_statements_and_these_before_what_takes_many_requests() -> None:
    found = passes(THOROUGH)
    assert found["xss"] == found["crlf"] == {Pass.TELLING}
    assert found["sqli"] == {Pass.STATEMENTS}
    assert found["rce"] == found["ssti"] == found["ptrav"] == found["nosqli"] == found["anomaly"] == {Pass.DEAR}
    assert {pass_of(check) for check in of_headers()} == {Pass.HEADERS}


def test_what_seldom_finds_anything_goes_behind_others_of_its_type() -> None:
    stored = [check for check in plan(BASELINE, DEFAULT) if check.probe.type == "sqli"]
    (first, *_) = stored
    seldom = Check(sqli_stored.PROBE, first.planned, 1)
    assert (pass_of(first), pass_of(seldom)) == (Pass.STATEMENTS, Pass.DEAR)


def test_what_is_of_a_later_pass_waits() -> None:
    checks = plan(BASELINE, THOROUGH)
    left = [[check for check in checks if put_off(check, up_to=each)] for each in Pass]
    assert [len(each) for each in left] == sorted({len(each) for each in left}, reverse=True)
    assert left[-1] == []
    assert [words_for(each) for each in left[:3]] == [MANY_LEFT, MANY_LEFT, HEADERS_LEFT]


def test_what_adds_goes_by_turns_with_reads_what_overwrites_behind_both_and_logins_before_what_destroys() -> None:
    lines = [
        ("DELETE", b"/items/1", b""),
        ("POST", b"/login", b"user=ann&password=sesame"),
        ("PUT", b"/items/1", b"name=a"),
        ("POST", b"/items", b"name=a"),
        ("GET", b"/items/1", b""),
        ("POST", b"/logout", b""),
        ("POST", b"/items/1/approve", b"note=a"),
    ]
    baselines = [
        Baseline(f"{method} {path.decode()}", Exchange(Request(method, path, FORM, body)))
        for method, path, body in lines
    ]
    planned = [([each.id for each in turn.baselines], turn.up_to, turn.alone) for turn in turns(baselines)]
    read, added = ["GET /items/1"], ["POST /items"]
    others = ["PUT /items/1", "POST /items/1/approve"]
    changing = ["PUT /items/1", "POST /items", "POST /items/1/approve"]
    assert planned == [
        (read, Pass.TELLING, False),
        (added, Pass.TELLING, False),
        (read, Pass.STATEMENTS, False),
        (added, Pass.STATEMENTS, False),
        (others, Pass.STATEMENTS, False),
        (read, Pass.DEAR, False),
        (changing, Pass.DEAR, False),
        (["POST /login"], Pass.HEADERS, True),
        (read, Pass.HEADERS, False),
        (changing, Pass.HEADERS, False),
        (["DELETE /items/1"], Pass.HEADERS, True),
        (["POST /logout"], Pass.HEADERS, True),
    ]


def test_what_is_described_to_be_done_to_an_object_goes_before_what_makes_such_ones() -> None:
    lines = [("POST", b"/items"), ("PUT", b"/items/1"), ("POST", b"/items/1/cancel"), ("GET", b"/items/1")]
    baselines = [
        Baseline(f"{method} {path.decode()}", Exchange(Request(method, path, FORM, b"name=a"), drafted=True))
        for method, path in lines
    ]
    first = [([each.id for each in turn.baselines], turn.up_to) for turn in turns(baselines)][:3]
    assert first == [
        (["GET /items/1"], Pass.TELLING),
        (["POST /items/1/cancel"], Pass.TELLING),
        (["POST /items"], Pass.TELLING),
    ]


def test_a_baseline_goes_on_with_the_next_turn_of_its_sort_that_asks_more() -> None:
    ways = {
        sort: [(turn_of(sort, made), up_to(turn_of(sort, made))) for made in (0, 1, 2, 3)]
        for sort in (Sort.READ, Sort.ADDING, Sort.OTHER, Sort.LOGIN)
    }
    assert ways[Sort.READ] == [(0, Pass.TELLING), (3, Pass.STATEMENTS), (6, Pass.DEAR), (9, Pass.HEADERS)]
    assert ways[Sort.ADDING] == [(2, Pass.TELLING), (4, Pass.STATEMENTS), (7, Pass.DEAR), (10, Pass.HEADERS)]
    assert ways[Sort.OTHER] == [(5, Pass.STATEMENTS)] * 2 + [(7, Pass.DEAR), (10, Pass.HEADERS)]
    assert ways[Sort.LOGIN] == [(8, Pass.HEADERS)] * 4
    assert [turn_of(sort, 0) for sort in Sort] == list(Sort), "a sort's number is its first turn"


def test_a_sort_is_known_by_what_the_request_does() -> None:
    def sort(method: str, path: bytes, body: bytes = b"", *, drafted: bool = False) -> Sort:
        request = Request(method, path, FORM, body)
        return sort_of(Baseline("bl_1", Exchange(request, drafted=drafted)), rank(request))

    assert [sort("GET", b"/items/1"), sort("POST", b"/items", b"name=a"), sort("PUT", b"/items/1", b"name=a")] == [
        Sort.READ,
        Sort.ADDING,
        Sort.OTHER,
    ]
    assert sort("POST", b"/items/1/cancel", b"note=a") is Sort.OTHER
    assert sort("POST", b"/items/1/cancel", b"note=a", drafted=True) is Sort.ACTING
    assert sort("POST", b"/items/return_item?item_id=1") is Sort.ADDING
    assert sort("POST", b"/items/return_item?item_id=1", drafted=True) is Sort.ACTING
    assert [
        sort("POST", b"/login", b"user=ann&password=sesame"), sort("DELETE", b"/items/1"), sort("POST", b"/logout")
    ] == [Sort.LOGIN, Sort.DESTROYING, Sort.SESSION]  # fmt: skip


def test_what_a_run_did_not_come_to_is_told_by_the_passes_made() -> None:
    assert [words_behind(made) for made in (1, 2, 3)] == [MANY_LEFT, MANY_LEFT, HEADERS_LEFT]
