"""Contract 2.1 and 2.2 and the table of valid values, row by row: every type, every default name, every placeholder."""

import pytest
from tests.cases.planted import PLANTED

from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.places import place_of
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType, Place
from gatecrash.core.message import Request
from gatecrash.core.point import Point

RECOGNISER = compile_recogniser()
JWT = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"
PLACEHOLDERS = (
    *(b"", b"null", b"undefined", b"none", b"nan", b"false", b"true", b"0", b"deleted", b"changeme", b"redacted"),
    *(b"[filtered]", b"[object Object]", b"***", b"*****************", b"{{access_token}}", b"${ACCESS_TOKEN}"),
    *(b"<access-token>", b":access_token", b"NULL", b"Undefined", b"ChangeMe", b"[FILTERED]", b'"undefined"'),
)
WORDS = (b"Basic", b"Bearer", b"DPoP", b"Digest", b"Hawk", b"Negotiate", b"NTLM", b"SCRAM-SHA-256", b"Signature",
         b"SharedKey", b"HMAC-SHA256", b"AWS4-HMAC-SHA256", b"Token", b"ApiKey", b"SSWS", b"OAuth")  # fmt: skip


def carrying(point: Point, value: bytes) -> Request:
    """A request with the value at one of the five locations, written as its client would write it."""
    place, name = place_of(point)
    raw = name.replace("<IDP>", "KEYCLOAK").encode()
    escaped = b"".join(b"%%%02X" % byte for byte in value)
    match place:
        case Place.HEADER:
            return Request("GET", b"/", ((raw, value),))
        case Place.COOKIE:
            return Request("GET", b"/", ((b"Cookie", b"a=b; " + raw + b"=" + escaped),))
        case Place.QUERY:
            return Request("GET", b"/?a=b&" + raw + b"=" + escaped)
        case Place.FORM:
            form = ((b"Content-Type", b"application/x-www-form-urlencoded; charset=UTF-8"),)
            return Request("POST", b"/", form, raw + b"=" + escaped)
        case Place.JSON:
            text = value.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            return Request("POST", b"/", ((b"content-type", b"application/json"),), b'{"%b": "%b"}' % (raw, text))


def judged(request: Request) -> list[tuple[AuthType, Point, bool]]:
    return [(each.type, each.point, each.valid) for each in RECOGNISER.recognise(request)]


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_valid_at_no_default_name(value):
    for point in DEFAULTS:
        (found,) = judged(carrying(point, value))
        assert found[1:] == (point, False)


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_valid_behind_no_scheme_word(value):
    for word in WORDS:
        for header in (b"Authorization", b"X-API-Key", b"X-Token"):
            found = judged(Request("GET", b"/", ((header, word + b" " + value),)))
            assert not any(valid for _, _, valid in found), word


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_no_custom_credential_either(value):
    points = [Point.of("header", "X-MINE"), Point.of("get", "mine"), Point.of("header", "COOKIE", "cookie", "mine")]
    recogniser = compile_recogniser(points)
    for point in points:
        assert [each.valid for each in recogniser.recognise(carrying(point, value))] == [False]


def expected(point: Point, value: bytes) -> AuthType:
    """The type by the decisions' order: cookie, JWT, the name access_token, API key."""
    if place_of(point)[0] is Place.COOKIE:
        return AuthType.COOKIE
    return AuthType.BEARER if value == JWT or point[-1] == "access_token" else AuthType.API_KEY


@pytest.mark.parametrize("value", [JWT, b"9f8e7d6c5b4a", b"12345678"])
@pytest.mark.parametrize("point", DEFAULTS, ids=str)
def test_the_type_of_a_default_name_is_decided_by_its_value(point, value):
    assert judged(carrying(point, value)) == [(expected(point, value), point, True)]


@pytest.mark.parametrize("point", DEFAULTS, ids=str)
def test_a_scheme_that_the_value_names_decides_before_all_else(point):
    assert judged(carrying(point, b"Basic dXNlcjpwYXNz")) == [(AuthType.BASIC, point, True)]
    assert judged(carrying(point, b"Bearer 9f8e7d6c5b4a")) == [(AuthType.BEARER, point, True)]


@pytest.mark.parametrize("point", [p for p in DEFAULTS if place_of(p)[0] is Place.HEADER], ids=str)
def test_a_header_has_its_name_in_any_casing(point):
    for name in (point[-1].lower(), point[-1].title(), point[-1].swapcase()):
        request = Request("GET", b"/", ((name.encode(), b"9f8e7d6c5b4a"),))
        assert judged(request) == [(AuthType.API_KEY, point, True)]


@pytest.mark.parametrize("point", DEFAULTS, ids=str)
def test_a_default_name_counts_only_where_the_contract_lists_it(point):
    name = point[-1]
    for steps in (
        ("header", "COOKIE", "cookie"),
        ("get",),
        ("post", "form_urlencoded"),
        ("post", "json_doc", "json_obj"),
    ):
        other = Point((*steps, name))
        if other not in DEFAULTS:
            assert judged(carrying(other, b"9f8e7d6c5b4a")) == []


@pytest.mark.parametrize("point", DEFAULTS, ids=str)
def test_a_key_has_eight_characters_or_more_and_a_custom_one_has_one(point):
    if place_of(point)[0] is Place.COOKIE:
        return
    assert [valid for _, _, valid in judged(carrying(point, b"9f8e7d6"))] == [False]
    if point[-1] != "access_token":
        assert [each.valid for each in compile_recogniser([point]).recognise(carrying(point, b"7"))] == [True]


@pytest.mark.parametrize("one", PLANTED[:13], ids=lambda one: one.place)
def test_a_valid_value_of_each_type_cut_in_half_is_valid_no_more(one):
    """But for opaque ones, of which every half is opaque, too."""
    request = one.exchange.request
    (whole,) = RECOGNISER.recognise(request)
    assert whole.valid
    if whole.type in {AuthType.API_KEY, AuthType.COOKIE} or one.place == "bearer":
        return
    ((name, value),) = request.headers
    # A ticket that a log cut short is still one (its manual says why), and half a pair may hold its colon.
    kept = {AuthType.BASIC: 16, AuthType.NEGOTIATE: 20}.get(whole.type, len(value) // 2)
    halved = RECOGNISER.recognise(Request("GET", b"/", ((name, value[:kept]),)))
    assert [each.valid for each in halved] in ([False], [])
