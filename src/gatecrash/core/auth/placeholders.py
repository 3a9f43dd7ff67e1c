"""Values that stand where a credential should be and are none: what a template, a broken client or a mask leaves behind."""

import re

WORDS = frozenset(
    {
        b"",
        b"null",
        b"undefined",
        b"none",
        b"nan",
        b"false",
        b"true",
        b"0",
        b"deleted",
        b"changeme",
        b"redacted",
        b"[filtered]",
        b"[object object]",
    }
)

LONGEST_WORD = max(map(len, WORDS))

# A run of stars is a mask; braces, ${}, <> and :name are templates that nobody filled in.
_SHAPES = re.compile(rb"\*{3,}|\{\{.*\}\}|\$\{.*\}|<.*>|:[A-Za-z_][A-Za-z0-9_-]*", re.DOTALL)
_FIRST = frozenset(b"*{$<:")


def is_placeholder(value: bytes) -> bool:
    """Whether the value, any scheme word removed, is a placeholder (case does not matter)."""
    value = value.strip()
    if len(value) <= LONGEST_WORD and value.lower() in WORDS:
        return True
    return value[0] in _FIRST and _SHAPES.fullmatch(value) is not None
