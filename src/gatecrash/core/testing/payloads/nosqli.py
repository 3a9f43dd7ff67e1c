"""Payloads of `nosqli`: operators in the place of a value, and JavaScript that a database evaluates for each document.

Operators only narrow what the value itself finds: `$in` a list of the value is the value, of fresh letters nothing. `$ne` is
for requests that only read, logins among them.
"""

from typing import NamedTuple


class Operator(NamedTuple):
    """An operator and its operand: `{value}` stands for the baseline's value, `{mark}` for fresh letters.

    listed: the operand stands in a list of its own.
    """

    name: str
    operand: str
    listed: bool = False


class Trio(NamedTuple):
    """An operator that finds what the value finds, one that does not, and what only looks like one.

    decoy: as long as the others, so that what only counts signs takes it as well; a store refuses it, or takes it for a part
    of a document, and finds nothing by it.
    """

    holds: Operator
    holds_not: Operator
    decoy: Operator


# Known to every store, and to every imitation of one; what only looks like it is none, so that nothing is thrown over its name.
AMONG = Trio(
    Operator("$in", "{value}", listed=True),
    Operator("$in", "{mark}", listed=True),
    Operator("ni$", "{value}", listed=True),
)
# Shorter in a query, where a list takes brackets of its own. Stores that are part of an application often lack it, and throw.
EQUAL = Trio(Operator("$eq", "{value}"), Operator("$eq", "{mark}"), Operator("$qe", "{value}"))
# `{pattern}` is the value as a regular expression. Known to stores, and to imitations of them, that lack `$eq`.
MATCHING = Trio(Operator("$regex", "^{pattern}$"), Operator("$regex", "^{mark}$"), Operator("$regxe", "^{pattern}$"))
# Words without a dollar sign, as mappers to relational stores read them (Prisma, Waterline): a list may hold whatever a field does.
MAPPED = Trio(
    Operator("in", "{value}", listed=True),
    Operator("in", "{mark}", listed=True),
    Operator("ni", "{value}", listed=True),
)
# It finds more than the value does: asked for where nothing is changed.
OTHER = Trio(Operator("$ne", "{mark}"), Operator("$ne", "{value}"), Operator("ne$", "{mark}"))
UNKNOWN = "$z{mark}"
"""An operator that no database has."""

NAMELESS = "z{mark}$"
"""The same signs, and no operator: only a dollar sign that begins a name makes one."""


class Script(NamedTuple):
    """A place in a `$where`, and a condition there.

    Functions as `parseInt` are known to every JavaScript, and `typeof` with an index behind it is no other language's
    and no SQL. The ninth letter of "function" is nothing, that of "undefined" is a `d`, so that a text is joined to
    nothing, or to a letter: it stays a text, whether it is compared or handed to a function. It is short and holds no
    quotes, because what names an object is often cut. `NumberLong` is known to the database's JavaScript alone, and
    tells it from an application's own.
    """

    name: str
    pattern: str


SCRIPTS = (
    Script("text in $where", "{value}'+[(typeof {word})[8]]+'"),
    Script("text in double quotes in $where", '{value}"+[(typeof {word})[8]]+"'),
)
JOINED = "d"
"""What a condition that does not hold joins to the text."""

# Without a quote, so that it breaks nothing where the number stands in quotes; behind a whole condition as well.
BARE_SCRIPT = Script("number or condition in $where", "{value} && typeof {word}===typeof isNaN")
KNOWN = (
    "parseInt", "parseFloat", "isFinite", "encodeURI", "decodeURI", "Function", "RegExp", "RangeError", "TypeError",
    "EvalError", "URIError", "Boolean", "String", "Number", "Object", "Array", "Error", "Date",
)  # fmt: skip
"""Functions of every JavaScript. Another one each time: what an application has stored by the name that the tests gave it
once (an uploaded file) is there when it is asked for again, and a word that nobody knows is not.
"""
OF_THE_DATABASE = "NumberLong"
_HOLDS_DATA = "Object.values(this).some(v=>typeof v!=typeof isNaN)"
_IS_DOCUMENT = f"this&&this!=globalThis&&this.constructor&&this.constructor.name==Object.name&&{_HOLDS_DATA}"
_IS_PROGRAM = f"this&&this==globalThis&&typeof {OF_THE_DATABASE}==typeof void 0&&!{_HOLDS_DATA}"
IS_SERVER = f"typeof process==typeof void 0?{_IS_PROGRAM}:process.cwd&&!({_IS_DOCUMENT})"
"""Whether code is the server's own and no query's: the process is within reach, and no document is. Stores within an
application reach its process too, but evaluate a script for a document, so that `this` is a plain object with data.
Elsewhere it is the whole program, a module, which holds functions, or nothing. Out of the process's reach, as scripts
of their own are (`vm`, engines within Java), it is what is a whole program, holds no data, and knows nothing of the
database.
"""
OF_THE_SERVER = f"(({IS_SERVER})?isNaN:void 0)"
