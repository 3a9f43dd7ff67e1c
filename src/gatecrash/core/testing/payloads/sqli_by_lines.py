"""Payloads of `sqli` for checks that read line by line: in Ruby `^` and `$` are the ends of any line, and not of the text.

The value stands on a line of its own, which is a comment of SQL, so that such a check finds it and the statement does not.
"""

from gatecrash.core.testing.payloads.sqli import AND, CASE, Context

_COMMENT = "/*\n{value}\n*/"

_NUMBER = Context(
    "number, checked line by line",
    "{word}" + _COMMENT + " WHEN {left}={right} THEN {value} END",
    *CASE,
    number=True,
    quotes=False,
)
_TEXT = Context(
    "text, checked line by line",
    "{value}'" + _COMMENT + " {word} {left}={right} {word} '{same}'='{same}",
    *AND,
)
# Of requests that may change something: the empty text where `||` joins, and nothing that is found where it is OR.
_JOINED = Context(
    "text, joined, checked line by line",
    "{value}'" + _COMMENT + "||NULLIF(''||'','0')||{word} WHEN {left}={right} THEN '' ELSE '{mark}' END||'",
    *CASE,
)

BY_LINES = (_NUMBER, _TEXT, _JOINED)


def by_lines(value: str, *, changes: bool) -> tuple[Context, ...]:
    """The contexts of a value that is checked so. changes: whether the request may change something."""
    if value.isdecimal():
        return (_NUMBER,) if changes else (_NUMBER, _TEXT)
    return (_JOINED,) if changes else (_TEXT,)
