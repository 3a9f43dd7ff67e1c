"""Addresses: the API, its document, the three for whoever watches, and the pages."""

from django.urls import include, path

from gatecrash.control.api import health, openapi
from gatecrash.control.api.service import api

urlpatterns = [
    path("v1/openapi.json", openapi.document),
    path("v1/", api().urls),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", health.numbers),
    path("", include("gatecrash.control.ui.addresses")),
]
handler404 = "gatecrash.control.ui.refusals.absent"
handler500 = "gatecrash.control.ui.refusals.crashed"
