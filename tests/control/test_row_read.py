import pytest
from django.apps import apps
from django.db import connection

from gatecrash.control import row_read, wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import ApiToken
from gatecrash.control.api.roles import Role
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.control.tenant import TenantModel

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_row_read_by_key_is_the_same_as_by_a_queryset(client_id: str) -> None:
    with wall.client(client_id):
        token, _ = services.create_token("t", Role.ADMIN, deployment=True, expires_at=5)
        parameter = AuthParameter.objects.create(id="ap_x", point=["get", "ä"], digest="d", created_at=1)
        for row in (token, parameter):
            model = type(row)
            found, expected = model.objects.find(row.pk), model.objects.get(pk=row.pk)
            for field in model._meta.concrete_fields:
                ours, theirs = getattr(found, field.attname), getattr(expected, field.attname)
                assert (ours, type(ours)) == (theirs, type(theirs)), field
        assert ApiToken.objects.find("tok_none") is None


def test_it_is_one_query_and_keeps_to_the_wall(client_id: str, other_id: str, django_assert_num_queries) -> None:
    with wall.client(client_id):
        token, _ = services.create_token("t", Role.ADMIN)
        ApiToken.objects.find(token.id)
        with django_assert_num_queries(1):
            assert ApiToken.objects.find(token.id) == token
    with wall.client(other_id):
        assert ApiToken.objects.find(token.id) is None
    with wall.system("a test"):
        assert ApiToken.objects.find(token.id) == token
    with pytest.raises(wall.TenantWallError):
        ApiToken.objects.find(token.id)


def test_a_found_row_can_be_changed(client_id: str) -> None:
    with wall.client(client_id):
        token, _ = services.create_token("t", Role.ADMIN)
        found = ApiToken.objects.find(token.id)
        found.name = "u"
        found.save()
        assert ApiToken.objects.get(id=token.id).name == "u"


def test_the_statement_of_every_tenant_model_can_be_kept(client_id: str) -> None:
    with wall.client(client_id):
        for model in apps.get_models():
            if issubclass(model, TenantModel):
                text = model._meta.pk.get_internal_type() == "CharField"
                assert model.objects.find("none" if text else 0) is None
                assert (model, connection.vendor) in row_read._plans
