"""A point: one place in a request, named by the walk that leads to it through its nested encodings.

`Point(("post", "json_doc", "json_obj", "user", "json_obj", "name"))` is the field `name` of the object `user` in the
JSON body. Authentication parameters, insertion points, policies, extensions and the Path column all use this notation.
"""

from collections.abc import Iterable
from typing import Self

from gatecrash.core.errors import InvalidPoint


class Point(tuple[str, ...]):
    """A walk through a request, as an immutable list of steps; equal when the steps are equal."""

    __slots__ = ()

    @classmethod
    def of(cls, *steps: str) -> Self:
        """A point from its steps."""
        return cls(steps)

    @classmethod
    def parse(cls, steps: Iterable[object]) -> Self:
        """A point from outside, its steps checked; a header's name becomes uppercase.

        Raises InvalidPoint with the step that is wrong.
        """
        raise NotImplementedError

    def __str__(self) -> str:
        """The steps with a slash between: for people, not for parsing."""
        return "/".join(self)


__all__ = ["InvalidPoint", "Point"]
