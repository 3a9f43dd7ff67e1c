"""What people decided, as the inventory asks: which template a path has, and whether an endpoint is documented."""

import pytest
from tests.control.inventory.traffic import HOST

from gatecrash.control import wall
from gatecrash.control.inventory import decisions, documents
from gatecrash.control.inventory.mapping import DOCUMENTED, SHADOW
from gatecrash.control.inventory.reading import Read
from gatecrash.core.inventory.documents import HostTemplate

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def document(*servers: tuple[str, str], paths: tuple[str, ...] = ("/users/{id}",)) -> Read:
    return Read("Shop", "1", "3.1.0", servers, tuple(("GET", path) for path in paths))


@pytest.mark.parametrize(
    ("name", "state"),
    [
        (("rest", "GET", HOST, "/v1/users/{id}", ""), DOCUMENTED),
        (("rest", "POST", HOST, "/v1/users/{id}", ""), SHADOW),
        (("rest", "GET", HOST, "/v1/users/{user_id}", ""), SHADOW),
        (("rest", "GET", HOST, "/users/{id}", ""), SHADOW),
        (("rest", "GET", "elsewhere.example", "/v1/users/{id}", ""), 0),
    ],
)
def test_an_endpoint_is_documented_shadow_or_neither(client_id: str, name: tuple[str, ...], state: int) -> None:
    with wall.client(client_id):
        assert documents.judge()(name) == 0
        decisions.add_document("shop", document((HOST, "/v1")))
        assert documents.judge()(name) == state


def test_a_document_without_a_host_covers_all_and_tells_of_no_endpoint_of_its_own(client_id: str) -> None:
    with wall.client(client_id):
        decisions.add_document("any", document(("", "")))
        assert documents.judge()(("rest", "GET", "anywhere.example", "/users/{id}", "")) == DOCUMENTED
        assert documents.judge()(("rest", "GET", "anywhere.example", "/debug", "")) == SHADOW
        assert documents.documented_names() == []
        decisions.add_document("one", document((HOST, "/v1"), ("b.example", "")))
        assert documents.documented_names() == [
            ("rest", "GET", HOST, "/v1/users/{id}", ""),
            ("rest", "GET", "b.example", "/users/{id}", ""),
        ]


def test_pins_are_asked_before_documents(client_id: str) -> None:
    with wall.client(client_id):
        decisions.add_document("shop", document((HOST, "")))
        assert documents.decided().match("GET", HOST, b"/users/ann") == "/users/{id}"
        decisions.add_rule("pin", HOST, "/users/{name}")
        assert documents.decided().match("GET", HOST, b"/users/ann") == "/users/{name}"
        assert documents.decided().match("GET", "b.example", b"/users/ann") is None
        assert documents.rules("pin") == (HostTemplate(HOST, "/users/{name}"),)
        assert documents.rules("split") == ()


def test_nobody_asks_another_clients_decisions(client_id: str, other_id: str) -> None:
    with wall.client(other_id):
        decisions.add_document("shop", document((HOST, "")))
        decisions.add_rule("pin", "", "/users/{name}")
    with wall.client(client_id):
        assert documents.paths() == documents.rules("pin") == ()
        assert not documents.decided()
