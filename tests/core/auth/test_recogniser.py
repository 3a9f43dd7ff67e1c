"""The recogniser: custom parameters, one count a parameter, bounded memory, no value kept, nothing that makes it raise."""

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases.case import cases_of

from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.recogniser import Recognised, compile_recogniser
from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Rule, Scheme
from gatecrash.core.message import Request
from gatecrash.core.point import Point

JWT = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"
CUSTOM = Point.of("header", "X-CUSTOM")


def get(*headers: tuple[bytes, bytes], target: bytes = b"/") -> Request:
    return Request("GET", target, headers)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"k", (AuthType.API_KEY, True)),
        (JWT, (AuthType.BEARER, True)),
        (b"Bearer " + JWT, (AuthType.BEARER, True)),
        (b"basic dXNlcjpwYXNz", (AuthType.BASIC, True)),
        (b"two words", (AuthType.API_KEY, False)),
        (b"", (AuthType.API_KEY, False)),
        (b"NULL", (AuthType.API_KEY, False)),
        (b"Bearer null", (AuthType.BEARER, False)),
    ],
)
def test_the_type_of_a_custom_parameter_comes_from_its_value(value, expected):
    assert [Recognised(expected[0], CUSTOM, expected[1])] == list(
        compile_recogniser([CUSTOM]).recognise(get((b"x-custom", value)))
    )


def test_a_custom_cookie_is_cookie_based_whatever_its_name():
    point = Point.of("header", "COOKIE", "cookie", "mysession")
    found = compile_recogniser([point]).recognise(get((b"cookie", b'x=1; mysession="abc"; mySession=y')))
    assert found == (Recognised(AuthType.COOKIE, point, True),)


def test_a_custom_parameter_at_a_built_in_name_counts_once_and_may_be_short():
    point = Point.of("header", "X-API-KEY")
    request = get((b"X-API-Key", b"k1"))
    assert compile_recogniser().recognise(request) == (Recognised(AuthType.API_KEY, point, False),)
    assert compile_recogniser([point]).recognise(request) == (Recognised(AuthType.API_KEY, point, True),)


def test_a_custom_authorization_keeps_the_schemes_and_allows_short_keys():
    point = Point.of("header", "AUTHORIZATION")
    recogniser = compile_recogniser([point])
    assert recogniser.recognise(get((b"Authorization", b"k1"))) == (Recognised(AuthType.API_KEY, point, True),)
    assert recogniser.recognise(get((b"Authorization", b"Bearer x"))) == (Recognised(AuthType.BEARER, point, False),)


def test_a_repeated_header_is_one_parameter_and_its_valid_value_counts():
    request = get((b"X-Token", b"null"), (b"x-token", b"9f8e7d6c5b4a"))
    assert compile_recogniser().recognise(request) == (
        Recognised(AuthType.API_KEY, Point.of("header", "X-TOKEN"), True),
    )


def test_a_compressed_body_is_left_unread():
    headers = ((b"Content-Type", b"application/json"), (b"Content-Encoding", b"gzip"))
    assert compile_recogniser().recognise(Request("POST", b"/", headers, b'{"api_key":"9f8e7d6c5b4a"}')) == ()


def test_a_scheme_may_ask_for_companions():
    def judge(candidate: Candidate) -> Judgement:
        return Judgement(AuthType.HMAC, candidate.companions == (b"sig1=()",))

    rule = Rule(Point.of("header", "SIGNATURE"), companions=("SIGNATURE-INPUT",))
    recogniser = compile_recogniser(schemes=[Scheme(type=AuthType.HMAC, judge=judge, rules=(rule,))])
    with_input = get((b"Signature", b"s"), (b"Signature-Input", b"sig1=()"))
    assert [each.valid for each in recogniser.recognise(with_input)] == [True]
    assert [each.valid for each in recogniser.recognise(get((b"Signature", b"s")))] == [False]


def test_repeated_values_give_the_same_answer_as_the_first_time():
    recogniser = compile_recogniser()
    request = get((b"Authorization", b"Bearer " + JWT), (b"Cookie", b"jwt=abc"), target=b"/?apikey=9f8e7d6c5b4a")
    assert recogniser.recognise(request) == recogniser.recognise(request)
    assert len(recogniser.recognise(request)) == 3


def test_no_value_stays_in_the_recogniser():
    """Values are remembered by a keyed hash: nothing that the recogniser reaches holds the bytes."""
    secret = b"Zq7-do-not-keep-me-4711"
    recogniser = compile_recogniser()
    recogniser.recognise(get((b"X-Api-Key", secret), (b"Cookie", b"jwt=" + secret), target=b"/?api_key=" + secret))
    reached, todo = set(), [recogniser]
    while todo:
        thing = todo.pop()
        if id(thing) in reached or isinstance(thing, type):
            continue
        reached.add(id(thing))
        assert not (isinstance(thing, bytes) and secret in thing)
        assert not (isinstance(thing, str) and secret.decode() in thing)
        if type(thing).__module__.startswith("gatecrash") or isinstance(thing, (dict, list, tuple, set)):
            todo.extend(gc.get_referents(thing))


RULES = [rule.point for scheme in REGISTRY for rule in scheme.rules]
names = st.sampled_from(
    [
        *(b"Authorization", b"COOKIE", b"x-token", b"Content-Type", b"content-encoding", b"Zz", b"X-Tea-Signature"),
        *(point[1].encode() for point in RULES if point[0] == "header" and len(point) == 2),
        *(b"Signature-Input", b"\xff", b""),
    ]
)
cookie_names = st.sampled_from([point[-1].encode() for point in RULES if len(point) == 4])
query_names = st.sampled_from(
    [
        name.encode()
        for scheme in REGISTRY
        for rule in scheme.rules
        if rule.point[0] == "get"
        for name in (rule.point[1], *rule.companions)
    ]
)
words = st.sampled_from([word.rstrip("*").encode() for scheme in REGISTRY for word in scheme.words])
values = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [b"application/json", b"application/x-www-form-urlencoded", b"jwt=;=;Authorization=%zz", b"Basic "]
    ),
    st.binary(max_size=20).map(lambda tail: b"Bearer eyJ" + tail),
    st.tuples(words, st.binary(max_size=40)).map(b" ".join),
    st.lists(st.tuples(cookie_names, st.binary(max_size=12)).map(b"=".join), max_size=4).map(b"; ".join),
)
queries = st.lists(st.tuples(query_names, st.binary(max_size=12)).map(b"=".join), max_size=6).map(b"&".join)


FUZZED = compile_recogniser([CUSTOM])


@given(
    st.lists(st.tuples(names, values), max_size=6), st.one_of(st.binary(max_size=40), queries), st.binary(max_size=60)
)
def test_nothing_that_a_client_sends_makes_it_raise(headers, target, body):
    for credential in FUZZED.recognise(Request("POST", b"/?access_token=" + target, tuple(headers), body)):
        assert credential.type in AuthType


@given(st.lists(st.from_regex(rb"(X-[A-Z0-9-]{1,20}-Signature|_[a-z]{1,9}_session|SESS[0-9a-f]{32})", fullmatch=True)))
def test_clients_cannot_make_up_parameters(made_up):
    """Whatever names a client invents, they are shown as one of the names that are built in."""
    built_in = {*RULES, *DEFAULTS, CUSTOM}
    cookies = b"; ".join(name + b"=9f8e7d6c" for name in made_up)
    headers = ((b"Cookie", cookies), *((name, b"0f" * 32) for name in made_up))
    assert {found.point for found in FUZZED.recognise(get(*headers))} <= built_in


@pytest.mark.parametrize("case", cases_of("auth"), ids=str)
def test_a_request_without_the_headers_that_nobody_asks_for_says_the_same(case):
    recogniser = compile_recogniser([CUSTOM])
    request = case.request
    kept = tuple(pair for pair in request.headers if recogniser.asks_for(pair[0].upper()))
    spared = Request(request.method, request.target, kept, request.body)
    assert recogniser.recognise(spared) == recogniser.recognise(request)


def test_companions_and_custom_headers_are_asked_for_and_others_are_not():
    recogniser = compile_recogniser([CUSTOM])
    assert all(map(recogniser.asks_for, (b"X-CUSTOM", b"COOKIE", b"SIGNATURE-INPUT", b"X-ACME-SIGNATURE", b"JWT")))
    assert not any(map(recogniser.asks_for, (b"ACCEPT", b"X-REQUEST-ID", b"REFERER")))
