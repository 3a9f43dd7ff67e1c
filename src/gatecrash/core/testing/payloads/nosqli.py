"""Payloads of `nosqli`: operators in the place of a value, and JavaScript that a database evaluates for each document.

Every operator only narrows what the value itself finds: `$eq` the value is the value, `$eq` fresh letters is nothing.
"""

from typing import NamedTuple


class Operator(NamedTuple):
    """An operator and its operand: `{value}` stands for the baseline's value, `{mark}` for fresh letters."""

    name: str
    operand: str


HOLDS = Operator("$eq", "{value}")
HOLDS_NOT = Operator("$eq", "{mark}")
# No operator: MongoDB refuses it, others take it for a part of a document, and neither finds what the value finds.
DECOY = Operator("$eqq", "{value}")
UNKNOWN = "$z{mark}"


class Script(NamedTuple):
    """A place in a `$where`, and a condition there.

    `NumberLong` is known to the database's JavaScript and to no other, so that code evaluated elsewhere is not taken for
    a query; strict equality is no SQL.
    """

    name: str
    pattern: str


SCRIPTS = (
    Script("text in $where", "{value}' && typeof {word}==='{kind}' && '{mark}'==='{mark}"),
    Script("text in double quotes in $where", '{value}" && typeof {word}==="{kind}" && "{mark}"==="{mark}'),
)
NUMBER_SCRIPT = Script("number in $where", "{value} && typeof {word}==='{kind}'")
KNOWN, KIND = "NumberLong", "function"
