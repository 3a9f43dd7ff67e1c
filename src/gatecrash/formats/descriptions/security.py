"""Where the security schemes of a document put their credentials (OpenAPI 3.1 section 4.8.27, Swagger 2.0's security
definitions).
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from gatecrash.core.notation import upper
from gatecrash.core.point import Point
from gatecrash.formats.descriptions.document import References, as_object
from gatecrash.formats.draft import Credential

AUTHORIZATION = Point(("header", "AUTHORIZATION"))
# How documents say it, as OpenAPI has no member for a key's prefix: `"Token <key>"`, `prefix "Bearer"`.
_PREFIX = re.compile(r"\b(Bearer|Token|JWT|ApiKey)\b")


def places_of(names: Iterable[str], document: Mapping[str, Any], references: References) -> tuple[Credential, ...]:
    """The places of these schemes' credentials; one that the document does not define has none."""
    schemes = as_object(as_object(document.get("components")).get("securitySchemes"))
    schemes = {**as_object(document.get("securityDefinitions")), **schemes}
    found: list[Credential | None] = []
    for name in names:
        with suppress(ValueError):  # a reference that leads nowhere defines nothing
            found.append(_place(as_object(references.follow(schemes.get(name)))))
    return tuple(one for one in found if one is not None)


def _place(scheme: Mapping[str, Any]) -> Credential | None:
    kind, name = scheme.get("type"), str(scheme.get("name") or "")
    if kind == "basic" or (kind == "http" and str(scheme.get("scheme")).lower() == "basic"):
        return Credential("basic", AUTHORIZATION, "Basic ")
    if kind in ("oauth2", "openIdConnect") or (kind == "http" and str(scheme.get("scheme")).lower() == "bearer"):
        return Credential("bearer", AUTHORIZATION, "Bearer ")
    if kind != "apiKey" or not name:
        return None
    if scheme.get("in") == "header":
        return _of_header(name, str(scheme.get("description") or ""))
    points = {"query": Point(("get", name)), "cookie": Point(("header", "COOKIE", "cookie", name))}
    point = points.get(str(scheme.get("in")))
    return None if point is None else Credential("api_key", point)


def _of_header(name: str, description: str) -> Credential:
    """A key in a header; in Authorization it is commonly a token behind a word that only the description names."""
    point = Point(("header", upper(name)))
    if point != AUTHORIZATION:
        return Credential("api_key", point)
    told = _PREFIX.search(description)
    return Credential("bearer", point, f"{told[1]} " if told else "Bearer ", guessed=told is None)
