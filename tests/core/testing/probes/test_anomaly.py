"""The probe anomaly, driven against the range's places over a real port, and under a policy's own conditions."""

import json
import re
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, drive, record, runs
from tests.core.testing.probes.at_range import cases, run_case, told_all

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.conditions import Bounds, Condition
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.fuzzer import BYTES, Fuzzer
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.anomaly import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = cases("anomaly")
FOUND = [case for case in CASES if case.kind == "Found"]
BROKEN = Response(500, (), b"broken")


def value_of(request: Request) -> bytes:
    return (request.query or b"").removeprefix(b"q=")


def fuzzed(application, fuzzer: Fuzzer, method: str = "GET") -> Run:
    request = Request(method, b"/?q=tea")
    policy = msgspec.structs.replace(THOROUGH, fuzzer=fuzzer, locations=("get",))
    (check,) = plan(record(application, request), policy, (), (PROBE,))
    return drive(check, application)


def breaking(*encoded: bytes):
    """Breaks over a value that holds all of these."""

    def application(request: Request) -> Response:
        return BROKEN if all(each in value_of(request) for each in encoded) else Response(200, (), b"fine")

    return application


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.expected == told_all(run_case(case.request, PROBE))


def test_a_finding_shows_its_proof():
    found = [run.verdict for run in run_case(FOUND[0].request, PROBE) if run.verdict.outcome is Outcome.VULNERABLE]
    assert found
    for verdict in found:
        assert (verdict.type, verdict.title, verdict.cwe) == ("anomaly", f"{PROBE.entry.title} (00)", PROBE.entry.cwe)
        assert "The byte 00" in verdict.proof.verified_by
        assert verdict.proof.test.response.status == 500
        assert verdict.proof.control.response.status == 200


def test_no_policy_but_thorough_has_it():
    assert "anomaly" not in DEFAULT.types
    assert "anomaly" in THOROUGH.types


def test_the_guilty_byte_is_the_only_one_left_of_any_size():
    for size in (1, 7, 64, 255, 1000):
        run = fuzzed(breaking(b"%25"), Fuzzer(sizes=(size,), places=("end",)))
        assert run.verdict.detail.startswith("bytes 25 "), size


def test_bytes_that_break_only_together_stay_together():
    """A halving that loses the anomaly ends there, and what is left still does it."""
    run = fuzzed(breaking(b"%5B", b"%7B"), Fuzzer(sizes=(64,), places=("beginning",)))
    guilty = bytes.fromhex(run.verdict.detail.split(" before")[0].removeprefix("bytes ").replace(" …", ""))
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert guilty


@pytest.mark.parametrize("place", ["beginning", "end", "random", "replace"])
def test_every_byte_value_is_sent_at_every_place(place):
    run = fuzzed(breaking(b"never"), Fuzzer(places=(place,)))
    sent = b"".join(value_of(asked.request) for asked in run.sent)
    assert run.verdict.outcome is Outcome.SAFE
    assert {each for each in BYTES if f"%{each:02X}".encode() in sent or bytes((each,)) in sent} == set(BYTES)


def test_the_forecast_is_what_a_sound_point_costs():
    for method in ("GET", "POST"):
        run = fuzzed(breaking(b"never"), Fuzzer(sizes=(64, 100)), method)
        assert run.check.forecast == len(run.sent)


def test_the_policys_conditions_judge():
    def judged(request: Request) -> Response:
        slow.elapsed = 3.0 if b"%25" in value_of(request) else 0.1
        return Response(200, (), b"fine")

    slow: Any = judged
    slow.elapsed = 0.1
    anomaly = (Condition(time_difference=Bounds(at_least=2)),)
    assert fuzzed(slow, Fuzzer(anomaly=anomaly)).verdict.outcome is Outcome.VULNERABLE
    assert fuzzed(slow, Fuzzer()).verdict.outcome is Outcome.SAFE


def test_what_is_no_anomaly_is_none_and_what_stops_stops():
    broken = breaking(b"%25")
    assert fuzzed(broken, Fuzzer(no_anomaly=(Condition(body="broken"),))).verdict.outcome is Outcome.SAFE
    stopped = fuzzed(broken, Fuzzer(stop=(Condition(body="broken"),)))
    assert (stopped.verdict.outcome, stopped.verdict.detail) == (
        Outcome.SAFE,
        "a stop condition of the policy held",
    )
    assert len(stopped.sent) < 10


def test_a_baseline_that_is_an_anomaly_itself_is_inconclusive():
    run = fuzzed(breaking(b"never"), Fuzzer(anomaly=(Condition(body="fine"),)))
    assert run.verdict.reason is Inconclusive.UNSTABLE


def test_a_limiter_makes_it_inconclusive_at_once():
    (check, *_) = plan(record(lambda _: Response(200, (), b"fine"), FOUND[0].request), THOROUGH, (), (PROBE,))
    run = drive(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_a_method_that_changes_something_is_not_repeated_as_it_is():
    application = breaking(b"never")
    run = fuzzed(application, Fuzzer(), "POST")
    assert all(asked.request != run.check.baseline.request for asked in run.sent)
    assert isinstance(run.check.baseline.exchange, Exchange)


BODY = Request(
    "POST", b"/orders", ((b"Content-Type", b"application/json"),), b'{"sku": "A1", "note": "soon", "to": "Ann"}'
)


def parsing(request: Request) -> Response:
    """A framework that decodes the body before it looks at it, and fails outside of what answers for it."""
    try:
        read = json.loads(request.body.decode())
    except UnicodeDecodeError:
        return BROKEN
    except ValueError:
        return Response(400, (), b"no JSON")
    return BROKEN if "%" in str(read.get("note")) else Response(200, (), b"fine")


def claimed(application, told: set[tuple[str, ...]], request: Request = BODY) -> list[str]:
    checks = plan(record(application, request), THOROUGH, (), (PROBE,), told=told)
    verdicts = [drive(check, application).verdict for check in checks]
    return [f"{each.point[-1]} {each.detail}" for each in verdicts if each.outcome is Outcome.VULNERABLE]


def test_a_parser_that_breaks_is_told_once_a_host_and_a_value_that_does_for_itself() -> None:
    told: set[tuple[str, ...]] = set()
    first = claimed(parsing, told)
    assert sum("80" in each for each in first) == 1
    assert [each.partition(" ")[0] for each in first if "25" in each] == ["note"]
    # Another endpoint of the host has the same parser.
    assert [
        each for each in claimed(parsing, told, msgspec.structs.replace(BODY, target=b"/baskets")) if "80" in each
    ] == []


@pytest.mark.parametrize(
    ("request_", "location"),
    [
        (Request("POST", b"/", ((b"Content-Type", b"application/json"),), b'{"q":"tea"}'), "post"),
        (Request("GET", b"/", ((b"X-Name", b"tea"),)), "header"),
        (Request("GET", b"/teas/tea"), "path"),
    ],
)
def test_exactly_the_bytes_that_a_place_can_hold_are_sent_there(request_: Request, location: str) -> None:
    sent: set[Request] = set()

    def application(request: Request) -> Response:
        sent.add(request)
        return Response(200, (), b"fine")

    fuzzer = Fuzzer(sizes=(4,), places=("beginning",))
    policy = msgspec.structs.replace(THOROUGH, fuzzer=fuzzer, locations=(location,))
    check = plan(record(application, request_), policy, (), (PROBE,))[-1]
    drive(check, application)

    def written(content: bytes) -> Request | None:
        try:
            return rewrite(request_, check.point, content)
        except UserError:
            return None

    value = check.planned.value
    order = BYTES if request_.method == "GET" else b"\1\0" + BYTES[2:]
    held = bytes(each for each in order if written(value + bytes((each,)) + b"e") is not None)
    expected = {written(held[at : at + 4] + value) for at in range(0, len(held), 4)}
    assert len(held) > 90
    assert expected - {None} == sent - {request_}


def test_values_that_break_by_bytes_of_their_own_are_told_each() -> None:
    def application(request: Request) -> Response:
        """The parser takes any bytes, and what is written into files does not."""
        read = json.loads(request.body.decode("utf-8", "surrogateescape"))
        broken = any("\udc80" in str(read.get(name)) for name in ("sku", "to"))
        return BROKEN if broken else Response(200, (), b"fine")

    assert [each.partition(" ")[0] for each in claimed(application, set())] == ["sku", "to"]


@pytest.mark.parametrize(
    ("byte", "type_", "at", "outcome"),
    [
        (b"%27", "sqli", "q", Outcome.SAFE),
        (b"%27", "xss", "q", Outcome.VULNERABLE),
        (b"%27", "sqli", "page", Outcome.VULNERABLE),
        (b"%FE", "sqli", "q", Outcome.VULNERABLE),
    ],
)
def test_characters_that_end_a_statement_which_an_injection_proved_are_no_finding_besides(byte, type_, at, outcome):
    application = breaking(byte)
    policy = msgspec.structs.replace(THOROUGH, fuzzer=Fuzzer(sizes=(255,), places=("end",)), locations=("get",))
    (check,) = plan(record(application, Request("GET", b"/?q=tea")), policy, (), (PROBE,))
    check.memory.proven.add((type_, Point.of("get", at)))
    assert drive(check, application).verdict.outcome is outcome


@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_no_other_object_is_changed_where_the_beginning_of_a_text_is_read_as_a_number(method):
    meant: set[int] = set()

    def application(request: Request) -> Response:
        number = re.match(r"[ +]*(\d+)", unquote_to_bytes(request.path.rpartition(b"/")[2]).decode("latin-1"))
        meant.add(int(number[1]) if number else 0)
        found = number is not None and int(number[1]) == 1003
        return Response(200 if found else 404, (), b'{"done": true}' if found else b'{"error": "no such note"}')

    request = Request(method, b"/notes/1003", ((b"Content-Type", b"application/json"),), b"{}", host="a")
    for seed in range(4):
        assert runs(application, request, (PROBE,), THOROUGH, seed)
    assert meant <= {0, 1003, 123456789}, "digits of all the bytes, and no part of the number"


def test_what_changes_something_is_sent_no_text_that_ends_where_it_begins():
    """To programs in C a text ends at the first zero, and many take an empty one for all."""
    sent: list[bytes] = []

    def application(request: Request) -> Response:
        sent.append(unquote_to_bytes(request.body.removeprefix(b"from=")))
        return Response(200, (), b"moved")

    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    assert runs(application, Request("POST", b"/files/move", form, b"from=tea.txt"), (PROBE,), THOROUGH)
    assert any(b"\0" in each for each in sent)
    assert not any(each.startswith(b"\0") for each in sent)


@pytest.mark.parametrize(("byte", "outcome"), [(b"~", Outcome.VULNERABLE), (b"\x01", Outcome.SAFE)])
def test_what_a_server_refuses_in_headers_hides_no_other_bytes(byte: bytes, outcome: Outcome):
    def application(request: Request) -> Response:
        value = request.first(b"X-Shelf") or b""
        if any(each < 0x20 and each != 0x09 for each in value):
            return Response(400, (), b"The request was rejected because the header has an invalid character.")
        return BROKEN if byte in value else Response(200, (), b"fine")

    request = Request("GET", b"/", ((b"X-Shelf", b"tea"),))
    checks = plan(record(application, request), THOROUGH, (), (PROBE,))
    (check,) = [each for each in checks if each.point == Point.of("header", "X-SHELF")]
    assert drive(check, application).verdict.outcome is outcome


@pytest.mark.parametrize(("code", "outcome"), [("s:Client", Outcome.SAFE), ("s:Server", Outcome.VULNERABLE)])
def test_a_fault_that_blames_the_message_is_a_refusal(code, outcome):
    """SOAP has one status for both."""
    fault = f"<s:Fault><faultcode>{code}</faultcode><faultstring>no</faultstring></s:Fault>"
    body = f'<s:Envelope xmlns:s="urn:s"><s:Body>{fault}</s:Body></s:Envelope>'.encode()
    answered = Response(500, ((b"Content-Type", b"text/xml"),), body)

    def application(request: Request) -> Response:
        return answered if b"%25" in value_of(request) else Response(200, (), b"fine")

    assert fuzzed(application, Fuzzer(sizes=(64,), places=("end",))).verdict.outcome is outcome
