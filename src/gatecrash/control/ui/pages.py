"""The dashboard: what needs looking at, in one page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gatecrash.control.api.roles import READ
from gatecrash.control.ui.listing import chosen
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads.overview import overview

SPANS = ("7", "30")


@page(READ)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Endpoints by status now and over time, the unprotected ones first, runs, findings by class."""
    span = chosen(request, "days", SPANS) or SPANS[0]
    return render(request, "dashboard.html", overview(int(span)) | {"span": span, "spans": SPANS})
