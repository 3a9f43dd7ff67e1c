"""Reads of clients, members, tokens and the audit log. Lists are of the current client, but for the list of clients."""

from typing import Any

from gatecrash.control.accounts.models import ApiToken, AuditEntry, Client, Membership, User


def clients() -> Any:
    """Every client of the deployment, the oldest first."""
    return Client.objects.order_by("created_at", "id")


def find_client(client_id: str) -> Client | None:
    """A client of the deployment."""
    return Client.objects.filter(id=client_id).first()


def members() -> Any:
    """The current client's members with their users, by address."""
    return Membership.objects.select_related("user").order_by("user__email", "id")


def find_member(user_id: str) -> Membership | None:
    """A member of the current client."""
    row: Membership | None = Membership.objects.select_related("user").filter(user_id=user_id).first()
    return row


def find_user_by_email(email: str) -> User | None:
    """A user of the deployment, by address without case."""
    return User.objects.filter(email=email.strip().lower()).first()


def clients_of(user_id: str) -> int:
    """In how many clients a user is a member."""
    return Membership.objects.filter(user_id=user_id).count()


def tokens() -> Any:
    """The current client's tokens, the newest first; revoked ones too."""
    return ApiToken.objects.order_by("-created_at", "-id")


def find_token(token_id: str) -> ApiToken | None:
    """A token of the current client."""
    row: ApiToken | None = ApiToken.objects.filter(id=token_id).first()
    return row


def audit_entries() -> Any:
    """The current client's audit log, the newest first."""
    return AuditEntry.objects.order_by("-number")


def find_audit_entry(entry_id: str) -> AuditEntry | None:
    """An entry of the current client's audit log."""
    row: AuditEntry | None = AuditEntry.objects.filter(public_id=entry_id).first()
    return row
