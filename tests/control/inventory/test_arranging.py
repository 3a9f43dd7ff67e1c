"""The inventory's order: documented endpoints exist, decided ones are one, alike siblings are one; done twice, done once."""

import pytest
from tests.control.inventory.traffic import HOST, NOW, count, observe, shown

from gatecrash.control import wall
from gatecrash.control.inventory import arranging, decisions
from gatecrash.control.inventory.models import Endpoint, EndpointAlias
from gatecrash.control.inventory.reading import Read

pytestmark = [pytest.mark.database, pytest.mark.django_db]

SHOP = Read("Shop", "1", "3.1.0", ((HOST, ""),), (("GET", "/users/{id}"), ("POST", "/orders")))
SIBLINGS = [f"/teas/{first}{second}" for first in ("green", "black", "white") for second in "abcdefghijk"]


def arrange(client_id: str) -> None:
    with wall.client(client_id):
        arranging.arrange(NOW)


def requests(client_id: str) -> dict[str, int]:
    return {path: one["requests"] for path, one in shown(client_id).items()}


def test_a_documents_endpoints_exist_unused_and_others_on_its_host_are_shadow(client_id: str) -> None:
    observe(client_id, count("/debug"), count("/far", host="far.example"), count("/users/{id}"))
    with wall.client(client_id):
        decisions.add_document("shop", SHOP)
    for _ in range(2):
        arrange(client_id)
        states = {path: one["document"] for path, one in shown(client_id).items()}
        assert states == {"/debug": "shadow", "/far": None, "/users/{id}": "documented", "/orders": "unused"}
    unused = shown(client_id)["/orders"]
    assert (unused["first_seen"], unused["last_seen"], unused["status"]) == (None, None, None)
    assert unused["badges"] == ["unused"]


def test_with_its_document_goes_what_only_it_told_of(client_id: str) -> None:
    observe(client_id, count("/users/{id}"))
    with wall.client(client_id):
        row = decisions.add_document("shop", SHOP)
    arrange(client_id)
    assert set(shown(client_id)) == {"/users/{id}", "/orders"}
    with wall.client(client_id):
        decisions.remove_document(row)
    arrange(client_id)
    assert {path: one["document"] for path, one in shown(client_id).items()} == {"/users/{id}": None}


def test_a_documented_endpoint_that_is_seen_is_no_longer_unused(client_id: str) -> None:
    with wall.client(client_id):
        decisions.add_document("shop", SHOP)
    arrange(client_id)
    observe(client_id, count("/orders", method="POST"))
    found = shown(client_id)["/orders"]
    assert (found["document"], found["first_seen"], found["badges"]) == ("documented", NOW, ["new"])


def test_what_a_pin_or_document_decides_becomes_one_until_it_is_taken_back(client_id: str) -> None:
    observe(client_id, count("/users/ann"), count("/users/bob"), count("/users/ann", method="PUT"), count("/health"))
    with wall.client(client_id):
        pin = decisions.add_rule("pin", HOST, "/users/{name}")
    arrange(client_id)
    with wall.client(client_id):
        merged = dict(Endpoint.objects.filter(path="/users/{name}").values_list("method", "requests"))
    assert merged == {"GET": 20, "PUT": 10}
    with wall.client(client_id):
        decisions.remove_rule(pin)
    arrange(client_id)
    observe(client_id, count("/users/ann"))
    assert requests(client_id)["/users/ann"] == 10, "what was merged stays, what comes counts for itself"


def test_thirty_siblings_that_differ_in_nothing_become_one(client_id: str) -> None:
    observe(client_id, *(count(path) for path in SIBLINGS), count("/teas"))
    arrange(client_id)
    found = requests(client_id)
    assert sorted(found.values()) == [10, 330]
    [merged] = set(found) - {"/teas"}
    assert merged.startswith("/teas/{")
    arrange(client_id)
    assert requests(client_id) == found
    with wall.client(client_id):
        assert EndpointAlias.objects.count() == len(SIBLINGS)


@pytest.mark.parametrize(
    "odd",
    [
        count("/teas/debug", valid=0),
        count("/teas/debug", requests=1000, valid=400),
        count("/teas/debug", method="POST"),
    ],
    ids=["unprotected", "busy", "another method"],
)
def test_an_endpoint_that_differs_does_not_drown_among_its_siblings(client_id: str, odd: object) -> None:
    observe(client_id, *(count(path) for path in SIBLINGS), odd)
    arrange(client_id)
    assert "/teas/debug" in shown(client_id)


def test_fewer_than_thirty_and_split_ones_stay_apart(client_id: str) -> None:
    observe(client_id, *(count(path) for path in SIBLINGS[:29]))
    arrange(client_id)
    assert set(shown(client_id)) == set(SIBLINGS[:29])
    observe(client_id, *(count(path) for path in SIBLINGS[29:]))
    with wall.client(client_id):
        decisions.add_rule("split", "", "/teas/{tea_id}")
    arrange(client_id)
    assert set(shown(client_id)) == set(SIBLINGS)


def test_one_clients_order_is_not_anothers(client_id: str, other_id: str) -> None:
    observe(other_id, *(count(path) for path in SIBLINGS))
    arrange(client_id)
    assert len(shown(other_id)) == len(SIBLINGS)
