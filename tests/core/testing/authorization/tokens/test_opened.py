"""What a token opens is asked for with it and with a garbled one; services behind a gateway are told apart by a word."""

from random import Random

from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.tokens.exchanged import Pair
from gatecrash.core.testing.authorization.tokens.opened import Opened, opened, opened_by, questions, service_of
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.surroundings.pages import Pages

TOKEN = b"first-0123456789abcdef"
BOX = Request("GET", b"/api/box/7")


def situation(*pages: bytes) -> Situation:
    known = Pages()
    for path in pages:
        asked = Request("GET", path, ((b"Authorization", b"Bearer somebody-0123456789"),))
        known.add(Exchange(asked, Response(200, (), b"{}")))
    baseline = record(lambda _: Response(204), Request("POST", b"/api/auth/logout"))
    beside = known.beside(baseline.request)
    return Situation(
        baseline=baseline, point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(3), pages=beside
    )


def came_of(*, guarded: bool, session: Pair | None = None) -> Opened | None:
    def told(request: Request) -> Answer:
        known = not guarded or request.first(b"Authorization") == b"Bearer " + TOKEN
        return Answer(Exchange(request, Response(200, (), b'{"owner": "ann"}') if known else Response(401)))

    dialogue = opened(situation(), TOKEN, BOX, (b"Authorization", b"Bearer "))
    if session is not None:
        dialogue = opened_by(situation(b"/api/box/7"), session)
    asked = next(dialogue)
    try:
        while True:
            asked = dialogue.send(told(asked.request))
    except StopIteration as end:
        found: Opened | None = end.value
        return found


def test_a_question_counts_where_a_garbled_token_is_refused() -> None:
    found = came_of(guarded=True)
    assert found is not None
    assert found.with_token(b"other").first(b"Authorization") == b"Bearer other"
    assert came_of(guarded=False) is None


def test_what_a_session_opens_is_looked_for_among_what_is_known() -> None:
    found = came_of(guarded=True, session=Pair(TOKEN, b"refresh"))
    assert found is not None
    assert found.request.path == b"/api/box/7"
    assert came_of(guarded=True, session=Pair(b"ended", b"refresh")) is None


def test_what_asks_about_oneself_comes_first_and_me_beside_the_baseline_last() -> None:
    asked = [request.path for request, _ in questions(situation(b"/api/box/7", b"/api/users/me"))]
    assert asked == [b"/api/users/me", b"/api/box/7", b"/api/auth/me"]


def test_services_are_told_apart_by_the_first_word_that_says_more_than_api() -> None:
    assert [service_of(Request("GET", path)) for path in (b"/api/v1/shop/7", b"/", b"/box")] == ["shop", "", "box"]
