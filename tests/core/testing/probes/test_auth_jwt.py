"""The probe auth_jwt, driven against the range's API over a real port."""

import hmac
from random import Random

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, credentials_of, drive, record
from tests.core.testing.probes.at_range import cases, run_case
from tests.range.jwt_beside import beside_a_cookie, in_a_cookie_of_its_own
from tests.range.jwt_called import argument, link, member
from tests.range.jwt_tokens import TOKENS, bearer, cookie, query
from tests.range.place import respond

from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.testing.authorization.tokens.jwt import compact, decode, parse, with_hmac
from gatecrash.core.testing.authorization.tokens.own_names import remember_name
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.auth_jwt import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = cases("auth_jwt")


def filled(request: Request) -> Request:
    """The request with the range's token in the place of its name."""
    value = request.first(b"Authorization").decode().format(**TOKENS)
    return msgspec.structs.replace(request, headers=with_header(request.headers, b"Authorization", value.encode()))


def told(run: Run) -> str:
    verdict = run.verdict
    more = verdict.title or (verdict.reason.value if verdict.reason else "")
    return f"{verdict.outcome.value}: {more}" if more else verdict.outcome.value


def check_of(request: Request, policy=DEFAULT, application=respond):
    (check,) = plan(record(application, request), policy, credentials_of(request), (PROBE,))
    return check


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (run,) = run_case(filled(case.request), PROBE)
    assert case.expected == (told(run),)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    request = filled(case.request)
    assert drive(check_of(request, THOROUGH), respond, seed + 10).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("request_", "point"),
    [
        (cookie("/jwt-api/ignored-in-a-cookie"), ("header", "COOKIE", "cookie", "access_token")),
        (query("/jwt-api/ignored-in-the-query"), ("get", "access_token")),
        (bearer("hs256", "POST")("/jwt-api/ignored-on-a-post"), ("header", "AUTHORIZATION")),
    ],
)
def test_a_token_is_forged_wherever_it_stands(request_, point):
    verdict = drive(check_of(request_), respond).verdict
    assert (verdict.outcome, verdict.point, verdict.threat) == (Outcome.VULNERABLE, point, 95)


@pytest.mark.parametrize(
    ("place", "outcome"), [("either-lets-in", Outcome.VULNERABLE), ("either-lets-in-soundly", Outcome.SAFE)]
)
def test_a_token_beside_another_credential_is_looked_at_alone(place, outcome):
    run = drive(check_of(beside_a_cookie(f"/jwt-beside/{place}")), respond)
    assert run.verdict.outcome is outcome


def test_a_finding_shows_a_forged_token_with_the_same_claims_and_names_all_mistakes():
    verdict = drive(check_of(bearer("weak")("/jwt-api/weak-and-timeless")), respond).verdict
    shown = parse(verdict.proof.test.request.first(b"Authorization").split(b" ")[1])
    assert shown.payload == parse(TOKENS["weak"].encode()).payload
    assert shown.parts[2] != parse(TOKENS["weak"].encode()).parts[2]
    assert verdict.proof.control.response.status == 401
    assert set(verdict.cwe) == {1391, 613} <= set(PROBE.entry.cwe)
    assert "Expired tokens are taken" in verdict.detail
    assert "'secret123'" in verdict.proof.verified_by


@pytest.mark.parametrize(("token", "most"), [("hs256", 10), ("kid", 13), ("rs256", 13)])
def test_a_sound_endpoint_costs_little_and_about_what_was_forecast(token, most):
    place = {"hs256": "sound-hmac", "kid": "sound-kid", "rs256": "sound-rsa"}[token]
    run = drive(check_of(bearer(token)(f"/jwt-api/{place}")), respond)
    assert run.verdict.outcome is Outcome.SAFE
    assert len(run.sent) <= most
    assert abs(len(run.sent) - run.check.forecast) <= 2


@pytest.mark.parametrize(
    ("publishes", "title"), [("/shop", "A public key is taken for a shared secret"), ("/cart", "")]
)
def test_a_service_behind_a_gateway_publishes_its_keys_below_its_own_name(publishes, title):
    def gateway(request: Request) -> Response:
        path = request.path.decode()
        if path.endswith("jwks.json"):
            inner = path.removeprefix(publishes)
            return Response(404) if inner == path else respond(msgspec.structs.replace(request, target=inner.encode()))
        return respond(msgspec.structs.replace(request, target=path.removeprefix("/shop").encode()))

    run = drive(check_of(bearer("rs256")("/shop/jwt-api/confused"), application=gateway), gateway)
    assert run.verdict.title == title


def test_every_forgery_is_sent_as_it_is():
    run = drive(check_of(bearer("kid")("/jwt-api/sound-kid")), respond)
    assert [asked.raw for asked in run.sent] == [False] + [True] * (len(run.sent) - 1)


def test_where_anybody_is_let_in_no_forgery_proves_anything():
    def open_to_all(_: Request) -> Response:
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"items": ["tea", "cup"]}')

    run = drive(check_of(bearer("weak")("/open"), application=open_to_all), open_to_all)
    assert run.verdict.outcome is Outcome.SAFE
    assert len(run.sent) == 2


def test_a_word_drawn_anew_for_each_answer_follows_no_token():
    """Many forgeries are tried, so that one of them may seem to be taken a few times by chance alone."""
    for seed in range(150):
        drawn = Random(seed)

        def greet(_request: Request, drawn: Random = drawn) -> Response:
            word = drawn.choice(("Hello", "Servus"))
            return Response(200, ((b"Content-Type", b"text/html"),), f"<p>{word}, ann!</p>".encode())

        verdict = drive(check_of(bearer("hs256")("/hello"), application=greet), greet, seed).verdict
        assert verdict.outcome is not Outcome.VULNERABLE


def test_a_changing_request_whose_token_has_expired_since_is_not_judged():
    request = bearer("expired", "POST")("/jwt-api/expired")
    check = check_of(request)

    def later(asked: Request) -> Response:
        return Response(401, ((b"Date", b"Sat, 17 May 2025 10:00:00 GMT"),))

    run = drive(check, later)
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.SESSION, 1)


def test_without_a_token_among_the_credentials_nothing_is_asked():
    request = Request("GET", b"/orders", ((b"Authorization", b"Bearer 3f9a0c77de114b02"),))
    assert plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,)) == []


def test_a_limiter_makes_it_inconclusive_at_once():
    run = drive(check_of(bearer("hs256")("/jwt-api/sound-hmac")), lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_a_key_that_is_fetched_from_where_the_token_says_is_a_finding():
    request = bearer("hs256")("/jwt-api/sound-hmac")
    request = msgspec.structs.replace(request, host="127.0.0.1")
    check = check_of(request)
    oob = addresses(Listening(host="127.0.0.1", port=9), b"k", "tr_1", "bl_1", check.point, "auth")
    dialogue = check.probe.run(check.situation(Random(1), oob))
    asked = next(dialogue)
    for _ in range(30):
        if asked.lures:
            break
        asked = dialogue.send(Answer(exchange_of(asked.request)))
    hit = Hit(name=asked.lures[0].name, protocol=HTTP, at=1.0)
    with pytest.raises(StopIteration) as end:
        dialogue.send(Answer(exchange_of(asked.request), hits=(hit,)))
    verdict = end.value.value
    assert (verdict.outcome, verdict.cwe) == (Outcome.VULNERABLE, (345,))
    header = parse(asked.request.first(b"Authorization").split(b" ")[1]).header
    assert asked.lures[0].name in header["jku"]
    assert asked.lures[1].name in header["x5u"]


def exchange_of(request: Request):
    return Exchange(request, respond(request))


@pytest.mark.parametrize(
    ("compared", "title"),
    [
        (8, "Signatures of tokens are compared in part"),
        (21, "Signatures of tokens are compared in part"),
        (0, "Signatures of tokens are not verified"),
        (43, ""),
    ],
)
def test_a_signature_of_which_not_all_is_compared_is_told_from_one_that_nobody_looks_at(compared, title):
    good = TOKENS["hs256"].encode()

    def application(request: Request) -> Response:
        sent = (request.first(b"Authorization") or b"").removeprefix(b"Bearer ").split(b".")
        kept = good.split(b".")
        is_taken = len(sent) == 3 and sent[:2] == kept[:2] and sent[2][:compared] == kept[2][:compared]
        return Response(200, (), b'{"account": "ann", "balance": 12}') if is_taken else Response(401)

    run = drive(check_of(bearer("hs256")("/x"), DEFAULT, application), application)
    assert run.verdict.title == title


@pytest.mark.parametrize(
    ("place", "asked", "told_of_it"),
    [
        ("a-link-of-which-nobody-looks-at-the-signature", link, "vulnerable: Signatures of tokens are not verified"),
        (
            "an-argument-of-which-nobody-looks-at-the-signature",
            argument,
            "vulnerable: Signatures of tokens are not verified",
        ),
        (
            "a-member-of-which-nobody-looks-at-the-signature",
            member,
            "vulnerable: Signatures of tokens are not verified",
        ),
        ("a-link-that-is-verified", link, "safe"),
        ("an-argument-that-is-verified", argument, "safe"),
        ("a-member-that-is-verified", member, "safe"),
        ("a-token-that-is-kept-as-it-is", link, "safe"),
        ("a-token-that-is-taken-apart-to-be-shown", link, "safe"),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_tokens_among_a_calls_own_values(place, asked, told_of_it, seed):
    (run,) = run_case(asked(f"/jwt-called/{place}"), PROBE, seed)
    assert told(run) == told_of_it


@pytest.mark.parametrize(
    ("place", "told_of_it"),
    [
        ("a-cookie-of-its-own-that-nobody-verifies", "vulnerable: Signatures of tokens are not verified"),
        ("a-cookie-of-its-own-that-is-verified", "safe"),
        ("a-cookie-of-its-own-that-is-taken-apart", "safe"),
        ("a-cookie-of-its-own-that-is-not-read", "safe"),
    ],
)
def test_tokens_in_cookies_that_are_not_known_as_credentials(place, told_of_it):
    (run,) = run_case(in_a_cookie_of_its_own(f"/jwt-beside/{place}"), PROBE)
    assert told(run) == told_of_it


@pytest.mark.parametrize("known", [True, False])
def test_a_word_that_signed_one_token_of_a_run_is_tried_on_the_others(known: bool):
    key = b"gravyboats" if known else b"sauceboats"

    def signed(subject: str) -> bytes:
        return compact({"alg": "HS256"}, {"sub": subject}, with_hmac("HS256", key))

    def application(request: Request) -> Response:
        token = parse((request.first(b"Authorization") or b"").removeprefix(b"Bearer "))
        good = token is not None and decode(token.parts[2]) == hmac.digest(key, token.signed, "sha256")
        shown = b"Welcome to " + key if request.path == b"/home" else b"Saucers: 12"
        return Response(200, (), shown) if good else Response(401)

    def asked(path: bytes, subject: str, told_before: set[tuple[str, ...]]) -> str:
        request = Request("GET", path, ((b"Authorization", b"Bearer " + signed(subject)),))
        (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), told=told_before)
        return told(drive(check, application))

    of_the_run: set[tuple[str, ...]] = set()
    weak = "vulnerable: Tokens are signed with a common word"
    if known:
        assert asked(b"/home", "ann", of_the_run) == weak
    assert asked(b"/stock", "ben", of_the_run) == (weak if known else "safe")


@pytest.mark.parametrize(("key", "weak"), [(b"teahouse123", True), (b"b8f1c64de0a34f2bb1d7c09a7a0e52f2", False)])
def test_what_the_application_calls_itself_elsewhere_is_tried(key: bytes, weak: bool):
    token = compact({"alg": "HS256"}, {"sub": "ann"}, with_hmac("HS256", key))

    def application(request: Request) -> Response:
        shown = parse((request.first(b"Authorization") or b"").removeprefix(b"Bearer "))
        good = shown is not None and decode(shown.parts[2]) == hmac.digest(key, shown.signed, "sha256")
        return Response(200, (), b"Saucers: 12") if good else Response(401)

    of_the_run: set[tuple[str, ...]] = set()
    request = Request("GET", b"/stock", ((b"Authorization", b"Bearer " + token),))
    remember_name(of_the_run, request.origin, "Tea house")
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), told=of_the_run)
    assert told(drive(check, application)) == ("vulnerable: Tokens are signed with a common word" if weak else "safe")
