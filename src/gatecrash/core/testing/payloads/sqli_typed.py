"""Payloads of `sqli` for values in quotes that must be of a type (`id = '7'`, `'…'::uuid`), of requests that may change
something.

PostgreSQL joins no text to a number or to an identifier, and refuses whatever else stands in the quotes. To every other
engine the function is an error, and nothing happens. A number is itself or NULL; another value is compared with what is
true or false, which PostgreSQL takes for no value in the place of one, unless that is true or false itself: those are
not asked for.
"""

import re

from gatecrash.core.testing.payloads.sqli import Context

_DIGITS = re.compile(r"\d+")
# How PostgreSQL reads what is true and false, by its beginning (the manual, 8.6).
_TRUTHS = re.compile(r"t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|y(?:es?)?|no?|on|off?", re.IGNORECASE)
NUMBER = Context(
    "number in quotes",
    "{value}'+{word} WHEN {left}={right} THEN int4(0) END+'0",
    "CASE",
    ("CASA", "CSAE", "CAZE", "CASK"),
)
TEXT = Context(
    "text of a type, compared",
    "{value}' {word} {left}={right} {word} int4(0)=0 {word} '{value}'='{value}",
    "AND",
    ("AMD", "ADN", "NAD", "ANB"),
)


def typed_in_quotes(value: str) -> tuple[Context, ...]:
    """The context of a value that may be of a type; none of what is true or false."""
    if _DIGITS.fullmatch(value):
        return (NUMBER,)
    return () if _TRUTHS.fullmatch(value.strip()) else (TEXT,)
