"""Every vulnerability type that a registered probe can report, with its words."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from gatecrash.core.testing.entry import Entry


class Catalogue(Mapping[str, Entry]):
    """Entries by type, in the order of the registry; read when first asked for.

    All probes are imported for it, a fifth of what a service takes to start that may never show a finding.
    """

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        """The words of each type's first probe, with the weaknesses of all its probes."""
        from gatecrash.core.testing.registry import REGISTRY

        entries: dict[str, Entry] = {}
        for probe in REGISTRY:
            known = entries.setdefault(probe.type, probe.entry)
            cwe = tuple(dict.fromkeys((*known.cwe, *probe.entry.cwe)))
            entries[probe.type] = msgspec.structs.replace(known, cwe=cwe)
        return entries

    def __getitem__(self, type_: str) -> Entry:
        return self._entries[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


CATALOGUE = Catalogue()


def entry_of(type_: str) -> Entry:
    """The words of a type; for one that no probe of this version reports, its name and nothing else.

    Findings outlive versions: a stored one must be shown whatever its type is.
    """
    known = CATALOGUE.get(type_)
    return known or Entry(type=type_, title=type_, cwe=(), owasp=(), owasp_api=(), why="", remediation="")


def entry_for(type_: str, title: str, cwe: Sequence[int]) -> Entry:
    """The words for one finding: those of the check that calls its findings so, or else of one with its first weakness,
    and most of the others.

    Checks of one type are mended in different ways: a function for managers that is open to everybody needs other words than
    a request that needs no credentials. Where checks share a weakness, the type's own words come first.
    """
    about = entry_of(type_)
    if type_ not in CATALOGUE:
        return about
    from gatecrash.core.testing.registry import REGISTRY

    own = [probe.entry for probe in REGISTRY if probe.type == type_]
    called = (entry for entry in own if entry.title == title)
    weak = [entry for entry in own if set(cwe[:1]) & set(entry.cwe)]
    return next(called, None) or max(weak, key=lambda entry: len({*cwe} & {*entry.cwe}), default=about)
