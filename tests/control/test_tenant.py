import pytest
from django.apps import apps

from gatecrash.control import wall
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.control.tenant import TenantManager, TenantModel

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_every_tenant_model_uses_the_one_manager_everywhere() -> None:
    models = [model for model in apps.get_models() if issubclass(model, TenantModel)]
    assert len(models) >= 6
    for model in models:
        assert type(model._default_manager) is TenantManager, model
        assert type(model._base_manager) is TenantManager, model
        assert model._meta.db_table in wall.tables()


def test_a_new_row_takes_the_current_client(client_id: str) -> None:
    with wall.client(client_id):
        row = AuthParameter(id="ap_x", point=["get", "a"], digest="d", created_at=1)
        row.save()
        AuthParameter.objects.bulk_create([AuthParameter(id="ap_y", point=["get", "b"], digest="e", created_at=1)])
        assert {one.client_id for one in AuthParameter.objects.all()} == {client_id}


def test_changing_and_deleting_own_rows_works(client_id: str) -> None:
    with wall.client(client_id):
        row = AuthParameter.objects.create(id="ap_x", point=["get", "a"], digest="d", created_at=1)
        row.created_at = 2
        row.save(update_fields=["created_at"])
        row.refresh_from_db()
        assert row.created_at == 2
        assert row.delete() == (1, {"inventory.AuthParameter": 1})
        assert not AuthParameter.objects.exists()


@pytest.mark.parametrize("count", [1, 2, 500])
def test_any_number_of_rows_is_created_at_once(count: int, client_id: str) -> None:
    """Django inserts many rows on PostgreSQL as arrays, the client's column among them."""
    rows = [AuthParameter(id=f"ap_{n}", point=["get", str(n)], digest=str(n), created_at=1) for n in range(count)]
    with wall.client(client_id):
        AuthParameter.objects.bulk_create(rows)
        assert AuthParameter.objects.count() == count


def test_a_system_job_must_name_the_client_of_a_new_row(client_id: str) -> None:
    with wall.system("a test"), pytest.raises(wall.TenantWallError):
        AuthParameter.objects.create(id="ap_x", point=["get", "a"], digest="d", created_at=1)
    with wall.system("a test"):
        AuthParameter.objects.create(id="ap_x", client_id=client_id, point=["get", "a"], digest="d", created_at=1)
