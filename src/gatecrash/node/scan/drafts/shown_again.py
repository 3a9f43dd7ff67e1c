"""What was made at one address and is listed at another: `POST /courses/4/enrol` makes one of `/enrolments`."""

from collections.abc import Iterable
from typing import Any

_LEAST_IN_COMMON, _LONGEST_NAME = 3, 256


def shown_again(rows: Iterable[Any], made: Iterable[Any]) -> list[Any]:
    """The rows that say what an answer said to the making of a thing, wherever that was asked for. Three members in
    common and more, its `id` among them, are the same, but for one that may have changed since.
    """
    told = [each for each in map(_scalars_of, made) if "id" in each]
    return [row for row in rows if any(_is_the_same(_scalars_of(row), each) for each in told)]


def _is_the_same(row: dict[str, Any], made: dict[str, Any]) -> bool:
    common = row.keys() & made.keys()
    differing = sum(row[name] != made[name] for name in common)
    return bool(row.get("id") == made["id"]) and len(common) - differing >= _LEAST_IN_COMMON and differing <= 1


def _scalars_of(thing: Any) -> dict[str, Any]:
    return {name: one for name, one in thing.items() if is_scalar(one)} if isinstance(thing, dict) else {}


def is_scalar(value: Any) -> bool:
    """Whether it is a text of no great length or a number, which may name something."""
    return (isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME) or (
        isinstance(value, int) and not isinstance(value, bool)
    )
