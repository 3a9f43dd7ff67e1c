import pytest
from django.db import transaction

from gatecrash.control import wall
from gatecrash.control.accounts import actor, audit
from gatecrash.control.accounts.models import AuditEntry

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_an_entry_says_who_did_what_to_what(client_id: str) -> None:
    with wall.client(client_id), actor.acting("tok_1"):
        audit.record("thing.change", "thing_1", name="x")
        row = AuditEntry.objects.get(action="thing.change")
    assert (row.actor, row.target, row.detail) == ("tok_1", "thing_1", {"name": "x"})


def test_an_entry_goes_with_its_change(client_id: str) -> None:
    with wall.client(client_id):
        with transaction.atomic():
            audit.record("thing.change", "thing_1")
            transaction.set_rollback(True)
        assert not AuditEntry.objects.filter(action="thing.change").exists()


def test_what_concerns_the_installation_is_told_to_every_client(client_id: str, other_id: str) -> None:
    audit.record_for_all("thing.rotate", values=3)
    for one in (client_id, other_id):
        with wall.client(one):
            row = AuditEntry.objects.get(action="thing.rotate")
        assert (row.actor, row.target, row.detail) == ("system", one, {"values": 3})
