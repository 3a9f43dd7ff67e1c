"""What people decided about templates: uploaded OpenAPI documents, pins and splits, as the inventory asks them."""

from collections.abc import Callable

from gatecrash.control.inventory.mapping import DOCUMENTED, SHADOW, Name
from gatecrash.control.inventory.models import OLDEST_FIRST, ApiDocument, TemplateRule
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.matcher import TemplateMatcher


def paths() -> tuple[DocumentPaths, ...]:
    """What the current client's documents say of paths, one for each server of each."""
    return tuple(
        DocumentPaths(host, base_path, tuple((method, template) for method, template in row.operations))
        for row in ApiDocument.objects.order_by(*OLDEST_FIRST)
        for host, base_path in row.servers
    )


def rules(kind: str) -> tuple[HostTemplate, ...]:
    """The current client's `pin` or `split` templates, the oldest first."""
    rows = TemplateRule.objects.filter(kind=kind).order_by(*OLDEST_FIRST).values_list("host", "template")
    return tuple(HostTemplate(host, template) for host, template in rows)


def decided() -> TemplateMatcher:
    """Finds the template that somebody decided for a path: pins first, then documents."""
    return TemplateMatcher(rules("pin"), paths())


def documented_names() -> list[Name]:
    """The endpoints that the documents tell of, where they name a host."""
    return [
        ("rest", method, document.host, document.base_path + template, "")
        for document in paths()
        if document.host
        for method, template in document.operations
    ]


def judge() -> Callable[[Name], int]:
    """A function from an endpoint's name to its state: documented, shadow, or neither where no document covers its host.

    An endpoint is documented under the document's own template and method; another method on a documented path is not.
    """
    known = paths()
    hosts = {document.host for document in known}
    operations = {
        (document.host, method, document.base_path + template)
        for document in known
        for method, template in document.operations
    }

    def state(name: Name) -> int:
        _, method, host, path, _ = name
        if host not in hosts and "" not in hosts:
            return 0
        return DOCUMENTED if not operations.isdisjoint({(host, method, path), ("", method, path)}) else SHADOW

    return state
