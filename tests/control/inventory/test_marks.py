"""Intentionally public marks: reason, owner, expiry; they leave alarms until their time is over."""

from collections.abc import Callable

import pytest
from tests.control.inventory.traffic import HOST, count, observe, shown

from gatecrash.control import wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.clock import now
from gatecrash.control.inventory import marks, queries
from gatecrash.control.inventory.models import Endpoint, PublicMark

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def endpoint_id(client_id: str) -> str:
    observe(client_id, count("/prices", valid=0))
    with wall.client(client_id):
        return str(Endpoint.objects.get().public_id)


def refused(wanted: Callable[[], object]) -> dict[str, str]:
    """The error of each faulty field."""
    with pytest.raises(FieldErrors) as caught:
        wanted()
    return {name: problem["error"] for name, problem in caught.value.problems.items()}


def test_a_mark_is_made_once_told_and_taken_off(client_id: str, endpoint_id: str) -> None:
    with wall.client(client_id):
        row = marks.mark_public(endpoint_id, "a price list", "shop", None)
        assert (row.reason, row.owner, row.expires_at) == ("a price list", "shop", None)
        again = refused(lambda: marks.mark_public(endpoint_id, "another", "shop", None))
        assert again == {"endpoint_id": "already_exists"}
    assert shown(client_id)["/prices"]["public"] is True
    assert shown(client_id, status="missing") == {}
    with wall.client(client_id):
        marks.remove_mark(row)
        marks.remove_mark(row)
        audited = AuditEntry.objects.filter(action__startswith="public_mark").order_by("number")
        assert list(audited.values_list("action", flat=True)) == ["public_mark.create", "public_mark.delete"]
    assert set(shown(client_id, status="missing")) == {"/prices"}


def test_a_mark_is_over_with_its_second_and_gives_way(client_id: str, endpoint_id: str) -> None:
    until = now() + 100
    with wall.client(client_id):
        first = marks.mark_public(endpoint_id, "for now", "shop", until)
    assert shown(client_id, at=until - 1)["/prices"]["public"] is True
    assert shown(client_id, at=until - 1, status="missing") == {}
    assert shown(client_id, at=until)["/prices"]["public"] is False
    assert set(shown(client_id, at=until, status="missing")) == {"/prices"}
    with wall.client(client_id):
        marks.expire_marks(until - 1)
        assert PublicMark.objects.count() == 1
        marks.expire_marks(until)
        assert not PublicMark.objects.exists()
        assert AuditEntry.objects.filter(action="public_mark.expire", target=first.id).exists()
        marks.mark_public(endpoint_id, "again", "shop", None)


def test_what_cannot_be_marked_is_refused_with_every_fault(client_id: str, other_id: str, endpoint_id: str) -> None:
    with wall.client(client_id):
        assert refused(lambda: marks.mark_public("ep_none", "r", "o", now())) == {
            "endpoint_id": "not_found",
            "expires_at": "out_of_range",
        }
    with wall.client(other_id):
        assert refused(lambda: marks.mark_public(endpoint_id, "r", "o", None)) == {"endpoint_id": "not_found"}


def test_a_mark_says_nothing_of_a_more_literal_sibling(client_id: str) -> None:
    observe(client_id, count("/users/{user_id}", valid=0), count("/users/admin", valid=0))
    with wall.client(client_id):
        marks.mark_public(Endpoint.objects.get(path="/users/{user_id}").public_id, "r", "o", None)
    assert queries.is_public(client_id, "get", HOST.upper(), "/users/7?q=1")
    assert not queries.is_public(client_id, "GET", HOST, "/users/admin")
    assert not queries.is_public(client_id, "POST", HOST, "/users/7")
