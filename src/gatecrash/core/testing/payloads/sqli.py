"""Payloads of `sqli`: where a value may stand in a statement, and how to leave it again without breaking the statement.

Every payload keeps the statement a single one and only ever narrows it (`AND`, never `OR`; no second statement), so that
it changes or deletes nothing that its baseline would not.
"""

from typing import NamedTuple

# Breaks out of every kind of quoting at once: whatever the context, a statement that holds it raw does not parse.
SCREEN = "{value}'\""

# Words that look like the operator and are none: a statement that holds one does not parse, a search does not care.
LOOKALIKES = ("AMD", "ADN", "NAD", "ANB")
OPERATOR = "AND"


class Context(NamedTuple):
    """A place in a statement. `left` and `right` are compared; `same` keeps the rest of the statement true.

    number: makes sense for numbers only. quotes: needs a quote to get through.
    """

    name: str
    pattern: str
    number: bool = False
    quotes: bool = True


CONTEXTS = (
    Context("number", "{value} {word} {left}={right}", number=True, quotes=False),
    Context("text", "{value}' {word} {left}={right} {word} '{same}'='{same}"),
    Context("pattern", "{value}%' {word} {left}={right} {word} '{same}%'='{same}"),
    Context("number in brackets", "{value}) {word} {left}={right} {word} ({same}={same}", number=True, quotes=False),
    Context("text in brackets", "{value}') {word} {left}={right} {word} ('{same}'='{same}"),
    Context("pattern in brackets", "{value}%') {word} {left}={right} {word} ('{same}%'='{same}"),
    Context("text in double quotes", '{value}" {word} {left}={right} {word} "{same}"="{same}'),
)
# A number is seldom searched for by pattern, and a text never stands bare where it is compared.
FOR_NUMBERS = tuple(context for context in CONTEXTS if "pattern" not in context.name and "double" not in context.name)
FOR_TEXTS = tuple(context for context in CONTEXTS if not context.number)


class Pair(NamedTuple):
    """An input that breaks a statement, and one as odd that does not. `mark` is drawn anew each time."""

    name: str
    broken: str
    whole: str


# Each context twice, so that a repeat differs in more than its mark.
_TEXT = (Pair("text", "{value}{mark}'", "{value}{mark}''"), Pair("text", "{value}'{mark}", "{value}''{mark}"))
_DOUBLE = (
    Pair("text in double quotes", '{value}{mark}"', '{value}{mark}""'),
    Pair("text in double quotes", '{value}"{mark}', '{value}""{mark}'),
)
_ARITHMETIC = (Pair("number", "{value}-", "{value}-0"), Pair("number", "{value}*", "{value}*1"))
_LIST = (Pair("list", "{value},", "{value},1"), Pair("list", "{value},(", "{value},(1)"))
ERROR_PAIRS_FOR_NUMBERS = (_ARITHMETIC, _TEXT, _LIST)
ERROR_PAIRS_FOR_TEXTS = (_TEXT, _LIST, _DOUBLE)
