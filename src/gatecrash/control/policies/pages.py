"""Pages of test policies: the list, one, and the editor of a client's own."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.policies import queries, services
from gatecrash.control.policies.bodies import NewPolicy, PolicyChange
from gatecrash.control.policies.models import TestPolicy
from gatecrash.control.ui.forms import Field, Form
from gatecrash.control.ui.page import page
from gatecrash.core.testing.catalogue import entry_of
from gatecrash.core.testing.policy import LOCATIONS, MOST_REQUESTS, TYPES

_PLACES = {
    "uri": "the whole address",
    "path": "path segments",
    "action_name": "the last path segment's name",
    "action_ext": "the last path segment's extension",
    "get": "query parameters",
    "post": "body fields",
    "header": "headers and cookies",
}
_HINT = 'One point a line, as ["get", "q.*"] or as get q.*: each step a regular expression that must match fully.'
FIELDS = (
    Field("name", "Name", required=True),
    Field("desc", "Description", "long", nullable=False),
    Field("tags", "Tags", "tags", hint="Separated by commas."),
    Field(
        "types",
        "Vulnerability types",
        "checks",
        choices=[(type_, f"{type_}: {entry_of(type_).title}") for type_ in TYPES],
    ),
    Field(
        "locations",
        "Places that are tried",
        "checks",
        choices=[(name, f"{name}: {_PLACES.get(name, name)}") for name in LOCATIONS],
    ),
    Field(
        "include",
        "Only these points",
        "points",
        help="point",
        hint=f"{_HINT} All points of the places above where this is empty.",
    ),
    Field(
        "exclude",
        "Never these points",
        "points",
        help="point",
        hint="Written in the same way. Neither limits auth and idor.",
    ),
    Field("methods_excluded", "Methods left out", "tags", hint="Separated by commas, for example DELETE, PATCH."),
    Field(
        "budget",
        "Most test requests for one baseline",
        "number",
        low=1,
        high=MOST_REQUESTS,
        hint="Unlimited where this is empty.",
    ),
)


@page(READ)
def policies(request: HttpRequest) -> HttpResponse:
    """The built-in policies, then the client's own."""
    return render(request, "policies/policies.html", {"policies": queries.listed()})


@page(READ)
def policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """One policy: types, points, methods left out, budget."""
    found = _shown(policy_id)
    types = [(type_, entry_of(type_)) for type_ in found["types"]]
    return render(request, "policies/policy.html", {"policy": found, "types": types, "places": _PLACES})


@page(EDIT, "GET", "POST")
def new_policy(request: HttpRequest) -> HttpResponse:
    """Make a policy; it begins as a copy of the one that the address names."""
    begin = queries.find(request.GET.get("from") or "default")
    initial = queries.one(begin) if begin is not None else {}
    form = Form(FIELDS, request.POST if request.method == "POST" else None, {**initial, "name": ""})
    if request.method == "POST":
        order = form.checked(NewPolicy)
        if order is not None and (row := _try(form, lambda: services.create(order.model_dump()))) is not None:
            messages.success(request, f"The policy “{row.name}” is made.")
            return redirect("policy", policy_id=row.id)
    return render(request, "policies/form.html", {"form": form, "policy": None}, status=400 if form.problems else 200)


@page(EDIT, "GET", "POST")
def change_policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """Change a policy of the client's own; runs keep the policy that they began with."""
    row = _own(policy_id)
    shown = queries.one(row)
    form = Form(FIELDS, request.POST if request.method == "POST" else None, shown)
    if request.method == "POST":
        order = form.checked(PolicyChange)
        if (
            order is not None
            and _try(form, lambda: services.change(row, {"budget": None, **order.given()})) is not None
        ):
            messages.success(request, "The policy is changed. Runs that began before keep it as it was.")
            return redirect("policy", policy_id=row.id)
    return render(request, "policies/form.html", {"form": form, "policy": shown}, status=400 if form.problems else 200)


@page(EDIT, "POST")
def delete_policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """Delete a policy of the client's own."""
    row = _own(policy_id)
    services.delete(row)
    messages.success(request, f"The policy “{row.name}” is deleted. Runs that began with it keep it.")
    return redirect("policies")


def _try(form: Form, change: Any) -> TestPolicy | None:
    try:
        row: TestPolicy = change()
    except FieldErrors as error:
        form.refuse(error)
        return None
    return row


def _shown(policy_id: str) -> dict[str, Any]:
    found = queries.find(policy_id)
    if found is None:
        raise Http404
    return queries.one(found)


def _own(policy_id: str) -> TestPolicy:
    """The client's own policy. Raises Http404, and ApiError (403) for a built-in one."""
    found = queries.find(policy_id)
    if found is None:
        raise Http404
    return services.own(found)
