from typing import Any

import pytest

from gatecrash.control import wall
from gatecrash.control.accounts import queries, schemas, services, views
from gatecrash.control.accounts.models import Client
from gatecrash.control.accounts.reading_names import named
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_what_is_shown_has_the_documented_shape_and_no_secret(client_id: str) -> None:
    user = services.create_user("ann@example.com", password="correct horse 9")
    with wall.client(client_id):
        member = services.add_member(user, Role.ADMIN)
        token, text = services.create_token("t", Role.CI)
        shown: dict[Any, Any] = {
            schemas.ClientView: views.client(Client.objects.get(id=client_id)),
            schemas.MemberView: views.member(member),
            schemas.TokenView: views.token(token),
            schemas.AuditEntryView: named([views.audit_entry(queries.audit_entries().first())])[0],
        }
    for model, document in shown.items():
        assert set(model.model_fields) == set(document)
        model.model_validate(document, strict=True)
    for secret in (text, token.digest, user.password):
        assert secret not in str(shown)
