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
# What a client made of a JSON text: "undefined" is no better for its quotes.
_QUOTES = (b'"', b"'")
_FIRST = frozenset(b"*{$<:")
_ODD = _FIRST | frozenset(b"\"' \t\n\r\v\f")
_BLANK = 0x20


def is_placeholder(value: bytes) -> bool:
    """Whether the value, any scheme word removed, is a placeholder (case does not matter), quotes around it or not."""
    # What is longer than every word, and does not begin or end oddly, needs no closer look: nearly all real credentials.
    if len(value) > LONGEST_WORD and value[0] not in _ODD and value[-1] > _BLANK:
        return False
    value = value.strip()
    if value[:1] in _QUOTES and value[:1] == value[-1:] and len(value) > 1:
        value = value[1:-1].strip()
    if len(value) <= LONGEST_WORD and value.lower() in WORDS:
        return True
    return value[0] in _FIRST and _SHAPES.fullmatch(value) is not None
