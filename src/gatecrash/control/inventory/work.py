"""The inventory's background work."""

from collections.abc import Callable

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.clock import now
from gatecrash.control.inventory import arranging, retention, services
from gatecrash.control.inventory.decisions import ARRANGE
from gatecrash.control.jobs.registry import job


@job("roll_window", every=60, lease=600)
def roll_window(_key: str) -> None:
    """Once a minute, for every client: hours that left the window leave the sums."""
    _each_client(lambda: services.roll_window())


@job("arrange_inventories", every=300, lease=900)
def arrange_inventories(_key: str) -> None:
    """Every five minutes, for every client: siblings that are alike become one endpoint."""
    _each_client(lambda: arranging.arrange(now()))


@job(ARRANGE, lease=900)
def arrange_inventory(_key: str) -> None:
    """One client's documents, pins or splits changed."""
    arranging.arrange(now())


@job("forget_endpoints", every=600, lease=900)
def forget_endpoints(_key: str) -> None:
    """Every ten minutes, for every client: what was not seen for 30 days goes, and so do expired marks."""
    _each_client(lambda: retention.forget(now()))


def _each_client(work: Callable[[], None]) -> None:
    for client_id in Client.objects.values_list("id", flat=True):
        with wall.client(client_id):
            work()
