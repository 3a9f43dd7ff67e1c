"""What an OpenAPI document says of paths, in the form in which it travels to the nodes.

OpenAPI 3.x names servers by address, with variables that have defaults (Server Object, Server Variable Object); Swagger
2.0 has a host and a base path. Whatever else a document holds, broken parts included, costs only itself.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.message import DEFAULT_PORTS

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MOST_OPERATIONS = 20_000
_MOST_SERVERS = 50
_VARIABLE = re.compile(r"\{([^{}]{1,100})\}")


class HostTemplate(msgspec.Struct, frozen=True, array_like=True, order=True):
    """A path template on a host, as a user decided about it. host: as in an endpoint's key; "" is every host."""

    host: str
    template: str


class DocumentPaths(msgspec.Struct, frozen=True, array_like=True):
    """The paths of one uploaded document behind one of its servers.

    host: as in an endpoint's key; "" where the document names none. base_path: the server's path without a slash at its
    end, "" at the root. operations: method in uppercase and template below the base path, as the document writes it.
    """

    host: str
    base_path: str
    operations: tuple[tuple[str, str], ...]


def read_paths(document: Mapping[str, object]) -> tuple[DocumentPaths, ...]:
    """The paths of a parsed document (OpenAPI 3.x or Swagger 2.0), once for each of its servers; none without paths."""
    operations = tuple(_operations(document))[:MOST_OPERATIONS]
    if not operations:
        return ()
    places = dict.fromkeys(_servers(document))
    return tuple(DocumentPaths(host, base_path, operations) for host, base_path in places)


def _operations(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    paths = document.get("paths")
    for template, item in paths.items() if isinstance(paths, dict) else ():
        if isinstance(template, str) and template.startswith("/") and isinstance(item, dict):
            yield from ((method.upper(), template) for method in METHODS if method in item)


def _servers(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Host and base path of each server; without servers, every host at its root (OpenAPI Object, servers)."""
    if "swagger" in document:
        yield _text(document.get("host")).lower(), _base(_text(document.get("basePath")))
        return
    servers = document.get("servers")
    known = [one for one in servers if isinstance(one, dict)][:_MOST_SERVERS] if isinstance(servers, list) else []
    for server in known:
        place = _place(_filled(_text(server.get("url")), server.get("variables")))
        if place is not None:
            yield place
    if not known:
        yield "", ""


def _filled(url: str, variables: object) -> str:
    """The address with each variable's default in its place."""
    known = variables if isinstance(variables, dict) else {}

    def default(name: re.Match[str]) -> str:
        variable = known.get(name[1])
        return _text(variable.get("default")) if isinstance(variable, dict) else name[0]

    return _VARIABLE.sub(default, url)


def _place(url: str) -> tuple[str, str] | None:
    """Host, as in an endpoint's key, and base path of an address; a relative one is at every host."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").lower()
    if "{" in host:
        host, port = "", None
    host = f"[{host}]" if ":" in host else host
    if host and port and DEFAULT_PORTS.get(parts.scheme) != port:
        host = f"{host}:{port}"
    return host, _base(parts.path)


def _base(path: str) -> str:
    stripped = path.strip("/")
    return f"/{stripped}" if stripped else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
