"""Folding: each request once, under the right endpoint and hour, and nothing of ours."""

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.fold import Folder, ParameterTally, fold
from gatecrash.core.inventory.marker import MARKER_HEADER, sign_marker
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point

KEY = b"k" * 32
TOKEN = (b"Authorization", b"Bearer 3f9a0c77de114b02")
EMPTY = (b"Authorization", b"Bearer null")


def exchange(path="/users", status=200, *headers, method="GET", at=7200.0) -> Exchange:
    response = Response(status) if status else None
    return Exchange(Request(method, path.encode(), headers, host="h"), response, started=at)


def folder(**options) -> Folder:
    return Folder(compile_recogniser(), **options)


def test_requests_authenticated_refused_and_parameters_are_counted():
    counting = folder()
    for status, header in ((200, TOKEN), (200, TOKEN), (401, EMPTY), (403, TOKEN)):
        assert counting.add(exchange("/users", status, header))
    assert counting.add(exchange("/users", 500))
    (hour,) = counting.take()
    assert (hour.hour, str(hour.key)) == (2, "GET h /users")
    assert (hour.requests, hour.authenticated, hour.refused) == (5, 3, 2)
    assert hour.parameters == (ParameterTally(AuthType.BEARER, Point.of("header", "AUTHORIZATION"), 4, 3),)
    assert hour.statuses == ((2, 2), (4, 2), (5, 1))


def test_what_was_taken_is_not_given_again():
    counting = folder()
    for _ in range(3):
        counting.add(exchange())
    assert sum(hour.requests for hour in counting.take()) == 3
    assert counting.take() == ()
    counting.add(exchange())
    assert sum(hour.requests for hour in counting.take()) == 1


def test_hours_are_kept_apart():
    counting = folder()
    for at in (3599.9, 3600.0, 3600.5):
        counting.add(exchange(at=at))
    assert {hour.hour: hour.requests for hour in counting.take()} == {0: 1, 1: 2}


def test_an_endpoint_that_only_ever_answers_400_404_405_does_not_appear():
    counting = folder()
    for status in (400, 404, 405) * 10:
        counting.add(exchange("/guess", status))
    assert counting.take() == ()


def test_when_it_appears_its_earlier_requests_count_too():
    counting = folder()
    for status in (404, 404, 200, 200, 200, 404):
        counting.add(exchange("/users", status))
    (hour,) = counting.take()
    assert hour.requests == 6


def test_without_answers_an_endpoint_appears_after_ten_requests_and_refused_is_unknown():
    counting = folder()
    for _ in range(9):
        counting.add(exchange("/users", None))
    assert counting.take() == ()
    counting.add(exchange("/users", None))
    (hour,) = counting.take()
    assert (hour.requests, hour.refused) == (10, None)


def test_a_scan_teaches_no_names():
    counting = folder()
    for guess in range(100):
        counting.add(exchange(f"/guess{'abcdefghij'[guess % 10]}{'abcdefghij'[guess // 10]}", 404))
    for _ in range(3):
        counting.add(exchange("/users", 200))
    assert [str(hour.key) for hour in counting.take()] == ["GET h /users"]


def test_names_that_may_not_leave_wait_and_are_counted_when_they_may():
    counting = folder()
    counting.add(exchange("/people/ann"))
    counting.add(exchange("/people/bob"))
    assert counting.take() == ()
    assert counting.waiting == 2
    counting.add(exchange("/people/ann"))
    counting.add(exchange("/people/ann"))
    (hour,) = counting.take()
    assert (hour.key.path, hour.requests) == ("/people/ann", 3)


def test_waiting_is_bounded_and_the_unproven_make_room_first():
    counting = folder(most_waiting=10)
    counting.add(exchange("/real", 200))
    for guess in "abcdefghijklmnopqrst":
        counting.add(exchange(f"/guess{guess}", 404))
    assert counting.waiting == 10
    assert counting.dropped == 11
    counting.add(exchange("/real", 200))
    counting.add(exchange("/real", 200))
    assert [hour.requests for hour in counting.take()] in ([2], [3])


def test_preflights_are_left_out_and_other_options_are_not():
    counting = folder()
    asks = (b"Access-Control-Request-Method", b"GET")
    assert not counting.add(exchange("/users", 200, asks, method="OPTIONS"))
    assert counting.add(exchange("/users", 200, method="OPTIONS"))


def test_our_own_marked_traffic_is_left_out_and_a_forged_marker_counts():
    counting = folder(marker_keys={"tr_1": KEY})
    ours = (MARKER_HEADER, sign_marker(KEY, "tr_1", "n"))
    forged = (MARKER_HEADER.lower(), sign_marker(b"other", "tr_1", "n"))
    assert not counting.add(exchange("/users", 200, ours))
    assert counting.add(exchange("/users", 200, forged))


def test_a_file_shows_its_names_at_once():
    (hour,) = fold([exchange("/people/ann", 200, TOKEN)], compile_recogniser())
    assert (hour.key.path, hour.authenticated) == ("/people/ann", 1)


paths = st.sampled_from(["/", "/users", "/users/1", "/users/ann", "/orders/2", "/x"])
traffic = st.lists(st.tuples(paths, st.sampled_from([200, 401, 404, 500, None]), st.booleans(), st.integers(0, 20000)))


@given(traffic, st.integers(1, 7))
def test_no_request_is_lost_or_counted_twice_whenever_counts_are_taken(stream, every):
    counting = folder()
    taken = []
    for index, (path, status, authenticated, at) in enumerate(stream):
        counting.add(exchange(path, status, *([TOKEN] if authenticated else []), at=at))
        if index % every == 0:
            taken += counting.take()
    taken += counting.take()
    waiting = sum(tally.requests for path in counting._waiting.values() for tally in path.hours.values())
    assert sum(hour.requests for hour in taken) + waiting == len(stream)
    for hour in taken:
        assert hour.authenticated <= hour.requests
        assert hour.first_seen // 3600 == hour.last_seen // 3600 == hour.hour
