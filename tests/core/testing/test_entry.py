"""An entry cannot be changed: it is shared by all findings of its type."""

import pytest

from gatecrash.core.testing.entry import Entry


def test_an_entry_is_frozen():
    entry = Entry(type="sqli", title="t", cwe=(89,), owasp=(), owasp_api=(), why="w", remediation="r")
    with pytest.raises(AttributeError):
        entry.title = "other"
