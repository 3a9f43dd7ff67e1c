"""The inventory as an OpenAPI 3.1 document: each observed endpoint an operation, with the security that was seen on it.

    securitySchemes   one for each type at a place that was valid anywhere
    security          of an operation: the schemes seen there as alternatives, and {} beside them where some requests came
                      without: Consistent has no {}, Partial has it, Missing has it alone
    x-gatecrash       what OpenAPI has no word for: status, coverage, types, requests, sights

OpenAPI knows http, apiKey, oauth2, openIdConnect and mutualTLS (OpenAPI 3.1.0, Security Scheme Object). Basic, Bearer,
Digest, Hawk, Negotiate, NTLM and SCRAM are http schemes by their name in Authorization; keys, cookies and signatures are
apiKey where their place is a header, a cookie or the query; a credential in a body has no place there and stands in
x-gatecrash alone. Several protocols' operations on one path and method share one operation, named in x-gatecrash.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

Document = dict[str, Any]

METHODS = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"})
_HTTP = {
    "basic": "basic",
    "bearer": "bearer",
    "digest": "digest",
    "hawk": "hawk",
    "negotiate": "negotiate",
    "ntlm": "ntlm",
    "scram": "scram-sha-256",
}
_IN = {"header": "header", "cookie": "cookie", "query": "query"}
_PARAMETER = re.compile(r"\{([^{}/]+)\}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]")


def document(endpoints: Iterable[Mapping[str, Any]], title: str = "Observed endpoints") -> Document:
    """The document. endpoints: as the API shows them. Endpoints of other methods than OpenAPI knows are left out."""
    paths: dict[str, Document] = {}
    schemes: dict[str, Document] = {}
    hosts: set[str] = set()
    for one in endpoints:
        if one["method"] not in METHODS:
            continue
        hosts.add(one["host"])
        item = paths.setdefault(one["path"], {})
        name = one["method"].lower()
        seen = _operation(one, schemes)
        item[name] = _joined(item[name], seen) if name in item else seen
    for path, item in paths.items():
        parameters = _parameters(path)
        if parameters:
            item["parameters"] = parameters
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1", "description": "Made from observed traffic of the last 7 days."},
        "servers": [{"url": f"//{host}"} for host in sorted(hosts)],
        "paths": dict(sorted(paths.items())),
        "components": {"securitySchemes": dict(sorted(schemes.items()))},
    }


def _operation(one: Mapping[str, Any], schemes: dict[str, Document]) -> Document:
    names: list[str] = []
    for item in one["parameters"]:
        scheme = _scheme(item) if item["valid"] else None
        if scheme is not None:
            name = _name(item)
            schemes[name] = scheme
            names.append(name)
    security: list[Document] = [{name: []} for name in dict.fromkeys(names)]
    if one["status"] != "consistent" or not security:
        security.append({})
    answers = {code.upper(): {"description": f"{count} answers"} for code, count in one["statuses"].items() if count}
    return {
        "servers": [{"url": f"//{one['host']}"}],
        "security": security,
        "responses": answers or {"default": {"description": "no answer was seen"}},
        "x-gatecrash": [_seen(one)],
    }


def _joined(known: Document, other: Document) -> Document:
    """Two endpoints that OpenAPI takes for one operation: other hosts, or operations within a path."""
    every = (*known["security"], *other["security"])
    return {
        "servers": _once((*known["servers"], *other["servers"])),
        "security": _once((*(one for one in every if one), *(one for one in every if not one))),
        "responses": {**known["responses"], **other["responses"]},
        "x-gatecrash": [*known["x-gatecrash"], *other["x-gatecrash"]],
    }


def _seen(one: Mapping[str, Any]) -> Document:
    names = (
        "id",
        "protocol",
        "host",
        "operation",
        "status",
        "coverage",
        "types",
        "requests",
        "authenticated",
        "refused",
    )
    more = ("first_seen", "last_seen", "document", "public")
    return {**{name: one[name] for name in (*names, *more)}, "parameters": [_place(item) for item in one["parameters"]]}


def _place(item: Mapping[str, Any]) -> Document:
    return {name: item[name] for name in ("type", "coverage", "point", "seen", "valid")}


def _scheme(item: Mapping[str, Any]) -> Document | None:
    """The security scheme of a parameter; None for a place that OpenAPI has no word for."""
    if item["context"] == "header" and item["key"] == "AUTHORIZATION" and item["type"] in _HTTP:
        return {"type": "http", "scheme": _HTTP[item["type"]]}
    place = _IN.get(item["context"])
    if place is None:
        return None
    described = {"description": f"type: {item['type']}"}
    return {"type": "apiKey", "in": place, "name": item["key"], **described}


def _name(item: Mapping[str, Any]) -> str:
    """A scheme's name: letters, digits, dots, dashes and underscores only (OpenAPI 3.1.0, Components Object)."""
    if item["context"] == "header" and item["key"] == "AUTHORIZATION" and item["type"] in _HTTP:
        return str(item["type"])
    return _NOT_IN_NAMES.sub(lambda match: f".{ord(match[0]):x}.", f"{item['type']}_{item['context']}_{item['key']}")


def _parameters(path: str) -> list[Document]:
    names = dict.fromkeys(_PARAMETER.findall(path))
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _once(items: Iterable[Document]) -> list[Document]:
    kept: list[Document] = []
    for one in items:
        if one not in kept:
            kept.append(one)
    return kept
