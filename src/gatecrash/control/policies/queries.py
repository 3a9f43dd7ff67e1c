"""Reads of test policies: the built-in ones and the client's own."""

from collections.abc import Iterable
from typing import Any

from gatecrash.control import ids
from gatecrash.control.policies.mapping import shown, to_policy
from gatecrash.control.policies.models import TestPolicy
from gatecrash.core.testing.policy import BUILT_IN, Policy


def find(policy_id: str) -> Policy | TestPolicy | None:
    """A built-in policy, or the row of one of the current client; None where there is neither."""
    if policy_id in BUILT_IN:
        return BUILT_IN[policy_id]
    return TestPolicy.objects.filter(id=policy_id).first() if ids.is_shaped(policy_id) else None


def policy(policy_id: str) -> Policy | None:
    """The core's value of a policy of the current client, the built-in ones included."""
    found = find(policy_id)
    return to_policy(found) if isinstance(found, TestPolicy) else found


def names(policy_ids: Iterable[str]) -> dict[str, str]:
    """What policies are called: a built-in one by its identifier, one of the client's own by its name."""
    return dict(TestPolicy.objects.filter(id__in={*policy_ids} - BUILT_IN.keys()).values_list("id", "name"))


def listed() -> list[dict[str, Any]]:
    """All policies as the API shows them: the built-in ones, then the client's own by name."""
    rows = TestPolicy.objects.order_by("name", "id")
    return [*map(shown, BUILT_IN.values()), *(shown(to_policy(row), row) for row in rows)]


def one(found: Policy | TestPolicy) -> dict[str, Any]:
    """A policy as the API shows it."""
    return shown(to_policy(found), found) if isinstance(found, TestPolicy) else shown(found)
