"""Policies in files: YAML or JSON with the fields of the API."""

import re
from pathlib import Path
from typing import Any

import yaml

from gatecrash.core.errors import InvalidPolicy, UserError
from gatecrash.core.testing.extension_source import LONGEST_TEXT
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.policy_document import read_policy

MOST_BYTES = 1024 * 1024


# What a parser quotes may be a password: an alias that begins with an asterisk is one to YAML.
_QUOTED = re.compile("'[^']{2,}'")
EXAMPLE = "types: [sqli, auth]"


def read_document(path: Path, what: str = "policy", example: str = EXAMPLE) -> dict[str, Any]:
    """The fields that a file holds. what: is in it, with an example of a field. Raises UserError where it cannot be read.

    No mistake is shown with the text around it: the file may hold passwords.
    """
    content = _content(path, MOST_BYTES, f"one {what}")
    try:
        # JSON is YAML too, and the safe loader makes plain values only.
        document = yaml.safe_load(content)
    except (yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path} is neither YAML nor JSON{_place(error)}.") from None
    if not isinstance(document, dict):
        raise UserError(f"{path} holds no {what}, which is a set of fields, such as {example}.")
    return document


def policy_fields(path: Path) -> dict[str, Any]:
    """The fields of a policy's file, with the texts of the extensions that it names by files beside it.

    Raises UserError, also where an extension's file cannot be read.
    """
    document = read_document(path)
    named = document.get("extensions")
    if not isinstance(named, list):
        return document
    return {**document, "extensions": [_extension(path, each) for each in named]}


def extension_text(path: Path) -> str:
    """The text of an extension's file. Raises UserError."""
    content = _content(path, LONGEST_TEXT, "an extension")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no text in UTF-8.") from error


def _extension(policy: Path, named: object) -> object:
    """The name and text of an extension's file, which stands beside its policy; anything else as it is."""
    if not isinstance(named, str):
        return named
    path = policy.parent / named
    return {"name": path.name, "text": extension_text(path)}


def policy_from(path: Path) -> Policy:
    """The policy in a file. Raises UserError with the place of what is wrong."""
    try:
        return read_policy(policy_fields(path), path.name)
    except InvalidPolicy as error:
        raise UserError(f"{path}: {error}.") from error


def _place(error: Exception) -> str:
    """Where a mistake is and what it is, without the line itself."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return ": it is nested too deeply" if isinstance(error, RecursionError) else ""
    told = _QUOTED.sub("'…'", str(getattr(error, "problem", "")))
    return f": line {mark.line + 1}, column {mark.column + 1}: {told}"


def _content(path: Path, most: int, what: str) -> bytes:
    """A file whole. most: bytes. what: it holds. Raises UserError where it cannot be read or is larger."""
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > most:
        raise UserError(f"{path} is over {most // 1024} KiB, far more than {what}.")
    return content
