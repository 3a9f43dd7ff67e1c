"""The words of a finding: what a class of weakness is called, why it matters, and how to mend it.

Each probe carries its own entry, so that a class is told in one file; `catalogue` gives them by type.
"""

import msgspec


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One vulnerability type for people. cwe: all weaknesses its findings can name.

    owasp: entries of the OWASP Top 10 with their edition (`A03:2021`). owasp_api: of the OWASP API Security Top 10.
    why and remediation: plain sentences.
    """

    type: str
    title: str
    cwe: tuple[int, ...]
    owasp: tuple[str, ...]
    owasp_api: tuple[str, ...]
    why: str
    remediation: str
