"""Parents whose names are used up: from so many children on a node lets out no further name, and counts what it hides so as a
parameter. Which names those are is known to the node alone, so an endpoint's page tells how to have them shown.
"""

from typing import NamedTuple

from gatecrash.control.inventory.documents import rules
from gatecrash.control.inventory.models import Endpoint
from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.templates import MOST_CHILDREN, MOST_SPLIT_CHILDREN

LOOKED_AT = 10_000


class Crowded(NamedTuple):
    """A parent, and the template that stands for all of its names that are hidden."""

    parent: str
    template: str


def crowded(host: str, path: str) -> Crowded | None:
    """The parent above one of the path's parameters below which no more names are shown; None where there is none."""
    segments = path.split("/")
    splits = rules("split")
    for depth, segment in enumerate(segments):
        if not segment.startswith("{"):
            continue
        template = "/".join(segments[: depth + 1])
        split = any(HostTemplate(place, template) in splits for place in (host, ""))
        if len(_names(host, segments[:depth])) >= (MOST_SPLIT_CHILDREN if split else MOST_CHILDREN) - 1:
            return Crowded("/".join(segments[:depth]) or "/", template)
    return None


def _names(host: str, parent: list[str]) -> set[str]:
    """The names that are known below a parent."""
    depth, prefix = len(parent), "/".join((*parent, ""))
    below = Endpoint.objects.filter(host=host, path__startswith=prefix).values_list("path", flat=True)[:LOOKED_AT]
    # SQLite compares without case.
    names = {path.split("/")[depth] for path in below if path.startswith(prefix)}
    return {name for name in names if name and not name.startswith("{")}
