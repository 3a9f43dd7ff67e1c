"""Auth profiles: list, read, create, replace, delete; their secrets go in and never come out."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.profiles import queries, services
from gatecrash.control.profiles.bodies import Deleted, NewProfile, ProfileList, ProfileView
from gatecrash.control.profiles.mapping import shown
from gatecrash.control.profiles.models import AuthProfileRow

router = Router(tags=["auth profiles"])


@identifier("auth_profile_id")
def load(_caller: Caller, value: str) -> AuthProfileRow | None:
    """The profile of a path."""
    return queries.find(value)


@router.get("/auth_profile", **operation(READ, ProfileList, query=True, summary="List auth profiles"))
def list_profiles(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The client's auth profiles by name, without their secrets."""
    part, total = fields.page(queries.rows(), wanted)
    return ok({"objects": [shown(row) for row in part], "total": total})


@router.post("/auth_profile", **operation(EDIT, ProfileView, body=True, summary="Create an auth profile"))
def create(request: HttpRequest, body: NewProfile) -> Answer:
    """Create an auth profile; it is sealed at once."""
    return ok(shown(services.create(body.document())))


@router.get("/auth_profile/{auth_profile_id}", **operation(READ, ProfileView, summary="Read an auth profile"))
def show(request: HttpRequest, auth_profile_id: str) -> Answer:
    """An auth profile: its identities, their ranks and points, without their secrets."""
    return ok(shown(found(request, "auth_profile_id")))


@router.put(
    "/auth_profile/{auth_profile_id}",
    **operation(EDIT, ProfileView, body=True, conflict=True, summary="Replace an auth profile"),
)
def replace(request: HttpRequest, auth_profile_id: str, body: NewProfile) -> Answer:
    """Put another document in its place, whole; 409 while a run or a reading signs in by it."""
    return ok(shown(services.replace(found(request, "auth_profile_id"), body.document())))


@router.delete(
    "/auth_profile/{auth_profile_id}",
    **operation(EDIT, Deleted, conflict=True, summary="Delete an auth profile"),
)
def delete(request: HttpRequest, auth_profile_id: str) -> Answer:
    """Destroy the secrets and take the profile off the list; 409 while a run or a reading signs in by it."""
    services.delete(found(request, "auth_profile_id"))
    return ok({"id": auth_profile_id})
