"""Test policies (decisions 9): list, read, create, change, delete."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.policies import queries, services
from gatecrash.control.policies.bodies import Deleted, NewPolicy, PolicyChange, PolicyList, PolicyView
from gatecrash.control.policies.models import TestPolicy
from gatecrash.core.testing.policy import Policy

router = Router(tags=["test policies"])


@identifier("policy_id")
def load(_caller: Caller, value: str) -> Policy | TestPolicy | None:
    """The policy of a path."""
    return queries.find(value)


@router.get("/policy", **operation(READ, PolicyList, query=True, summary="List test policies"))
def list_policies(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The built-in policies, then the client's own by name."""
    every = queries.listed()
    return ok({"objects": every[wanted.offset : wanted.offset + wanted.limit], "total": len(every)})


@router.post(
    "/policy",
    **operation(
        EDIT,
        PolicyView,
        body=True,
        summary="Create a test policy",
        examples={
            "injections in the query": {
                "name": "query only",
                "types": ["sqli", "xss"],
                "locations": ["get"],
                "exclude": [["get", "utm_.*"]],
                "methods_excluded": ["DELETE"],
            }
        },
    ),
)
def create(request: HttpRequest, body: NewPolicy) -> Answer:
    """Create a policy of the client's own."""
    return ok(queries.one(services.create(body.model_dump())))


@router.get("/policy/{policy_id}", **operation(READ, PolicyView, summary="Read a test policy"))
def show(request: HttpRequest, policy_id: str) -> Answer:
    """A test policy."""
    return ok(queries.one(found(request, "policy_id")))


@router.patch("/policy/{policy_id}", **operation(EDIT, PolicyView, body=True, summary="Change a test policy"))
def change(request: HttpRequest, policy_id: str, body: PolicyChange) -> Answer:
    """Change the given fields. A run that began before keeps the policy as it was then; a built-in one is 403."""
    return ok(queries.one(services.change(services.own(found(request, "policy_id")), body.given())))


@router.delete("/policy/{policy_id}", **operation(EDIT, Deleted, summary="Delete a test policy"))
def delete(request: HttpRequest, policy_id: str) -> Answer:
    """Delete a policy of the client's own; runs that began with it keep it. A built-in one is 403."""
    still_there(services.delete(services.own(found(request, "policy_id"))), "policy_id")
    return ok({"id": policy_id})
