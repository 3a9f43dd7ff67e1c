"""Addresses: the API, its document, and the three for whoever watches."""

from django.urls import path

from gatecrash.control.api import health, openapi
from gatecrash.control.api.service import api

urlpatterns = [
    path("v1/openapi.json", openapi.document),
    path("v1/", api().urls),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", health.numbers),
]
handler404 = "gatecrash.control.api.health.absent"
handler500 = "gatecrash.control.api.health.crashed"
