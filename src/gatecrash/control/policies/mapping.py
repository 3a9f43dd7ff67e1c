"""A policy as a row, as the core's value, and as the API shows it."""

from typing import Any

import msgspec

from gatecrash.control.policies.models import TestPolicy
from gatecrash.core.testing.policy import BUILT_IN, Policy

# What a row keeps in columns of its own.
_COLUMNS = ("id", "name", "desc", "tags")


def to_policy(row: TestPolicy) -> Policy:
    """The core's value of a row."""
    return from_content(row.id, row.name, row.desc, row.tags, row.content)


def from_content(policy_id: str, name: str, desc: str, tags: list[str], content: dict[str, Any]) -> Policy:
    """The core's value of a stored content; what a later version added has its default."""
    return msgspec.convert({**content, "id": policy_id, "name": name, "desc": desc, "tags": tags}, Policy)


def to_content(policy: Policy) -> dict[str, Any]:
    """What a row keeps of a policy beside its own columns."""
    return {name: value for name, value in whole(policy).items() if name not in _COLUMNS}


def whole(policy: Policy) -> dict[str, Any]:
    """A policy as plain JSON: for a row, or to be remembered with a run."""
    plain: dict[str, Any] = msgspec.to_builtins(policy)
    return plain


def shown(policy: Policy, row: TestPolicy | None = None) -> dict[str, Any]:
    """A policy as the API shows it. row: of a client's own one."""
    return {
        **whole(policy),
        "built_in": policy.id in BUILT_IN,
        "created_at": row.created_at if row else None,
        "updated_at": row.updated_at if row else None,
    }
