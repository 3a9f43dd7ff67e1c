"""What an object is called by the link to itself, where it has no identifier among its members.

Hypermedia leaves them out: HAL (draft-kelly-json-hal, `_links.self.href`, as Spring Data REST writes by default), lists of links
(`{"rel": "self", "href": …}`, RFC 8288 in JSON) and JSON-LD (`@id`).
"""

import re
from collections.abc import Mapping
from typing import Final

from gatecrash.core.points.percent import unquote

_IDENTIFIERS: Final = frozenset({"id", "_id", "uuid", "guid", "uid"})
# What a document holds; its link is to itself (HAL section 4.1.2, JSON:API section 7.1).
_HOLDING: Final = frozenset({"_embedded", "data"})
# A word alone is a list, or the caller himself (`/orders`, `/me`); a version is neither.
_ONE_OF_MANY: Final = re.compile(r"(?!v\d++$)[A-Za-z_.~-]*+\d[\w.~-]*+", re.ASCII)
# Behind the address: a question, a place in the page, or what may be asked there (RFC 6570).
_BEHIND: Final = re.compile(r"[?#{].*", re.DOTALL)


def identifier_by_link(members: Mapping[str, object]) -> str:
    """The end of the address that an object gives as its own; empty where it has an identifier, or gives none."""
    if any(name in _IDENTIFIERS or name in _HOLDING for name in members):
        return ""
    address = _own_address(members)
    last = unquote(_BEHIND.sub("", address).rstrip("/").rpartition("/")[2].encode()).decode("utf-8", "replace")
    return last if "/" in address and _ONE_OF_MANY.fullmatch(last) else ""


def _own_address(members: Mapping[str, object]) -> str:
    for links in (members.get("_links"), members.get("links")):
        if isinstance(links, dict):
            link = links.get("self")
        else:
            every = links if isinstance(links, list) else ()
            link = next((each for each in every if isinstance(each, dict) and each.get("rel") == "self"), None)
        found = link.get("href") if isinstance(link, dict) else link
        if isinstance(found, str):
            return found
    named = members.get("@id")
    return named if isinstance(named, str) else ""
