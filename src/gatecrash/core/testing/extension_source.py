"""An extension as a policy carries it: its name and its text."""

import msgspec

LONGEST_TEXT = 64 * 1024
# Of one policy: it goes to the node with every heartbeat.
LONGEST_TEXTS = 256 * 1024
MOST = 50


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """name: what its findings and errors call it, its file's name as a rule. text: YAML, as it was written."""

    name: str
    text: str
