"""The probe auth_session, driven against cookies that common words have signed and others."""

import pytest
import tests.range.sessions_made
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record
from tests.range.place import PLACES, respond
from tests.range.sessions_made import AT, COMMON, account, crumbs, is_ann, of_timed, timed, with_cookies

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.authorization.tokens.known_words import learn_words
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_session import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth_session"]
HERE = f"/{tests.range.sessions_made.__name__.rpartition('.')[2]}/".replace("_", "-")


def checks_of(request: Request):
    return plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,))


def recorded(case: Case) -> Request:
    """The request of the case's place, with its cookies."""
    wanted = case.request.path.decode()
    return next(each for place in PLACES for each in place.requests if each.path.decode() == wanted)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_case(case: Case, seed: int):
    (check,) = checks_of(recorded(case))
    verdict = drive(check, respond, seed).verdict
    assert case.expected == (f"{verdict.outcome.value} {'/'.join(verdict.point)}".strip(),)


@pytest.mark.parametrize(
    ("key", "title", "cwe"),
    [
        (b"b8f1c64de0a34f2bb1d7c09a7a0e52f2", "The key that signs sessions is given away", 522),
        (b"grandmother-on-a-bicycle", "Sessions are signed with a common word", 1391),
    ],
)
def test_a_random_key_that_an_answer_tells_is_given_away_and_no_common_word(key: bytes, title: str, cwe: int):
    def application(request: Request) -> Response:
        return account(known=is_ann(of_timed(key, crumbs(request).get(b"session", b""))))

    request = with_cookies(session=timed(key, {"user": "annmarsh"}))(HERE + "x")
    told: set[tuple[str, ...]] = set()
    learn_words(told, Exchange(request, Response(200, (), b'{"secret_key": "%s"}' % key)))
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), told=told)
    verdict = drive(check, application).verdict
    assert (verdict.outcome, verdict.title, verdict.cwe[0]) == (Outcome.VULNERABLE, title, cwe)


@pytest.mark.parametrize(
    ("path", "headers", "outcome"),
    [
        (b"/debug", ((b"Cookie", b"session=x"),), Outcome.SAFE),
        (HERE.encode() + b"x/account", ((b"Cookie", b"session=x"),), Outcome.VULNERABLE),
        (b"/debug", (), Outcome.VULNERABLE),
        (b"/config.js", ((b"Cookie", b"session=x"),), Outcome.VULNERABLE),
    ],
)
def test_a_key_is_given_away_where_it_is_told(path: bytes, headers: Headers, outcome: Outcome):
    """What a visitor is told is held against any page: his is not tested so, though browsers send their cookies there."""
    key = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2"
    request = with_cookies(session=timed(key, {"user": "annmarsh"}))(HERE + "x")
    told: set[tuple[str, ...]] = set()
    teller = Request("GET", path, headers, host=request.host, port=request.port, scheme=request.scheme)
    telling = Response(200, (), b'{"secret_key": "%s"}' % key)
    learn_words(told, Exchange(teller, telling))

    def application(asked: Request) -> Response:
        if asked.path == b"/config.js":
            return telling
        return account(known=is_ann(of_timed(key, crumbs(asked).get(b"session", b""))))

    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), told=told)
    assert drive(check, application).verdict.outcome is outcome


def test_what_no_common_word_has_signed_costs_nothing():
    (check,) = checks_of(
        with_cookies(user_session=timed(b"8f1c0e77", {"user": "annmarsh"}))(HERE + "signed-with-chance")
    )
    assert len(drive(check, respond).sent) == check.forecast == 0


def test_no_other_user_and_no_other_right_is_claimed():
    (check,) = checks_of(with_cookies(session=timed(COMMON, {"user": "annmarsh"}))(HERE + "signed-with-a-common-word"))
    run = drive(check, respond)
    data = timed(COMMON, {"user": "annmarsh"}).partition(b".")[0]
    assert {asked.request.first(b"Cookie").split(b".")[0] for asked in run.sent} == {b"session=" + data}
    assert AT > 0


def test_it_is_told_once_a_run_and_cookie():
    request = with_cookies(session=timed(COMMON, {"user": "annmarsh"}))(HERE + "signed-with-a-common-word")
    found: set[tuple[str, ...]] = set()
    outcomes = []
    for _ in range(2):
        (check,) = plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,), told=found)
        outcomes.append(drive(check, respond).verdict.outcome)
    assert outcomes == [Outcome.VULNERABLE, Outcome.SAFE]


@pytest.mark.parametrize("cookies", [{}, {"sessionid": b"5d0c11e7a9b34f20"}, {"theme": b"dark"}])
def test_what_has_no_signature_is_left_alone(cookies):
    request = with_cookies(**cookies)(HERE + "signed-with-a-common-word")
    assert checks_of(request) == []
