"""The probe auth_partial, driven against keys that are compared in several ways."""

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.told import told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.auth_partial import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_partial"]
KEY = "9aB3dE7gH1jK5mN8pQ2sT4vW"
COMPARED = {
    "the-beginning": lambda sent: sent[:8] == KEY[:8],
    "a-part-of-it": lambda sent: len(sent) >= 6 and sent in KEY,
    "any-case": lambda sent: sent.lower() == KEY.lower(),
    "all-of-it": lambda sent: sent == KEY,
    "any-key": bool,
    "nobody-asks": lambda _: True,
    "all-but-two": lambda sent: sent[:-2] == KEY[:-2],
}


def keys(request: Request) -> Response:
    token = (request.first(b"Authorization") or b"").removeprefix(b"Bearer ")
    sent = (request.first(b"X-API-Key") or token).decode()
    if not COMPARED[request.path.decode().split("/")[1]](sent):
        return Response(401)
    return Response(
        200, ((b"Content-Type", b"application/json"),), b'{"account": "ann", "items": [{"id": 7, "of": "ann"}]}'
    )


def checks_of(request: Request, policy=THOROUGH):
    return plan(record(keys, request), policy, credentials_of(request), (PROBE,))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (check,) = checks_of(case.request)
    run = drive(check, keys)
    assert case.expected == (told(run).strip(),)
    if run.verdict.outcome is Outcome.SAFE and "any-key" not in case.request.path.decode():
        assert len(run.sent) <= check.forecast + 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    (check,) = checks_of(case.request)
    assert drive(check, keys, seed + 10).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    "request_",
    [
        Request("POST", b"/all-of-it/items", ((b"X-API-Key", KEY.encode()),), b"{}"),
        Request("GET", b"/all-of-it/items", ((b"Authorization", b"Basic YW5uOnNlc2FtZS1vcGVuLTc3"),)),
        Request("GET", b"/all-of-it/items", ((b"X-API-Key", b"short-key"),)),
        Request("GET", b"/all-of-it/items"),
    ],
    ids=["changes something", "a name and a password", "short", "none"],
)
def test_nothing_else_is_tried(request_: Request):
    assert checks_of(request_) == []


def test_what_is_compared_without_case_is_told_as_that_and_weighs_less():
    (check,) = checks_of(msgspec.structs.replace(CASES[0].request, target=b"/any-case/items"))
    verdict = drive(check, keys).verdict
    assert (verdict.cwe, verdict.threat, verdict.title) == (
        (178, 287),
        40,
        "Credentials are checked without regard to case",
    )


def test_a_number_in_base_16_means_the_same_in_either_case():
    number = b"9aB3dE7f41c05Ed8"
    (check,) = checks_of(Request("GET", b"/any-key/items", ((b"X-API-Key", number),)))
    sent = {asked.request.first(b"X-API-Key") for asked in drive(check, keys).sent}
    assert number.swapcase() not in sent


def test_of_what_comes_with_the_same_kinds_of_credentials_three_are_tried():
    header = (b"X-API-Key", KEY.encode())
    lots = {PROBE.collected(Request("GET", b"/items/%d" % number, (header,))) for number in range(60)}
    assert len(lots) == 3
    assert PROBE.collected(Request("GET", b"/items/1", ((b"Cookie", b"sid=1"),))) not in lots


def test_a_policy_that_is_not_thorough_spares_the_requests():
    assert checks_of(CASES[0].request, DEFAULT) == []


@pytest.mark.parametrize(
    "answer", [Response(500), Response(200, (), b"<p>The other half of our visitors sees this.</p>")]
)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("turn", range(2, 9))
def test_a_page_that_looks_at_no_key_and_fails_or_moves_at_times_is_not_claimed(answer: Response, seed: int, turn: int):
    """Each third answer, or the one at some turn alone, is another one."""
    (check,) = checks_of(msgspec.structs.replace(CASES[0].request, target=b"/nobody-asks/items"))
    asked = {"at one turn": 0, "each third": 0}

    def once(request: Request) -> Response:
        asked["at one turn"] += 1
        return answer if asked["at one turn"] == turn else keys(request)

    def often(request: Request) -> Response:
        asked["each third"] += 1
        return answer if asked["each third"] % 3 == turn % 3 else keys(request)

    assert drive(check, once, seed).verdict.outcome is not Outcome.VULNERABLE
    assert drive(check, often, seed).verdict.outcome is not Outcome.VULNERABLE
