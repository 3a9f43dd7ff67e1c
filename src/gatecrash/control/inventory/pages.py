"""Pages of the API inventory: the list, one endpoint with its Authentication tab, marks, and a run by one click."""

import time
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ, RUN
from gatecrash.control.inventory import marks, queries
from gatecrash.control.inventory.crowded import crowded
from gatecrash.control.inventory.endpoints_api import filters_of
from gatecrash.control.inventory.export_api import MEDIA, exported
from gatecrash.control.inventory.filters import InvalidSort
from gatecrash.control.inventory.schemas import EndpointChoice, EndpointExport, NewPublicMark
from gatecrash.control.nodes.models import Node
from gatecrash.control.ui import drawing, endpoint_run, words
from gatecrash.control.ui.forms import Field, Form
from gatecrash.control.ui.listing import Listing, part
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads import open_findings
from gatecrash.control.ui.reads.suggested_parameters import suggested
from gatecrash.control.ui.visitor import visitor
from gatecrash.core.reports.plural import plural

DAY = 86400
TABS = {
    "authentication": "Authentication",
    "parameters": "Parameters seen",
    "results": "Test results",
    "history": "History",
}
EXPIRIES = (("", "never"), ("30", "in 30 days"), ("90", "in 90 days"), ("365", "in a year"))
MARK = (
    Field("reason", "Why may everybody call it?", "long", required=True),
    Field("owner", "Who answers for it?", required=True),
    Field("expires", "The mark ends", "choice", choices=EXPIRIES),
)


@page(READ)
def inventory(request: HttpRequest) -> HttpResponse:
    """The endpoints with their status; the address holds every filter, so it can be shared."""
    wanted, refused = _wanted(request)
    try:
        found = _part(request, wanted)
    except InvalidSort:
        wanted = wanted.model_copy(update={"sort": None})
        found = _part(request, wanted)
    context = {
        "list": found,
        "endpoints": found.rows,
        "grouped": wanted.sort in (None, "host", "-host"),
        "wanted": wanted,
        "refused": refused,
        "chosen": _chosen(wanted),
        "open": open_findings.by_endpoint(found.rows),
        "types": words.TYPES,
        "statuses": words.STATUSES,
        "node": Node.objects.filter(is_default=True).first(),
        "suggested": suggested(),
    }
    return render(request, "inventory/inventory.html", context)


def _part(request: HttpRequest, wanted: EndpointChoice) -> Listing:
    """A page of the endpoints. Raises InvalidSort."""

    def read(limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
        found = queries.list_endpoints(filters_of(wanted), limit=limit, offset=offset, sort=wanted.sort)
        return found.objects, found.total

    return part(request, read)


def _wanted(request: HttpRequest) -> tuple[EndpointChoice, bool]:
    """The filters of the address; those that cannot be are left out, and the page says so."""
    given = {name: value for name, value in request.GET.items() if value and name in EndpointChoice.model_fields}
    try:
        return fields.validate(EndpointChoice, given), False
    except FieldErrors as error:
        kept = {name: value for name, value in given.items() if name not in error.problems}
        return fields.validate(EndpointChoice, kept), True


def _chosen(wanted: EndpointChoice) -> list[tuple[str, str]]:
    """The filters that have no field of their own, to be taken away one by one."""
    shown = {"badge": "badge", "document": "documents", "public": "public"}
    values = ((name, title, getattr(wanted, name)) for name, title in shown.items())
    return [(name, f"{title}: {value}") for name, title, value in values if value]


@page(READ)
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """The endpoints that the list's filters leave, as the file that the API gives."""
    if form not in MEDIA:
        raise Http404
    wanted, _ = _wanted(request)
    chosen = EndpointExport.model_validate({**wanted.model_dump(exclude={"sort"}), "format": form})
    return exported(visitor(request).client.id, chosen)


@page(READ)
def endpoint(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """One endpoint; the tab is part of the address."""
    one = queries.read_endpoint(endpoint_id)
    if one is None:
        raise Http404
    if one["redirected_from"]:
        return redirect("endpoint", endpoint_id=one["id"])
    return _endpoint_page(request, one, Form(MARK))


def _endpoint_page(request: HttpRequest, one: dict[str, Any], form: Form, status: int = 200) -> HttpResponse:
    tab = request.GET.get("tab")
    found = open_findings.of_endpoint(one)
    context = {
        "endpoint": one,
        "sentence": sentence(one),
        "without_sentence": without_sentence(one["without"]),
        "unseen_sentence": unseen_sentence(one),
        "tab": tab if tab in TABS else "authentication",
        "tabs": TABS,
        "chart": drawing.hours(one["series"]),
        "found": found,
        "form": form,
        "crowded": crowded(one["host"], one["path"]),
        "node": Node.objects.filter(id=one["undetected_node"]).first() if one["undetected_node"] else None,
        "refused_share": _share(one["refused"], one["requests"]),
    }
    return render(request, "inventory/endpoint.html", context, status=status)


def sentence(one: dict[str, Any]) -> str:
    """The status in one plain sentence."""
    if one["status"] is None:
        return "No request in the last 7 days, so nothing is known of its authentication."
    share = words.percent(one["coverage"])
    if one["status"] == "missing":
        return "No request in the last 7 days carried valid authentication."
    if one["status"] == "consistent":
        return f"{share} of the requests in the last 7 days carried valid authentication."
    return f"Only {share} of the requests in the last 7 days carried valid authentication; 95% makes it Consistent."


def without_sentence(without: Mapping[str, Any]) -> str:
    """What became of the requests without authentication: whether it is asked for at all. Empty where no answer was seen."""
    answers = {name: number for name, number in without["statuses"].items() if number and name != "unknown"}
    if not answers:
        return ""
    known, well = sum(answers.values()), answers.get("2xx", 0)
    if well:
        return f"Of those without it, {words.count(well)} of {words.count(known)} got a good answer (2xx)."
    if answers.keys() == {"4xx"}:
        return f"All that came without it ({words.count(known)}) were turned away (4xx)."
    return f"None that came without it ({words.count(known)}) got a good answer (2xx)."


def unseen_sentence(one: dict[str, Any]) -> str:
    """What the status may be wrong about where nobody saw answers; empty where they were seen, or where it cannot matter."""
    if one["refused"] is not None or one["status"] is None:
        return ""
    if "cookie" in one["types"]:
        return "Its sources show no answers: a session that every visitor is handed counts here like one that a login issued."
    if one["status"] == "consistent":
        return ""
    return "Its sources show no answers: a session cookie counts here only by a name that is known or was added."


def _share(part: int | None, whole: int) -> float | None:
    return None if part is None or not whole else round(100 * part / whole, 1)


@page(EDIT, "POST")
def mark_public(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Mark an endpoint as intentionally public."""
    one = queries.read_endpoint(endpoint_id)
    if one is None:
        raise Http404
    form = Form(MARK, request.POST)
    days = request.POST.get("expires", "")
    document = {name: value for name, value in form.document().items() if name != "expires"}
    try:
        if days not in dict(EXPIRIES):
            form.problems["expires"] = "Choose one of the list."
        expires_at = int(time.time()) + int(days) * DAY if days and not form.problems else None
        order = fields.validate(NewPublicMark, {**document, "endpoint_id": one["id"], "expires_at": expires_at})
        if not form.problems:
            marks.mark_public(order.endpoint_id, order.reason, order.owner, order.expires_at)
    except FieldErrors as error:
        form.refuse(error)
    if form.problems:
        return _endpoint_page(request, one, form, 400)
    messages.success(request, "Marked as intentionally public: it leaves the alarm lists, not the inventory.")
    return redirect("endpoint", endpoint_id=one["id"])


@page(EDIT, "POST")
def unmark_public(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Take the mark off."""
    one = queries.read_endpoint(endpoint_id)
    if one is None:
        raise Http404
    row = queries.public_marks().filter(id=(one["public_mark"] or {}).get("id", "")).first()
    if row is not None:
        marks.remove_mark(row)
        messages.success(request, "The mark is taken off: this endpoint is in the alarm lists again.")
    return redirect("endpoint", endpoint_id=one["id"])


@page(RUN, "POST")
def test_endpoint(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Start a run on this endpoint."""
    one = queries.find_endpoint(endpoint_id)
    if one is None:
        raise Http404
    run, number = endpoint_run.start(one, visitor(request).caller)
    if number:
        messages.success(request, f"Testing {plural(number, 'recorded request')} of this endpoint.")
    else:
        messages.info(request, "No record holds a request of this endpoint yet: the run waits for one.")
    return redirect("run", test_run_id=run.id)


test_endpoint.__test__ = False  # type: ignore[attr-defined] # pytest would take the name for a test
