"""Payloads of `xpathi`: conditions in XPath, each in a place where a value may stand.

`string-length` with its dash is a function of XPath and a subtraction in SQL, so that neither is taken for the other.
`{length}` stands for the length of `{text}` where the condition shall hold, and for another where not.
"""

from typing import NamedTuple

FUNCTION = "string-length"
DECOY = "string-lenght"
# No expression, whatever it is asked of; a name that is misspelt is an error only where evaluators come to it.
TORN = "string length"


class Context(NamedTuple):
    """A place in an expression. number: makes sense for numbers only."""

    name: str
    pattern: str
    number: bool = False


TEXTS = (
    Context("text", "{value}' and {function}('{text}')={length} and '{mark}'='{mark}"),
    Context("text in double quotes", '{value}" and {function}("{text}")={length} and "{mark}"="{mark}'),
    Context("argument of a function", "{value}') and {function}('{text}')={length} and ('{mark}'='{mark}"),
)
NUMBERS = (Context("number", "{value} and {function}('{text}')={length}", number=True), *TEXTS[:1])

# Broken, and as odd but whole.
BROKEN, WHOLE = "{value}{mark}'", "{value}' and '{mark}'='{mark}"
