"""Payloads of `sqli` for texts in double quotes.

MySQL and SQLite take them for texts, where others have names in them: there the statement breaks, and nothing happens. As in
single quotes (`payloads/sqli.py`), the text is itself or one that equals no other.
"""

import re

from gatecrash.core.testing.payloads.sqli import Context, in_their_place, joins_with_care

_LETTERS = re.compile(r"[^\W\d]")
_JOINED = Context(
    "text in double quotes, joined",
    '{value}"||NULLIF(""||"","0")||{word} WHEN {left}={right} THEN "" ELSE "{mark}" END||"',
    "CASE",
    ("CASA", "CSAE", "CAZE", "CASK"),
)
_BESIDE = Context(
    "text in double quotes, side by side",
    '{head}"{word}/*{mark}{yes}*/"{tail}{no}',
    "",
    ('"',),
    others=("qzx", "xjq"),
)
# Of requests that may change something.
DOUBLE_QUOTED = (_BESIDE, _JOINED)
# MySQL takes the first wherever such a text stands, within brackets and as a pattern too, and SQLite the second.
READ_IN_DOUBLE_QUOTES = tuple(each._replace(name=f"{each.name}, read") for each in DOUBLE_QUOTED)


# A number in double quotes and brackets, `id = ("7")`: MySQL reads the text as a number, so that what is joined to it changes
# nothing, and within the brackets a comparison would be the number. Only to read: AND narrows.
NUMBERS_IN_BRACKETS = (
    Context(
        "number in double quotes and brackets",
        '{value}") {word} {left}={right} {word} ("{same}"="{same}',
        "AND",
        ("AMD", "ADN", "NAD", "ANB"),
    ),
)


def in_double_quotes(value: str) -> tuple[Context, ...]:
    """The contexts of a value that may be a text in double quotes; none of numbers, lists and codes."""
    text = _LETTERS.search(value) is not None and joins_with_care(value) and not in_their_place(value)
    return DOUBLE_QUOTED if text else ()
