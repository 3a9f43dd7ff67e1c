"""The dashboard: what needs looking at, in one page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gatecrash.control.api.roles import READ
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads.overview import overview


@page(READ)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Endpoints by status with the unprotected ones first, runs, findings by class."""
    return render(request, "dashboard.html", overview())
