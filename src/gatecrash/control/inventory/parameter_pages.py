"""Authentication parameters: the defaults, the client's own, the built-in rules, and a form for each location."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.inventory import queries, rules, services, views
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.control.ui import words
from gatecrash.control.ui.page import is_live, page
from gatecrash.control.ui.reads.suggested_parameters import suggested
from gatecrash.control.ui.refusals import refused, sentence
from gatecrash.core.auth.parameters import COOKIE_STEPS, FORM_STEPS, HEADER_STEPS, JSON_STEPS, QUERY_STEPS
from gatecrash.core.errors import InvalidPoint
from gatecrash.core.point import Point, upper

STEPS = {
    "header": HEADER_STEPS,
    "cookie": COOKIE_STEPS,
    "get": QUERY_STEPS,
    "form": FORM_STEPS,
    "json": JSON_STEPS,
}


@page(READ, "GET", "POST")
def auth_parameters(request: HttpRequest) -> HttpResponse:
    """The list; a POST adds one parameter, and who may not edit is refused."""
    given = request.POST if request.method == "POST" else request.GET
    location = given.get("location", "header")
    location = location if location in STEPS else "header"
    name, error = given.get("name", "").strip()[:400], ""
    if request.method == "POST":
        who = request.visitor
        if not who.may_edit:
            return refused(request, 403, f"Your role here is {who.role}, which may not do this.")
        try:
            point = point_of(location, name)
            services.add_auth_parameter(point, point.nested())
            messages.success(request, f"{point[-1]} is added. Nodes count by it within 5 seconds.")
            return redirect("auth_parameters")
        except InvalidPoint as refusal:
            error = str(refusal)[:1].upper() + str(refusal)[1:] + "."
        except FieldErrors as refusal:
            error = sentence(refusal)
    context = {
        "parameters": views.auth_parameters(queries.custom_parameters())["parameters"],
        "suggested": suggested(),
        "rules": rules.BUILT_IN,
        "locations": words.LOCATIONS,
        "location": location,
        "name": name,
        "error": error,
        "preview": [*STEPS[location], _spelled(location, name) or "NAME"],
    }
    template = "inventory/preview.html" if is_live(request) else "inventory/auth_parameters.html"
    return render(request, template, context, status=400 if error else 200)


def point_of(location: str, name: str) -> Point:
    """The point that a location and a name make. Raises InvalidPoint."""
    return Point.parse_configured([[*STEPS[location], name]])


def _spelled(location: str, name: str) -> str:
    return upper(name) if location == "header" else name


@page(EDIT, "POST")
def remove_auth_parameter(request: HttpRequest, auth_parameter_id: str) -> HttpResponse:
    """Remove a custom parameter."""
    row = AuthParameter.objects.filter(id=auth_parameter_id).first()
    if row is None:
        raise Http404
    services.remove_auth_parameter(row)
    messages.success(request, f"{row.point[-1]} is removed. What was counted with it stays.")
    return redirect("auth_parameters")
