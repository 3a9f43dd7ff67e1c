"""The operations of an OpenAPI document (3.0, 3.1, or 2.0 put into the same shape) as drafts, one for each that it describes.

Each operation gives one request, and one more where it also takes XML. Credentials are left out: a draft says in `wants`
which security schemes its operation needs.
"""

import re
from collections.abc import Collection, Container, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec
import orjson

from gatecrash.core.errors import GatecrashError
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.notation import upper
from gatecrash.core.point import Point
from gatecrash.core.testing.addresses.versions import newer_versions
from gatecrash.core.testing.authorization.tokens.own_names import names_described
from gatecrash.core.testing.effects.wholesale import tells_to_empty_all
from gatecrash.core.testing.profiles.entrance import kind_of_name
from gatecrash.formats.capture import Malformed
from gatecrash.formats.descriptions.body_holes import holes_in
from gatecrash.formats.descriptions.document import References, as_list, as_object
from gatecrash.formats.descriptions.meant_for import METHODS, Intentions
from gatecrash.formats.descriptions.media import Body, family, written
from gatecrash.formats.descriptions.parameter import Filled, filled, in_line, in_path, in_query
from gatecrash.formats.descriptions.sample import Sampler, example_of
from gatecrash.formats.descriptions.security import places_of
from gatecrash.formats.descriptions.undescribed import entering
from gatecrash.formats.draft import (
    SECURED_ITSELF,
    SECURED_WITH_ALL,
    Draft,
    Hole,
    Server,
    names_a_thing,
    path_holes,
    query,
    request_to,
    server_of,
)

_OF_MEMBERS = frozenset({"json", "form", "multipart"})
_LIKELIEST = ("json", "form", "multipart", "xml", "text", "other")
_FOR_WHOM = re.compile(
    r"(?:x-)?(?:user|account|tenant|org(?:ani[sz]ation)?|company|workspace)-?(?:id|uuid)", re.IGNORECASE
)
_BRACED = re.compile(r"\{([^{}/]+)\}")
UNREADABLE = (ValueError, TypeError, AttributeError, RecursionError, GatecrashError)
"""What an operation that means nothing raises."""


def drafts(document: Mapping[str, Any]) -> Iterator[Draft | Malformed]:
    """A draft for every operation under `paths`, in the document's order; in its place why one cannot be written."""
    references, intentions, called = References(document), Intentions(document), _called(document)
    asked = {
        (path[: found.start()], found[1])
        for path in map(str, as_object(document.get("paths")))
        for found in _BRACED.finditer(path)
    }
    place = 0
    for path, found in as_object(document.get("paths")).items():
        if str(path).startswith("x-"):  # an extension of the document, no path
            continue
        try:
            item = _path_item(references.follow(found))
        except ValueError as error:
            place += 1
            yield Malformed(place, f"{path}: {error}")
            continue
        for method in METHODS:
            if isinstance(item.get(method), dict):
                place += 1
                try:
                    whole = _Operation(document, references, str(path), item, method, asked).drafts()
                except UNREADABLE as error:
                    yield Malformed(place, f"{method.upper()} {path}: {error}")
                    continue
                spare = _Operation(document, references, str(path), item, method, asked, needed=True)
                meant = intentions.of(str(path), {**item[method], "method": method})
                whole = whole if meant is None else [msgspec.structs.replace(one, meant=meant) for one in whole]
                if _is_about_all(item[method]):
                    whole = [
                        one if _is_given_a_value(one) else msgspec.structs.replace(one, kept=True) for one in whole
                    ]
                yield from _with_spares([msgspec.structs.replace(one, called=called) for one in whole], spare)


def _called(document: Mapping[str, Any]) -> tuple[str, ...]:
    told = as_object(document.get("info"))
    return names_described(str(told.get("title") or ""), str(told.get("description") or ""))


def _is_about_all(operation: Mapping[str, Any]) -> bool:
    """Whether an operation says of itself that it sets up anew, or empties, all there is."""
    texts = [text for text in map(operation.get, ("summary", "description")) if isinstance(text, str)]
    return tells_to_empty_all(str(operation.get("operationId") or ""), texts)


def _is_given_a_value(draft: Draft) -> bool:
    return bool(draft.request.body) or any(hole.point[0] == "path" for hole in draft.holes)


def _path_item(found: Any) -> Mapping[str, Any]:
    if found is not None and not isinstance(found, dict):
        raise ValueError("it is no object, and has no operations")
    return as_object(found)


def _with_spares(whole: list[Draft], spare: "_Operation") -> list[Draft]:
    """The drafts with what is left of each where nothing optional is in it."""
    try:
        left = spare.drafts()
    except UNREADABLE:
        return whole
    pairs = zip(whole, left, strict=True)
    return [
        one if one.request == less.request else msgspec.structs.replace(one, spare=less.request) for one, less in pairs
    ]


class _Operation:
    """One operation of a document. needed: without anything that it calls optional."""

    def __init__(
        self,
        document: Mapping[str, Any],
        references: References,
        path: str,
        item: Mapping[str, Any],
        method: str,
        asked: Collection[tuple[str, str]],
        *,
        needed: bool = False,
    ) -> None:
        """asked: the names that paths ask by, each behind what stands before it."""
        self._document = document
        self._references = references
        self._path = path if path.startswith("/") else "/" + path
        self._item = item
        self._method = method
        self._operation: dict[str, Any] = item[method]
        self._asked = asked
        self._needed = needed
        self._sampler = Sampler(references, needed=needed)

    def drafts(self) -> list[Draft]:
        """The requests. Raises ValueError with what cannot be written."""
        server = self._server()
        parameters = self._parameters()
        wants = self._wants()
        # Made whole before any is given: an operation is written or told as malformed, never both.
        bodies: list[Body | None] = [*self._bodies()] or [self._undescribed(parameters)]
        return [self._draft(server, parameters, body, wants) for body in bodies]

    def _draft(self, server: Server, parameters: list[Filled], body: Body | None, wants: tuple[str, ...]) -> Draft:
        in_paths = {one.name: one for one in parameters if one.place == "path"}
        target = _BRACED.sub(lambda found: self._segment(found[1], in_paths), self._path)
        pairs = [pair for one in parameters if one.place == "query" for pair in in_query(one)]
        headers = [(one.name, in_line(one)) for one in parameters if one.place == "header"]
        cookies = "; ".join(f"{one.name}={in_line(one)}" for one in parameters if one.place == "cookie")
        headers += [("Cookie", cookies)] if cookies else []
        headers.append(("Accept", self._accept()))
        headers += [("Content-Type", body.content_type)] if body else []
        # A question mark in the template is a query already; those who write one there mean an operation of its own.
        asked = query(pairs)
        target += asked.replace("?", "&", 1) if "?" in target else asked
        request = request_to(server, self._method.upper(), target, headers, body.data if body else b"")
        holes = (
            *path_holes(self._path, server.path, [(name, f"{{{name}}}", one.given) for name, one in in_paths.items()]),
            *_query_holes(parameters, self._asked_elsewhere(None)),
            *_header_holes(parameters),
            *(body.holes if body else ()),
        )
        places = places_of(wants, self._document, self._references)
        return Draft(
            request=request,
            drafted=True,
            operation=True,
            public=self._is_public(),
            holes=holes,
            wants=wants,
            places=places,
            secured=self._secured(),
        )

    def _segment(self, name: str, in_paths: dict[str, Filled]) -> str:
        if name not in in_paths:
            in_paths[name] = Filled(name, "path", self._sampler.value({}, name), "simple", explode=False, given=False)
        return in_path(in_paths[name])

    def _parameters(self) -> list[Filled]:
        """Those of the operation before those of its path, each once by name and place."""
        listed = (*as_list(self._operation.get("parameters")), *as_list(self._item.get("parameters")))
        once: dict[tuple[object, object], Mapping[str, Any]] = {}
        for found in listed:
            one = as_object(self._references.follow(found))
            if not self._needed or one.get("required") is True or one.get("in") == "path":
                once.setdefault((one.get("name"), one.get("in")), one)
        all_filled = (filled(one, self._sampler, self._references) for one in once.values())
        return [one for one in all_filled if one is not None]

    def _bodies(self) -> list[Body]:
        """The body in the likeliest family that the operation takes, and in XML where it takes that too."""
        content = self._content()
        by_family: dict[str, str] = {}
        for media_type in content:
            by_family.setdefault(family(media_type), media_type)
        likeliest = [by_family[kind] for kind in _LIKELIEST if kind in by_family][:1]
        chosen = dict.fromkeys([*likeliest, *([by_family["xml"]] if "xml" in by_family else [])])
        return [
            self._body(media_type, as_object(self._references.follow(content[media_type]))) for media_type in chosen
        ]

    def _content(self) -> dict[str, Any]:
        """What the body may be; documents of 3.0 that have it among the parameters, as 2.0 had, mean JSON."""
        content = as_object(as_object(self._references.follow(self._operation.get("requestBody"))).get("content"))
        listed = (as_object(self._references.follow(one)) for one in as_list(self._operation.get("parameters")))
        body = None if content else next((one for one in listed if one.get("in") == "body"), None)
        return content if body is None else {"application/json": body}

    def _body(self, media_type: str, media: Mapping[str, Any]) -> Body:
        shown = example_of(media, self._references)
        schema = media.get("schema", {})
        if not shown and not self._references.follow(schema) and family(media_type) in _OF_MEMBERS:
            value: Any = {}  # a text alone is refused before anything says what is missing
        else:
            said = self._sampler.without_placeholders(_unquoted(shown[0], media_type), schema) if shown else None
            value = said if shown else self._sampler.value(schema)
        if value == {} and not shown:
            value = entering(self._method, self._path)
        body = written(media_type, value, media, self._sampler)
        holes = holes_in(
            family(media_type),
            value,
            schema,
            self._sampler,
            shown=bool(shown),
            names=self._asked_elsewhere(value),
            things=_things(self._asked),
        )
        return msgspec.structs.replace(body, holes=tuple(holes))

    def _undescribed(self, parameters: list[Filled]) -> Body | None:
        """What lets somebody in has a body, also where nothing is said of it; none where its arguments stand in the query."""
        asked = {} if any(one.place == "query" for one in parameters) else entering(self._method, self._path)
        return written("application/json", asked, {}, self._sampler) if asked else None

    def _asked_elsewhere(self, value: Any) -> frozenset[str]:
        """What other paths ask for things by, but those of the things that are made here: `/books` makes up the title by which
        `/books/{title}` asks, and who makes an account its name.
        """
        if isinstance(value, dict) and any(kind_of_name(str(name).lower()) == "password" for name in value):
            return frozenset()
        made = {name for before, name in self._asked if before == self._path.rstrip("/") + "/"}
        return frozenset(name for _, name in self._asked) - made

    def _server(self) -> Server:
        """The first server of the operation, of its path, or of the document, its variables filled in."""
        for holder in (self._operation, self._item, self._document):
            servers = as_list(holder.get("servers"))
            if servers:
                one = as_object(servers[0])
                return server_of(_address(str(one.get("url") or ""), as_object(one.get("variables"))))
        return Server()

    def _accept(self) -> str:
        """What the described good answers are written in."""
        answers = as_object(self._operation.get("responses"))
        good = [as_object(self._references.follow(one)) for code, one in answers.items() if str(code).startswith("2")]
        types = dict.fromkeys(media for one in good for media in as_object(one.get("content")))
        return ", ".join([*types, "*/*;q=0.5"]) if types and "*/*" not in types else "*/*"

    def _wants(self) -> tuple[str, ...]:
        """The schemes of the first way to be allowed in that has any: where none is needed, who brings them may be given more."""
        return tuple(map(str, next((as_object(way) for way in self._ways() if way), {})))

    def _ways(self) -> list[Any]:
        return as_list(self._operation.get("security", self._document.get("security")))

    def _secured(self) -> str:
        """Who says that credentials are needed; nobody where they are not."""
        if not _asks(self._ways()):
            return ""
        return SECURED_ITSELF if "security" in self._operation else SECURED_WITH_ALL

    def _is_public(self) -> bool:
        """Whether it says that nothing is needed here: in so many words, or by asking for something elsewhere only.

        Who says of all operations that credentials may be left out does not say it of this one: some frameworks write so of
        whatever nobody has guarded. Who leaves them out at an old version that a newer one asks for them says nothing.
        """
        ways, said = self._ways(), "security" in self._operation or self._document.get("security")
        if _asks(ways):
            return False
        if said and not self._wants():
            return True
        own = self._path.encode("utf-8", "replace")
        newer = {_unnamed(each.decode("utf-8", "replace")) for each in newer_versions(own)}
        asking = self._asking_for_credentials()
        # Nobody meant the old version to give away what the newer one keeps.
        if newer and any(method == self._method and _unnamed(path) in newer for path, method in asking):
            return False
        return any(True for _ in self._asking_for_credentials())

    def _asking_for_credentials(self) -> Iterator[tuple[str, str]]:
        """The path and the method of each operation of the document that does."""
        with_all = self._document.get("security")
        for path, item in as_object(self._document.get("paths")).items():
            described = as_object(item)
            for method in METHODS:
                ways = as_object(described.get(method)).get("security", with_all)
                if method in described and _asks(as_list(ways)):
                    yield path, method


def _unnamed(path: str) -> str:
    """A path whose places are called nothing, as versions call them differently."""
    return _BRACED.sub("{}", path)


def _asks(ways: list[Any]) -> bool:
    """Whether none of the ways to be allowed in is to bring nothing."""
    return bool(ways) and all(ways)


def _things(asked: Collection[tuple[str, str]]) -> frozenset[str]:
    """What paths ask for one of, in the singular: `booking` of `/bookings/{id}`."""
    return frozenset(singular(before.rstrip("/").rpartition("/")[2].lower()) for before, _ in asked)


def _unquoted(shown: Any, media_type: str) -> Any:
    """A JSON example that somebody wrote as a text, as what it says."""
    if isinstance(shown, str) and family(media_type) == "json" and shown.lstrip()[:1] in ("{", "["):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(shown)
    return shown


def _query_holes(parameters: list[Filled], names: Container[str]) -> Iterator[Hole]:
    """What a query asks by. names: those by which paths ask for things, so that they name one here, too."""

    def loose(name: str) -> bool:
        return not names_a_thing(name) and name not in names

    for one in parameters:
        if one.place == "query" and not isinstance(one.value, dict | list):
            yield Hole(one.name, Point(("get", one.name)), one.given, loose=loose(one.name))
        elif one.place == "query" and isinstance(one.value, dict) and one.explode and one.style == "form":
            # As Spring describes `?page=&size=&sort=`: one parameter whose members stand in the query.
            for name in map(str, one.value):
                yield Hole(name, Point(("get", name)), one.given, loose=loose(name))


def _header_holes(parameters: list[Filled]) -> Iterator[Hole]:
    """Headers that say for whom or for which tenant something is asked: a made-up one is refused."""
    for one in parameters:
        if one.place == "header" and _FOR_WHOM.fullmatch(one.name):
            yield Hole(one.name, Point(("header", upper(one.name))), one.given)


def _address(url: str, variables: Mapping[str, Any]) -> str:
    return _BRACED.sub(lambda found: _variable(variables, found[1]), url)


def _variable(variables: Mapping[str, Any], name: str) -> str:
    """The default of a server's variable (required there by OpenAPI 3.1 section 4.8.6)."""
    default = as_object(variables.get(name)).get("default")
    if default is None:
        raise ValueError(f"the server's variable {name} has no default")
    return str(default)
