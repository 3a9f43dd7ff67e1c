"""JSON and YAML documents read as a whole, and the references within them.

YAML is read by its JSON schema (YAML 1.2 section 10.2) as OpenAPI wants it: `yes` and `2026-01-31` stay text. Tags that
would make objects are refused.
"""

import re
from collections.abc import Mapping
from typing import Any, BinaryIO
from urllib.parse import unquote

import orjson
import yaml

from gatecrash.formats.capture import UnreadableCapture, shortened
from gatecrash.formats.draft import MOST_BYTES

MOST_STEPS = 50
"""References that lead to references, before they are taken for a circle."""
_OF_SCHEMAS = ("#/definitions/", "#/components/schemas/")


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """Plain data only; what looks like a date or an English yes stays text."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Keys are text, as in JSON: `200:` is the member "200"."""
        return {str(key): value for key, value in super().construct_mapping(node, deep).items()}


_TRUE_OR_FALSE = "tag:yaml.org,2002:bool"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:timestamp", _TRUE_OR_FALSE)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_TRUE_OR_FALSE, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def load(stream: BinaryIO, what: str) -> dict[str, Any]:
    """The document, JSON or YAML. what: its kind, for messages. Raises UnreadableCapture with the place of the fault."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The {what} is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    loaded = _json(data, what) if data.lstrip()[:1] in (b"{", b"[") else _yaml(data, what)
    if not isinstance(loaded, dict):
        raise UnreadableCapture(f"The {what} is no object but {type(loaded).__name__}.")
    return loaded


def _json(data: bytes, what: str) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise UnreadableCapture(
            f"The {what} is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error


def _yaml(data: bytes, what: str) -> Any:
    try:
        return yaml.load(data, Loader=_Loader)  # noqa: S506 - a safe loader with fewer types
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UnreadableCapture(f"The {what} is no YAML: {getattr(error, 'problem', None) or error}{place}.") from error
    except (RecursionError, ValueError) as error:
        raise UnreadableCapture(f"The {what} is no YAML that can be read: {error}.") from error


class References:
    """Follows `$ref` within one document (RFC 6901 pointers)."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def follow(self, value: Any) -> Any:
        """The value itself, or what its `$ref` leads to. Raises ValueError where it leads nowhere, or in a circle."""
        for _ in range(MOST_STEPS):
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return value
            value = self.at(value["$ref"])
        raise ValueError("a $ref leads in a circle")

    def at(self, pointer: str) -> Any:
        """What `#/a/b` points to; where a schema is not there, one that says nothing. Raises ValueError."""
        if not pointer.startswith("#"):
            raise ValueError(f"the $ref {shortened(pointer)} leads out of the document; bundle it into one file")
        found: Any = self._document
        for step in unquote(pointer[1:]).split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
                found = found[int(name)]
            elif pointer.startswith(_OF_SCHEMAS):  # its operation is there all the same, and says itself what it lacks
                return {}
            else:
                raise ValueError(f"the $ref {shortened(pointer)} leads nowhere")
        return found


def as_object(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []
