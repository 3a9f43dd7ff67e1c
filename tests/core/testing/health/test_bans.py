"""An answer that a ban may have given is known by its face, and a witness is asked when several came in a row."""

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.health.bans import (
    CUT,
    FIRST_WORTH,
    MOST_FACELESS,
    MOST_FACES,
    MOST_WORTH,
    OF_ONE_ADDRESS,
    Suspicion,
    face_of,
    is_dressed,
    undressed,
)

BLOCKED = Response(403, body=b"<h1>Blocked</h1> incident 4711")
SIGNED_IN: Headers = ((b"Cookie", b"sid=5f1c9f2ab0e94d"),)


def asking(target: str = "/", method: str = "GET", headers: Headers = ()) -> Request:
    return Request(method, target.encode(), ((b"Host", b"x"), *headers), b"", "http", "x", 80)


def said(response: Response | None, target: str = "/", method: str = "GET", headers: Headers = ()) -> Exchange:
    return Exchange(asking(target, method, headers), response)


def witnessed() -> Suspicion:
    suspicion = Suspicion()
    assert suspicion.note(said(Response(200))) is None
    return suspicion


@pytest.mark.parametrize(
    "response",
    [
        Response(403),
        Response(401, body=b"no"),
        Response(418),
        Response(302, ((b"Location", b"/blocked?from=/a"),)),
        Response(200, body=b"<title>Just a moment</title> Solve the CAPTCHA to go on."),
        Response(200, body=b"Your address has been temporarily blocked."),
    ],
)
def test_what_a_ban_may_say_has_a_face(response: Response) -> None:
    assert face_of(response) is not None


@pytest.mark.parametrize(
    "response",
    [
        Response(200, body=b"<h1>Lamps</h1>"),
        Response(404),
        Response(500),
        Response(429),
        Response(302, ((b"Location", b"/account"),)),
        Response(200, body=b"traffic of the last month"),
    ],
)
def test_what_applications_and_limiters_say_has_none(response: Response) -> None:
    assert face_of(response) is None


def test_what_moves_in_a_bans_answers_is_left_out_of_its_face() -> None:
    one, other = (
        Response(403, body=b"Blocked. Ray 8f3ac1d09b at 12:01:17"),
        Response(403, body=b"Blocked. Ray 77abed01c2 at 12:02:44"),
    )
    assert face_of(one) == face_of(other) != face_of(Response(403, body=b"Not your order"))
    assert face_of(None, "closed") == CUT
    assert face_of(None, "refused") is None


def test_the_witness_is_asked_when_several_addresses_are_answered_alike() -> None:
    suspicion = witnessed()
    faces = [suspicion.note(said(BLOCKED, f"/{number}")) for number in range(FIRST_WORTH)]
    assert faces == [None] * (FIRST_WORTH - 1) + [face_of(BLOCKED)]
    assert suspicion.is_open


def test_an_address_that_refuses_is_asked_oftener_before_anybody_doubts() -> None:
    suspicion = witnessed()
    faces = [suspicion.note(said(BLOCKED, "/admin")) for _ in range(OF_ONE_ADDRESS)]
    assert faces == [None] * (OF_ONE_ADDRESS - 1) + [face_of(BLOCKED)]


def test_an_ordinary_answer_between_them_says_that_there_is_no_ban() -> None:
    suspicion = witnessed()
    for number in range(20):
        assert suspicion.note(said(BLOCKED, f"/{number}")) is None
        assert suspicion.note(said(Response(404))) is None
    assert not suspicion.is_open
    assert suspicion.pending() is None


def test_an_ordinary_answer_to_what_was_asked_before_says_nothing() -> None:
    suspicion = witnessed()
    before = suspicion.known
    suspicion.note(said(BLOCKED, "/a"), asked=before)
    suspicion.note(said(Response(200), "/b"), asked=before)
    assert suspicion.is_open
    suspicion.note(said(Response(200), "/c"), asked=suspicion.known)
    assert not suspicion.is_open


def test_after_each_question_in_vain_more_of_them_are_needed_and_after_a_ban_as_few_as_at_first() -> None:
    suspicion = witnessed()
    face = face_of(BLOCKED)
    assert face is not None
    for _ in range(5):
        suspicion.clear(face)
    faces = [suspicion.note(said(BLOCKED, f"/{number}")) for number in range(MOST_WORTH)]
    assert faces == [None] * (MOST_WORTH - 1) + [face]
    suspicion.over()
    assert [suspicion.note(said(BLOCKED, f"/{number}")) for number in range(FIRST_WORTH)][-1] == face


def test_what_is_left_open_at_the_end_can_be_asked_for() -> None:
    suspicion = witnessed()
    assert suspicion.pending() is None
    assert suspicion.note(said(BLOCKED, "/a")) is None
    assert suspicion.pending() == face_of(BLOCKED)


def test_of_one_address_nothing_is_left_open_where_the_witness_has_a_session() -> None:
    suspicion = Suspicion()
    suspicion.note(said(Response(200), "/account", headers=SIGNED_IN))
    face = face_of(BLOCKED)
    assert face is not None
    suspicion.clear(face)
    suspicion.note(said(BLOCKED, "/a"))
    assert suspicion.pending() is None
    suspicion.note(said(BLOCKED, "/b"))
    assert suspicion.pending() == face


def test_without_a_witness_nobody_can_be_asked() -> None:
    suspicion = Suspicion()
    assert not any(suspicion.note(said(BLOCKED, f"/{number}")) for number in range(50))
    assert not suspicion.has_witness
    assert suspicion.pending() is None


@pytest.mark.parametrize(
    ("exchange", "why"),
    [
        (said(Response(200), method="POST"), "it may not be repeated"),
        (said(Response(200), "/logout"), "it ends the session"),
        (said(Response(200), "/a?q='1"), "a payload"),
        (said(Response(200), "/site.css"), "served by what bans nobody"),
        (said(Response(302, ((b"Location", b"/"),))), "it says little"),
        (said(Response(500)), "not answered well"),
    ],
)
def test_not_every_request_is_a_witness(exchange: Exchange, why: str) -> None:
    suspicion = Suspicion()
    suspicion.note(exchange)
    assert not suspicion.has_witness, why


def test_a_witness_without_credentials_is_kept_apart_from_one_with_some() -> None:
    suspicion = Suspicion()
    suspicion.note(said(Response(200), "/account", headers=SIGNED_IN))
    assert (suspicion.public, suspicion.dressed) == (None, asking("/account", headers=SIGNED_IN))
    suspicion.note(said(Response(200), "/about"))
    assert suspicion.public == asking("/about")


def test_the_second_witness_has_as_little_as_may_be_in_common_with_the_first() -> None:
    suspicion = Suspicion()
    suspicion.note(said(Response(200), "/things/7"))
    suspicion.note(said(Response(200), "/things/7?page=2"))
    assert not suspicion.seconds, "the same address"
    for path in ("/things/7/parts", "/things/8", "/about", "/things/9", "/help"):
        suspicion.note(said(Response(200), path))
    assert (suspicion.public, suspicion.seconds) == (asking("/things/7"), {False: asking("/about")})


def test_the_second_witness_is_of_the_firsts_kind() -> None:
    suspicion = Suspicion()
    for path in ("/account", "/orders"):
        suspicion.note(said(Response(200), path, headers=SIGNED_IN))
    suspicion.note(said(Response(200), "/about"))
    suspicion.note(said(Response(200), "/bills", headers=SIGNED_IN))
    assert suspicion.seconds == {True: asking("/orders", headers=SIGNED_IN)}


def test_the_witnesses_with_credentials_change_places_where_there_are_two() -> None:
    suspicion = Suspicion()
    suspicion.note(said(Response(200), "/account", headers=SIGNED_IN))
    suspicion.change_dressed()
    assert suspicion.dressed == asking("/account", headers=SIGNED_IN), "there is no other"
    suspicion.note(said(Response(200), "/orders", headers=SIGNED_IN))
    for path, other in (("/orders", "/account"), ("/account", "/orders")):
        suspicion.change_dressed()
        assert suspicion.dressed == asking(path, headers=SIGNED_IN)
        assert suspicion.seconds == {True: asking(other, headers=SIGNED_IN)}


@pytest.mark.parametrize("headers", [SIGNED_IN, ((b"X-Api-Key", b"1"),), ((b"Authorization", b"Bearer x"),)])
def test_headers_that_may_hold_credentials_are_taken_off(headers: Headers) -> None:
    request = asking("/a", headers=(*headers, (b"Accept", b"*/*")))
    assert is_dressed(request)
    assert undressed(request).headers == ((b"Host", b"x"), (b"Accept", b"*/*"))
    assert not is_dressed(undressed(request))
    assert is_dressed(asking("/a?api_key=1"))
    assert is_dressed(asking("/a?sid=64856fea400a77e7a84bc1d967624beb"))
    assert not is_dressed(asking("/a?page=12&sort=name"))


def test_refusals_in_ever_other_words_leave_room_for_those_of_a_ban() -> None:
    suspicion = witnessed()
    for number in range(3 * MOST_FACES):
        words = "".join("klmnopqrst"[int(digit)] for digit in str(number))
        assert suspicion.note(said(Response(403, body=words.encode()), f"/{number}")) is None
    assert suspicion.note(said(BLOCKED, "/a")) is None
    assert suspicion.note(said(BLOCKED, "/b")) == face_of(BLOCKED)


def test_answers_that_come_again_are_known_and_do_not_pile_up() -> None:
    suspicion, good = witnessed(), [Response(200, body=b"%d" % number) for number in range(3 * MOST_FACELESS)]
    for each in (*good, *good[-2:]):
        assert suspicion.note(said(each)) is None
    assert len(suspicion._faceless) <= MOST_FACELESS
    for number in range(FIRST_WORTH - 1):
        assert suspicion.note(said(BLOCKED, f"/{number}")) is None
        assert suspicion.is_open
    assert suspicion.note(said(BLOCKED, "/last")) == face_of(BLOCKED)
    assert suspicion.note(said(good[-1])) is None
    assert not suspicion.is_open
