"""The environment variables of a pipeline, read strictly: a mistyped limit must not become no limit."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})


class Variables:
    """The variables of one step; one that is set and empty counts as not set, as pipelines leave them."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        """A text; None where it is not set."""
        return self._environ.get(name, "").strip() or None

    def required(self, name: str, meaning: str) -> str:
        """A text that must be set. Raises UsageError with what it means."""
        value = self.text(name)
        if value is None:
            raise click.UsageError(f"{name} is not set: {meaning}.")
        return value

    def number(self, name: str, least: int, most: int) -> int | None:
        """A whole number; None where it is not set. Raises UsageError where it is none or out of range."""
        value = self.text(name)
        if value is None:
            return None
        if not (value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most):
            raise click.UsageError(f"{name}={value} is no whole number from {least} to {most}.")
        return int(value)

    def flag(self, name: str) -> bool | None:
        """Yes or no; None where it is not set. Raises UsageError where it is neither."""
        value = self.text(name)
        if value is None:
            return None
        if value.lower() not in _YES | _NO:
            raise click.UsageError(f"{name}={value} is neither true nor false.")
        return value.lower() in _YES

    def folder(self, name: str) -> Path | None:
        """A folder, made where it is missing; None where it is not set. Raises UsageError where it cannot be made."""
        value = self.text(name)
        if value is None:
            return None
        path = Path(value)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.UsageError(f"{name}={value} cannot be made: {error.strerror}.") from error
        return path
