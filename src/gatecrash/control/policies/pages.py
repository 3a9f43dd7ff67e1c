"""Pages of test policies: the list, one, and the editor of a client's own."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.policies import editor, point_rows, queries, services
from gatecrash.control.policies.bodies import NewPolicy, PolicyChange
from gatecrash.control.policies.editor import PolicyForm
from gatecrash.control.policies.models import TestPolicy
from gatecrash.control.ui.forms import sent
from gatecrash.control.ui.page import page
from gatecrash.core.testing.catalogue import entry_of
from gatecrash.core.testing.policy import BUILT_IN


@page(READ)
def policies(request: HttpRequest) -> HttpResponse:
    """The built-in policies, then the client's own."""
    return render(request, "policies/policies.html", {"policies": queries.listed()})


@page(READ)
def policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """One policy: types, points, methods left out, budget."""
    found = _shown(policy_id)
    types = [(type_, entry_of(type_)) for type_ in found["types"]]
    return render(
        request,
        "policies/policy.html",
        {
            "policy": found,
            "types": types,
            "places": [editor.PLACES.get(name, (name, "")) for name in found["locations"]],
        },
    )


@page(EDIT, "GET", "POST")
def new_policy(request: HttpRequest) -> HttpResponse:
    """Make a policy; it begins as a copy of the one that the address names."""
    begin = queries.find(request.GET.get("from") or "default")
    initial = queries.one(begin) if begin is not None else {}
    form = editor.form(sent(request), {**initial, "name": ""})
    if _is_to_be_saved(request, form):
        order = form.checked(NewPolicy)
        if order is not None and (row := _try(form, lambda: services.create(order.model_dump()))) is not None:
            messages.success(request, f"The policy “{row.name}” is made.")
            return redirect("policy", policy_id=row.id)
    return _editor(request, form, None)


@page(EDIT, "GET", "POST")
def change_policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """Change a policy of the client's own; runs keep the policy that they began with."""
    row = _own(policy_id)
    shown = queries.one(row)
    form = editor.form(sent(request), shown)
    if _is_to_be_saved(request, form):
        order = form.checked(PolicyChange)
        if (
            order is not None
            and _try(form, lambda: services.change(row, {"budget": None, **order.given()})) is not None
        ):
            messages.success(request, "The policy is changed. Runs that began before keep it as it was.")
            return redirect("policy", policy_id=row.id)
    return _editor(request, form, shown)


@page(EDIT, "POST")
def delete_policy(request: HttpRequest, policy_id: str) -> HttpResponse:
    """Delete a policy of the client's own."""
    row = _own(policy_id)
    services.delete(row)
    messages.success(request, f"The policy “{row.name}” is deleted. Runs that began with it keep it.")
    return redirect("policies")


def _is_to_be_saved(request: HttpRequest, form: PolicyForm) -> bool:
    """Whether the form is to be checked and kept; a button of its rows only changes what is shown."""
    order = request.POST.get("edit")
    if order is not None:
        form.edited(order)
    return request.method == "POST" and order is None


def _editor(request: HttpRequest, form: PolicyForm, shown: dict[str, Any] | None) -> HttpResponse:
    context = {"form": form, "policy": shown, "kinds": point_rows.KINDS, "begins": BUILT_IN.values()}
    return render(request, "policies/form.html", context, status=400 if form.problems else 200)


def _try(form: PolicyForm, change: Any) -> TestPolicy | None:
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
