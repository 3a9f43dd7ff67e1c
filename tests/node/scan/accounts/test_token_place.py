"""A token is taken where the application takes it, and an application that takes it nowhere is asked little."""

import asyncio
from typing import Any

import pytest
from tests.node.scan.accounts.test_enrolment import BEARER, Club, draft, drafts, enrolled

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Credential
from gatecrash.node.scan.accounts.token_place import TokenPlace, place_of

TOLD = Credential("bearer", Point.of("post", "json_doc", "json_obj", "variables", "json_obj", "token"))
PROFILE = "query Profile { profile { id } }"
TOKEN = "9f3c1b7ad0e2448c"
PAGES = [Request("GET", path, ((b"Host", b"x"),), b"", "http", "127.0.0.1", 9) for path in (b"/account", b"/orders")]


class Desk:
    """Refuses all that has not the token in one header. header: its name and the word before the token."""

    def __init__(
        self, header: str, word: str = "", refusal: bytes = b'{"error": "sign in"}', status: int = 401
    ) -> None:
        self.asked = 0
        self._header, self._value = header.encode(), f"{word}{TOKEN}".encode()
        self._refused = Response(status, (), refusal)

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        self.asked += 1
        good = request.first(self._header) == self._value
        return Answer(Exchange(request, Response(200, (), b'{"orders": [1]}') if good else self._refused))


def found(desk: Desk, login: bytes = b"{}") -> tuple[TokenPlace, bool]:
    return asyncio.run(place_of(TOKEN, Response(200, (), login), PAGES, desk.send))


@pytest.mark.parametrize(
    ("header", "word"),
    [("Authorization", "Bearer "), ("Authorization", "JWT "), ("X-Session-Token", ""), ("Access-Token", "")],
)
@pytest.mark.parametrize("status", [401, 403])
def test_the_usual_headers_are_tried(header: str, word: str, status: int) -> None:
    place, _ = found(Desk(header, word, status=status))
    assert place == TokenPlace(point=Point(("header", header.upper())), word=word, sure=True)


def test_a_header_that_the_login_or_the_refusal_names_is_tried() -> None:
    named = b'{"token": "x", "header": "X-Club-Session"}'
    assert found(Desk("X-Club-Session"), login=named)[0].point == Point(("header", "X-CLUB-SESSION"))
    refusal = b'{"error": "the header X-Club-Key is missing, see the X-Request-Id"}'
    assert found(Desk("X-Club-Key", refusal=refusal))[0].point == Point(("header", "X-CLUB-KEY"))


def test_who_takes_it_nowhere_is_asked_few_times_and_that_is_told() -> None:
    desk = Desk("X-Unheard-Of")
    assert found(desk) == (TokenPlace(), True)
    assert desk.asked == 12


def test_nothing_is_known_where_nothing_is_refused() -> None:
    desk = Desk("X-Unheard-Of", status=404)
    assert found(desk) == (TokenPlace(), False)
    assert desk.asked == 2


def test_a_place_in_some_messages_says_nothing_of_the_other_requests() -> None:
    message = {"query": "query Me($token: String!) { me(token: $token) { id } }", "variables": {"token": "example"}}
    listed = [*drafts(places=())[:2], draft("POST", "/graphql", message, wants=("token",), places=(TOLD,))]
    more = draft("GET", "/orders")
    for rest, points in (([], [TOLD.point]), ([more], [TOLD.point, BEARER.point])):
        profile = enrolled(Club(), [*listed, *rest]).profile
        assert profile is not None
        assert [Point(placed.point) for placed in profile.identities[0].values] == points


def test_who_one_is_is_asked_first_by_what_needs_no_made_up_value() -> None:
    club = Club()
    made_up = {"query": "query Me($n: Int!) { me(n: $n) { id } }", "variables": {"n": 1}}
    listed = [draft("POST", f"/{name}", body) for name, body in (("first", made_up), ("second", {"query": PROFILE}))]
    assert not enrolled(club, [*drafts(places=())[:2], *listed]).doubt
    assert club.asked[2] == "/second"


class Nameless(Club):
    """Hands out sessions of which each has a value; also what needs no word."""

    def __init__(self, *, word: str = "Bearer ", beside: dict[str, Any] | None = None) -> None:
        super().__init__(word=word)
        self._beside = beside or {}

    def _answer(self, path: str, request: Request) -> tuple[int, Any]:
        status, body = super()._answer(path, request)
        if path != "/login" or status != 200:
            return status, body
        return 200, {"session": {"value": body["token"] + "-of-2026-session"}, "member": 4, **self._beside}


def test_a_session_is_taken_by_what_it_stands_in() -> None:
    enrolment = enrolled(Nameless(), drafts())
    assert enrolment.profile is not None
    (step,) = enrolment.profile.identities[0].login
    assert step.take[0].expression == '$["session"]["value"]'
    assert [placed.value for placed in enrolment.profile.identities[0].values] == ["Bearer ${token}"]


def test_of_two_sessions_nobody_knows_which_one_lets_in() -> None:
    enrolment = enrolled(Nameless(beside={"session2": {"value": "k7Qx93vLm2Zt81bW0rHs"}}), drafts())
    assert enrolment.profile is None
    assert "does not let in" in enrolment.trouble


@pytest.mark.parametrize("word", ["Bearer ", "Token "])
def test_a_word_that_the_description_does_not_tell_is_asked_for(word: str) -> None:
    """A key in Authorization has no place for the word before it in a document of OpenAPI."""
    guessed = Credential(BEARER.scheme, BEARER.point, BEARER.word, guessed=True)
    profile = enrolled(Club(word=word), drafts(places=(guessed,))).profile
    assert profile is not None
    assert [one.value for one in profile.identities[0].values] == [word + "${token}"]


def test_a_word_that_the_description_tells_is_taken_unasked() -> None:
    club = Club()
    enrolled(club, drafts())
    assert club.asked.count("/me") == 2, "what each of both is told of himself"
