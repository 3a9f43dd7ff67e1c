"""Pages of test records."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ, RUN
from gatecrash.control.policies import queries as policies
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import queries, services
from gatecrash.control.testruns.mapping import shown_record
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.ui import words
from gatecrash.control.ui.listing import listing, searched
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads.runs import lines


@page(READ)
def records(request: HttpRequest) -> HttpResponse:
    """The client's test records."""
    name = searched(request)
    found = listing(request, queries.records(name or None))
    context = {"list": found, "records": [shown_record(row) for row in found.rows], "q": name}
    return render(request, "testruns/records.html", context)


@page(READ)
def record(request: HttpRequest, test_record_id: str) -> HttpResponse:
    """One record with the runs that use it."""
    row = _find(test_record_id)
    if row.start is not None and request.headers.get("HX-Request"):
        live = render(request, "testruns/start.html", _reading(row))
        if not (row.recording or row.draining):
            live["HX-Refresh"] = "true"  # now there are other things to do with it
        return live
    using = queries.runs(None, None).filter(record_id=row.id).defer("vulns", "desc", "domains", "tags")[:50]
    why_not = queries.why_not_copied(row)
    context = {
        "record": shown_record(row),
        "runs": lines(using),
        "policies": policies.names(run.policy_id for run in using),
        "why_not": words.problem({"error": why_not}) if why_not else "",
        **(_reading(row) if row.start is not None else {}),
    }
    return render(request, "testruns/record.html", context)


def _reading(row: TestRecord) -> dict[str, Any]:
    """What is shown of a record that is read from an address, again and again while it is."""
    profile = profiles.find(row.start["auth_profile_id"]) if row.start["auth_profile_id"] else None
    return {"record": shown_record(row), "profile": profile.name if profile is not None else ""}


@page(RUN, "POST")
def stop_record(request: HttpRequest, test_record_id: str) -> HttpResponse:
    """Stop recording."""
    try:
        services.stop_record(_find(test_record_id).id)
    except FieldErrors:
        messages.warning(request, "Recording is over already.")
    return redirect("record", test_record_id=test_record_id)


@page(EDIT, "POST")
def delete_record(request: HttpRequest, test_record_id: str) -> HttpResponse:
    """Delete a record's baselines; its runs and their findings stay."""
    row = _find(test_record_id)
    try:
        services.delete_record(row.id)
    except FieldErrors:
        messages.warning(request, "The record is being recorded or tested; end that first.")
        return redirect("record", test_record_id=test_record_id)
    messages.success(request, f"The record “{row.name}” is deleted. Its runs and their findings stay.")
    return redirect("records")


def _find(record_id: str) -> TestRecord:
    row = queries.record(record_id)
    if row is None:
        raise Http404
    return row
