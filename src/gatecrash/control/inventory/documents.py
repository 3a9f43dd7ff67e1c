"""The client's uploaded OpenAPI documents as the inventory asks them. Part of `services`."""

from collections.abc import Callable, Iterator

from gatecrash.control.inventory.mapping import DOCUMENTED, SHADOW, Name
from gatecrash.control.inventory.models import ApiDocument
from gatecrash.control.inventory.paths import Documented
from gatecrash.core.inventory.documents import DocumentPaths


def paths() -> Iterator[DocumentPaths]:
    """What the documents say of paths, one for each server of each."""
    for row in ApiDocument.objects.order_by("created_at", "id"):
        operations = tuple((method, template) for method, template in row.operations)
        for host, base_path in row.servers:
            yield DocumentPaths(host, base_path, operations)


def judge() -> Callable[[Name], int]:
    """A function from an endpoint's name to its state: documented, shadow, or neither where no document covers its host."""
    documented = Documented(paths())

    def state(name: Name) -> int:
        _, method, host, path, _ = name
        if not documented.covers(host):
            return 0
        return DOCUMENTED if documented.templates.match(host, method, path) == path else SHADOW

    return state
