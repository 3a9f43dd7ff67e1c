"""Changes to a client's own test policies. A run keeps the policy that it began with, whatever becomes of it."""

from typing import Any

import msgspec
from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.policies.mapping import from_content, to_content, to_policy
from gatecrash.control.policies.models import TestPolicy
from gatecrash.core.testing.policy import Policy

MOST = 1000


def create(wanted: dict[str, Any]) -> TestPolicy:
    """Make a policy of the current client. wanted: validated fields. Raises FieldErrors at the limit."""
    with transaction.atomic():
        Client.objects.select_for_update().get(id=wall.required())  # one after the other, so that the limit holds
        if TestPolicy.objects.count() >= MOST:
            raise FieldErrors({"name": problem("out_of_range", wanted["name"], max=MOST)})
        policy = from_content(ids.new(Prefix.POLICY), wanted["name"], wanted["desc"], wanted["tags"], wanted)
        _check(policy)
        moment = now()
        row = TestPolicy.objects.create(**_columns(policy), id=policy.id, created_at=moment, updated_at=moment)
        audit.record("policy.create", row.id, name=row.name)
    return row


def change(row: TestPolicy, wanted: dict[str, Any]) -> TestPolicy:
    """Change the given fields of a policy of the current client."""
    with transaction.atomic():
        row = TestPolicy.objects.select_for_update().get(id=row.id)
        policy = msgspec.convert({**msgspec.to_builtins(to_policy(row)), **wanted}, Policy)
        _check(policy)
        for name, value in _columns(policy).items():
            setattr(row, name, value)
        row.updated_at = now()
        row.save()
        audit.record("policy.change", row.id, name=row.name, fields=sorted(wanted))
    return row


def delete(row: TestPolicy) -> bool:
    """Remove a policy of the current client; false where another has done so already."""
    with transaction.atomic():
        removed = bool(row.delete()[0])
        if removed:
            audit.record("policy.delete", row.id, name=row.name)
    return removed


def own(found: Policy | TestPolicy) -> TestPolicy:
    """The row of a client's own policy. Raises ApiError (403) for a built-in one."""
    if isinstance(found, TestPolicy):
        return found
    raise ApiError("forbidden", f"The policy {found.id!r} is built in and cannot be changed; make one of your own.")


def _check(policy: Policy) -> None:
    """Raise FieldErrors where fields that are right alone are wrong together."""
    if policy.only_custom and not policy.extensions:
        raise FieldErrors({"only_custom": problem("invalid_value", True, message="There are no extensions.")})


def _columns(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "desc": policy.desc,
        "tags": list(policy.tags),
        "content": to_content(policy),
    }
