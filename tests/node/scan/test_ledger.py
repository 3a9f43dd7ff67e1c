"""The ledger's numbers add up, a finding is kept once, and what is open when the run ends is over."""

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.verdict import NOTHING_FITS, Inconclusive, Outcome, Proof, Verdict, inconclusive
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.planned import Planner
from gatecrash.wire.work import Result

RECOGNISER = compile_recogniser()


def ledger(count: int, *, stop: bool = False) -> tuple[Ledger, list[str]]:
    exchanges = [
        Exchange(Request("GET", b"/items/%d?q=1" % number, host="h"), Response(200, body=b"{}"))
        for number in range(count)
    ]
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="default", created_at=1, updated_at=1.0)
    facts.stop_on_first_fail = stop
    made = Ledger(facts, Planner(DEFAULT, RECOGNISER).plan(exchanges), 1.0)
    return made, list(made.tested)


def verdict(made: Ledger, name: str, point: tuple[str, ...] = ("get", "q")) -> Verdict:
    exchange = made.tested[name].baseline.exchange
    return Verdict(
        outcome=Outcome.VULNERABLE, type="sqli", point=point, threat=90, proof=Proof(test=exchange, verified_by="Seen.")
    )


def final(name: str, status: str = "passed", **more: object) -> Result:
    return Result(baseline_id=name, final=True, status=status, **more)  # type: ignore[arg-type]


def adds_up(made: Ledger) -> dict:
    run = made.shown_run((), 5.0)
    count = {name.removeprefix("baseline_check_").removesuffix("_count"): value for name, value in run.items()}
    assert count["all_terminated"] == count["passed"] + count["fail"] + count["tech_fail"] + count["interrupted"]
    assert (
        run["baseline_count"]
        == count["all_terminated"] + count["running"] + count["waiting"] + run["baseline_skipped_count"]
    )
    return run


def test_a_run_without_baselines_is_over_at_once() -> None:
    made, _ = ledger(0)
    assert adds_up(made)["state"] == "passed"


def test_from_the_plan_to_the_end() -> None:
    made, (one, two) = ledger(2)
    planned = adds_up(made)["planing_requests_count"]
    assert planned == sum(each.planned.forecast for each in made.tested.values()) > 0
    made.begin(one, 2.0)
    made.progress(3, [(one, made.tested[one].planned.forecast - 3)], 2.0)
    assert adds_up(made)["planing_requests_count"] == planned - 3
    made.take(Result(baseline_id=one, final=False, verdicts=(verdict(made, one),), sent=3), 2.0)
    made.take(final(one, "failed", verdicts=(verdict(made, one),), sent=5, authenticated=(1, 2)), 3.0)
    made.begin(two, 3.0)
    unsure = inconclusive("xss", Point.of("get", "q"), Inconclusive.BLOCKED)
    made.take(final(two, "passed", verdicts=(unsure,), sent=4), 4.0)
    made.progress(9, [], 4.0)
    run = adds_up(made)
    assert (run["state"], run["sended_requests_count"], run["inconclusive_count"]) == ("failed", 9, 1)
    assert (run["authenticated_share"], run["end_time"], len(run["vulns"])) == (0.5, 4, 1)
    first, second = made.shown_baselines(RECOGNISER)
    assert (first["status"], first["sent"], first["vulnerabilities"]) == ("failed", 5, [run["vulns"][0]["id"]])
    assert (second["status"], second["inconclusive"], second["vulnerabilities"]) == ("passed", 1, [])


def test_one_weakness_at_two_baselines_has_one_code() -> None:
    made, (one, two) = ledger(2)
    for name in (two, one):
        made.begin(name, 2.0)
        made.take(final(name, "failed", verdicts=(verdict(made, name), verdict(made, name, ("path", "1")))), 2.0)
    shown = made.shown_vulnerabilities(RECOGNISER)
    assert [(item["code"], item["baseline_id"]) for item in shown] == [
        ("S0001", one), ("S0002", one), ("S0001", two), ("S0002", two)
    ]  # fmt: skip


def test_a_repeated_end_changes_nothing() -> None:
    made, (one,) = ledger(1)
    made.begin(one, 2.0)
    made.take(final(one, "error", reason="connection_failed"), 2.0)
    before = adds_up(made)
    made.take(final(one, "passed"), 3.0)
    assert adds_up(made)["baseline_check_tech_fail_count"] == before["baseline_check_tech_fail_count"] == 1


@pytest.mark.parametrize("found", [False, True])
def test_what_is_open_when_the_user_ends_it_is_interrupted_or_failed(found: bool) -> None:
    made, (one, _) = ledger(2)
    made.begin(one, 2.0)
    if found:
        made.take(Result(baseline_id=one, final=False, verdicts=(verdict(made, one),)), 2.0)
    made.interrupt(3.0)
    made.interrupt(4.0)
    assert adds_up(made)["state"] == "interrupted"
    statuses = [each["status"] for each in made.shown_baselines(RECOGNISER)]
    assert statuses == ["failed" if found else "interrupted", "interrupted"]


def test_the_first_finding_ends_it_where_that_is_wanted() -> None:
    made, (one, _) = ledger(2, stop=True)
    made.begin(one, 2.0)
    made.take(Result(baseline_id=one, final=False, verdicts=(verdict(made, one),)), 2.0)
    run = adds_up(made)
    assert (run["state"], run["baseline_check_fail_count"], run["baseline_check_interrupted_count"]) == ("failed", 1, 1)


def test_a_baseline_that_no_check_fits_is_counted_apart() -> None:
    made, (one, two) = ledger(2)
    for name, detail in ((one, NOTHING_FITS), (two, "")):
        made.begin(name, 2.0)
        made.take(final(name, detail=detail), 3.0)
    run = adds_up(made)
    assert (run["baseline_check_passed_count"], run["baseline_untested_count"]) == (2, 1)


def test_what_is_found_elsewhere_is_told_at_its_own_address() -> None:
    made, (name,) = ledger(1)
    found = tuple(
        Verdict(
            outcome=Outcome.VULNERABLE,
            type="info",
            threat=65,
            elsewhere=True,
            proof=Proof(test=Exchange(Request("GET", path, host="h")), verified_by="Seen."),
        )
        for path in (b"/.env", b"/ftp/")
    )
    made.begin(name, 2.0)
    made.take(final(name, "failed", verdicts=found), 2.0)
    shown = made.shown_vulnerabilities(RECOGNISER)
    assert sorted(one["endpoint"] for one in shown) == ["GET /.env", "GET /ftp/"]


def test_the_run_tells_each_finding_under_the_code_of_its_report_whichever_was_found_first() -> None:
    made, (one, two) = ledger(2)
    for name, count in ((two, 1), (one, 2)):
        made.begin(name, 2.0)
        made.take(Result(baseline_id=name, final=False, verdicts=(verdict(made, name, ("get", name)),)), 3.0)
        told = made.shown_run((), 4.0)["vulns"]
        listed = made.shown_vulnerabilities(RECOGNISER)
        assert [(each["id"], each["code"]) for each in told] == [(each["id"], each["code"]) for each in listed]
        assert [each["code"] for each in told] == ["S0001", "S0002"][:count]
    assert [each["baseline_id"] for each in listed] == [one, two]
