"""Tells apart parts that share a name: `a=1&a=2`, `a[]=1`, `a[b]=1`, two headers or members of the same name.

A name that occurs once is written plainly. One that occurs more often gets `array` and its position among its equals:
`["get", "a", "array", "0"]`. So does `a[]=1`, where a plain `a` may stand between; `a[b]=1` is `["get", "a", "hash", "b"]`.
The names of a buffer depend on its names alone, so rewriting a value never renames another point.
"""

import re
from typing import Final

from gatecrash.core.points.codec import Part

_BRACKETED: Final = re.compile(r"([^\[\]]++)((?:\[[^\[\]]*+\])++)")
_BRACKET: Final = re.compile(r"\[([^\[\]]*+)\]")
_MAX_BRACKETS: Final = 30
_NEXT: Final = ("array", "")  # `[]`: the position is not known yet


def bracketed(name: str) -> tuple[str, ...]:
    """A form field's name as steps: `a[b][]` is `a hash b array ""`; a name without sound brackets is itself."""
    match = _BRACKETED.fullmatch(name) if name[-1:] == "]" else None
    if match is None or name.count("[") > _MAX_BRACKETS:
        return (name,)
    steps = [match[1]]
    for item in _BRACKET.findall(match[2]):
        steps += ("hash", item) if item else _NEXT
    return tuple(steps)


def number_fields(walks: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Distinct steps for form fields, in order, from what `bracketed` gave."""
    passing: dict[tuple[str, ...], int] = {}
    for walk in walks:
        for length in range(1, len(walk) + 1, 2):
            prefix = walk[:length]
            passing[prefix] = passing.get(prefix, 0) + 1
    counters: dict[tuple[str, ...], int] = {}
    return [_number_field(walk, passing, counters) for walk in walks]


def _number_field(
    walk: tuple[str, ...], passing: dict[tuple[str, ...], int], counters: dict[tuple[str, ...], int]
) -> tuple[str, ...]:
    steps: tuple[str, ...] = walk[:1]
    counted = False
    for position in range(1, len(walk), 2):
        if walk[position : position + 2] == _NEXT:
            steps = _counted(steps, counters)
            counted = True
        else:
            steps = (*steps, walk[position], walk[position + 1])
    # Behind a `[]` every field stands alone: each `[]` opens an item of its own.
    if not counted and passing[walk] > 1:
        steps = _counted(steps, counters)
    return steps


def _counted(steps: tuple[str, ...], counters: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    position = counters.get(steps, 0)
    counters[steps] = position + 1
    return (*steps, "array", str(position))


def number_parts(parts: list[Part]) -> None:
    """Number the parts that share their steps, in place, and what they hold with them.

    The parts stand in the order of the data, containers before what they hold.
    """
    parents = _parents(parts)
    counts: dict[tuple[int, tuple[str, ...]], int] = {}
    for part, (parent, cut) in zip(parts, parents, strict=True):
        own = (parent, part.steps[cut:])
        counts[own] = counts.get(own, 0) + 1
    counters: dict[tuple[int, tuple[str, ...]], int] = {}
    for part, (parent, cut) in zip(parts, parents, strict=True):
        tail = part.steps[cut:]
        own = (parent, tail)
        if counts[own] > 1:
            position = counters.get(own, 0)
            counters[own] = position + 1
            tail = (*tail, "array", str(position))
        part.steps = parts[parent].steps + tail if parent >= 0 else tail


def _parents(parts: list[Part]) -> list[tuple[int, int]]:
    """For each part the nearest part before it whose steps lead to it (-1: none), and how many steps they are."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[int, tuple[str, ...]]] = []
    for index, part in enumerate(parts):
        steps = part.steps
        while stack and not (len(stack[-1][1]) < len(steps) and steps[: len(stack[-1][1])] == stack[-1][1]):
            stack.pop()
        found.append((stack[-1][0], len(stack[-1][1])) if stack else (-1, 0))
        stack.append((index, steps))
    return found


def distinct(parts: list[Part]) -> list[Part]:
    """The parts, numbered where two share their steps."""
    if len({part.steps for part in parts}) != len(parts):
        number_parts(parts)
    return parts
