"""A script's own functions that write what they are given, put where they are called, so that `flow` reads through them.

handed_on('function show(x){box.innerHTML=x}show(q);')     'box.innerHTML=show$$x;show$$x=q;'

A function is read so where it is declared once, with plain names as parameters, and all that is said of it is calls that stand as
statements: then what its parameters hold is what these calls give, and nothing else. What is returned, handed around as a
callback, or calls itself stays as it is, and `flow` reads none of it.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

_NAME: Final = r"[A-Za-z_$][\w$]*+"
_DECLARED: Final = re.compile(
    rf"(?<![\w$.])(?:function\s++(?P<name>{_NAME})\s*+\((?P<names>[\w$\s,]{{0,200}}+)\)\s*+"
    rf"|(?:const|let|var)\s++(?P<of>{_NAME})\s*+=\s*+(?:function\s*+\((?P<given>[\w$\s,]{{0,200}}+)\)\s*+"
    rf"|(?:\((?P<listed>[\w$\s,]{{0,200}}+)\)|(?P<one>{_NAME}))\s*+=>\s*+))"
)
# Where a statement begins, or what a function without braces is; and where a statement ends.
_BEFORE: Final = re.compile(r"(?:[;{})]|=>|\belse)\Z")
_BEHIND: Final = re.compile(r"\s*+(?:[;})]|\Z)|[ \t]*+\n")
_STOP: Final = re.compile(r"[()\[\]{},;\n]")
# Paths through more functions than these are read by nobody either.
_STEPS, _MOST_DECLARED, _MOST_FUNCTIONS, _MOST_CALLS, _LONGEST, _NEAR = 3, 500, 30, 20, 5_000, 40


class _Own(NamedTuple):
    """A function of the script: where it is declared, and what it does."""

    name: str
    parameters: list[str]
    begin: int
    end: int
    body: str


def handed_on(plain: str, writes: re.Pattern[str]) -> str:
    """The plain script with such functions in their places. writes: something that a function worth reading does."""
    for _ in range(_STEPS):
        before = plain
        worth = [own.name for own in _functions(plain) if writes.search(own.body) or "$$" in own.body]
        for name in dict.fromkeys(worth[:_MOST_FUNCTIONS]):
            plain = _put_in_place(plain, name)
        if plain == before:
            break
    return plain


def _functions(plain: str) -> Iterator[_Own]:
    for found in islice(_DECLARED.finditer(plain), _MOST_DECLARED):
        name = found["name"] or found["of"]
        listed = next(
            each for each in (found["names"], found["given"], found["listed"], found["one"]) if each is not None
        )
        parameters = [each.strip() for each in listed.split(",") if each.strip()]
        braces = plain.startswith("{", found.end())
        end = _end(plain, found.end() + braces, within=braces)
        # Only arrows have a body without braces; what gives something back is no statement.
        if end is not None and (braces or found["listed"] is not None or found["one"]):
            yield _Own(name, parameters, found.start(), end + braces, plain[found.end() + braces : end])


def _end(plain: str, begin: int, *, within: bool) -> int | None:
    """Where a body ends: at the brace that closes it, or with its expression."""
    depth = 0
    for stop in _STOP.finditer(plain, begin, begin + _LONGEST):
        if stop[0] in "([{":
            depth += 1
        elif stop[0] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and not within and stop[0] in ";,\n"):
            return stop.start()
    return None if within or len(plain) > begin + _LONGEST else len(plain)


def _put_in_place(plain: str, name: str) -> str:
    """The script with one function in its place; as it is where anything else is said of the function than calls."""
    own = next((each for each in _functions(plain) if each.name == name), None)
    if own is None or not own.parameters:
        return plain
    begins = [
        found
        for found in re.finditer(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", plain)
        if not own.begin <= found.start() < own.end
    ]
    own_words = len(re.findall(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", plain[own.begin : own.end]))
    calls = [_call(plain, found, own) for found in begins[: _MOST_CALLS + 1]]
    if own_words != 1 or not calls or len(calls) > _MOST_CALLS:
        return plain
    body = own.body
    for parameter in own.parameters:
        word = rf"(?<![\w$.]){re.escape(parameter)}(?![\w$])(?!\s*:)"
        body = re.sub(word, _held(own, parameter), body)
    changes = [(own.begin, own.end, f"{body};")]
    for call in calls:
        if call is None:
            return plain
        changes.append(call)
    pieces, place = [], 0
    for begin, end, written in sorted(changes):
        pieces += [plain[place:begin], written]
        place = end
    return "".join([*pieces, plain[place:]])


def _held(own: _Own, parameter: str) -> str:
    """What a parameter is called in place of the function, like nothing else in the script."""
    return f"{own.name}$${parameter}"


def _call(plain: str, named: re.Match[str], own: _Own) -> tuple[int, int, str] | None:
    """A call that is a statement, and the assignments that stand for it; None for anything else."""
    opened = re.compile(r"\s*+\(").match(plain, named.end())
    if opened is None or not _begins(plain[max(0, named.start() - _NEAR) : named.start()]):
        return None
    given, place = [], opened.end()
    while True:
        end = _end(plain, place, within=False)
        if end is None or plain[end : end + 1] not in (",", ")"):
            return None
        given.append(plain[place:end].strip())
        place = end + 1
        if plain[end] == ")":
            break
    if not _BEHIND.match(plain, place):
        return None
    told = [each or "undefined" for each in given] + ["undefined"] * len(own.parameters)
    written = "".join(f"{_held(own, each)}={value};" for each, value in zip(own.parameters, told, strict=False))
    return named.start(), place, written.removesuffix(";")


def _begins(before: str) -> bool:
    """Whether a statement begins behind this."""
    said = before.rstrip()
    return not said or "\n" in before[len(said) :] or _BEFORE.search(said) is not None
