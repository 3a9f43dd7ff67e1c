"""Safe methods first, what destroys what the tests stand on last, and marked."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.ordering import in_order, rank, rank_of


def posted(path: bytes, document: object) -> Request:
    return Request("POST", path, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/orders", 0),
        ("get", "/orders", 0),
        ("HEAD", "/orders", 0),
        ("POST", "/orders", 1),
        ("PATCH", "/orders/1", 1),
        ("DELETE", "/orders/1", 2),
        ("POST", "/logout", 4),
        ("GET", "/auth/sign-out", 4),
        ("GET", "/logoutAll", 4),
        ("POST", "/session/end", 4),
        ("GET", "/admin/switch/user/7/?redirect=/admin/", 4),
        ("GET", "/home?_switch_user=ann", 4),
        ("POST", "/users/7/impersonate", 4),
        ("GET", "/search?q=switch_user", 0),
        ("GET", "/switches/users/7", 0),
        ("GET", "/catalog-offers", 0),
        ("PUT", "/me/password", 3),
        ("PATCH", "/users/1/roles", 3),
        ("PUT", "/profile", 2),
        ("POST", "/orders/1/delete", 2),
        ("GET", "/profile", 0),
        ("GET", "/password-rules", 0),
    ],
)
def test_ranks(method, path, expected):
    assert rank(Request(method, path.encode())) == expected


@pytest.mark.parametrize(
    ("path", "sent", "expected"),
    [
        (b"/wallet/send", {"to": "ann", "amount": 1}, 2),
        (b"/transfers", {"to": 7, "amount": "12.50"}, 2),
        (b"/transfers", {"to": 7, "note": "rent"}, 1),
        (b"/expenses", {"amount": 12.5, "reason": "taxi"}, 1),
    ],
)
def test_what_moves_money_goes_behind_what_only_changes_something(path: bytes, sent: object, expected: int) -> None:
    assert rank(posted(path, sent)) == expected


def test_equals_stay_in_the_order_of_recording():
    lines = [("DELETE", b"/a"), ("POST", b"/b"), ("GET", b"/c"), ("POST", b"/d"), ("GET", b"/e")]
    baselines = [Baseline(path.decode(), Exchange(Request(method, path))) for method, path in lines]
    assert [baseline.id for baseline in in_order(baselines)] == ["/c", "/e", "/b", "/d", "/a"]


def test_the_first_of_each_kind_goes_first_but_for_what_destroys() -> None:
    lines = [
        ("DELETE", b"/items/1"),
        ("DELETE", b"/items/2"),
        ("DELETE", b"/notes/1"),
        ("GET", b"/items/1"),
        ("GET", b"/items/2"),
        ("GET", b"/notes/1"),
    ]
    baselines = [Baseline(str(number), Exchange(Request(method, path))) for number, (method, path) in enumerate(lines)]
    assert [int(baseline.id) for baseline in in_order(baselines)] == [3, 5, 4, 0, 1, 2]


@pytest.mark.parametrize(("drafted", "order"), [(True, [1, 2, 3, 0, 4]), (False, [0, 1, 2, 3, 4])])
def test_what_a_draft_does_to_an_object_goes_before_the_draft_that_deletes_it(drafted: bool, order: list[int]) -> None:
    lines = [
        ("DELETE", b"/users/5"),
        ("DELETE", b"/users/5/notes/7"),
        ("PUT", b"/users/5/role"),
        ("POST", b"/users/5/ban"),
        ("PUT", b"/users/6/role"),
    ]
    baselines = [
        Baseline(str(number), Exchange(Request(method, path), drafted=drafted))
        for number, (method, path) in enumerate(lines)
    ]
    assert [int(baseline.id) for baseline in in_order(baselines)] == order


def test_what_a_link_deletes_or_resets_goes_behind_what_changes_something():
    assert {rank(Request("GET", each)) for each in (b"/reset-db", b"/initdb", b"/rm/tea")} == {2}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"jsonrpc": "2.0", "method": "orders.get", "params": {"id": 7}, "id": 1}, 0),
        ({"jsonrpc": "2.0", "method": "orders.delete", "params": {"id": 7}, "id": 1}, 2),
        ({"jsonrpc": "2.0", "method": "auth.login", "params": {"name": "ann", "password": "x"}, "id": 1}, 2),
        ({"jsonrpc": "2.0", "method": "users.setRole", "params": {"id": 7}, "id": 1}, 3),
        ({"jsonrpc": "2.0", "method": "session.logOut", "params": {}, "id": 1}, 4),
        ({"query": 'mutation { signIn(name: "ann", password: "x") { id } }'}, 2),
        ({"query": "mutation { setRole(id: 7) { id } }"}, 3),
        ({"query": 'mutation { changeMail(mail: "a@example.com") { id } }'}, 3),
        ({"query": 'mutation { updateUserName(name: "a") { id } }'}, 3),
        ({"query": "mutation { changeEmailing(on: true) { id } }"}, 1),
        ({"query": "{ deletedOrders { id } }"}, 0),
    ],
)
def test_what_is_called_at_one_address_ranks_by_its_name(document, expected):
    assert rank(posted(b"/api", document)) == expected


def test_what_was_answered_by_the_end_of_its_session_goes_last_whatever_it_is_called() -> None:
    sent = Request("GET", b"/leave", ((b"Cookie", b"sid=4f9d6794af32a361519edc8b6cbd"),))
    leaves = Baseline("leave", Exchange(sent, Response(302, ((b"Set-Cookie", b"sid=; Max-Age=0"),))))
    stays = Baseline("stay", Exchange(sent, Response(302)))
    deletes = Baseline("delete", Exchange(Request("DELETE", b"/orders/1")))
    assert (rank_of(leaves), rank_of(stays)) == (4, 0)
    assert [each.id for each in in_order([leaves, deletes, stays])] == ["stay", "delete", "leave"]
