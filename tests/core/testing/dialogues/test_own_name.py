"""What one's own login goes by stands there again when a test is over."""

import json
from random import Random

import pytest
from tests.core.testing.driving import answer_of, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.lockout import Tries
from gatecrash.core.testing.dialogues.own_name import careful, names_set, with_own_name
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Dialogue, TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import safe

MAIL = "ann@yard.example"
BEARER, JSON = (b"Authorization", b"Bearer 3f9a0c77de114b02"), (b"Content-Type", b"application/json")
CHANGED = {"email": MAIL, "nickname": "Annie"}
OWN = (Identity("ann", 0, (MAIL,)), Identity("ben", 0, ("ben@yard.example",)))


class Account:
    """Keeps whatever it is sent."""

    def __init__(self) -> None:
        self.email = MAIL

    def __call__(self, request: Request) -> Response:
        try:
            self.email = json.loads(request.body)["email"]
        except (ValueError, KeyError, TypeError):
            return Response(400, (JSON,), b'{"error": "what?"}')
        return Response(200, (JSON,), json.dumps({"email": self.email}).encode())


def request(method: str = "PUT", path: bytes = b"/me", body: dict[str, object] = CHANGED) -> Request:
    return Request(method, path, (BEARER, JSON), json.dumps(body).encode())


def test_a_test_that_leaves_another_name_sets_the_own_one_back() -> None:
    account = Account()
    baseline, left = record(account, request()), 0
    for check in plan(baseline, THOROUGH, probes=REGISTRY, identities=OWN):
        situation = check.situation(Random(1))
        for bare in (True, False):
            dialogue = check.probe.run(situation) if bare else careful(check.probe, situation, Tries())
            account.email = MAIL
            try:
                asked = next(dialogue)
                while True:
                    asked = dialogue.send(answer_of(account, asked.request))
            except StopIteration:
                pass
            left += bare and account.email != MAIL
            assert bare or account.email == MAIL, check.probe.type
    assert left, "some tests leave another one"


def test_it_is_set_back_before_the_next_change_and_behind_what_reads_that_one() -> None:
    other, read = request(body={**CHANGED, "email": "x@yard.example"}), Request("GET", b"/me", (BEARER,))
    asked_for = [other, read, other, other]

    def dialogue() -> Dialogue:
        for each in asked_for:
            yield TestRequest(each)
        return safe("info", Point(), "")

    situation = plan(record(Account(), request()), THOROUGH, probes=REGISTRY, identities=OWN)[0].situation(Random(1))
    leading, sent = with_own_name(dialogue(), situation), []
    try:
        asked = next(leading)
        while True:
            sent.append(asked.request)
            asked = leading.send(answer_of(Account(), asked.request))
    except StopIteration:
        pass
    assert sent == [other, read, request(), other, request(), other, request()]


def set_by(sent: Request, status: int = 200) -> int:
    baseline: Baseline = record(lambda _: Response(status, (JSON,), b'{"ok": true}'), sent)
    checks = plan(baseline, THOROUGH, probes=REGISTRY, identities=OWN)
    return len(names_set(checks[0].situation(Random(1))))


@pytest.mark.parametrize(
    ("sent", "sets"),
    [
        (request(), 1),
        (request("PATCH"), 1),
        (request("POST", b"/account/email"), 1),
        (request("POST", b"/orders", {"email": MAIL, "item": "lamp"}), 0),
        (request("PUT", b"/me", {"email": "other@yard.example", "nickname": "Annie"}), 0),
        (request("PUT", b"/me", {"motto": MAIL}), 0),
        (request("POST", b"/account/login", {"email": MAIL, "password": "Right-1"}), 0),
    ],
)
def test_who_changes_his_own_account_says_what_he_is_called(sent: Request, sets: int) -> None:
    assert set_by(sent) == sets


def test_what_was_refused_sets_nothing() -> None:
    assert set_by(request(), 403) == 0
