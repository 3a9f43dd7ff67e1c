"""Credentials on and off requests: what a probe changed stays changed."""

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.profiles.dressing import (
    PENDING,
    as_other,
    as_recorded,
    by_the_browser,
    chosen,
    pending,
    put,
    put_all,
    up_to_date,
    wanted,
    without_choices,
)
from gatecrash.core.testing.profiles.profile import Once, Placed, ProfileIdentity, Step

TOKEN = Point.of("header", "AUTHORIZATION")
SID = Point.of("header", "COOKIE", "cookie", "sid")
KEY = Point.of("get", "api key")
FIELD = Point.of("post", "form_urlencoded", "csrf")
PLAIN = Request("GET", b"/a", ((b"Host", b"h"),))
FORM = Request(
    "POST", b"/a?x=1", ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"6")), b"csrf=1"
)


def by(agent: bytes) -> Request:
    return Request("GET", b"/a", ((b"Host", b"h"), (b"User-Agent", agent), (b"Accept", b"*/*")))


@pytest.mark.parametrize(
    ("login", "sent", "expected"),
    [
        pytest.param(("User-Agent", "Theirs/2"), b"Mine/1", b"Theirs/2", id="the browser that his session is good for"),
        pytest.param(("User-Agent", "Theirs/2"), b"Mine/1'", b"Mine/1'", id="what a probe wrote"),
        pytest.param(("Accept", "*/*"), b"Mine/1", b"Mine/1", id="a login that names none"),
        pytest.param(("user-agent", "${agent}"), b"Mine/1", b"Mine/1", id="a template"),
    ],
)
def test_another_asks_by_the_browser_that_he_signs_in_with(
    login: tuple[str, str], sent: bytes, expected: bytes
) -> None:
    identity = ProfileIdentity(name="bob", login=(Step(method="POST", url="/login", headers=(login,)),))
    asked = by_the_browser(by(sent), identity, by(b"Mine/1"))
    assert asked.headers == ((b"Host", b"h"), (b"User-Agent", expected), (b"Accept", b"*/*"))
    assert by_the_browser(PLAIN, identity, PLAIN) == PLAIN


@pytest.mark.parametrize("point", [TOKEN, SID, KEY])
@pytest.mark.parametrize("request_", [PLAIN, FORM], ids=["plain", "form"])
def test_what_is_missing_is_added_and_what_is_there_replaced(point: Point, request_: Request) -> None:
    once = put(request_, point, b"v&1=")
    assert read(once, point) == b"v&1="
    twice = put(once, point, b"other")
    assert read(twice, point) == b"other"
    assert len(twice.headers) == len(once.headers)


def test_added_in_the_usual_spelling_and_behind_what_is_there() -> None:
    assert put(PLAIN, Point.of("header", "X-API-KEY"), b"v").headers[-1] == (b"X-Api-Key", b"v")
    both = put(put(PLAIN, SID, b"1"), Point.of("header", "COOKIE", "cookie", "b"), b"2")
    assert both.first(b"Cookie") == b"sid=1; b=2"
    assert put(FORM, KEY, b"v").target == b"/a?x=1&api%20key=v"


def test_a_body_keeps_its_shape() -> None:
    assert put(PLAIN, FIELD, b"v") == PLAIN
    assert put(FORM, FIELD, b"22").body == b"csrf=22"
    assert put(FORM, FIELD, b"22").first(b"Content-Length") == b"7"


def test_a_value_that_the_place_cannot_hold_leaves_the_request() -> None:
    dressed = put(PLAIN, TOKEN, b"v")
    assert put(dressed, TOKEN, b"a\r\nb") == dressed


def test_only_what_a_probe_left_alone_is_brought_up_to_date() -> None:
    before, now = {TOKEN: b"Bearer old", SID: b"s1"}, {TOKEN: b"Bearer new", SID: b"s2"}
    dressed = put_all(PLAIN, before)
    fresh = up_to_date(dressed, before, now)
    assert (read(fresh, TOKEN), read(fresh, SID)) == (b"Bearer new", b"s2")
    garbled = put(dressed, TOKEN, b"Bearer xxx")
    assert read(up_to_date(garbled, before, now), TOKEN) == b"Bearer xxx"
    without: Request = msgspec.structs.replace(dressed, headers=dressed.headers[:1])
    assert up_to_date(without, before, now) == without
    assert up_to_date(dressed, before, before) is dressed


def test_another_identity_leaves_nothing_of_the_first() -> None:
    dressed = put_all(PLAIN, {TOKEN: b"Bearer mine", SID: b"mine", Point.of("header", "X-API-KEY"): b"mine"})
    other = as_other(dressed, (TOKEN,), {SID: b"theirs"})
    assert other.headers == ((b"Host", b"h"), (b"Cookie", b"sid=theirs"))


def test_a_token_sent_without_cookies_is_sent_so_as_another_who_has_both() -> None:
    theirs = {TOKEN: b"Bearer theirs", SID: b"theirs"}
    by_program = put(PLAIN, TOKEN, b"Bearer mine")
    assert as_other(by_program, (TOKEN,), theirs).headers == ((b"Host", b"h"), (b"Authorization", b"Bearer theirs"))
    by_browser = put(by_program, SID, b"mine")
    assert read(as_other(by_browser, (TOKEN, SID), theirs), SID) == b"theirs"
    # Whoever has nothing but a cookie comes with it.
    assert read(as_other(by_program, (TOKEN,), {SID: b"theirs"}), SID) == b"theirs"


@pytest.mark.parametrize(
    ("own", "theirs", "sent"),
    [
        (b"rack.session=9M%2Fq%3D%3D", b"Nl+x/w==", b"rack.session=Nl%2Bx%2Fw%3D%3D"),
        (b"rack.session=9M%2Fq%3D%3D", b"Nl%2Bx%2fw%3D%3D", b"rack.session=Nl%2Bx%2fw%3D%3D"),  # as the server set it
        (b"rack.session=9M/q==", b"Nl+x/w==", b"rack.session=Nl+x/w=="),
        (b"lang=de%2DCH; rack.session=9M/q==", b"Nl+x/w==", b"rack.session=Nl+x/w=="),
    ],
)
def test_anothers_cookie_comes_in_percent_codes_where_the_requests_own_did(
    own: bytes, theirs: bytes, sent: bytes
) -> None:
    request = Request("GET", b"/loans", ((b"Cookie", own),))
    session = Point.of("header", "COOKIE", "cookie", "rack.session")
    assert as_other(request, (session,), {session: theirs}).first(b"Cookie") == sent


def test_one_time_values_have_a_place_on_requests_that_want_them() -> None:
    changing = Once(values=(Placed(("header", "X-CSRF"), "${c}"),), methods=("POST",))
    always = Once(values=(Placed(("header", "X-ID"), "${uuid}"),))
    assert (wanted(changing, PLAIN), wanted(changing, FORM), wanted(always, PLAIN)) == (False, True, True)
    assert pending((changing, always), PLAIN).headers[1:] == ((b"X-Id", PENDING),)
    assert pending((changing, always), FORM).first(b"X-Csrf") == PENDING


def test_a_small_number_in_a_cookie_stays_where_another_asks_and_a_session_does_not() -> None:
    request = Request("GET", b"/record", ((b"Cookie", b"sid=8f2c6d0e1b7a; patient=41"),))
    sid, patient = (Point.of("header", "COOKIE", "cookie", name) for name in ("sid", "patient"))
    sent = as_other(request, (sid,), {sid: b"0a1b2c3d4e5f", patient: b"42"})
    assert (read(sent, sid), read(sent, patient)) == (b"0a1b2c3d4e5f", b"41")
    assert read(as_other(request, (sid, patient), {sid: b"0"}), patient) is None, "what lets in is a credential"


def test_a_choice_that_was_recorded_is_not_undone_by_what_a_login_sets_at_first() -> None:
    level, lang = Point.of("header", "COOKIE", "cookie", "level"), Point.of("header", "COOKIE", "cookie", "lang")
    recorded = Request("GET", b"/a", ((b"Cookie", b"level=low; sid=71354a2dfb0ab172"),))
    given = {SID: b"0b6a340d188355597f2a", level: b"sound", lang: b"en"}
    assert without_choices(recorded, given, ()) == {SID: b"0b6a340d188355597f2a", lang: b"en"}
    assert without_choices(recorded, given, (level,)) == given, "what a profile says is meant"
    assert without_choices(recorded, {level: b"100042"}, ()) == {level: b"100042"}, "a login gives a session"


def test_a_cookie_with_percent_codes_goes_back_as_the_server_set_it() -> None:
    recorded = Request("GET", b"/a", ((b"Cookie", b"sid=s%3Aold.a%2Bb; b=2"),))
    dressed = put(recorded, SID, b"s%3Anew.c%2Bd")
    assert dressed.first(b"Cookie") == b"sid=s%3Anew.c%2Bd; b=2"
    later = up_to_date(dressed, {SID: b"s%3Anew.c%2Bd"}, {SID: b"s%3Alast"})
    assert later.first(b"Cookie") == b"sid=s%3Alast; b=2"


def test_a_choice_that_the_other_made_himself_stays_where_he_is_asked_as():
    request = Request("GET", b"/people", ((b"Cookie", b"sid=3f9a0c77de114b02; level=medium; role=chief"),))
    sid, level = (Point((*SID[:3], name)) for name in ("sid", "level"))
    values = {sid: b"81b2e6d0957c4fa3", level: b"sound"}
    assert as_other(request, [sid], values).first(b"Cookie") == b"sid=81b2e6d0957c4fa3; level=sound"
    theirs = as_other(request, [sid], values, {("level", "medium"), ("level", "weak")})
    assert theirs.first(b"Cookie") == b"sid=81b2e6d0957c4fa3; level=medium"


def test_short_words_in_cookies_are_choices():
    request = Request("GET", b"/", ((b"Cookie", b"sid=3f9a0c77de114b02; level=medium; person=3; day=2026-11-28"),))
    assert chosen(request) == {("level", "medium")}


SOAP = (b"Content-Type", b"text/xml")


def message(function: str, token: str) -> Request:
    body = f'<e:Envelope xmlns:e="urn:e"><e:Body><{function}><sid>{token}</sid></{function}></e:Body></e:Envelope>'
    return Request("POST", b"/service", (SOAP,), body.encode())


def of_message(function: str) -> Point:
    return Point.of("post", "xml", "xml_tag", "e:Envelope", "xml_tag", "e:Body", "xml_tag", function, "xml_tag", "sid")


@pytest.mark.parametrize("known", ["GetOrder", "GetBalance"])
def test_what_stands_in_a_message_is_written_over_wherever_the_other_had_his(known: str) -> None:
    as_him = as_other(message("GetOrder", "mine"), (of_message("GetOrder"),), {of_message(known): b"his"})
    assert as_him.body == message("GetOrder", "his").body


def test_a_message_loses_what_the_other_has_nothing_for() -> None:
    as_him = as_other(message("GetOrder", "mine"), (of_message("GetOrder"),), {TOKEN: b"Bearer his"})
    assert b"mine" not in as_him.body
    assert as_him.first(b"Authorization") == b"Bearer his"


PATH_TOKEN = Point.of("header", "COOKIE", "cookie", "refresh")
BOTH = {TOKEN: b"Bearer t2", SID: b"s2", PATH_TOKEN: b"r2"}


@pytest.mark.parametrize(
    ("headers", "points"),
    [
        pytest.param(((b"Authorization", b"Bearer t1"),), {TOKEN}, id="a call with its token"),
        pytest.param(((b"Cookie", b"sid=s1"),), {SID}, id="a page with the cookie that its browser sent there"),
        pytest.param(((b"Cookie", b"theme=dark"),), {TOKEN, SID, PATH_TOKEN}, id="a visitor"),
        pytest.param(((b"Authorization", b"Bearer t1"), (b"Cookie", b"sid=s1")), {TOKEN, SID}, id="both"),
        pytest.param(
            ((b"Authorization", b"Bearer t1"), (b"Cookie", b"theme=dark")), {TOKEN, SID, PATH_TOKEN}, id="a browser"
        ),
    ],
)
def test_a_recorded_request_is_dressed_in_what_it_came_with(headers, points: set[Point]) -> None:
    assert as_recorded(Request("GET", b"/a", headers), BOTH).keys() == points


@pytest.mark.parametrize(
    ("came", "is_given"), [(SID, [False, True]), (TOKEN, [True, False])], ids=["by the cookie", "by the token"]
)
def test_another_is_let_in_as_the_request_was(came: Point, is_given: list[bool]) -> None:
    sent = as_other(put(PLAIN, came, b"1"), (came,), {TOKEN: b"Bearer t2", SID: b"s2"})
    assert [read(sent, point) is not None for point in (TOKEN, SID)] == is_given
