"""Which pages list the things of which a request asks for one."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.surroundings.kinship import is_called_like, kind_words, lists_its_kind

JSON = ((b"Content-Type", b"application/json"),)


def asking(query: str, **variables: object) -> Request:
    return Request("POST", b"/graphql", JSON, json.dumps({"query": query, "variables": variables}).encode(), host="a")


def calling(method: str, **params: object) -> Request:
    body = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
    return Request("POST", b"/rpc", JSON, json.dumps(body).encode(), host="a")


@pytest.mark.parametrize(
    ("page", "request_", "found"),
    [
        (b"/proposals", b"/proposal?id=7", True),
        (b"/fees.php?page=2", b"/fee.php?id=7", True),
        (b"/api/orders?sortBy=day", b"/api/order/7", True),
        (b"/club/getFees", b"/club/getFee?id=7", True),
        (b"/fee_list.php", b"/fee_view.php?id=7", True),
        (b"/rpc/fee.list?input=%7B%7D", b"/rpc/fee.byId?input=%7B%22id%22%3A7%7D", True),
        (
            b"/rpc/fee.list?input=%7B%22json%22%3A%7B%22limit%22%3A5%2C%22tag%22%3Anull%7D%7D",
            b"/rpc/fee.byId?input=7",
            True,
        ),
        (b"/rpc/fee.list?input=%7B%22payer%22%3A%22ann%22%7D", b"/rpc/fee.byId?input=7", False),
        (b"/rpc/fee.starred", b"/rpc/fee.byId?input=7", False),
        (b"/fees?page={", b"/fee?id=7", True),
        (b"/fees.php", b"/fee_edit.php", True),
        (b"/index.php?page=fees", b"/index.php?page=fee&id=7", True),
        (b"/?do=fees&sort=day", b"/?do=view_fee&id=7", True),
        (b"/index.php?page=fees&starred=1", b"/index.php?page=fee&id=7", False),
        (b"/index.php?page=members", b"/index.php?page=fee&id=7", False),
        (b"/index.php?page=fee", b"/index.php?page=fee&id=7", False),
        # What somebody has marked or joined is not his for that.
        (b"/proposals?starred=1", b"/proposal?id=7", False),
        (b"/my-courses", b"/course/7", False),
        (b"/members.php", b"/fee.php?id=7", False),
        (b"/board/fees.php", b"/fee.php?id=7", False),
        (b"/fee.php", b"/fee.php?id=7", False),
        (b"/fee.php?id=8", b"/fee.php?id=7", False),
        (b"/", b"/7", False),
    ],
)
def test_a_list_is_known_by_its_name(page: bytes, request_: bytes, found: bool):
    assert lists_its_kind(Request("GET", page, host="a"), Request("GET", request_, host="a")) is found


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (asking("query A($q: String) { incidents(search: $q) { id title } }", q=""), True),
        (asking("{ incidents { id title } }"), True),
        (asking("query A($m: Boolean) { incidents(starred: $m) { id title } }", m=True), False),
        (asking("{ myIncidents { id title } }"), False),
        (asking("{ vehicles { id sign } }"), False),
        (asking("query A($id: Int) { incident(id: $id) { title } }", id=8), False),
    ],
)
def test_a_field_of_many_lists_those_of_the_field_of_one(page: Request, found: bool):
    assert lists_its_kind(page, asking("query A($id: Int) { incident(id: $id) { title } }", id=7)) is found


def test_an_identifier_says_nothing_of_the_kind():
    assert kind_words(Request("GET", b"/api/order/7", host="a")) == ("api", "order")


def test_a_list_of_some_is_called_like_its_kind():
    one = asking("query A($id: ID!) { incident(id: $id) { id title } }", id="7")
    assert is_called_like(asking("{ myIncidents { id title } }"), one)
    assert is_called_like(calling("incident.mine"), calling("incident.get", id=7))
    assert not is_called_like(calling("incident.next"), calling("incident.get", id=7))
    assert not is_called_like(calling("team.mine"), calling("incident.get", id=7))
    assert not is_called_like(asking("{ myTeams { id title } }"), one)
    assert not is_called_like(asking("query B($id: ID!) { openIncident(id: $id) { id } }", id="7"), one)
    assert not is_called_like(Request("GET", b"/", host="a"), one)
