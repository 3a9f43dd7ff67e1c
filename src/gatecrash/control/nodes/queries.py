"""Reads of nodes."""

import re
from typing import Any

from django.db.models import Case, F, Value, When

from gatecrash.control.nodes.models import Node

CONNECTED_SECONDS = 10.0
# Contract 9.2: the first versions that detect authentication, by the kind of node.
DETECTING = {"web-server": (6, 11, 0), "native": (0, 24, 0)}
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)


def there() -> Any:
    """The client's nodes, without those that were removed."""
    return Node.objects.filter(removed_at=None)


def silent_builds(seconds: float, now: float) -> Any:
    """The nodes of builds that were not heard for so many seconds; those that somebody named are not among them."""
    return there().exclude(build_id="").filter(is_default=False, last_seen__lt=now - seconds)


def by_presence(now: float) -> Any:
    """The client's nodes: the default one, then those that are there, then the silent ones, of which each build of a
    pipeline leaves one, the last heard first.
    """
    present = When(last_seen__gte=now - CONNECTED_SECONDS, then=Value(now))
    heard = F("heard").desc(nulls_last=True)
    rows = there().annotate(heard=Case(present, default=F("last_seen")))
    return rows.order_by("-is_default", heard, "created_at", "id")


def is_connected(node: Node, now: float) -> bool:
    """Whether the node was heard within the last 10 seconds."""
    return node.last_seen is not None and now - node.last_seen <= CONNECTED_SECONDS


def detects(kind: str, version: str) -> bool:
    """Whether a node of this kind and version detects authentication; one of a kind that the contract names not, does.

    A version that cannot be read is taken for an old one: its counts feed the inventory and no share.
    """
    least = DETECTING.get(kind)
    if least is None:
        return True
    found = _VERSION.match(version)
    return found is not None and tuple(int(part or 0) for part in found.groups()) >= least
