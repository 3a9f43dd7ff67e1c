"""Slow server errors end a baseline's tests; waits that were asked for, and slow pages that work, do not."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.test.health.overload import MOST_AT_ALL, MOST_IN_A_ROW, SLOW, Crawling

ASKED = Request("GET", b"/a")
FINE, BROKEN = Response(200), Response(500)


def watching(*, elapsed: float | None = 0.01, recorded: Response | None = FINE) -> Crawling:
    return Crawling(Exchange(ASKED, recorded, elapsed=elapsed))


def test_so_many_slow_errors_in_a_row_are_enough() -> None:
    crawling = watching()
    told = [crawling.note(BROKEN, 5.0) for _ in range(MOST_IN_A_ROW)]
    assert told[:-1] == [""] * (MOST_IN_A_ROW - 1)
    assert told[-1].startswith("the target hardly gets on:")


def test_a_lock_that_the_answers_tell_of_is_named_without_anything_else_that_they_say() -> None:
    crawling = watching()
    locked = Response(500, body=b"sqlite3.OperationalError: Database is locked (/srv/notes.db)")
    told = [crawling.note(locked, 5.0) for _ in range(MOST_IN_A_ROW)]
    assert told[-1].endswith("; the last one says: database is locked")


@pytest.mark.parametrize(
    ("response", "elapsed"), [(BROKEN, 0.5), (FINE, 5.0), (Response(404), 5.0), (BROKEN, None)], ids=str
)
def test_quick_errors_and_slow_pages_that_work_are_no_end(response: Response, elapsed: float | None) -> None:
    crawling = watching()
    assert not any(crawling.note(response, elapsed) for _ in range(100))


def test_questions_without_a_wait_between_those_with_one_keep_it_alive() -> None:
    crawling = watching()
    assert not any(crawling.note(BROKEN, elapsed) for elapsed in (3.0, 0.01, 2.0, 3.0, 0.01) * 5)


def test_even_with_pauses_there_is_an_end_to_what_it_may_cost() -> None:
    crawling = watching()
    told = [crawling.note(BROKEN, SLOW) or crawling.note(FINE, 0.1) for _ in range(MOST_AT_ALL)]
    assert [why for why in told if why] == [told[-1]]


def test_what_was_slow_or_broken_when_it_was_recorded_is_measured_by_that() -> None:
    slow, broken = watching(elapsed=2.0), watching(recorded=BROKEN)
    assert not any(slow.note(BROKEN, 5.0) or broken.note(BROKEN, 5.0) for _ in range(100))
    assert any(slow.note(BROKEN, 7.0) for _ in range(100))


def test_a_login_that_makes_each_attempt_wait_is_left() -> None:
    login = Request("POST", b"/login", ((b"Content-Type", b"application/json"),), b'{"user": "ann", "password": "x"}')
    crawling = Crawling(Exchange(login, FINE, elapsed=0.1))
    told = [crawling.note(Response(401), seconds / 2) for seconds in range(20)]
    assert next(filter(None, told)) == "the target hardly gets on: 8 answers in a row were refusals after 2 s and more"
    steady = Crawling(Exchange(login, FINE, elapsed=1.0))
    assert not any(steady.note(Response(401), 2.5) for _ in range(100)), "it was as slow when it was recorded"
