"""An uploaded OpenAPI document, 3.0 or 3.1, JSON or YAML, read down to its servers and operations.

Examples in such documents hold secrets, so nothing else of it is kept. YAML is read by the safe loader, which makes plain
values only; aliases share what they name and are never copied, so a text of nested aliases stays as small as it is.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import yaml

from gatecrash.core.errors import UserError

MOST_BYTES = 16 * 1024 * 1024
MOST_OPERATIONS = 20_000
MOST_SERVERS = 50
LONGEST_TEMPLATE = 2048
LONGEST_HOST = 300
_LONGEST_TEXT = 255
_MOST_REFERENCES = 20
_VERSION = re.compile(r"3\.[01](\.\d{1,3})?(-[\w.]{1,20})?")
# OpenAPI 3.1.0, Path Item Object.
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same loader, ten times as fast


class UnreadableDocument(UserError):
    """An uploaded text is no OpenAPI document that we read; the words name the place."""


class Read(NamedTuple):
    """What is kept of a document. servers: (host, base path); the empty host is every host. operations: (method, template)."""

    title: str
    version: str
    openapi: str
    servers: tuple[tuple[str, str], ...]
    operations: tuple[tuple[str, str], ...]


def read(data: bytes, host: str | None = None) -> Read:
    """Read a document. host: takes the place of the hosts that it names. Raises UnreadableDocument."""
    document = _mapping(_parse(data), "the document")
    openapi = document.get("openapi")
    if not isinstance(openapi, str) or not _VERSION.fullmatch(openapi):
        told = "swagger 2.0; convert it to OpenAPI 3" if document.get("swagger") else repr(openapi)[:60]
        raise UnreadableDocument(f"/openapi: must be 3.0 or 3.1, not {told}")
    info = _mapping(document.get("info", {}), "/info")
    servers = list(dict.fromkeys(_servers(document)))
    if host is not None:
        servers = list(dict.fromkeys((host.lower(), base_path) for _, base_path in servers))
    operations = tuple(dict.fromkeys(_operations(document)))
    if len(operations) > MOST_OPERATIONS:
        raise UnreadableDocument(f"/paths: more than {MOST_OPERATIONS} operations")
    return Read(_text(info, "title"), _text(info, "version"), openapi, tuple(servers), operations)


def _parse(data: bytes) -> object:
    """JSON where it begins as JSON, else YAML."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"byte {error.start}: the document is no UTF-8") from error
    try:
        return json.loads(text) if text.lstrip()[:1] == "{" else yaml.load(text, _LOADER)  # noqa: S506 - the safe loader
    except json.JSONDecodeError as error:
        raise UnreadableDocument(f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "the document"
        raise UnreadableDocument(f"{place}: no YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableDocument(f"the document: no YAML: {error}") from error
    except RecursionError as error:
        raise UnreadableDocument("the document is nested too deeply") from error


def _servers(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    given = document.get("servers") or [{"url": "/"}]
    if not isinstance(given, list):
        raise UnreadableDocument("/servers: must be a list")
    if len(given) > MOST_SERVERS:
        raise UnreadableDocument(f"/servers: more than {MOST_SERVERS}")
    for place, server in enumerate(given):
        yield _server(_mapping(server, f"/servers/{place}"), f"/servers/{place}/url")


def _server(server: Mapping[str, Any], place: str) -> tuple[str, str]:
    """Host and base path of one server, its variables filled in with their defaults (OpenAPI 3.1.0, Server Object)."""
    url = server.get("url")
    if not isinstance(url, str):
        raise UnreadableDocument(f"{place}: must be a text")
    variables = server.get("variables") or {}
    for name, variable in variables.items() if isinstance(variables, dict) else ():
        default = variable.get("default", "") if isinstance(variable, dict) else ""
        url = url.replace(f"{{{name}}}", str(default))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UnreadableDocument(f"{place}: {url[:200]!r} is no address: {error}") from error
    host = (parts.hostname or "").lower()
    if len(host) > LONGEST_HOST or len(parts.path) > LONGEST_TEMPLATE:
        raise UnreadableDocument(f"{place}: too long")
    if ":" in host:
        host = f"[{host}]"
    if port and port != _PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    return host, parts.path.rstrip("/")


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    paths = _mapping(document.get("paths") or {}, "/paths")
    for template, item in paths.items():
        place = f"/paths/{str(template).replace('~', '~0').replace('/', '~1')}"[:300]
        if not isinstance(template, str) or not template.startswith("/"):
            if isinstance(template, str) and template.startswith("x-"):
                continue
            raise UnreadableDocument(f"{place}: a path must begin with a slash")
        if len(template) > LONGEST_TEMPLATE or "\x00" in template:
            raise UnreadableDocument(f"{place}: over {LONGEST_TEMPLATE} characters, or one that no path holds")
        known = _resolved(document, _mapping(item or {}, place), place)
        yield from ((method.upper(), template) for method in METHODS if method in known)


def _resolved(document: Mapping[str, Any], item: Mapping[Any, Any], place: str) -> Mapping[Any, Any]:
    """A path item with the local one that it refers to (OpenAPI 3.1.0, Path Item Object, $ref)."""
    found = dict(item)
    for _ in range(_MOST_REFERENCES):
        reference = found.pop("$ref", None)
        if reference is None:
            return found
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise UnreadableDocument(f"{place}/$ref: only references within the document are read")
        target: Any = document
        for step in reference[2:].split("/"):
            target = target.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        if not isinstance(target, dict):
            raise UnreadableDocument(f"{place}/$ref: nothing is at {reference[:200]!r}")
        found = {**target, **found}
    raise UnreadableDocument(f"{place}/$ref: references go in a circle")


def _mapping(value: object, place: str) -> Mapping[Any, Any]:
    if not isinstance(value, dict):
        raise UnreadableDocument(f"{place}: must be an object, not {type(value).__name__}")
    return value


def _text(info: Mapping[str, Any], name: str) -> str:
    return str(info.get(name) or "").replace("\x00", "")[:_LONGEST_TEXT]
