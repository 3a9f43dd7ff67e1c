"""Payloads of `xpathi`: conditions in XPath, each in a place where a value may stand.

`string-length` with its dash is a function of XPath and a subtraction in SQL, so that neither is taken for the other.
`{length}` stands for the length of `{text}` where the condition shall hold, and for another where not. Evaluators of a part of
XPath (Python's ElementTree) know no function; of a condition behind another `{compared}` is what holds, or does not.
"""

from typing import NamedTuple

FUNCTION = "string-length"
DECOY = "string-lenght"
# No expression, whatever it is asked of; a name that is misspelt is an error only where evaluators come to it.
TORN = "string length"
# What an element's text is to fresh letters: no element has them. The last two are no operators, and none has a blank,
# as words may be counted.
UNLIKE, LIKE, COMPARED_BADLY, COMPARED_TORN = "!=", "=", "!!=", "=!"


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
# The number itself, or zero: what is compared with it, and which element of a list it is, both follow it.
NUMBERS = (Context("number", "{value}*number({function}('{text}')={length})", number=True), *TEXTS[:1])
# Two conditions of one step, which no other language writes so.
STEPS = (Context("condition of a step", "{value}'][.{compared}'{text}"),)

# For a value that finds nothing: beside it, the condition finds all there is.
FINDING = (
    Context("text that finds nothing", "{mark}' or {function}('{text}')={length} or '{mark}'='"),
    Context("text in double quotes that finds nothing", '{mark}" or {function}("{text}")={length} or "{mark}"="'),
)

# Broken, and as odd but whole.
BROKEN, WHOLE = "{value}{mark}'", "{value}' and '{mark}'='{mark}"
