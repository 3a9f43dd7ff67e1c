"""Changes to clients, users, memberships and API tokens. Each writes the audit log in its own transaction."""

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit, callers, tokens
from gatecrash.control.accounts.models import ApiToken, Client, Membership, User
from gatecrash.control.api.roles import Role
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.core.errors import UserError


class InvalidAccount(UserError):
    """A given identifier, token, password or address cannot be used."""


def create_client(name: str, client_id: str | None = None) -> Client:
    """A new client. Raises InvalidAccount where the given identifier cannot be one."""
    if client_id is not None and not ids.is_shaped(client_id):
        raise InvalidAccount(f"{client_id!r} cannot be a client identifier: up to 64 letters, digits, - and _")
    with transaction.atomic():
        client = Client.objects.create(id=client_id or ids.new(Prefix.CLIENT), name=name, created_at=now())
        with wall.client(client.id):
            audit.record("client.create", client.id, name=name)
    return client


def change_client(client: Client, **changes: str | bool | int | None) -> Client:
    """Change name, `tests_stopped` or `rps_per_host`; nodes hear of it."""
    with transaction.atomic(), wall.client(client.id):
        Client.objects.filter(id=client.id).update(**changes, config_version=F("config_version") + 1)
        audit.record("client.change", client.id, **changes)
    client.refresh_from_db()
    return client


def delete_client(client: Client) -> bool:
    """Remove a client with every row it has, bulk tables included; false where another has done so already.

    The audit log of who acts keeps the entry.
    """
    from gatecrash.control.accounts.erasure import erase

    with transaction.atomic():
        removed = Client.objects.select_for_update().filter(id=client.id).exists()
        if removed:
            if wall.current() != client.id:
                audit.record("client.delete", client.id, name=client.name)
            erase(client.id)
            Client.objects.filter(id=client.id).delete()
    callers.forget()
    return removed


def bump_config(client_id: str) -> None:
    """Let the client's nodes fetch their configuration at their next heartbeat."""
    Client.objects.filter(id=client_id).update(config_version=F("config_version") + 1)


def create_user(email: str, *, name: str = "", password: str | None = None, is_owner: bool = False) -> User:
    """A new user; without a password nobody can sign in until one is set. Hashed slowly by the framework."""
    return User.objects.create(
        id=ids.new(Prefix.USER),
        email=email.strip().lower(),
        name=name,
        password=make_password(password),
        is_owner=is_owner,
        created_at=now(),
    )


def add_member(user: User, role: Role) -> Membership:
    """Give a user a role in the current client."""
    with transaction.atomic():
        member = Membership.objects.create(user=user, role=role.value, created_at=now())
        audit.record("user.add", user.id, email=user.email, role=role.value)
    return member


def change_member(member: Membership, *, role: Role | None = None, name: str | None = None) -> Membership:
    """Change a member's role in the current client, or the name shown."""
    with transaction.atomic():
        if role is not None:
            member.role = role.value
            member.save()
        if name is not None:
            member.user.name = name
            member.user.save(update_fields=["name"])
        audit.record("user.change", member.user_id, role=member.role)
    return member


def set_password(user: User, password: str) -> None:
    """Set a user's password; the audit log says only that it happened."""
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.record("user.password", user.id)


def remove_member(member: Membership) -> bool:
    """Take a user out of the current client; false where another has done so already.

    The user goes too where no other client and no ownership holds it.
    """
    user = member.user
    with transaction.atomic():
        if not member.delete()[0]:
            return False
        audit.record("user.remove", user.id, email=user.email)
        with wall.system("is the user a member of any other client"):
            is_member = Membership.objects.filter(user=user).exists()
        if not is_member and not user.is_owner:
            User.objects.filter(id=user.id).delete()
    return True


def create_token(
    name: str,
    role: Role,
    *,
    deployment: bool = False,
    node_id: str | None = None,
    expires_at: int | None = None,
    text: str | None = None,
) -> tuple[ApiToken, str]:
    """A new token of the current client, and its text, which is shown this once and not stored.

    text: a token that was made elsewhere. Raises InvalidAccount where it is too short to be unguessable.
    """
    secret = text or tokens.new()
    if not tokens.MIN_LENGTH <= len(secret) <= tokens.MAX_LENGTH or not secret.isascii() or not secret.isprintable():
        raise InvalidAccount(f"a token needs {tokens.MIN_LENGTH} to {tokens.MAX_LENGTH} printable ASCII characters")
    with transaction.atomic():
        row = ApiToken.objects.create(
            id=ids.new(Prefix.TOKEN),
            name=name,
            digest=tokens.digest(secret),
            role=role.value,
            deployment=deployment,
            node_id=node_id,
            created_at=now(),
            expires_at=expires_at,
        )
        audit.record("token.create", row.id, name=name, role=role.value, expires_at=expires_at)
    return row, secret


def revoke_token(row: ApiToken) -> ApiToken:
    """End a token: at once in this process, within half a second in others. Revoking twice changes nothing."""
    with transaction.atomic():
        if ApiToken.objects.filter(id=row.id, revoked_at=None).update(revoked_at=now()):
            audit.record("token.revoke", row.id, name=row.name)
    callers.forget()
    row.refresh_from_db()
    return row


def change_token(row: ApiToken, **changes: str | int | None) -> ApiToken:
    """Rename a token or move its expiry."""
    with transaction.atomic():
        ApiToken.objects.filter(id=row.id).update(**changes)
        audit.record("token.change", row.id, **changes)
    callers.forget()
    row.refresh_from_db()
    return row
