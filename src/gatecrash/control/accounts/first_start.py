"""First start: one client, one owner account and one token, their credentials shown once (decisions 2)."""

import secrets
from dataclasses import dataclass
from os import environ

from django.db import transaction

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import Client, User
from gatecrash.control.api.roles import Role

OWNER_EMAIL = "owner@localhost"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What was made, to be shown once. password, token: None where they came from the environment, so are known."""

    client_id: str
    owner: str
    password: str | None
    token: str | None


def first_start() -> Credentials | None:
    """Make client, owner and token where there is none yet; None on every later start.

    GATECRASH_CLIENT_ID, GATECRASH_API_TOKEN and GATECRASH_OWNER_PASSWORD are used where set. The token may do all in
    its client and manage clients. Raises InvalidAccount where the environment's values cannot be used.
    """
    with transaction.atomic():
        if Client.objects.exists():
            return None
        password, token = environ.get("GATECRASH_OWNER_PASSWORD"), environ.get("GATECRASH_API_TOKEN")
        client = services.create_client("Default", environ.get("GATECRASH_CLIENT_ID") or None)
        made_password = None if password else secrets.token_urlsafe(15)
        with wall.client(client.id):
            owner = _owner(password or made_password)
            services.add_member(owner, Role.ADMIN)
            _, text = services.create_token("first start", Role.ADMIN, deployment=True, text=token or None)
    return Credentials(client.id, owner.email, made_password, None if token else text)


def _owner(password: str | None) -> User:
    return services.create_user(OWNER_EMAIL, name="Owner", password=password, is_owner=True)
