"""A policy's extensions as rows of its form: a name and a text each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gatecrash.core.testing.extension_source import MOST

_TOLD = 20


class ExtensionRow(NamedTuple):
    """One row. wrong: whether this is the one that was refused."""

    name: str
    text: str
    wrong: bool = False


def sent(names: Sequence[str], texts: Sequence[str]) -> list[ExtensionRow]:
    """The rows of a form that are not empty; lines end as in a file."""
    pairs = zip(names, texts, strict=False)
    rows = [ExtensionRow(name.strip(), text.replace("\r\n", "\n")) for name, text in pairs]
    return [row for row in rows if row.name or row.text.strip()][:MOST]


def kept(extensions: Iterable[Mapping[str, Any]]) -> list[ExtensionRow]:
    """The rows of the extensions that a policy has."""
    return [ExtensionRow(one["name"], one["text"]) for one in extensions]


def document(rows: Iterable[ExtensionRow]) -> list[dict[str, str]]:
    """The rows as the API takes them."""
    return [{"name": row.name, "text": row.text} for row in rows]


def told(problem: Mapping[str, Any]) -> str:
    """The mistakes of an extension in words; "" where the problem is another."""
    mistakes = problem.get("mistakes", ())[:_TOLD]
    return " ".join(
        f"Line {one['line']}{', ' + one['field'] if one['field'] else ''}: {one['message']}." for one in mistakes
    )
