"""The inventory's background work."""

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.inventory import services
from gatecrash.control.jobs.registry import job


@job("roll_window", every=60, lease=600)
def roll_window(_key: str) -> None:
    """Once a minute, for every client: hours that left the window leave the rollup."""
    for client_id in Client.objects.values_list("id", flat=True):
        with wall.client(client_id):
            services.roll_window()
