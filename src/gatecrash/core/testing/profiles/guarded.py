"""Structs that hold secrets: what prints or logs them shows their type and nothing else."""

import msgspec


class Guarded(msgspec.Struct, frozen=True, array_like=True):
    """A struct whose representation holds no value of it."""

    def __repr__(self) -> str:
        """The type alone."""
        return f"{type(self).__name__}(…)"
