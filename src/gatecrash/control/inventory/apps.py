"""Endpoints, their traffic counts, and the client's authentication parameters."""

from django.apps import AppConfig

from gatecrash.control import wall
from gatecrash.control.inventory import schema


class Inventory(AppConfig):
    """The app of what was observed."""

    name = "gatecrash.control.inventory"
    label = "inventory"

    def ready(self) -> None:
        """Put the bulk tables behind the wall; they have no model that would."""
        wall.register(*schema.TABLES)
