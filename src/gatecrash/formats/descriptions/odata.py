"""What an OData service says of itself at `$metadata` (CSDL in XML, OData 2 to 4): its sets, what is in them, and its functions.

Of each set the whole is asked, and again filtered and sorted by a text or a number; one of its things by its key; a new
thing is posted and one is changed, unless the document says that none may be. Functions and actions that stand by themselves
are called once. What a key names is learned from the sets. Nothing is deleted: the document does not say what may be.

The document does not say where it is; what was fetched has that written into it as `xml:base`.

Known misses: functions of one thing or of a set, complex types and collections in what is sent, `$expand` and `$batch`, and JSON.
References: OData 4.01 part 2 (URL conventions), sections 4.3 and 5.1; CSDL XML 4.01, sections 4 to 13; XML Base.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import quoteattr

import orjson

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import walk
from gatecrash.core.words.names import plain
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.sample_text import FORMATS, ROWS, text_for
from gatecrash.formats.descriptions.xml_tree import Node, tree
from gatecrash.formats.draft import MOST_BYTES, Draft, Hole, Server, request_to, server_of

WHAT = "OData document"
BEGINS = re.compile(rb"\A(?:<\?.*?\?>|<!--.*?-->|\s++)*+<(?:[\w.-]+:)?Edmx\s", re.DOTALL)
"""How such a document begins."""

_MOST_PROPERTIES, _MOST_BASES = 100, 8
_WHOLE = frozenset({"Byte", "SByte", "Int16", "Int32", "Int64"})
_FRACTIONS = frozenset({"Decimal", "Double", "Single"})
_DATES = {"Date": "date", "DateTime": "date-time", "DateTimeOffset": "date-time", "TimeOfDay": "time", "Time": "time"}
_NEVER = ("creatable", "updatable")


def with_base(document: bytes, url: str) -> bytes:
    """The document with the address of the service that tells it."""
    parts = urlsplit(url)
    place = f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}/"
    found = BEGINS.match(document)
    if found is None or b"xml:base" in document[: document.find(b">", found.end())]:
        return document
    return document[: found.end()] + f"xml:base={quoteattr(place)} ".encode() + document[found.end() :]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """What the service offers as drafts. Raises UnreadableCapture where the document is none."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The {WHAT} is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    top = tree(data, WHAT)
    if top.name != "Edmx":
        raise UnreadableCapture(f"The {WHAT} begins with {top.name!r} instead of `Edmx`.")
    try:
        server = server_of(top.attributes.get("base", ""))
    except ValueError as error:
        raise UnreadableCapture(f"The {WHAT} says wrongly where it is: {error}.") from error
    service = _Service(top, server)
    for number, container in enumerate(service.containers, 1):
        for each in container.children:
            try:
                yield from service.drafts(each)
            except (ValueError, KeyError, GatecrashError) as error:
                yield Malformed(number, f"{each.name} {each.told('Name')}: {error}")


class _Service:
    """A document's types by their names."""

    def __init__(self, top: Node, server: Server) -> None:
        schemas = [schema for services in top.all("DataServices") for schema in services.all("Schema")]
        self._server = server
        self._types = {each.told("Name"): each for schema in schemas for each in schema.all("EntityType")}
        self._listed = {each.told("Name"): each for schema in schemas for each in schema.all("EnumType")}
        self._functions = {
            each.told("Name"): each
            for schema in schemas
            for each in reversed(schema.all("Function", "Action"))
            if each.told("IsBound") != "true"
        }
        self.containers = [each for schema in schemas for each in schema.all("EntityContainer")]

    def drafts(self, offered: Node) -> Iterator[Draft]:
        """The requests for what a container offers."""
        name = quote(offered.told("Name"))
        if offered.name == "EntitySet":
            yield from self._of_set(offered, name)
        elif offered.name == "Singleton":
            yield self._draft("GET", name)
        elif offered.name == "FunctionImport" and _called(offered, "Function"):
            given = self._arguments(self._functions[_called(offered, "Function")])
            said = ",".join(f"{name}={self._literal(kind, value)}" for name, kind, value in given)
            yield self._draft("GET", f"{name}({said})")
        elif offered.name == "FunctionImport":
            given = self._arguments(offered)
            asked = "&".join(f"{name}={self._literal(kind, value)}" for name, kind, value in given)
            yield self._draft(offered.told("HttpMethod") or "GET", f"{name}?{asked}" if asked else name)
        elif offered.name == "ActionImport":
            given = self._arguments(self._functions[_called(offered, "Action")])
            yield self._draft("POST", name, {name: value for name, _, value in given})

    def _of_set(self, offered: Node, name: str) -> Iterator[Draft]:
        kind = self._types[_called(offered, "EntityType")]
        properties = self._properties(kind)
        keys = [each for each in properties if each.told("Name") in self._keys(kind)]
        yield self._draft("GET", name)
        if asked := self._asked(properties, keys):
            yield self._draft("GET", f"{name}?{asked}")
        one = self._one(name, keys)
        if one:
            yield self._draft("GET", one, thing=kind.told("Name"))
        may = {word: offered.told(word) != "false" for word in _NEVER}
        body = {each.told("Name"): self._value(each) for each in properties if each not in keys and self._is_sent(each)}
        made = {each.told("Name"): self._value(each) for each in keys if _called(each, "Type") not in _WHOLE}
        if may["creatable"] and body:
            yield self._draft("POST", name, {**made, **body})
        if may["updatable"] and body and one:
            yield self._draft("PATCH", one, body, thing=kind.told("Name"))

    def _asked(self, properties: list[Node], keys: list[Node]) -> str:
        """A question for nearly all of a set, so that something is there to be compared, filtered and sorted by a text, else by a
        number that is no key; empty where there is neither.
        """
        texts = [each.told("Name") for each in properties if _called(each, "Type") == "String"]
        numbers = [each.told("Name") for each in properties if _called(each, "Type") in _WHOLE and each not in keys]
        if not texts and not numbers:
            return ""
        by = (texts or numbers)[0]
        wanted = f"{by} ne '{text_for({}, by)}'" if texts else f"{by} ne -1"
        return f"$filter={quote(wanted, safe='')}&$orderby={quote(by)}&$top={ROWS}"

    def _one(self, name: str, keys: list[Node]) -> str:
        """The address of one thing; empty where it has no key."""
        written = [(each.told("Name"), self._literal(_called(each, "Type"), self._value(each))) for each in keys]
        if len(written) == 1:
            return f"{name}({written[0][1]})"
        return f"{name}({','.join(f'{name}={value}' for name, value in written)})" if written else ""

    def _draft(self, method: str, target: str, body: dict[str, object] | None = None, thing: str = "") -> Draft:
        sent = b"" if body is None else orjson.dumps(body)
        headers = [("Accept", "application/json"), *([("Content-Type", "application/json")] if sent else [])]
        request = request_to(self._server, method, "/" + target, headers, sent)
        return Draft(request=request, drafted=True, operation=True, holes=tuple(_holes(request, thing)), thing=thing)

    def _bases(self, kind: Node) -> list[Node]:
        """The type and those that it is made from, the first of all first."""
        found = [kind]
        while (above := self._types.get(_called(found[0], "BaseType"))) is not None and len(found) < _MOST_BASES:
            found.insert(0, above)
        return found

    def _properties(self, kind: Node) -> list[Node]:
        return [each for one in self._bases(kind) for each in one.all("Property")][:_MOST_PROPERTIES]

    def _keys(self, kind: Node) -> set[str]:
        return {
            each.told("Name") for one in self._bases(kind) for key in one.all("Key") for each in key.all("PropertyRef")
        }

    def _is_sent(self, each: Node) -> bool:
        """Whether a property is one plain value."""
        whole = each.attributes.get("Type", "")
        return whole.startswith("Edm.") or _called(each, "Type") in self._listed

    def _arguments(self, called: Node) -> list[tuple[str, str, object]]:
        """Of each argument of a function its name, its type and a value."""
        return [(each.told("Name"), _called(each, "Type"), self._value(each)) for each in called.all("Parameter")]

    def _value(self, each: Node) -> object:
        kind = _called(each, "Type")
        if kind in _WHOLE:
            return 1
        if kind in _FRACTIONS:
            return 1.5
        if kind == "Boolean":
            return True
        if kind == "Guid":
            return FORMATS["uuid"]
        if kind in _DATES:
            return FORMATS[_DATES[kind]]
        members = self._listed[kind].all("Member") if kind in self._listed else []
        return members[0].told("Name") if members else text_for({}, each.told("Name"))

    def _literal(self, kind: str, value: object) -> str:
        """A value as it stands in an address (OData 4.01 part 2, section 5.1.1.14.1), percent-encoded."""
        if isinstance(value, bool):
            return str(value).lower()
        quoted = isinstance(value, str) and kind not in ("Guid", *_DATES)
        text = str(value).replace("'", "''")
        return quote(f"'{text}'" if quoted else text, safe="'")


def _called(node: Node, name: str) -> str:
    """What an attribute names, without its namespace."""
    return node.told(name).rpartition(".")[2]


def _holes(request: Request, thing: str) -> Iterator[Hole]:
    """The keys of one thing, by what it is called."""
    for one in walk(request).points if thing else ():
        if one.point[0] == "path" and one.point[2:3] == ("key",):
            name = one.point[3] if len(one.point) > 3 else "id"
            about = name if plain(name).startswith(plain(thing)) else thing + name
            yield Hole(about, one.point, counted=one.value.isdigit())
