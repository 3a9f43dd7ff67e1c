"""Requests of a run that make objects."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.made import MOST_KEPT
from gatecrash.core.testing.authorization.objects.makers import MOST_OF_ONE, Makers
from gatecrash.core.testing.oracles.leaves import Leaf, leaves

JSON = (b"Content-Type", b"application/json")
TITLE = Point(("post", "json_doc", "json_obj", "journal_title"))
TOKEN = (b"Authorization", b"Bearer 3f9a0c77de114b02")


def exchange(
    target: bytes, told: object, status: int = 201, method: str = "POST", body: bytes = b'{"text": "a"}'
) -> Exchange:
    request = Request(method, target, (JSON, TOKEN), body, host="a")
    return Exchange(request, Response(status, (JSON,), json.dumps(told).encode()))


def gathered(*exchanges: Exchange) -> Makers:
    makers = Makers()
    for each in exchanges:
        makers.see(each)
    return makers


def deleting(target: bytes, host: str = "a") -> Request:
    return Request("DELETE", target, (TOKEN,), host=host)


def test_what_made_the_very_object_comes_before_what_made_one_of_its_kind():
    makers = gathered(exchange(b"/drafts", {"data": {"ref": "771204"}}), exchange(b"/notes", {"id": 9, "by": 4}))
    same, alike = makers.of(deleting(b"/notes/771204"))
    assert (same.request.target, same.path) == (b"/drafts", ("data", "ref"))
    assert (alike.request.target, alike.path) == (b"/notes", ("id",))


@pytest.mark.parametrize("number", ["3", "4"])
def test_a_request_that_was_sent_twice_has_made_both_things(number: str):
    makers = gathered(exchange(b"/me/clips", {"id": 4}), exchange(b"/me/clips", {"id": 3}))
    (made,) = makers.of(deleting(b"/admin/clips/" + number.encode()))
    assert (made.request.target, made.path, made.was) == (b"/me/clips", ("id",), number)


def test_addresses_that_end_with_a_slash_make_what_stands_below_them():
    (made,) = gathered(exchange(b"/notes/", {"id": 9})).of(deleting(b"/notes/771204/"))
    assert (made.request.target, made.was) == (b"/notes/", "9")


def test_how_many_there_are_is_no_number_of_what_was_made():
    makers = gathered(exchange(b"/orders", {"id": 5, "quantity": 2, "total": 48}))
    (made,) = makers.of(deleting(b"/orders/2"))
    assert (made.path, made.was) == (("id",), "5")


@pytest.mark.parametrize(
    ("method", "target", "found"),
    [
        ("POST", b"/orders/7/cancel", b"/orders"),
        ("PUT", b"/orders/7/Mark-as-done/", b"/orders"),
        ("POST", b"/orders/return_order?order_id=5", b"/orders"),
        ("GET", b"/orders/7/cancel", None),
        ("POST", b"/orders/7/approve", None),
        ("POST", b"/orders/7/cancellations", None),
    ],
)
def test_what_is_acted_on_was_made_before_and_by_no_other_action(method: str, target: bytes, found: bytes | None):
    makers = gathered(exchange(b"/orders", {"id": 5}), exchange(b"/orders/7/close", {"id": 7}))
    made = makers.acted_on(Request(method, target, (TOKEN,), host="a"))
    assert [each.request.target for each in made] == ([found] if found else [])


@pytest.mark.parametrize(("name", "found"), [(b"spring-beds", True), (b"other", False), (b"77", False)])
def test_what_its_maker_called_it_is_in_the_body_where_the_answer_says_nothing(name: bytes, *, found: bool):
    body = b'{"journal_title": "spring-beds", "note": "77"}'
    made = gathered(exchange(b"/journals", {"status": "ok"}, body=body)).of(deleting(b"/journals/" + name))
    assert [(each.was, each.chosen) for each in made] == [("spring-beds", TITLE)] * found


@pytest.mark.parametrize(
    ("target", "body"),
    [(b"/orders/cancel", b'{"id": 7}'), (b"/order/cancel", b'{"id": 7}'), (b"/order/cancel?id=7", b"{}")],
)
def test_what_is_acted_on_by_its_number_in_the_body_or_the_query_was_made_at_the_list_of_such(
    target: bytes, body: bytes
):
    """What names one in the same way is given it: sent again it would change what was there before."""
    makers = gathered(
        exchange(b"/orders", {"id": 5}),
        exchange(b"/orders", {"id": 6, "text": "b"}, body=b'{"id": 6, "text": "b"}'),
        exchange(b"/order?id=7", {"id": 7, "text": "b"}),
        exchange(b"/order?id=8", {"id": 8, "text": "b"}),
        exchange(b"/order/note", {"id": 7, "text": "b"}, body=b'{"id": 7, "text": "b"}'),
    )
    made = makers.acted_on(Request("POST", target, (JSON, TOKEN), body, host="a"))
    assert [(each.request.target, each.request.body) for each in made] == [(b"/orders", b'{"text": "a"}')]


def test_the_last_word_of_a_longer_path_names_nothing_that_both_are_given():
    makers = gathered(
        exchange(b"/api/v1/orders", {"id": "7f1c9a20"}), exchange(b"/api/v1/orders/cancel", {"id": "7f1c9a20"})
    )
    request = Request("POST", b"/api/v1/orders/cancel", (JSON, TOKEN), b'{"booking_id": "7f1c9a20"}', host="a")
    assert [each.request.target for each in makers.acted_on(request)] == [b"/api/v1/orders"]


def test_what_stands_above_the_object_was_not_made_with_it():
    """Else something that was there before would be deleted in the place of the new one."""
    makers = gathered(
        exchange(b"/orgs/4/docks", {"label": "a", "id": 4, "org_id": 4}),
        exchange(b"/orgs/4/docks", {"label": "b", "id": 5, "org_id": 4}, body=b"{}"),
    )
    found = makers.of(deleting(b"/orgs/4/docks/5"))
    assert [each.path for each in found] == [("id",), ("id",)]
    again = Response(201, (JSON,), b'{"id": 9, "org_id": 4}')
    assert [each.identifier(again) for each in found] == ["9", "9"]


@pytest.mark.parametrize(
    ("made", "deleted", "found"),
    [
        (b"/api/register", b"/api/orgs/3/docks/9", False),
        (b"/api/orgs", b"/api/orgs/3/docks/9", False),
        (b"/api/docks/9/boats", b"/api/docks/9", False),
        (b"/api/orgs/3/docks", b"/api/orgs/3/docks/9", True),
        (b"/api/docks/add", b"/api/docks/delete/9", True),
        (b"/api/dock/create", b"/api/remove?dock_id=9", True),
        (b"/api/courses/4/enrol", b"/api/enrolments/9", True),
        (b"/api/courses/4/enrol", b"/api/courses/9", False),
        (b"/api/register", b"/api/users/9", True),
        (b"/api/register", b"/api/users/4/docks/9", False),
    ],
)
def test_a_short_number_is_taken_for_one_of_the_kind_alone(made: bytes, deleted: bytes, found: bool) -> None:
    """Else the dock that has the number of a new account would be deleted."""
    makers = gathered(exchange(made, {"data": {"id": 9}})).of(deleting(deleted))
    assert [each.path for each in makers] == ([("data", "id")] if found else [])


def test_what_was_made_at_the_very_address_comes_first():
    makers = gathered(exchange(b"/orgs/3/docks", {"id": 9}), exchange(b"/orgs/4/docks", {"id": 9}))
    first, _ = makers.of(deleting(b"/orgs/3/docks/9"))
    assert first.request.target == b"/orgs/3/docks"


def test_who_made_it_is_not_kept():
    (made,) = gathered(exchange(b"/notes", {"id": 9})).of(deleting(b"/notes/9"))
    assert made.request.headers == (JSON,)


def test_of_fields_with_one_made_up_value_the_title_names_what_was_made():
    told = {"title": "example", "author": "example", "note": "example"}
    (made,) = gathered(exchange(b"/books", told)).of(deleting(b"/books/example"))
    assert made.path == ("title",)


def test_an_operation_makes_what_its_contrary_deletes():
    query = {"query": 'mutation { createCard(title: "a") { card { id } } }'}
    made = exchange(b"/graphql", {"data": {"createCard": {"card": {"id": "9"}}}}, 200, body=json.dumps(query).encode())
    gone = json.dumps({"query": 'mutation { deleteCard(cardId: "771204") { ok } }'}).encode()
    (maker,) = gathered(made).of(Request("POST", b"/graphql", (JSON,), gone, host="a"))
    assert maker.path == ("data", "createCard", "card", "id")


@pytest.mark.parametrize(("given", "found"), [("eventId", 1), ("event_id", 1), ("id", 0), ("reviewId", 0)])
def test_the_short_number_of_another_kind_of_thing_is_not_that_of_what_was_made(given, found):
    """The first review of the first event has its number."""
    query = {"query": f'mutation {{ addReview({given}: "1", text: "fine") {{ id }} }}'}
    made = exchange(b"/graphql", {"data": {"addReview": {"id": "1"}}}, 200, body=json.dumps(query).encode())
    gone = json.dumps({"query": 'mutation { cancelReview(id: "1") { id } }'}).encode()
    assert len(gathered(made).of(Request("POST", b"/graphql", (JSON,), gone, host="a"))) == found


@pytest.mark.parametrize(
    "made",
    [
        exchange(b"/notes", {"id": 9}, 400),
        exchange(b"/notes", {"id": 9}, 200, "PUT"),
        exchange(b"/notes/delete", {"id": 9}),
        exchange(b"/notes", {"id": 9, "text": "a" * 9000}),
        exchange(b"/tasks", {"id": 4}),
        exchange(b"/notes", {"done": True}),
    ],
    ids=["refused", "no POST", "deletes", "long", "of another kind", "without an identifier"],
)
def test_anything_else_makes_no_such_object(made):
    assert gathered(made).of(deleting(b"/notes/9")) == ()


def test_another_host_makes_nothing_here():
    assert gathered(exchange(b"/notes", {"id": 9})).of(deleting(b"/notes/9", "b")) == ()


def test_no_more_than_a_bounded_number_is_kept_and_fewer_are_told():
    """Hundreds of addresses may stand between what is made and what is deleted."""
    between = [exchange(b"/words", {}, body=b"%d" % number) for number in range(MOST_KEPT)]
    first = exchange(b"/notes", {"id": 9})
    assert gathered(first, *between[1:]).of(deleting(b"/notes/9"))
    assert not gathered(first, *between).of(deleting(b"/notes/9"))
    makers = gathered(*(exchange(b"/notes", {"id": 9}, body=b"%d" % number) for number in range(MOST_OF_ONE + 5)))
    assert len(makers.of(deleting(b"/notes/9"))) == MOST_OF_ONE


def test_what_keeps_something_is_followed_by_what_sets_something_off_below_its_address():
    makers = gathered(*(exchange(path, {}) for path in (b"/hooks/4/test", b"/hooks/4/archive", b"/orders/4/test")))
    for keeping in (Request("POST", b"/hooks", host="a"), Request("PUT", b"/hooks/4", host="a")):
        assert [made.request.path for made in makers.setting_off(keeping)] == [b"/hooks/4/test"]
    for other in (Request("GET", b"/hooks", host="a"), Request("POST", b"/hooks", host="b")):
        assert makers.setting_off(other) == ()


@pytest.mark.parametrize(("status", "found"), [(502, True), (500, True), (403, False), (404, False)])
def test_what_sets_something_off_is_known_where_the_recorded_address_was_not_there(status: int, found: bool):
    asked = exchange(b"/hooks/4/test", {"delivered": False})
    failed = Exchange(asked.request, Response(status, asked.response.headers, asked.response.body))
    makers = gathered(failed, exchange(b"/hooks/5/test", {}))
    made = makers.setting_off(Request("POST", b"/hooks", host="a"))
    assert [each.request.path for each in made] == [b"/hooks/5/test", *[b"/hooks/4/test"] * found]


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (b"/payments/901/confirm", b'{"code": "482913"}'),
        (b"/payments/confirm", b'{"paymentId": 901, "code": "482913"}'),
        (b"/payments/901", b'{"code": "482913"}'),
    ],
)
def test_what_is_confirmed_was_made_before(target: bytes, body: bytes):
    makers = gathered(exchange(b"/payments", {"id": 901, "state": "waiting"}))
    request = Request("POST", target, (JSON, TOKEN), body, host="a")
    made = makers.confirmed(request)
    assert [each.was for each in made] == (["901"] if b"confirm" in target else [])


def test_forms_whose_answer_does_not_say_what_they_made_come_last():
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    led = Response(302, ((b"Location", b"/notes"),))
    makers = gathered(
        Exchange(Request("POST", b"/notes/new", (form, TOKEN), b"text=a", host="a"), led),
        Exchange(Request("POST", b"/orders/new", (form, TOKEN), b"text=a", host="a"), led),
        exchange(b"/notes", {"id": 9}),
    )
    told, by_form = makers.of(Request("POST", b"/notes/5/delete", (TOKEN,), host="a"))
    assert (told.request.target, told.path) == (b"/notes", ("id",))
    assert (by_form.request.target, by_form.path) == (b"/notes/new", ())
    assert by_form.identifier(Response(200, (JSON,), b'{"id": 9}')) == ""


def test_what_made_objects_is_read_once_for_all_that_delete_some(monkeypatch: pytest.MonkeyPatch):
    read: list[Response] = []

    def counted(response: Response) -> list[Leaf]:
        read.append(response)
        return leaves(response)

    monkeypatch.setattr("gatecrash.core.testing.authorization.objects.made.leaves", counted)
    told = ({"id": f"crate-{number}-8814"} for number in range(MOST_OF_ONE))
    makers = gathered(*(exchange(b"/crates", each, body=json.dumps(each).encode()) for each in told))
    for number in range(MOST_OF_ONE):
        (same, *_) = makers.of(deleting(b"/crates/crate-%d-8814" % number))
        assert same.was == f"crate-{number}-8814"
    assert len(read) == MOST_OF_ONE


def _said(path: str, body: bytes, response: Response) -> Exchange:
    return Exchange(Request("POST", path.encode(), (JSON,), body, host="a"), response)


def test_what_made_an_account_among_all_of_them_registers_somebody_and_makes_what_may_be_deleted():
    makers = Makers()
    sent = b'{"email": "ann@a.example", "password": "k1"}'
    assert makers.see(_said("/api/accounts", sent, Response(201, (JSON,), b'{"id": 7041}')))
    makers.see(_said("/api/login", sent, Response(200, (JSON,), b'{"token": "9f0c4d2277ab10ce"}')))
    setting = Request("PUT", b"/api/accounts/password", (JSON,), sent, host="a")
    assert [each.request.target for each in makers.entrances(setting)] == [b"/api/accounts", b"/api/login"]
    assert makers.entrances(Request("PUT", b"/api/accounts/7041", (JSON,), b'{"name": "Ann"}', host="a")) == ()
    assert [each.was for each in makers.of(Request("DELETE", b"/api/accounts/7041", (), host="a"))] == ["7041"]


@pytest.mark.parametrize(("status", "kept"), [(303, True), (422, False), (500, False)])
def test_forms_register_and_let_in_where_they_send_their_visitor_on(status: int, kept: bool):
    makers, form = Makers(), (b"Content-Type", b"application/x-www-form-urlencoded")

    def post(path: str, body: bytes) -> Request:
        return Request("POST", path.encode(), (form,), body, host="a")

    sent = b"username=ann&email=ann%40a.example&password=k1"
    makers.see(Exchange(post("/register", sent), Response(status, ((b"Location", b"/login"),))))
    makers.see(Exchange(post("/login", b"username=ann&password=k1"), Response(303, ((b"Location", b"/home"),))))
    setting = post("/recover", b"username=ann&new_password=k2")
    expected = [b"/register", b"/login"] if kept else [b"/login"]
    assert [each.request.target for each in makers.entrances(setting)] == expected


@pytest.mark.parametrize(
    ("told", "found"), [(b'{"token": "9f0c4d2277ab10ce"}', [b"/api/enter"]), (b'{"ok": true}', [])]
)
def test_what_let_somebody_in_is_a_login_whatever_its_address_says(told: bytes, found: list[bytes]):
    makers = Makers()
    makers.see(_said("/api/enter", b'{"nick": "ann", "passphrase": "k1"}', Response(200, (JSON,), told)))
    registering = Request("POST", b"/api/enrol", (JSON,), b'{"nick": "bea", "passphrase": "k2"}', host="a")
    assert [each.request.target for each in makers.logins(registering)] == found
