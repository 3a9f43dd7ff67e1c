"""Endpoints, their traffic counts, and the client's authentication parameters."""

from django.apps import AppConfig


class Inventory(AppConfig):
    """Endpoints, their traffic counts, and the client's authentication parameters."""

    name = "gatecrash.control.inventory"
    label = "inventory"
