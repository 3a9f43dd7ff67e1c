"""Clients, users, API tokens and the audit log (decisions 2, 7)."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control import wall
from gatecrash.control.accounts import queries, schemas, services, views
from gatecrash.control.accounts.models import ApiToken, AuditEntry, Client, Membership, User
from gatecrash.control.accounts.reading_names import actors_named, named
from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import ADMIN, READ, Role

router = Router(tags=["accounts"])


@identifier("managed_client_id")
def _managed_client(who: Caller, value: str) -> Client | None:
    """The token's own client; any, for a token of the deployment's owner."""
    return queries.find_client(value) if who.deployment or value == who.client_id else None


@identifier("user_id")
def _member(_who: Caller, value: str) -> Membership | None:
    return queries.find_member(value)


@identifier("token_id")
def _token(_who: Caller, value: str) -> ApiToken | None:
    return queries.find_token(value)


@identifier("audit_entry_id")
def _audit_entry(_who: Caller, value: str) -> AuditEntry | None:
    return queries.find_audit_entry(value)


@router.get("/clients", **operation(READ, schemas.ClientList, query=True, summary="List clients"))
def list_clients(request: HttpRequest, page: Query[fields.Page]) -> Answer:
    """Every client for a token of the deployment's owner; its own for any other."""
    who = caller(request)
    rows = queries.clients() if who.deployment else queries.clients().filter(id=who.client_id)
    found_rows, total = fields.page(rows, page)
    return ok({"objects": [views.client(row) for row in found_rows], "total": total})


@router.post("/clients", **operation(ADMIN, schemas.ClientView, body=True, deployment=True, summary="Create a client"))
def create_client(request: HttpRequest, body: schemas.NewClient) -> Answer:
    """Create a client; issue its first token with `gatecrash token create --client`."""
    return ok(views.client(services.create_client(body.name)))


@router.get("/clients/{managed_client_id}", **operation(READ, schemas.ClientView, summary="Read a client"))
def read_client(request: HttpRequest, managed_client_id: str) -> Answer:
    """One client."""
    return ok(views.client(found(request, "managed_client_id")))


@router.patch(
    "/clients/{managed_client_id}", **operation(ADMIN, schemas.ClientView, body=True, summary="Change a client")
)
def change_client(request: HttpRequest, managed_client_id: str, body: schemas.ClientChange) -> Answer:
    """Rename a client, stop and allow all its tests, or limit what one host is sent by all of them."""
    changes = body.model_dump(exclude_none=True)
    if "rps_per_host" in body.model_fields_set:
        changes["rps_per_host"] = body.rps_per_host
    return ok(views.client(services.change_client(found(request, "managed_client_id"), **changes)))


@router.delete(
    "/clients/{managed_client_id}",
    **operation(ADMIN, schemas.ClientView, deployment=True, summary="Delete a client"),
)
def delete_client(request: HttpRequest, managed_client_id: str) -> Answer:
    """Delete a client with all that it has. A token cannot delete its own client."""
    row = found(request, "managed_client_id")
    if row.id == caller(request).client_id:
        raise ApiError("forbidden", "A token cannot delete its own client.")
    still_there(services.delete_client(row), "managed_client_id")
    return ok(views.client(row))


@router.get("/users", **operation(ADMIN, schemas.MemberList, query=True, summary="List users"))
def list_users(request: HttpRequest, page: Query[fields.Page]) -> Answer:
    """The client's members."""
    rows, total = fields.page(queries.members(), page)
    return ok({"objects": [views.member(row) for row in rows], "total": total})


@router.post("/users", **operation(ADMIN, schemas.MemberView, body=True, conflict=True, summary="Add a user"))
def add_user(request: HttpRequest, body: schemas.NewMember) -> Answer:
    """Add a user to the client. An address known elsewhere in the deployment can be added by its owner's token only."""
    taken = FieldErrors({"email": problem("already_exists", body.email)})
    try:
        with transaction.atomic():
            user = queries.find_user_by_email(body.email)
            if user is not None and not caller(request).deployment:
                raise taken
            if user is None:
                user = services.create_user(body.email, name=body.name, password=body.password)
            return ok(views.member(services.add_member(user, Role(body.role))))
    except IntegrityError as error:
        raise taken from error


@router.get("/users/{user_id}", **operation(ADMIN, schemas.MemberView, summary="Read a user"))
def read_user(request: HttpRequest, user_id: str) -> Answer:
    """One member."""
    return ok(views.member(found(request, "user_id")))


@router.patch("/users/{user_id}", **operation(ADMIN, schemas.MemberView, body=True, summary="Change a user"))
def change_user(request: HttpRequest, user_id: str, body: schemas.MemberChange) -> Answer:
    """Change a member's role, name or password. What others share (name, password) only where nobody else holds it."""
    member = found(request, "user_id")
    if (body.password is not None or body.name is not None) and not _is_ours_alone(member.user, caller(request)):
        raise ApiError(
            "forbidden", "This user belongs to other clients or owns the deployment: only its role here can be changed."
        )
    with transaction.atomic():
        services.change_member(member, role=Role(body.role) if body.role else None, name=body.name)
        if body.password is not None:
            services.set_password(member.user, body.password)
    return ok(views.member(member))


@router.delete("/users/{user_id}", **operation(ADMIN, schemas.MemberView, summary="Remove a user"))
def remove_user(request: HttpRequest, user_id: str) -> Answer:
    """Take a user out of the client."""
    member = found(request, "user_id")
    shown = views.member(member)
    still_there(services.remove_member(member), "user_id")
    return ok(shown)


@router.get("/tokens", **operation(ADMIN, schemas.TokenList, query=True, summary="List API tokens"))
def list_tokens(request: HttpRequest, page: Query[fields.Page]) -> Answer:
    """The client's tokens, revoked ones too, the newest first. Texts are never shown again."""
    rows, total = fields.page(queries.tokens(), page)
    return ok({"objects": [views.token(row) for row in rows], "total": total})


@router.post(
    "/tokens",
    **operation(
        ADMIN,
        schemas.TokenCreated,
        body=True,
        summary="Issue an API token",
        examples={"for a pipeline": {"name": "pipeline", "role": "ci"}},
    ),
)
def create_token(request: HttpRequest, body: schemas.NewToken) -> Answer:
    """Issue a token; its text is in this answer and nowhere else."""
    row, text = services.create_token(body.name, Role(body.role), node_id=body.node_id, expires_at=body.expires_at)
    return ok({**views.token(row), "token": text})


@router.get("/tokens/{token_id}", **operation(ADMIN, schemas.TokenView, summary="Read an API token"))
def read_token(request: HttpRequest, token_id: str) -> Answer:
    """One token without its text."""
    return ok(views.token(found(request, "token_id")))


@router.patch("/tokens/{token_id}", **operation(ADMIN, schemas.TokenView, body=True, summary="Change an API token"))
def change_token(request: HttpRequest, token_id: str, body: schemas.TokenChange) -> Answer:
    """Rename a token or move its expiry."""
    changes = {name: getattr(body, name) for name in body.model_fields_set}
    if changes.get("name", "") is None:
        del changes["name"]
    return ok(views.token(services.change_token(found(request, "token_id"), **changes)))


@router.delete("/tokens/{token_id}", **operation(ADMIN, schemas.TokenView, summary="Revoke an API token"))
def revoke_token(request: HttpRequest, token_id: str) -> Answer:
    """Revoke a token, the one that asks included; its row stays for the audit log."""
    return ok(views.token(services.revoke_token(found(request, "token_id"))))


@router.get("/audit", **operation(ADMIN, schemas.AuditList, query=True, summary="Read the audit log"))
def list_audit(request: HttpRequest, wanted: Query[schemas.AuditFilter]) -> Answer:
    """Who changed what, the newest first."""
    asked: dict[str, Any] = wanted.model_dump(include={"action", "target"}, exclude_none=True)
    if wanted.actor is not None:
        asked["actor__in"] = actors_named(wanted.actor)
    rows, total = fields.page(queries.audit_entries().filter(**asked), wanted)
    return ok({"objects": named([views.audit_entry(row) for row in rows]), "total": total})


@router.get("/audit/{audit_entry_id}", **operation(ADMIN, schemas.AuditEntryView, summary="Read a change"))
def read_audit_entry(request: HttpRequest, audit_entry_id: str) -> Answer:
    """One entry of the audit log."""
    return ok(named([views.audit_entry(found(request, "audit_entry_id"))])[0])


def _is_ours_alone(user: User, who: Caller) -> bool:
    if who.deployment:
        return True
    with wall.system("is the user a member of any other client"):
        return not user.is_owner and queries.clients_of(user.id) == 1
