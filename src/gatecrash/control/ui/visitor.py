"""Who looks at a page: a signed-in user as a member of one client."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client, Membership, User
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.roles import ADMIN, EDIT, RUN, Role

CHOSEN = "client"  # the session's word for the client that was chosen last


@dataclass(frozen=True, slots=True)
class Visitor:
    """A member of a client. clients: every client that the user may choose, this one included."""

    user: User
    client: Client
    role: Role
    clients: tuple[Client, ...]

    @property
    def caller(self) -> Caller:
        """The visitor as the services know callers: a token without a node."""
        return Caller(self.user.pk, self.client.id, self.role, self.user.is_owner, None, None)

    @property
    def may_run(self) -> bool:
        """Whether the visitor may create and steer runs."""
        return self.role in RUN

    @property
    def may_edit(self) -> bool:
        """Whether the visitor may change parameters, records and findings."""
        return self.role in EDIT

    @property
    def may_admin(self) -> bool:
        """Whether the visitor may manage tokens, users and settings."""
        return self.role in ADMIN


def find(user: User, chosen: str | None) -> Visitor | None:
    """The user in the chosen client, or in the first of its clients; None without any."""
    with wall.system("which clients is a user a member of"):
        rows = list(Membership.objects.filter(user_id=user.pk).select_related("client").order_by("client__name", "id"))
    if not rows:
        return None
    member = next((row for row in rows if row.client_id == chosen), rows[0])
    return Visitor(user, member.client, Role(member.role), tuple(row.client for row in rows))


def visitor(request: HttpRequest) -> Visitor:
    """The visitor of a page that asks for one."""
    who: Any = request.visitor
    assert isinstance(who, Visitor)
    return who
