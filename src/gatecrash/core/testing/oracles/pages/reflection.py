"""Reflection: in which context an answer shows what was sent, and whether a browser would run it there.

`places` finds a marker; `runs` judges a payload by dividing the answer as a browser would: a call of a fresh name must
stand where scripts stand. What a payload looks like is never asked, so escaped echoes are cleared by construction.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.content_policy import forbids_data, forbids_scripts
from gatecrash.core.testing.oracles.pages.markup import COMMENT, RAW, START, Attribute, Token, tokens
from gatecrash.core.testing.oracles.scripts.script import calls, kind_at

TEXT, ATTRIBUTE, URL, HANDLER, SCRIPT, RAW_TEXT, COMMENTED, TAG = (
    "text",
    "attribute",
    "url",
    "handler",
    "script",
    "raw",
    "comment",
    "tag",
)
JSON, PLAIN, HEADER = "json", "plain", "header"

# Rendered as well, and read strictly: what is not well-formed is an error message, and runs nothing (XML 1.0, section 1.2).
_XML = frozenset({"application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml"})
_RENDERED = frozenset({"text/html"}) | _XML
IN_XML = "xml"
_RUNNING = frozenset({"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})
# WHATWG MIME Sniffing, section 4.3 and 7.1: types that are none, and beginnings that make such an answer HTML.
_NO_TYPE = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_BEGINS_AS_HTML = re.compile(
    r"\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s>]", re.IGNORECASE
)
# HTML, section 4.12.1: a script whose type is another is data.
_SCRIPT_TYPES = frozenset(
    {"", "module", "text/javascript", "application/javascript", "text/ecmascript", "text/jscript"}
)
# Where a browser goes to a javascript: address; images and style sheets do not.
_NAVIGATED = frozenset(
    {
        ("a", "href"),
        ("area", "href"),
        ("a", "xlink:href"),
        ("form", "action"),
        ("button", "formaction"),
        ("input", "formaction"),
        ("iframe", "src"),
        ("frame", "src"),
        ("object", "data"),
        ("embed", "src"),
    }
)
SOURCE = "source"
"""The name of the place that a script is loaded from: what stands there whole is run, whoever serves it."""
_AS_SOURCE = "as the source of an element script"
# RFC 2397; browsers run such a source as any other (Fetch, section 4.2).
_DATA = re.compile(r"data:(?:text|application)/(?:javascript|ecmascript)(?:;charset=[\w-]{1,20})?,", re.IGNORECASE)
# WHATWG URL, section 4.4: stripped from the beginning, and from anywhere.
_STRIPPED = re.compile(r"^[\x00-\x20]+|[\t\n\r]+")
_SCHEME = re.compile(r"javascript:", re.IGNORECASE)
_LONGEST = 2_000_000
_DECLARED = re.compile(r"^\s*<\?xml[^>]*\?>")


class Place(NamedTuple):
    """A context. kind: one of the words above. quote: of an attribute. name: of the raw element, state in a script, IN_XML or SOURCE."""

    kind: str
    quote: str = ""
    name: str = ""


def renders(response: Response) -> bool:
    """Whether a browser that is sent here would read the answer as a page and run its scripts."""
    if (response.first(b"Content-Disposition") or b"").strip().lower().startswith(b"attachment"):
        return False
    if response.status in (204, 205, 304) or (300 <= response.status < 400 and response.first(b"Location")):
        return False
    kind = media_type(response)
    if kind in _NO_TYPE:
        nosniff = b"nosniff" in (response.first(b"X-Content-Type-Options") or b"").lower()
        return not nosniff and _BEGINS_AS_HTML.match(text_of(response)[:1445]) is not None
    return kind in _RENDERED


def is_xml(response: Response) -> bool:
    """Whether a browser reads the answer by the rules of XML."""
    return media_type(response) in _XML


class _Strict:
    """A text read by the rules of XML. well_formed: to its end; one that declares entities is not read at all.

    run: how the first element that a browser runs would run the call of this name; empty where none would.
    """

    def __init__(self, text: str, name: str = "") -> None:
        """Read it."""
        self.run = ""
        self._name = name
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.EntityDeclHandler = _refuse
        parser.StartElementHandler = self._begin
        try:
            # What is declared of the encoding is true of the bytes, and this is text already.
            parser.Parse(_DECLARED.sub("", text, count=1).strip(), True)
            self.well_formed = True
        except (expat.ExpatError, _Declared, UnicodeEncodeError):
            self.well_formed = False

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, element = tag.rpartition(" ")
        if not self._name or self.run or namespace not in _RUNNING:
            return
        given = [Attribute(each.rpartition(" ")[2], value, '"', 0, 0) for each, value in attributes.items()]
        self.run = _run_by_attributes(element, given, self._name) or ""


class _Declared(Exception):
    """An entity is declared; how large it grows is nothing to find out."""


def _refuse(*_: object) -> None:
    raise _Declared


def places(response: Response, mark: str) -> tuple[Place, ...]:
    """The contexts in which an answer shows a marker, each once, in order."""
    found: dict[Place, None] = {}
    if any(mark.encode() in value.lower() for _, value in response.headers):
        found[Place(HEADER)] = None
    text = text_of(response)[:_LONGEST]
    at = text.lower().find(mark) if mark else -1
    if at >= 0 and not renders(response):
        found[Place(JSON if "json" in media_type(response) else PLAIN)] = None
    elif at >= 0:
        within = IN_XML if is_xml(response) else ""
        for token in tokens(text):
            if mark in text[token.begin : token.end].lower():
                seen = _in_token(text, token, mark)
                # No element of XML is raw: what stands in a title there is read as anywhere.
                plain = (TEXT, RAW_TEXT) if within else (TEXT,)
                found.update(dict.fromkeys(Place(TEXT, name=within) if each.kind in plain else each for each in seen))
    return tuple(found)


def runs(response: Response, name: str) -> str | None:
    """How a browser would run the call of this name, in a few words; None where it would not."""
    if not renders(response):
        return None
    text = text_of(response)[:_LONGEST]
    if name not in text.lower() or forbids_scripts(response):
        return None
    strict = _Strict(text, name) if is_xml(response) else None
    if strict is not None and (strict.run or not strict.well_formed):
        return strict.run if strict.well_formed else None
    for token in tokens(text):
        # A start tag of XML was read above, with the namespace that it is of.
        how = None if strict is not None and token.kind == START else _run_by(text, token, name)
        if how and not (how == _AS_SOURCE and forbids_data(response)):
            return how
    return None


def _framed(element: str, attributes: Iterable[Attribute]) -> str | None:
    """The document that a frame holds in its own attribute and whose scripts run; None where there is none."""
    given = {each.name: each.value for each in attributes} if element == "iframe" else {}
    held_back = "sandbox" in given and "allow-scripts" not in given["sandbox"].lower()
    return None if held_back else given.get("srcdoc")


def _in_token(text: str, token: Token, mark: str) -> list[Place]:
    piece = text[token.begin : token.end].lower()
    if token.kind == COMMENT:
        return [Place(COMMENTED)]
    if token.kind == RAW:
        if token.name == "script" and _is_script(token):
            code = text[token.begin : token.end]
            return [Place(SCRIPT, name=kind_at(code, found.start())) for found in re.finditer(re.escape(mark), piece)]
        return [Place(RAW_TEXT, name=token.name)]
    if token.kind == START:
        within = [each for each in token.attributes if mark in text[each.begin : each.end].lower()]
        framed = (_framed(token.name, token.attributes) or "")[:_LONGEST]
        inner = [
            place
            for each in tokens(framed)
            if mark in framed[each.begin : each.end].lower()
            for place in _in_token(framed, each, mark)
        ]
        return [*inner, *(_in_attribute(token.name, each, mark) for each in within)] or [Place(TAG)]
    return [Place(TEXT)]


def _in_attribute(element: str, attribute: Attribute, mark: str) -> Place:
    value = attribute.value.lower()
    if attribute.name.startswith("on"):
        return Place(HANDLER, attribute.quote, kind_at(attribute.value, value.find(mark)))
    if (element, attribute.name) in _NAVIGATED:
        code = _code_of(value)
        return (
            Place(HANDLER, attribute.quote, kind_at(code, code.find(mark)))
            if code and mark in code
            else Place(URL, attribute.quote)
        )
    return Place(ATTRIBUTE, attribute.quote, SOURCE if (element, attribute.name) == ("script", "src") else "")


def _code_of(address: str) -> str | None:
    """What an address runs as a script, its escapes undone (HTML, the javascript: URL special case); None where it runs nothing."""
    stripped = _STRIPPED.sub("", address)
    scheme = _SCHEME.match(stripped)
    return unquote(stripped[scheme.end() :]) if scheme else None


def _run_by(text: str, token: Token, name: str) -> str | None:
    if token.kind == RAW and token.name == "script" and _is_script(token):
        return "in a script" if calls(text[token.begin : token.end], name) else None
    return _run_by_attributes(token.name, token.attributes, name) if token.kind == START else None


def _run_by_attributes(element: str, attributes: Iterable[Attribute], name: str) -> str | None:
    given = tuple(attributes)
    for attribute in given:
        if attribute.name.startswith("on") and len(attribute.name) > 2 and calls(attribute.value, name):
            return f"in {attribute.name} of an element {element}"
        if (element, attribute.name) in _NAVIGATED and calls(_code_of(attribute.value) or "", name):
            return f"as the address in {attribute.name} of an element {element}"
        if (element, attribute.name) == ("script", "src") and _loads_call(given, attribute.value, name):
            return _AS_SOURCE
    framed = (_framed(element, given) or "")[:_LONGEST]
    how = next((how for token in tokens(framed) if (how := _run_by(framed, token, name))), None)
    return f"{how}, in the document of a frame" if how else None


def _loads_call(attributes: Iterable[Attribute], source: str, name: str) -> bool:
    """Whether the source of a script is the script itself, and that calls this name."""
    stripped = _STRIPPED.sub("", source)
    data = _DATA.match(stripped)
    return data is not None and _is_type_of_scripts(attributes) and calls(unquote(stripped[data.end() :]), name)


def _is_script(token: Token) -> bool:
    return _is_type_of_scripts(token.attributes)


def _is_type_of_scripts(attributes: Iterable[Attribute]) -> bool:
    kind = next((each.value for each in attributes if each.name == "type"), "")
    return kind.partition(";")[0].strip().lower() in _SCRIPT_TYPES
