"""What scripts ask for by numbers of their own is asked for by what answers named."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.scan.crawl_things import Things

JSON = (b"Content-Type", b"application/json")


def call(method: str, target: str, body: str = "") -> Request:
    headers = (JSON, (b"Content-Length", b"%d" % len(body))) if body else ()
    return Request(method, target.encode(), headers, body.encode(), host="shop.example")


def told(*answers: tuple[str, str]) -> Things:
    things = Things()
    for target, body in answers:
        things.learn(Exchange(call("GET", target), Response(200, (JSON,), body.encode())))
    return things


ORDERS = ("/rest/orders", '{"data":[{"orderId":"77-ab","total":4}]}')
LINES = ("/api/lines/1", '{"data":{"id":1,"BasketId":6}}')


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (call("GET", "/rest/orders/1"), b"/rest/orders/77-ab"),
        (call("PUT", "/rest/orders/1/state", '{"sent":true}'), b"/rest/orders/77-ab/state"),
        (call("GET", "/rest/track-order/1"), b"/rest/track-order/77-ab"),
        (call("GET", "/rest/basket/1"), b"/rest/basket/6"),
    ],
)
def test_a_number_that_a_script_left_open_is_that_of_a_thing_that_is_there(asked: Request, meant: bytes) -> None:
    found = told(ORDERS, LINES).called(asked)
    assert found is not None
    assert found.target == meant


PARTS = ("/parts", '{"data":[{"id":7,"colour":"red tin","note":""}]}')


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("/parts/by-colour/1", b"/parts/by-colour/red%20tin"),
        ("/find?colour=1&note=1", b"/find?colour=red%20tin&note=1"),
        ("/find?colour=example", b"/find?colour=red%20tin"),
        ("/find?colour=blue", None),
        ("/colours/1", None),
    ],
)
def test_what_is_looked_for_is_something_that_an_answer_showed(asked: str, meant: bytes | None) -> None:
    found = told(PARTS).called(call("GET", asked))
    assert (found and found.target) == meant


def test_so_is_a_field_that_names_a_thing() -> None:
    found = told(LINES).called(call("POST", "/api/lines", '{"BasketId":"1","amount":"1"}'))
    assert found is not None
    assert found.body == b'{"BasketId":"6","amount":"1"}'


@pytest.mark.parametrize(
    "asked",
    [
        call("GET", "/rest/orders"),
        call("GET", "/rest/orders/12"),
        call("GET", "/1/orders"),
        call("GET", "/rest/towns/1"),
        call("POST", "/rest/towns", '{"townId":"1"}'),
    ],
)
def test_what_is_written_out_or_unknown_stays(asked: Request) -> None:
    assert told(ORDERS).called(asked) is None


@pytest.mark.parametrize(("status", "changed"), [(201, b"r9"), (200, b"r1")])
def test_what_is_changed_in_a_list_is_one_of_it_that_was_made_here_before_what_was_there(
    status: int, changed: bytes
) -> None:
    things = told(("/goods/7/reviews", '[{"_id":"r1","text":"Good"}]'))
    made = call("PUT", "/goods/7/reviews", '{"text":"example"}')
    things.learn(Exchange(made, Response(status, (JSON,), b'{"review":{"_id":"r9","text":"example"}}')))
    found = things.called(call("PUT", "/goods/reviews", '{"id":"1","text":"example"}'))
    assert found is not None
    assert found.body == b'{"id":"' + changed + b'","text":"example"}'


def test_what_one_thing_is_set_to_names_none_of_a_list() -> None:
    assert told(ORDERS).called(call("PUT", "/rest/settings/order", '{"id":"1","text":"example"}')) is None


def test_answers_that_are_none_tell_nothing() -> None:
    things, (target, body) = Things(), ORDERS
    for response in (
        Response(404, (JSON,), body.encode()),
        Response(200, ((b"Content-Type", b"text/html"),), body.encode()),
    ):
        things.learn(Exchange(call("GET", target), response))
    things.learn(msgspec.structs.replace(Exchange(call("GET", target)), response=None))
    assert things.called(call("GET", "/rest/orders/1")) is None


ME = ("/rest/whoami", '{"user":{"id":12,"email":"ben@example.com","username":"ben"}}')
SIGNED = ("/rest/reviews", '[{"text":"Good","author":"ann@example.com"}]')
NAMED = ("/rest/reviews", '[{"text":"Good","author":"Ann"}]')
NUMBERED = ("/rest/reviews", '[{"text":"Good","author":7}]')


@pytest.mark.parametrize(
    ("shown", "author"),
    [
        ((SIGNED,), b"ben@example.com"),
        ((NAMED,), b"ben"),
        ((NUMBERED,), b"12"),
        ((), b"ben"),
    ],
)
def test_what_is_to_be_signed_is_signed_as_others_sign_by_whoever_is_signed_in(
    shown: tuple[tuple[str, str], ...], author: bytes
) -> None:
    found = told(ME, *shown).called(call("PUT", "/rest/goods/8/reviews", '{"text":"example","author":"example"}'))
    assert found is not None
    assert found.body == b'{"text":"example","author":"' + author + b'"}'


@pytest.mark.parametrize(
    ("known", "body"),
    [
        ((SIGNED,), '{"text":"example","author":"example"}'),
        ((ME, SIGNED), '{"text":"example","author":"The editors"}'),
        ((ME, SIGNED), '{"text":"example","topic":"example"}'),
    ],
)
def test_nothing_is_signed_where_nobody_is_known_or_the_script_says_who_it_is(
    known: tuple[tuple[str, str], ...], body: str
) -> None:
    assert told(*known).called(call("PUT", "/rest/goods/8/reviews", body)) is None


def test_what_was_made_goes_before_what_a_list_shows_of_everybodys() -> None:
    things = told(("/notes", '[{"id":1,"text":"theirs"}]'))
    made = Exchange(call("POST", "/notes", '{"text":"mine"}'), Response(201, (JSON,), b'{"id":4,"text":"mine"}'))
    assert things.called(call("GET", "/notes/1")) is None
    things.learn(made)
    found = [things.called(call(method, "/notes/1")) for method in ("GET", "PUT")]
    assert [each and each.target for each in found] == [b"/notes/4", b"/notes/4"]


@pytest.mark.parametrize(
    ("asked", "meant"), [("/notes?owner=1", b"/notes?owner=zoe"), ("/notes?colour=1", b"/notes?colour=red")]
)
def test_what_asks_for_somebodys_things_asks_for_ones_own(asked: str, meant: bytes) -> None:
    things = told(("/notes", '[{"id":1,"owner":"mara","colour":"red"}]'), ("/me", '{"username":"zoe"}'))
    found = things.called(call("GET", asked))
    assert (found and found.target) == meant


def test_people_without_numbers_are_asked_for_by_the_name_that_is_theirs_alone() -> None:
    found = told(("/people", '[{"name":"Iris Thoma","username":"iris"}]')).called(call("GET", "/people/1"))
    assert (found and found.target) == b"/people/iris"
