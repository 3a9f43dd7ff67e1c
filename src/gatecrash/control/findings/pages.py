"""Pages of vulnerabilities: a list with filters, and one with its proof."""

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.accounts.reading_names import named
from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.findings import queries, triage
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.triage_api import Decision, NewSuppression
from gatecrash.control.ui import words
from gatecrash.control.ui.listing import chosen, listing, searched
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads import evidence, open_findings
from gatecrash.control.ui.reads.runs import run_names
from gatecrash.core.reports.curl import how_to_repeat
from gatecrash.core.testing.catalogue import entry_for, entry_of

THREATS = {"90": "critical, 90 and above", "70": "high, 70 and above", "40": "medium and above, 40"}
MOST_SUPPRESSIONS = 50
ORDERS = {"": "newest", "threat": "most severe"}
# A flaw is found at every recorded request of its endpoint, and in every run.
SHOWN = {"": "each flaw once", "all": "every finding"}


@page(READ)
def vulnerabilities(request: HttpRequest) -> HttpResponse:
    """The client's vulnerabilities, by run, type, threat, code and words."""
    wanted = {name: searched(request, name) for name in ("run", "code", "q")}
    types = found_types()
    type_, threat = chosen(request, "type", types), chosen(request, "threat", THREATS)
    rows = queries.vulnerabilities(wanted["run"] or None, type_, wanted["code"].upper() or None)
    if threat:
        rows = rows.filter(threat__gte=int(threat))
    state = chosen(request, "state", words.TRIAGE)
    if state:
        rows = rows.filter(fingerprint__state=state)
    if wanted["q"]:
        rows = rows.filter(endpoint__icontains=wanted["q"])
    if chosen(request, "sort", ORDERS) == "threat":
        rows = rows.order_by("-threat", "-found_at", "-id")
    show = chosen(request, "show", SHOWN)
    found = listing(request, rows if show or wanted["code"] else queries.once(rows))
    suppressed = triage.suppressed_codes()
    context = {
        "list": found,
        "found": [{**queries.shown(row, suppressed), "host": open_findings.host_of(row.url)} for row in found.rows],
        "states": words.TRIAGE,
        "state": state,
        "types": types,
        "type": type_,
        "threats": THREATS,
        "threat_from": threat,
        "orders": ORDERS,
        "shows": SHOWN,
        "show": show,
        "times": queries.times_found([row.code for row in found.rows]),
        "sort": request.GET.get("sort", ""),
        **{f"wanted_{name}": value for name, value in wanted.items()},
    }
    return render(request, "findings/vulnerabilities.html", context)


def found_types() -> dict[str, str]:
    """The types that were found, with their titles."""
    rows = Vulnerability.objects.values("type").annotate(number=Count("id")).order_by("type")
    return {row["type"]: entry_of(row["type"]).title for row in rows}


@page(READ)
def vulnerability(request: HttpRequest, vulnerability_id: str) -> HttpResponse:
    """One vulnerability: what, where, the proof, how it was verified, how to repeat it and how to fix it."""
    row = find(vulnerability_id)
    shown, history, proof = queries.shown(row), triage.history(row.code), evidence.proof(row)
    known = named([triage.shown(one) for one in triage.suppressions(row.code)[:MOST_SUPPRESSIONS]])
    suppressions = [one for one in known if one["active"]]
    again = Vulnerability.objects.filter(code=row.code).exclude(id=row.id).order_by("-found_at")[:10]
    context: dict[str, Any] = {
        "how_to_repeat": how_to_repeat([proof["curl"]]) if proof else None,
        "row": row,
        "found": shown,
        "endpoint_id": open_findings.endpoint_of(row),
        "history": history,
        "suppressions": suppressions,
        "states": words.TRIAGE,
        "about": entry_for(row.type, row.title, row.cwe),
        "proof": proof,
        "again": again,
        "seen": queries.times_seen(row.code),
        "runs": run_names(one.run_id for one in again),
    }
    return render(request, "findings/vulnerability.html", context)


@page(EDIT, "POST")
def decide(request: HttpRequest, vulnerability_id: str) -> HttpResponse:
    """Set the state of the code, write a comment, or both; it holds in every run."""
    row = find(vulnerability_id)
    given = {"state": request.POST.get("state") or None, "comment": request.POST.get("comment", "").strip()}
    order = fields.validate(Decision, given)
    triage.decide(row, order.state, order.comment)
    messages.success(request, f"Noted. It holds for {row.code} in every run.")
    return redirect("vulnerability", vulnerability_id=row.id)


@page(EDIT, "POST")
def suppress(request: HttpRequest, vulnerability_id: str) -> HttpResponse:
    """Keep the code from failing pipelines, for a reason and as long as is said."""
    row = find(vulnerability_id)
    given = {"code": row.code, "reason": request.POST.get("reason", "").strip(), "expires_at": _end(request)}
    order = fields.validate(NewSuppression, given)
    triage.suppress(order.code, order.reason, order.expires_at)
    messages.success(request, f"{row.code} fails no pipeline. What runs find, and their states, stay as they are.")
    return redirect("vulnerability", vulnerability_id=row.id)


@page(EDIT, "POST")
def unsuppress(request: HttpRequest, vulnerability_id: str) -> HttpResponse:
    """Let the code fail pipelines again."""
    row = find(vulnerability_id)
    for one in triage.suppressions(row.code)[:MOST_SUPPRESSIONS]:
        triage.unsuppress(one)
    messages.success(request, f"{row.code} fails pipelines again.")
    return redirect("vulnerability", vulnerability_id=row.id)


def _end(request: HttpRequest) -> int | None:
    """The end in UTC of the day that was chosen; None for no end. Raises FieldErrors where it is no day."""
    text = request.POST.get("until", "")
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise FieldErrors({"until": problem("invalid_value", text)}) from error
    return int(day.timestamp()) + 86_399


def find(vulnerability_id: str) -> Vulnerability:
    """The client's vulnerability of this identifier. Raises Http404."""
    row: Vulnerability | None = Vulnerability.objects.filter(id=vulnerability_id).first()
    if row is None:
        raise Http404
    return row
