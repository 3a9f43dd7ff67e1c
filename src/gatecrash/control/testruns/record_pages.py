"""Pages of test records."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ, RUN
from gatecrash.control.policies import queries as policies
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
    using = queries.runs(None, None).filter(record_id=row.id).defer("vulns", "desc", "domains", "tags")[:50]
    why_not = queries.why_not_copied(row)
    context = {
        "record": shown_record(row),
        "runs": lines(using),
        "policies": policies.names(run.policy_id for run in using),
        "why_not": words.problem({"error": why_not}) if why_not else "",
    }
    return render(request, "testruns/record.html", context)


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
