"""Tests of a login's password never lock an account that forgets wrong ones over a right one, and end where it is locked."""

import json
from collections.abc import Callable
from random import Random
from urllib.parse import parse_qs

import msgspec
import pytest
from tests.core.testing.driving import answer_of, answered, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.lockout import LOCKED, UNTOLD, Tries, password_of, sparing
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Inconclusive, Outcome, safe

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
LOGIN = Request("POST", b"/login", ((b"Content-Type", b"application/json"),), b'{"user":"ann","password":"Right-1"}')


class Accounts:
    """Locks an account after so many wrong passwords; forgetful: a right one makes it forget them."""

    def __init__(self, most: int, *, forgetful: bool) -> None:
        self.most, self.forgetful, self.wrong, self.asked, self.all_wrong = most, forgetful, 0, 0, 0

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        told = json.loads(request.body)
        if told["user"] != "ann":
            return _answer(401, {"message": "wrong"})
        if self.wrong >= self.most:
            return _answer(401, {"message": "wrong"})
        if told["password"] == "Right-1":
            self.wrong = 0 if self.forgetful else self.wrong
            return _answer(200, {"token": "abcdefgh"})
        self.wrong += 1
        self.all_wrong += 1
        return _answer(401, {"message": "wrong"})


def _answer(status: int, body: dict[str, object]) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


def _verdicts(
    accounts: Callable[[Request], Response], login: Request = LOGIN, field: str = "password", tries: Tries | None = None
):
    baseline, tries = record(accounts, login), tries or Tries()
    told = []
    for check in plan(baseline, DEFAULT, probes=REGISTRY):
        if check.point[-1:] != (field,):
            assert not told, "what stands in other fields is tested first"
            continue
        dialogue = sparing(check.probe, check.situation(Random(1)), tries)
        told.append(answered(dialogue, accounts))
    return told


def test_an_account_is_not_locked_where_a_right_password_is_remembered():
    accounts = Accounts(3, forgetful=True)
    told = _verdicts(accounts)
    assert len(told) > 3
    assert {verdict.outcome for verdict in told} == {Outcome.SAFE}
    assert accounts.wrong < 3


class LeadingOn(Accounts):
    """The same accounts on a site that leads everybody to its start page, which asks once more who has not signed in."""

    def __call__(self, request: Request) -> Response:
        super().__call__(request)
        return Response(302, ((b"Location", b"/home"), (b"Set-Cookie", b"session=b7c1e09f4d22; HttpOnly")))


@pytest.mark.parametrize("forgetful", [True, False])
def test_an_account_whose_logins_all_lead_to_one_page_sees_two_wrong_passwords_in_a_run(forgetful):
    accounts, tries = LeadingOn(3, forgetful=forgetful), Tries()
    told = [*_verdicts(accounts, tries=tries), *_verdicts(accounts, tries=tries)]
    assert len(told) > 3
    assert {(each.reason, each.detail) for each in told if each.outcome is Outcome.INCONCLUSIVE} == {
        (Inconclusive.RATE_LIMITED, UNTOLD)
    }
    assert told[-1].outcome is Outcome.INCONCLUSIVE
    assert accounts.all_wrong == 2


class ByPage(Accounts):
    """The same accounts on a site that leads who is let in to another page than who is not."""

    def __call__(self, request: Request) -> Response:
        let_in = super().__call__(request).status == 200
        where = b"/home" if let_in else b"/login"
        return Response(302, ((b"Location", where), (b"Set-Cookie", b"session=b7c1e09f4d22; HttpOnly")))


def test_an_account_is_tested_where_a_redirect_tells_who_was_let_in():
    accounts = ByPage(3, forgetful=True)
    told = _verdicts(accounts)
    assert {verdict.outcome for verdict in told} == {Outcome.SAFE}
    assert accounts.wrong < 3
    assert _verdicts(ByPage(5, forgetful=False))[-1].detail == LOCKED


class ByForm(ByPage):
    """The same accounts on a site of forms."""

    def __call__(self, request: Request) -> Response:
        told = {name: values[0] for name, values in parse_qs(request.body.decode("latin-1")).items()}
        told = {"user": "", "password": "", **told}
        return super().__call__(msgspec.structs.replace(request, body=json.dumps(told).encode()))


def test_what_is_written_beside_the_right_password_is_no_wrong_one():
    accounts, tries = ByForm(3, forgetful=True), Tries()
    baseline = record(accounts, Request("POST", b"/login", FORM, b"user=ann&password=Right-1"))
    checks = [each for each in plan(baseline, THOROUGH, probes=REGISTRY) if "password" in each.point]
    assert checks[0].point[-1] == "name"
    told = [answered(sparing(check.probe, check.situation(Random(1)), tries), accounts) for check in checks]
    assert {verdict.outcome for verdict in told} == {Outcome.SAFE}
    assert accounts.wrong < 3


class Unfriendly(Accounts):
    """The same accounts on a site that refuses under a good status, in words of its own."""

    def __call__(self, request: Request) -> Response:
        refused = super().__call__(request).status != 200
        return _answer(200, {"rc": 17} if refused else {"token": "abcdefgh"})


def test_an_answer_that_looks_good_is_no_sign_of_a_right_password():
    accounts = Unfriendly(3, forgetful=True)
    assert len(_verdicts(accounts)) > 3
    assert accounts.wrong < 3


def test_several_logins_of_an_account_are_counted_together():
    accounts, tries = Accounts(3, forgetful=True), Tries()
    baselines = [record(accounts, LOGIN) for _ in range(2)]
    checks = [
        [each for each in plan(one, DEFAULT, probes=REGISTRY) if each.point[-1:] == ("password",)] for one in baselines
    ]
    dialogues = [sparing(of[0].probe, of[0].situation(Random(1)), tries) for of in checks]
    asked = [next(each) for each in dialogues]
    for _ in range(4):
        for place, dialogue in enumerate(dialogues):
            try:
                asked[place] = dialogue.send(answer_of(accounts, asked[place].request))
            except StopIteration:
                dialogues[place] = sparing((check := checks[place].pop()).probe, check.situation(Random(1)), tries)
                asked[place] = next(dialogues[place])
            assert accounts.wrong < 3


def test_a_probe_of_the_whole_request_spares_the_account_as_well():
    accounts = Accounts(3, forgetful=True)
    baseline = record(accounts, LOGIN)

    def guesses(situation):
        for number in range(5):
            body = b'{"user":"ann","password":"guess-%d"}' % number
            yield TestRequest(Request("POST", b"/login", LOGIN.headers, body))
        return safe("info", situation.point)

    check = next(iter(plan(baseline, DEFAULT, probes=REGISTRY)))
    dialogue = sparing(msgspec.structs.replace(check.probe, run=guesses), check.situation(Random(1)), Tries())
    answered(dialogue, accounts)
    assert accounts.all_wrong == 5
    assert accounts.wrong < 3


class Badges(Accounts):
    """The same accounts by a badge and its PIN."""

    def __call__(self, request: Request) -> Response:
        told = json.loads(request.body)
        right = "Right-1" if told["pin"] == "100244" else ""
        body = json.dumps({"user": "ann" if told["badge"] == 2 else "", "password": right}).encode()
        return super().__call__(Request("POST", b"/login", request.headers, body))


def test_the_account_of_a_badge_is_not_locked_over_its_pin() -> None:
    badges = Badges(3, forgetful=True)
    told = _verdicts(badges, Request("POST", b"/unlock", LOGIN.headers, b'{"badge": 2, "pin": "100244"}'), "pin")
    assert len(told) > 3
    assert {verdict.outcome for verdict in told} == {Outcome.SAFE}
    assert badges.wrong < 3


def test_the_secret_of_a_login_stands_in_a_header_or_beside_a_badge_and_nowhere_else() -> None:
    def secret(request: Request) -> tuple[str, ...] | None:
        found = password_of(record(lambda _: _answer(200, {"token": "abcdefgh"}), request))
        return None if found is None else tuple(found)

    named = ((b"X-Username", b"ann"), (b"X-Password", b"Right-1"))
    assert secret(Request("POST", b"/api/session", named)) == ("header", "X-PASSWORD")
    assert secret(Request("POST", b"/orders", named)) is None
    assert secret(Request("POST", b"/delivery", LOGIN.headers, b'{"sku": "A-77", "pincode": "411001"}')) is None


class Operations(Accounts):
    """The same accounts behind GraphQL, which refuses under a good status and gives a bare token."""

    def __call__(self, request: Request) -> Response:
        told = json.loads(request.body)["variables"]
        body = json.dumps({"user": told["n"], "password": told["p"]}).encode()
        answered = super().__call__(Request("POST", b"/login", request.headers, body))
        if answered.status == 200:
            return _answer(200, {"data": {"signIn": TOKEN}})
        return _answer(200, {"data": None, "errors": [{"message": "That does not fit"}]})


TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6M30.c2lnbmF0dXJl"
SIGN_IN = Request(
    "POST",
    b"/api",
    LOGIN.headers,
    json.dumps(
        {
            "query": "mutation M($n: String!, $p: String!) { signIn(user: $n, password: $p) }",
            "variables": {"n": "ann", "p": "Right-1"},
        }
    ).encode(),
)


def test_a_login_that_is_an_operation_is_spared_as_well():
    accounts = Operations(3, forgetful=True)
    assert password_of(record(accounts, SIGN_IN))[-1] == "p"
    told = _verdicts(accounts, SIGN_IN, "p")
    assert len(told) > 3
    assert accounts.wrong < 3


def test_a_locked_account_decides_nothing_and_is_left_alone():
    accounts = Accounts(5, forgetful=False)
    told = _verdicts(accounts)
    assert accounts.asked < 12
    assert told[-1].outcome is Outcome.INCONCLUSIVE
    assert (told[-1].reason, told[-1].detail) == (Inconclusive.RATE_LIMITED, LOCKED)


@pytest.mark.parametrize(("path", "status"), [(b"/login", 401), (b"/account/password", 200), (b"/register", 200)])
def test_only_a_login_that_let_in_has_a_password_to_spare(path, status):
    request = Request("POST", path, LOGIN.headers, LOGIN.body)
    assert password_of(record(lambda _: _answer(status, {"message": "told"}), request)) is None
    assert password_of(record(Accounts(3, forgetful=True), LOGIN)) == ("post", "json_doc", "json_obj", "password")


def test_a_password_that_is_sent_as_an_operator_is_a_wrong_one_as_well() -> None:
    passwords: list[list[str]] = []

    def shop(request: Request) -> Response:
        passwords.append(parse_qs(request.body.decode("latin-1")).get("password", []))
        return Response(302, ((b"Location", b"/"), (b"Set-Cookie", b"session=b7c1e09f4d22; HttpOnly")))

    form = Request("POST", b"/login", FORM, b"username=ann&password=Right-1")
    _verdicts(shop, form)
    assert sum(each != ["Right-1"] for each in passwords) == 2
