"""Changes are audited and bounded."""

import pytest

from gatecrash.control import wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import ApiError, FieldErrors
from gatecrash.control.policies import services
from gatecrash.control.policies.bodies import NewPolicy
from gatecrash.core.testing.policy import DEFAULT


def wanted(name: str) -> dict:
    return NewPolicy(name=name, types=["sqli"]).model_dump()


def test_every_change_is_in_the_audit_log(client_id: str) -> None:
    with wall.client(client_id):
        row = services.create(wanted("one"))
        row = services.change(row, {"name": "two"})
        services.delete(row)
        services.delete(row)
        noted = AuditEntry.objects.filter(target=row.id).order_by("at", "public_id").values_list("action", flat=True)
        assert sorted(noted) == ["policy.change", "policy.create", "policy.delete"]


def test_there_is_a_most(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST", 1)
    with wall.client(client_id):
        services.create(wanted("one"))
        with pytest.raises(FieldErrors):
            services.create(wanted("two"))


def test_a_built_in_one_is_nobodys_own() -> None:
    with pytest.raises(ApiError, match="built in"):
        services.own(DEFAULT)
