"""Every vulnerability type that a registered probe can report, with its words."""

import msgspec

from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.registry import REGISTRY


def _entries() -> dict[str, Entry]:
    """The words of each type's first probe, with the weaknesses of all its probes."""
    entries: dict[str, Entry] = {}
    for probe in REGISTRY:
        known = entries.setdefault(probe.type, probe.entry)
        cwe = tuple(dict.fromkeys((*known.cwe, *probe.entry.cwe)))
        entries[probe.type] = msgspec.structs.replace(known, cwe=cwe)
    return entries


CATALOGUE: dict[str, Entry] = _entries()


def entry_of(type_: str) -> Entry:
    """The words of a type; for one that no probe of this version reports, its name and nothing else.

    Findings outlive versions: a stored one must be shown whatever its type is.
    """
    known = CATALOGUE.get(type_)
    return known or Entry(type=type_, title=type_, cwe=(), owasp=(), owasp_api=(), why="", remediation="")
