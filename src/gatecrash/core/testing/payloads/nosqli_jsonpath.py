"""Payloads of `nosqli_jsonpath`: conditions in JSONPath, each in a place where a value may stand.

`@` is the node that a filter looks at (RFC 9535, section 2.3.5), which is itself. No other language compares it with
itself: in SQL, JavaScript and XPath the sign stands for something else, or for nothing. With blanks around it those who
put JavaScript in its place know it, too.
"""

from typing import NamedTuple

SAME, OTHER, TORN = "==", "!=", "=@="


class Context(NamedTuple):
    """A place in a filter."""

    name: str
    pattern: str


TEXTS = (
    Context("text", "{value}' && @ {compared} @ && '{mark}'=='{mark}"),
    Context("text in double quotes", '{value}" && @ {compared} @ && "{mark}"=="{mark}'),
)
NUMBERS = (Context("number", "{value} && @ {compared} @"),)
