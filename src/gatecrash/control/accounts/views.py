"""What the API shows of accounts, from rows. Nothing here can show a secret: rows hold only digests."""

from typing import Any

from gatecrash.control.accounts.models import ApiToken, AuditEntry, Client, Membership

Document = dict[str, Any]


def client(row: Client) -> Document:
    """A client."""
    return {
        "id": row.id,
        "name": row.name,
        "tests_stopped": row.tests_stopped,
        "rps_per_host": row.rps_per_host,
        "created_at": row.created_at,
    }


def member(row: Membership) -> Document:
    """A user as a member of the current client."""
    user = row.user
    return {
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "role": row.role,
        "is_owner": user.is_owner,
        "is_active": user.is_active,
        "created_at": row.created_at,
    }


def token(row: ApiToken) -> Document:
    """A token without its text."""
    return {
        "id": row.id,
        "name": row.name,
        "role": row.role,
        "deployment": row.deployment,
        "node_id": row.node_id,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "revoked_at": row.revoked_at,
        "last_used_at": row.last_used_at,
    }


def audit_entry(row: AuditEntry) -> Document:
    """One change."""
    return {
        "id": row.public_id,
        "at": row.at,
        "actor": row.actor,
        "action": row.action,
        "target": row.target,
        "detail": row.detail,
    }
