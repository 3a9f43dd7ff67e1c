"""Parameters that nobody has sent are found by many names at a time, and tested as any other."""

import json
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.core.testing.driving import Application, Run, drive, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.hidden_parameters import NAME, applies, behind
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes import csrf, info, ptrav, redir, sqli, xss
from gatecrash.core.testing.verdict import Inconclusive, Outcome

PROBES = (ptrav.PROBE, xss.PROBE, redir.PROBE, info.PROBE)
REQUEST = Request("GET", b"/reports/7?full=x", ((b"Host", b"app.example"),), scheme="http", host="app.example", port=80)
STATUS = "Name:\treports\nUmask:\t0022\nState:\tR (running)\n"
HTML = ((b"Content-Type", b"text/html"),)
SECRET_PAGE = '{"SECRET_KEY": "9f8a7d6c5b4e3f2a1b0c", "DATABASE_URL": "postgres://app:s3cr3tPw9@db/app"}'


def fields(request: Request) -> dict[str, str]:
    query = parse_qs(urlsplit(request.target.decode()).query, keep_blank_values=True)
    return {name: values[0] for name, values in query.items()}


def report(**more: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"report": "monthly", **more}).encode())


def look(application: Application, request: Request = REQUEST) -> Run:
    """The search for what is hidden, played to its end."""
    checks = plan(record(application, request), THOROUGH, (), PROBES)
    return drive(next(check for check in checks if check.probe.name == NAME), application)


def reads_files(request: Request) -> Response:
    """Shows a file where there is one, and the report where there is none."""
    shown = fields(request).get("template", "").endswith("../proc/self/status")
    return Response(200, ((b"Content-Type", b"text/plain"),), STATUS.encode()) if shown else report()


def redirects(request: Request) -> Response:
    target = fields(request).get("next")
    return Response(302, ((b"Location", target.encode()),)) if target else report()


def debugs(request: Request) -> Response:
    return report(settings=json.loads(SECRET_PAGE)) if fields(request).get("debug") == "1" else report()


def greets(request: Request) -> Response:
    return Response(200, HTML, f"<html><body><p>{fields(request).get('message', 'Hello')}</p></body></html>".encode())


@pytest.mark.parametrize(
    ("application", "type_", "name"),
    [
        (reads_files, "ptrav", "template"),
        (redirects, "redir", "next"),
        (debugs, "info", "debug"),
        (greets, "xss", "message"),
    ],
)
def test_what_a_hidden_parameter_does_is_proven_by_the_probe_of_its_type(application, type_, name):
    run = look(application)
    assert (run.verdict.outcome, run.verdict.type, run.verdict.point) == (Outcome.VULNERABLE, type_, ("get", name))
    assert f"No recorded request has {name}" in run.verdict.proof.verified_by
    assert run.verdict.proof.control is not None
    assert name.encode() not in run.verdict.proof.control.request.target or type_ != "info"


def test_several_of_one_address_are_all_told():
    run = look(lambda request: redirects(request) if "next" in fields(request) else debugs(request))
    besides = run.check.memory.take_besides()
    assert {(each.type, each.point) for each in (run.verdict, *besides)} == {
        ("redir", ("get", "next")),
        ("info", ("get", "debug")),
    }
    assert run.check.memory.take_besides() == []


def test_a_header_that_tells_the_caller_is_one_too():
    with closing(sqlite3.connect(":memory:")) as database:

        def logs(request: Request) -> Response:
            caller = (request.first(b"True-Client-Ip") or b"").decode()
            try:
                database.execute(f"SELECT 1 WHERE 'nobody' = '{caller}'")
            except sqlite3.Error as error:
                return Response(500, (), f"sqlite3.OperationalError: {error}".encode())
            return report()

        checks = plan(record(logs, REQUEST), THOROUGH, (), (sqli.PROBE,))
        run = drive(next(check for check in checks if check.probe.name == NAME), logs)
    assert (run.verdict.outcome, run.verdict.type) == (Outcome.VULNERABLE, "sqli")
    assert run.verdict.point == ("header", "TRUE-CLIENT-IP")


def takes_ten(refuse):
    """Reads a file as another does, of requests with ten parameters at most."""
    return lambda request: refuse() if len(fields(request)) > 10 else reads_files(request)


@pytest.mark.parametrize("status", [400, 500])
def test_a_server_that_limits_the_number_of_parameters_is_asked_for_a_few_at_a_time(status):
    run = look(takes_ten(lambda: Response(status, (), b"too many")))
    assert (run.verdict.outcome, run.verdict.point) == (Outcome.VULNERABLE, ("get", "template"))


def closes(*_: object) -> Response:
    raise ConnectionResetError


def test_one_that_closes_the_connection_over_many_is_asked_so_too():
    run = look(takes_ten(closes))
    assert (run.verdict.outcome, run.verdict.point) == (Outcome.VULNERABLE, ("get", "template"))


def test_one_that_closes_every_connection_is_not_judged():
    run = look(lambda request: report() if len(fields(request)) < 2 else closes())
    assert run.verdict.reason is Inconclusive.CONNECTION


def test_a_sound_server_that_limits_them_costs_little_more():
    run = look(lambda request: Response(400) if len(fields(request)) > 10 else report())
    assert (run.verdict.outcome, len(run.sent) <= 45) == (Outcome.SAFE, True)


def ignores(_: Request) -> Response:
    return report()


def refuses_unknown(request: Request) -> Response:
    return report() if set(fields(request)) <= {"full"} else Response(422, (), b"unknown parameter")


def tells_its_address(request: Request) -> Response:
    return report(self=request.target.decode())


def stopped_in_front(request: Request) -> Response:
    """As a firewall that reads values and knows no names."""
    refused = b"passwd" in request.target or b"%27" in request.target
    return Response(403, HTML, b"<h1>Request blocked</h1>") if refused else report()


def sorts(request: Request) -> Response:
    """Takes what is documented, and refuses what it does not know there."""
    return report() if fields(request).get("sort", "name") == "name" else Response(400, (), b"sort by name only")


@pytest.mark.parametrize("application", [ignores, refuses_unknown, tells_its_address, stopped_in_front, sorts])
def test_sound_applications_have_nothing_hidden(application):
    run = look(application)
    assert run.verdict.outcome is Outcome.SAFE, run.verdict
    assert run.check.memory.take_besides() == []


@pytest.mark.parametrize("application", [ignores])
def test_a_sound_application_is_asked_as_often_as_foretold(application):
    run = look(application)
    assert len(run.sent) == run.check.forecast == 5


def test_a_page_that_moves_by_itself_is_not_judged():
    answers = iter(range(1000))
    words = ("north", "south", "east", "west", "up", "down", "left", "right")
    run = look(lambda _: report(advice=f"go {words[next(answers) % 8]}"))
    assert (run.verdict.outcome, run.verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.UNSTABLE)


def test_an_answer_that_changes_by_turns_is_no_parameter():
    """Told is what changes with the name and not without, again."""
    seen: list[int] = []

    def turns(_: Request) -> Response:
        seen.append(1)
        return report(version="b") if len(seen) > 6 and len(seen) % 2 else report()

    assert look(turns).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("policy", "method", "planned"), [(THOROUGH, "GET", True), (DEFAULT, "GET", False), (THOROUGH, "POST", False)]
)
def test_only_the_thorough_policy_looks_and_only_where_something_is_read(policy, method, planned):
    request = Request(method, b"/reports", ((b"Host", b"app.example"),), scheme="http", host="app.example", port=80)
    checks = plan(record(ignores, request), policy, (), PROBES)
    assert any(check.probe.name == NAME for check in checks) is planned


def test_a_policy_that_names_its_points_looks_at_those_alone():
    narrow = type(THOROUGH)(
        id="own", name="own", types=("redir",), locations=THOROUGH.locations, include=(("get", "q"),)
    )
    checks = plan(record(ignores, REQUEST), narrow, (), PROBES)
    assert not any(check.probe.name == NAME for check in checks)


def test_probes_of_other_types_are_not_asked():
    assert behind((csrf.PROBE,)) is None
    probe = behind((csrf.PROBE, redir.PROBE, info.PROBE))
    assert probe is not None
    assert (probe.type, probe.whole, probe.applies) == ("redir", True, applies)


def test_one_address_of_an_endpoint_stands_for_all():
    probe = behind(PROBES)
    assert probe is not None

    def key(target: bytes) -> tuple[str, ...] | None:
        return probe.collected(Request("GET", target, host="app.example"))

    assert key(b"/reports/7?full=x") == key(b"/reports/8") != key(b"/invoices/7")


@pytest.mark.parametrize(("length", "users"), [(60, ["ann", "ben"]), (1, ["ann", "ben", "cid"])])
def test_a_page_that_shows_what_was_kept_since_is_judged_by_answers_of_today(length: int, users: list[str]) -> None:
    """users: the first answers name them, the recorded one before all, and every later one the last."""
    answers, items = iter(range(1000)), [f"tea {'a' * each}" for each in range(length)]

    def application(request: Request) -> Response:
        kept = {"user": users[min(next(answers), len(users) - 1)], "items": items}
        return reads_files(request) if "template" in fields(request) else report(**kept)

    run = look(application)
    assert (run.verdict.outcome, run.verdict.point) == (Outcome.VULNERABLE, ("get", "template"))
