"""An example that the words of a description tell, where none is marked as one: `topic: for instance upload`, "e.g. `2024-Q3`"."""

import re
from collections.abc import Mapping
from typing import Any

MOST_CHARACTERS = 1000
_FORM = frozenset(
    {"format", "pattern", "enum", "const", "default", "example", "examples", "minLength", "maxLength", "properties"}
)
_SAID = re.compile(
    r"(?:\be\.g\.|\bfor (?:instance|example)\b|\bsuch as\b|\bexample\s?:)[,:]?\s{0,2}"
    r"(?:(?P<quote>[`'\"])(?P<quoted>[^`'\"\s][^`'\"]{0,80})(?P=quote)|(?P<bare>[\w@][\w@.:/+-]{0,79})(?P<behind>\s*(?:$|[,;)\n]|or\b|and\b))?)",
    re.IGNORECASE,
)


def is_free(schema: Mapping[str, Any]) -> bool:
    """Whether a schema says no more than that something is text."""
    return schema.get("type", "string") == "string" and not _FORM & schema.keys()


def example_said(description: Any) -> str | None:
    """What the words give as an example: in quotes, or one word behind which the sentence ends or goes on with another one."""
    said = _SAID.search(description[:MOST_CHARACTERS]) if isinstance(description, str) else None
    if said is None:
        return None
    bare = said["bare"].rstrip(".:") if said["bare"] else ""
    if bare and not (said["behind"] is not None or any(sign.isdigit() for sign in bare)):
        return None
    return said["quoted"] or bare or None
