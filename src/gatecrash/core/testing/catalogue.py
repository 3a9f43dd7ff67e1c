"""Every vulnerability type that a registered probe can report, with its words."""

from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.registry import REGISTRY

CATALOGUE: dict[str, Entry] = {probe.type: probe.entry for probe in REGISTRY}


def entry_of(type_: str) -> Entry:
    """The words of a type; for one that no probe of this version reports, its name and nothing else.

    Findings outlive versions: a stored one must be shown whatever its type is.
    """
    known = CATALOGUE.get(type_)
    return known or Entry(type=type_, title=type_, cwe=(), owasp=(), owasp_api=(), why="", remediation="")
