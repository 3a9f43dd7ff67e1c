"""An auth profile's document out of a form: YAML or JSON, typed or as a file.

No mistake is told with the text around it, for it may be a password. An alias of YAML may stand for a million others, so
what was read is counted before anything walks it.
"""

from collections.abc import Iterator
from typing import Any

import yaml

MOST_BYTES = 1024 * 1024
MOST_NODES = 20_000


class Unreadable(ValueError):
    """The text is no document; the message says why."""


def read_document(text: bytes) -> dict[str, Any]:
    """The fields of the document. Raises Unreadable."""
    if len(text) > MOST_BYTES:
        raise Unreadable(f"This is over {MOST_BYTES // 1024} KiB, far more than one profile.")
    try:
        document = yaml.safe_load(text)  # JSON is YAML too, and the safe loader makes plain values only
    except yaml.YAMLError as error:
        raise Unreadable(f"This is neither YAML nor JSON{_place(error)}.") from None
    except (RecursionError, ValueError):  # a date like 2026-99-99 is a ValueError
        raise Unreadable("This is neither YAML nor JSON that can be read.") from None
    if not isinstance(document, dict):
        raise Unreadable("This is no profile: a profile is a set of fields, such as “identities:”.")
    for count, _ in enumerate(_nodes(document)):
        if count > MOST_NODES:
            raise Unreadable("This holds far more than one profile.")
    return document


def _nodes(value: object) -> Iterator[object]:
    """Everything in it, an alias as often as it stands there; without an end where it holds itself."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, dict):
            waiting.extend(node.keys())
            waiting.extend(node.values())
        elif isinstance(node, list | tuple | set):
            waiting.extend(node)


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f": line {mark.line + 1}, column {mark.column + 1} cannot be read" if mark else ""
