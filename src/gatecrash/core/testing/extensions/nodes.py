"""YAML with the place of every value, so that a mistake is told with its line and field."""

from collections.abc import Iterator
from typing import NamedTuple

import yaml

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_MOST_ITEMS = 200


class Mistake(NamedTuple):
    """What is wrong, and where. line: from 1. field: `detect.response.status`; "" for the document."""

    line: int
    field: str
    message: str


class Wrong(Exception):
    """One mistake, on its way to the list of all."""

    def __init__(self, node: yaml.Node | None, field: str, message: str) -> None:
        """Say what is wrong; the line is the node's."""
        super().__init__(message)
        self.mistake = Mistake(node.start_mark.line + 1 if node is not None else 1, field, message)


def composed(text: str) -> yaml.Node:
    """The root of a document. Raises Wrong where it is no YAML, or holds more than one document."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        wrong = Wrong(None, "", f"no YAML: {error.problem or error}")
        mark = error.problem_mark or error.context_mark
        wrong.mistake = wrong.mistake._replace(line=mark.line + 1 if mark else 1)
        raise wrong from error
    except (yaml.YAMLError, RecursionError) as error:
        raise Wrong(None, "", f"no YAML: {error}") from error
    if not isinstance(root, yaml.MappingNode):
        raise Wrong(root, "", "an extension is a set of phases: meta-info, match, generate, detect and so on")
    return root


def entries(node: yaml.Node, field: str) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Names, with their own nodes and those of their values; of a mapping, or of a list of mappings. Raises Wrong."""
    parts = items(node, field) if isinstance(node, yaml.SequenceNode) else [node]
    known: set[str] = set()
    for part in parts:
        if not isinstance(part, yaml.MappingNode):
            raise Wrong(part, field, "expected names with values, as `title: something`")
        for key, value in part.value:
            name = scalar(key, field)
            if name in known:
                raise Wrong(key, f"{field}.{name}".lstrip("."), "is there twice")
            known.add(name)
            yield name, key, value


def items(node: yaml.Node, field: str) -> list[yaml.Node]:
    """The entries of a list; a single value stands for a list of one. Raises Wrong where there are too many."""
    if not isinstance(node, yaml.SequenceNode):
        return [node]
    if len(node.value) > _MOST_ITEMS:
        raise Wrong(node, field, f"more than {_MOST_ITEMS} entries")
    return list(node.value)


def scalar(node: yaml.Node, field: str) -> str:
    """A text, as it is written; numbers and words such as `on` too. Raises Wrong."""
    if not isinstance(node, yaml.ScalarNode):
        raise Wrong(node, field, "expected a text")
    return str(node.value)


def number(node: yaml.Node, field: str, low: float, high: float) -> float:
    """A number within these bounds. Raises Wrong."""
    text = scalar(node, field)
    try:
        value = float(text)
    except ValueError:
        raise Wrong(node, field, f"{text!r} is no number") from None
    if not low <= value <= high:
        raise Wrong(node, field, f"{text} is not from {low:g} to {high:g}")
    return value


def whole(node: yaml.Node, field: str, low: int, high: int) -> int:
    """A whole number within these bounds. Raises Wrong."""
    value = number(node, field, low, high)
    if value != int(value):
        raise Wrong(node, field, f"{scalar(node, field)} is no whole number")
    return int(value)


def truth(node: yaml.Node, field: str) -> bool:
    """True or false. Raises Wrong."""
    text = scalar(node, field).lower()
    if text not in ("true", "false"):
        raise Wrong(node, field, f"{text!r} is neither true nor false")
    return text == "true"


def is_nothing(node: yaml.Node) -> bool:
    """Whether a value was left out: `match:` with nothing behind it."""
    return isinstance(node, yaml.ScalarNode) and node.style is None and node.value in _NULLS
