"""The probe info, driven against the range's places over a real port."""

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import msgspec
import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.probes.info import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "info"
    probe = PROBE
    title = "Stack traces are shown (Python)"


def calls(request: Request) -> Response:
    """A service that tells where it broke, under a good status."""
    call = json.loads(request.body)
    try:
        told = {"result": {"half": int(call["params"]["n"]) // 2}}
    except (KeyError, ValueError, TypeError):
        told = {"error": {"code": -32603, "message": "Internal error", "data": traceback.format_exc()}}
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"id": call["id"], **told}).encode())


def check_of(method: str, told: set | None = None) -> Check:
    call = {"jsonrpc": "2.0", "method": method, "params": {"n": "8"}, "id": 3}
    request = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), json.dumps(call).encode())
    return plan(record(calls, request), WITHOUT_NAMES, (), (PROBE,), told=told)[0]


def test_a_trace_under_a_good_status_counts_where_a_call_says_that_it_failed():
    verdict = drive(check_of("numbers.half"), calls).verdict
    assert verdict.outcome is Outcome.VULNERABLE
    assert verdict.detail == "stack trace: Python"


def test_what_all_functions_of_an_address_have_in_common_is_told_once():
    told: set = set()
    assert drive(check_of("numbers.half", told), calls).verdict.outcome is Outcome.VULNERABLE
    run = drive(check_of("numbers.third", told), calls)
    assert run.verdict.outcome is Outcome.SAFE


def settings_check(told: dict, credentials: tuple[Point, ...], *, public: bool = False) -> Check:
    def settings(_request: Request) -> Response:
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    request = Request("GET", b"/settings", ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),))
    baseline = record(settings, request)
    exchange = msgspec.structs.replace(baseline.exchange, public=public)
    return plan(msgspec.structs.replace(baseline, exchange=exchange), WITHOUT_NAMES, credentials, (PROBE,))[0]


@pytest.mark.parametrize(
    ("public", "to_strangers", "outcome"),
    [
        (True, {"smtp_password": "kh83hfk2"}, Outcome.VULNERABLE),
        (True, {"smtp_password": "********"}, Outcome.SAFE),
        (True, {"version": "2"}, Outcome.SAFE),
        (False, {"smtp_password": "kh83hfk2"}, Outcome.SAFE),
    ],
)
def test_what_is_described_as_everybodys_is_asked_for_without_credentials(
    public: bool, to_strangers: dict, outcome: Outcome
):
    def settings(request: Request) -> Response:
        known = request.first(b"Authorization") is not None
        told = {"smtp_password": "kh83hfk2"} if known else to_strangers
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    credentials = (Point.of("header", "AUTHORIZATION"),)
    check = settings_check({"smtp_password": "kh83hfk2"}, credentials, public=public)
    assert drive(check, settings).verdict.outcome is outcome


def test_whoever_is_signed_in_may_keep_one_kind_of_secret_setting_as_his_own():
    def outcome(told: dict, credentials: tuple[Point, ...] = (Point.of("header", "AUTHORIZATION"),)) -> Outcome:
        answered = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
        return drive(settings_check(told, credentials), lambda _request: answered).verdict.outcome

    mail = {"smtp": {"host": "mail", "password": "kh83hfk2"}}
    assert outcome(mail) is Outcome.SAFE
    assert outcome(mail, ()) is Outcome.VULNERABLE
    assert outcome(mail | {"jwt_secret": "p3xq81ab"}) is Outcome.VULNERABLE


def plates(shown: bool, *, clean: bool = False) -> Callable[[Request], Response]:
    """Looks for files by their names; tells all of what goes wrong, or that something did."""

    def answer(request: Request) -> Response:
        name = unquote(request.target.decode().partition("=")[2])
        try:
            found = Path("/nowhere", name.replace("\0", "") if clean else name).read_text("utf-8")
        except FileNotFoundError:
            found = "no such plate"
        except ValueError:
            return Response(500, (), (traceback.format_exc() if shown else "something is wrong").encode())
        return Response(200, (), found.encode())

    return answer


@pytest.mark.parametrize(
    ("application", "target", "outcome"),
    [
        (plates(shown=True), b"/?file=moon", Outcome.VULNERABLE),
        (plates(shown=True), b"/?name=moon.txt", Outcome.VULNERABLE),
        (plates(shown=False), b"/?file=moon", Outcome.SAFE),
        (plates(shown=True, clean=True), b"/?file=moon", Outcome.SAFE),
    ],
)
def test_names_of_files_are_tried_with_a_null_byte(application, target, outcome):
    check = plan(record(application, Request("GET", target)), WITHOUT_NAMES, (), (PROBE,))[0]
    run = drive(check, application)
    assert run.verdict.outcome is outcome
    assert outcome is Outcome.VULNERABLE or len(run.sent) == check.forecast == 4
    assert run.verdict.proof is None or "%00" in run.verdict.proof.verified_by


def test_other_values_are_not():
    check = plan(record(plates(shown=True), Request("GET", b"/?star=moon")), WITHOUT_NAMES, (), (PROBE,))[0]
    assert check.forecast == 3


@pytest.mark.parametrize(
    ("target", "numbers"), [(b"/pay?amount=25", []), (b"/items?page=25", [b"99999999999999999999999"])]
)
def test_an_amount_gets_no_larger_number_where_a_link_takes_it(target: bytes, numbers: list[bytes]):
    application = plates(shown=True)
    run = drive(plan(record(application, Request("GET", target)), WITHOUT_NAMES, (), (PROBE,))[0], application)
    asked = [each.request.target.rpartition(b"=")[2] for each in run.sent]
    assert [value for value in asked if value.isdigit() and len(value) > 2] == numbers


@pytest.mark.parametrize(("refuses_words", "outcome"), [(True, Outcome.SAFE), (False, Outcome.INCONCLUSIVE)])
def test_who_keeps_everybody_to_his_own_folder_blocks_nothing_and_who_refuses_odd_names_alone_does(
    refuses_words: bool, outcome: Outcome
):
    def folders(request: Request) -> Response:
        name = unquote(request.path.decode().split("/")[1])
        if name == "harbour":
            return Response(200, ((b"Content-Type", b"text/plain"),), b"the boats of the harbour")
        if refuses_words or not name.isalpha():
            return Response(403, ((b"Content-Type", b"text/plain"),), b"Access to the requested resource forbidden.")
        return Response(404, (), b"no such folder")

    check = plan(record(folders, Request("GET", b"/harbour/")), WITHOUT_NAMES, (), (PROBE,))[0]
    assert drive(check, folders).verdict.outcome is outcome
