"""Folding: each request once, under the right endpoint and hour, and nothing of ours."""

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.marker import MARKER_HEADER, sign_marker
from gatecrash.core.inventory.tally import ParameterTally
from gatecrash.core.inventory.templates import TemplateLearner, of_a_file
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point

KEY = b"k" * 32
RECOGNISER = compile_recogniser()
TOKEN = (b"Authorization", b"Bearer 3f9a0c77de114b02")
EMPTY = (b"Authorization", b"Bearer null")


def exchange(path="/users", status=200, *headers, method="GET", at=7200.0) -> Exchange:
    response = Response(status) if status else None
    return Exchange(Request(method, path.encode(), headers, host="h"), response, started=at)


def folder(**options) -> Folder:
    return Folder(RECOGNISER, **options)


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


def test_what_can_be_counted_at_once_never_waits_and_never_makes_room():
    """A file is taken once, at its end: however many names it has, none of its requests may be lost."""
    counting = folder(most_waiting=10, learner=TemplateLearner(seen_to_leave=1))
    for number in range(50):
        counting.add(exchange(f"/teas/sort{chr(97 + number % 26)}{chr(97 + number // 26)}", 200))
    assert counting.waiting == counting.dropped == 0
    assert sum(hour.requests for hour in counting.take()) == 50


def test_requests_without_answers_add_up_for_one_endpoint_whatever_their_names():
    counting = folder(most_waiting=30, learner=TemplateLearner(seen_to_leave=1))
    for number in range(80):
        counting.add(exchange(f"/teas/sort{chr(97 + number % 26)}{chr(97 + number // 26)}", None))
    assert [(hour.key.path, hour.requests) for hour in counting.take()] == [("/teas/{tea_id}", 51)]


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
    counting = Folder(RECOGNISER, of_a_file())
    counting.add(exchange("/people/ann", 200, TOKEN))
    (hour,) = counting.take()
    assert (hour.key.path, hour.authenticated) == ("/people/ann", 1)


CHALLENGE = (b"WWW-Authenticate", b'Digest realm="r", nonce="n"')
DIGEST = (
    b"Authorization",
    b'Digest username="a", realm="r", nonce="n", uri="/users", response="' + b"0f" * 16 + b'"',
)


def challenged(path="/users", *, at=7200.0, connection="c1") -> Exchange:
    return Exchange(Request("GET", path.encode(), host="h"), Response(401, (CHALLENGE,)), at, connection=connection)


def proving(path="/users", *, at=7200.0, connection="c1") -> Exchange:
    return Exchange(Request("GET", path.encode(), (DIGEST,), host="h"), Response(200), at, connection=connection)


def test_a_handshake_is_one_request():
    counting = folder()
    for _ in range(3):
        assert counting.add(challenged())
        assert counting.add(proving())
    (hour,) = counting.take()
    assert (hour.requests, hour.authenticated, hour.refused, counting.legs) == (3, 3, 0, 3)


def test_a_client_that_walks_away_from_a_challenge_is_a_request_without_credentials():
    counting = folder()
    counting.add(challenged())
    counting.add(proving(connection="c2"))
    counting.add(proving(connection="c3"))
    (hour,) = counting.take()
    assert (hour.requests, hour.authenticated, hour.refused, counting.legs) == (3, 2, 1, 0)


def test_a_source_that_goes_on_waits_for_a_handshake_to_end():
    counting = folder()
    for at in (7200.0, 7201.0):
        counting.add(proving(at=at, connection=""))
    counting.add(proving(at=7202.0, connection=""))
    counting.add(challenged(at=7203.0))
    assert [hour.requests for hour in counting.take(ended=False)] == [3]
    counting.add(proving(at=7203.1))
    assert [(hour.requests, hour.authenticated) for hour in counting.take(ended=False)] == [(1, 1)]
    counting.add(challenged(at=7204.0))
    counting.add(proving(at=7240.0, connection="c2"))
    assert [(hour.requests, hour.authenticated) for hour in counting.take(ended=False)] == [(2, 1)]


def session(value: str, *issued: bytes, at=7200.0) -> Exchange:
    headers = ((b"Cookie", b"PHPSESSID=" + value.encode()),) if value else ()
    answered = tuple((b"Set-Cookie", cookie) for cookie in issued)
    return Exchange(Request("GET", b"/users", headers, host="h"), Response(200, answered), at)


def test_a_visitors_session_is_listed_and_not_counted():
    counting = folder()
    counting.add(session("", b"PHPSESSID=v1"))
    for _ in range(9):
        counting.add(session("v1"))
    (hour,) = counting.take()
    point = Point.of("header", "COOKIE", "cookie", "PHPSESSID")
    assert (hour.requests, hour.authenticated) == (10, 0)
    assert hour.parameters == (ParameterTally(AuthType.COOKIE, point, 9, 0, True),)


def test_a_session_that_turns_out_to_be_a_visitors_keeps_what_it_counted_and_says_so():
    counting = folder()
    for _ in range(4):
        counting.add(session("v1"))
    counting.add(session("", b"PHPSESSID=v2"))
    counting.add(session("v1"))
    (hour,) = counting.take()
    ((tally),) = hour.parameters
    assert (hour.authenticated, tally.seen, tally.valid, tally.unproven) == (4, 5, 4, True)


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


pairs = st.lists(
    st.tuples(
        st.sampled_from([b"Authorization", b"Cookie", b"Set-Cookie", b"WWW-Authenticate", b"Content-Type", b"\xff"]),
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from([b"PHPSESSID=a1", b"tea=9f8e7d6c5b4a39281706; HttpOnly", DIGEST[1], CHALLENGE[1], b"NTLM"]),
        ),
    ),
    max_size=5,
).map(tuple)
exchanges = st.builds(
    lambda target, sent, body, status, answered, connection: Exchange(
        Request("POST", b"/" + target, sent, body, host="h"),
        Response(status, answered) if status else None,
        7200.0,
        connection=connection,
    ),
    st.binary(max_size=12),
    pairs,
    st.binary(max_size=20),
    st.sampled_from([0, 200, 302, 401, 404]),
    pairs,
    st.sampled_from(["", "c1"]),
)


@given(st.lists(exchanges, max_size=8))
def test_nothing_that_either_side_sends_makes_it_raise_or_lose_a_request(stream):
    counting = folder()
    for one in stream:
        counting.add(one)
    taken = counting.take()
    waiting = sum(tally.requests for path in counting._waiting.values() for tally in path.hours.values())
    assert sum(hour.requests for hour in taken) + waiting + counting.legs == len(stream)


JSON = (b"Content-Type", b"application/json")


def posted(body: bytes, *headers, path="/graphql", status=200) -> Exchange:
    return Exchange(Request("POST", path.encode(), headers or (JSON,), body, host="h"), Response(status), 7200.0)


def test_a_batch_counts_under_each_of_its_operations():
    counting = folder()
    for _ in range(5):
        counting.add(posted(b'[{"query": "query GetTea {tea}"}, {"query": "mutation Brew {brew}"}]'))
        counting.add(posted(b'{"query": "query GetTea {tea}"}'))
    assert {(hour.key.protocol, hour.key.operation): hour.requests for hour in counting.take()} == {
        ("graphql", "query GetTea"): 10,
        ("graphql", "mutation Brew"): 5,
    }


def test_a_grpc_method_is_an_endpoint_and_its_code_is_its_answer():
    counting = folder()
    for code in (b"0", b"0", b"16"):
        request = Request("POST", b"/tea.Shop/Brew", ((b"Content-Type", b"application/grpc"),), host="h")
        counting.add(Exchange(request, Response(200, ((b"grpc-status", code),)), 7200.0))
    (hour,) = counting.take()
    assert (hour.key.protocol, hour.key.path, hour.refused) == ("grpc", "/tea.Shop/Brew", 1)


def test_who_is_without_is_told_by_family_and_answer():
    counting = folder()
    for agent, status, times in ((b"curl/8.5.0", 200, 3), (b"curl/8.5.0", 401, 2), (b"", 200, 1)):
        for _ in range(times):
            counting.add(exchange("/users", status, (b"User-Agent", agent)))
    counting.add(exchange("/users", 200, TOKEN))
    (hour,) = counting.take()
    rows = {(row.family, row.status): row.requests for row in hour.without}
    assert rows == {("curl", 2): 3, ("curl", 4): 2, ("none", 2): 1}


def test_an_open_name_in_a_crowd_of_guarded_ones_is_missing_by_itself():
    counting = folder()
    names = [f"{one}{two}" for one in ("get", "set", "find", "move") for two in ("tea", "cup", "pot", "leaf", "box", "tin", "jar", "bag")]  # fmt: skip
    for _ in range(4):
        for name in names:
            counting.add(exchange(f"/api/{name}", 200, TOKEN))
    counting.take()
    for _ in range(30):
        counting.add(exchange("/api/debug", 200))
    shares = {hour.key.path: (hour.requests, hour.authenticated) for hour in counting.take()}
    # The first few were not enough to tell.
    assert shares == {"/api/{api_id}": (4, 0), "/api/{open_api_id}": (26, 0)}


def test_a_decision_keeps_what_was_counted_before():
    counting = folder()
    counting.add(exchange("/people/7"))
    counting.add(exchange("/people/7"))
    counting.add(exchange("/people/7"))
    counting.decide(pins=[HostTemplate("h", "/people/{who}")])
    counting.add(exchange("/people/7"))
    counting.add(exchange("/people/ann"))
    assert {hour.key.path: hour.requests for hour in counting.take()} == {
        "/people/{people_id}": 3,
        "/people/{who}": 2,
    }


def test_a_scanner_takes_no_names_from_an_application_that_refuses_all_strangers_alike():
    for refusal, *guess in ((401,), (401, TOKEN), (403, TOKEN), (302,), (503,), (None,)):
        counting = folder()
        for n in range(60):
            for _ in range(2):
                counting.add(exchange(f"/x{chr(97 + n % 26)}{chr(97 + n // 26)}ea.php", refusal, *guess))
        for n in range(10):
            counting.add(exchange(f"/orders/{n}", None if refusal is None else 200, TOKEN))
        counted = {hour.key.path: hour.requests for hour in counting.take()}
        assert counted["/orders/{order_id}"] == 10, refusal
        assert sum(counted.values()) == 130
