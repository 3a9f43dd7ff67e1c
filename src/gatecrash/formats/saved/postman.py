"""Postman collections 2.0 and 2.1: each saved request becomes one that can be sent.

Folders are walked; variables come from the collection, the innermost folder first. Where one has no value, in the
address's host the user's target is needed; in a path, a query or as a whole value of a body it is a hole; elsewhere a made-up
value stands for it. Parameters that are switched off in the query of a request that only reads are what it calls optional.
Authorization is taken over where it is a bearer token, Basic or an API key with a value, and otherwise named in `wants`.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange
from gatecrash.core.methods import SAFE
from gatecrash.core.point import Point
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.callers import with_callers
from gatecrash.formats.descriptions.document import as_list, as_object, load
from gatecrash.formats.descriptions.media import Part, multipart_body, type_of
from gatecrash.formats.descriptions.sample_text import FORMATS, text_for
from gatecrash.formats.draft import Draft, Hole, Server, names_a_thing, path_holes, request_to, server_of
from gatecrash.formats.saved.postman_public import brings_by_hand, says_for_all
from gatecrash.formats.saved.postman_scripts import taught_by
from gatecrash.formats.saved.postman_words import Purposes
from gatecrash.formats.saved.variable_holes import as_listed, by_name, form_holes, json_holes, query_holes

WHAT = "Postman collection"
DEEPEST = 50
_VARIABLE = re.compile(r"\{\{\s*+([^{}\s](?:[^{}]*[^{}\s])?)\s*+\}\}")
_SEGMENT = re.compile(r"(?<=/):([A-Za-z_][\w-]*)")
# Postman makes a new value each time; the same one each time keeps runs comparable.
_DYNAMIC = {
    "$guid": FORMATS["uuid"],
    "$randomUUID": FORMATS["uuid"],
    "$timestamp": "1767225600",
    "$isoTimestamp": FORMATS["date-time"],
    "$randomInt": "1",
    "$randomEmail": FORMATS["email"],
}
_LANGUAGES = {"json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain"}

Scope = Mapping[str, str]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The collection's requests as drafts, in its order. Raises UnreadableCapture where it is none."""
    document = load(stream, WHAT)
    # An export by Postman's API is wrapped once more.
    collection = as_object(document.get("collection")) or document
    if not isinstance(collection.get("item"), list):
        raise UnreadableCapture(f"The {WHAT} has no `item` list. Export it as a collection of version 2.1.")
    requests = list(_requests(collection, {}, None, ()))
    some_sign_in = any(_Item(item, scope, auth).signs_in for item, scope, auth, _ in requests)
    by_hand = any(brings_by_hand(item) for item, _, _, _ in requests)
    purposes = Purposes((item, names[:-1]) for item, _, _, names in requests)
    for place, (item, scope, auth, names) in enumerate(requests, 1):
        try:
            draft = saved(item, scope, auth)
            written = by_hand and not _Item(item, scope, auth).signs_in and not brings_by_hand(item)
            if written or (some_sign_in and says_for_all(draft, auth, item)):
                yield msgspec.structs.replace(draft, public=True)
            elif draft.wants:  # what brings credentials of its own may be sent by those who are meant
                path, method = draft.request.path.decode("latin-1"), draft.request.method
                yield msgspec.structs.replace(draft, meant=purposes.of(item, names[:-1], path, method))
            else:
                yield draft
        except (ValueError, TypeError, AttributeError, GatecrashError) as error:
            yield Malformed(place, f"{' / '.join(names)}: {error}")


def saved(item: Mapping[str, Any], scope: Scope, auth: Any) -> Draft:
    """One saved request with the variables and the authorization that hold for it. Raises ValueError with what cannot be read."""
    return msgspec.structs.replace(with_callers(_Item(item, scope, auth).draft()), taught=taught_by(item))


def _requests(
    holder: Mapping[str, Any], scope: Scope, auth: Any, names: tuple[str, ...]
) -> Iterator[tuple[Mapping[str, Any], Scope, Any, tuple[str, ...]]]:
    """Every saved request with the variables and the authorization that hold for it."""
    if len(names) > DEEPEST:
        raise UnreadableCapture(f"The {WHAT} has folders more than {DEEPEST} deep.")
    scope = {**scope, **_variables(holder.get("variable"))}
    auth = holder.get("auth") or auth
    for item in as_list(holder.get("item")):
        if not isinstance(item, dict):
            continue
        named = (*names, str(item.get("name") or "request"))
        if "request" in item:
            yield item, {**scope, **_variables(item.get("variable"))}, auth, named
        else:
            yield from _requests(item, scope, auth, named)


def _variables(listed: object) -> dict[str, str]:
    """Variables that are on and have a value."""
    found: dict[str, str] = {}
    for one in as_list(listed):
        one = as_object(one)
        name, value = one.get("key", one.get("id")), one.get("value")
        if name and value not in (None, "") and one.get("disabled") is not True:
            found[str(name)] = _text(value)
    return found


def _text(value: object) -> str:
    """A value as Postman writes it into a request."""
    return json.dumps(value) if isinstance(value, bool | dict | list) else str(value)


class _Item:
    """One saved request."""

    def __init__(self, item: Mapping[str, Any], scope: Scope, auth: Any) -> None:
        request = item["request"]
        self._request: Mapping[str, Any] = {"url": request} if isinstance(request, str) else as_object(request)
        self._scope = scope
        self._auth = as_object(self._request.get("auth") or auth)
        self._wants: list[str] = []

    @property
    def signs_in(self) -> bool:
        """Whether it is sent with an authorization."""
        return str(self._auth.get("type") or "noauth") != "noauth"

    def draft(self) -> Draft:
        """The request. Raises ValueError with what cannot be read."""
        url = self._request.get("url")
        before, template, asked = self._address(url)
        holes, target = self._filled(template, before.path, as_object(url))
        headers = self._headers()
        kind, body = self._body()
        if kind and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", kind))
        allowed, in_query = self._authorized()
        taken = {name.lower() for name, _ in headers}
        headers += [pair for pair in allowed if pair[0].lower() not in taken]
        pairs = [*asked, *in_query]
        method = str(self._request.get("method") or "GET").upper()
        off = self._off(url, pairs) if (reads := method in SAFE) else {}
        spare, whole = (
            request_to(before, method, target + "?" * bool(asking) + "&".join(asking), headers, body)
            for asking in (pairs, [*pairs, *off.values()])
        )
        optional = (Hole(name, Point(("get", name)), "=" in off[name], loose=not names_a_thing(name)) for name in off)
        return Draft(
            request=whole,
            drafted=True,
            holes=(*holes, *self._query_holes(url, reads=reads), *optional, *self._body_holes()),
            wants=tuple(self._wants),
            spare=spare if off else None,
        )

    def _address(self, url: Any) -> tuple[Server, str, list[str]]:
        """The server, the path's template, and the query's pairs as they are written."""
        raw = self._raw(url)
        if not raw:
            raise ValueError("the request has no address")
        raw = raw.partition("#")[0]
        address, _, written = raw.partition("?")
        origin = self._resolved(by_name(address, self._scope))
        unknown = _VARIABLE.match(origin)
        if unknown:  # {{baseUrl}}/path with no value: the target says where it is
            return Server(), _leading_slash(origin[unknown.end() :]), self._pairs(url, written)
        if "://" not in origin and not origin.startswith("/"):
            origin = "http://" + origin
        scheme, mark, rest = origin.partition("://")
        host, slash, path = rest.partition("/") if mark else ("", "/", origin.lstrip("/"))
        if _VARIABLE.search(host):
            return Server(), slash + path or "/", self._pairs(url, written)
        server = server_of(f"{scheme}://{host}") if mark else Server()
        return server, slash + path or "/", self._pairs(url, written)

    def _raw(self, url: Any) -> str:
        if isinstance(url, str):
            return url
        parts = as_object(url)
        if isinstance(parts.get("raw"), str) and parts["raw"]:
            return str(parts["raw"])
        host, path = parts.get("host"), parts.get("path")
        joined = ".".join(map(str, host)) if isinstance(host, list) else str(host or "")
        behind = "/".join(_segment_of(one) for one in path) if isinstance(path, list) else str(path or "")
        port = f":{parts['port']}" if parts.get("port") else ""
        return f"{parts.get('protocol') or 'http'}://{joined}{port}/{behind.lstrip('/')}" if joined else ""

    def _pairs(self, url: Any, written: str) -> list[str]:
        """The query's parameters: by the collection's list, which says which are switched off; without a list, by the address."""
        listed = as_object(url).get("query")
        if isinstance(listed, list):
            on = [as_object(one) for one in listed if as_object(one).get("disabled") is not True]
            return [self._pair(str(one.get("key") or ""), one.get("value")) for one in on]
        pairs = (part.partition("=") for part in written.split("&") if part)
        return [self._pair(name, value if equals else None) for name, equals, value in pairs]

    def _off(self, url: Any, pairs: Iterable[str]) -> dict[str, str]:
        """The pairs that are off and named by none that is on: a document would call these parameters optional."""
        taken = {pair.partition("=")[0] for pair in pairs}
        found: dict[str, str] = {}
        for one in map(as_object, as_list(as_object(url).get("query"))):
            name = str(one.get("key") or "")
            pair = self._pair(name, one.get("value"))
            if name and one.get("disabled") is True and pair.partition("=")[0] not in taken:
                found.setdefault(name, pair)
        return found

    def _pair(self, name: str, value: object) -> str:
        """One parameter as Postman writes it: as little encoded as possible, and without an equals sign where it has no value."""
        name = self._made(name)
        text = "" if value is None else "=" + quote(self._made(_text(value), name), safe=_KEPT)
        return quote(name, safe="[]%+") + text

    def _filled(self, template: str, before: str, url: Mapping[str, Any]) -> tuple[tuple[Hole, ...], str]:
        """The path with its variables filled in, and those of its segments that are one variable."""
        given = {**self._scope, **_variables(url.get("variable"))}
        marked: list[tuple[str, str, bool]] = []

        def named(found: re.Match[str]) -> str:
            name = found[1]
            value = self._resolved(given.get(name, ""))
            shown = bool(value) and not _VARIABLE.search(value)
            marked.append((name, found[0], shown))
            return quote(value if shown else text_for({}, name), safe="")

        template = self._resolved(template)
        target = _VARIABLE.sub(named, _SEGMENT.sub(named, template))
        return path_holes(template, before, marked), target

    def _query_holes(self, url: Any, *, reads: bool) -> Iterator[Hole]:
        listed = map(as_object, as_list(as_object(url).get("query")) or as_listed(self._raw(url)))
        return query_holes(listed, _VARIABLE, self._resolved, reads=reads)

    def _body_holes(self) -> Iterator[Hole]:
        """Those of a body that signs nobody in: what goes with a password is made up together with it."""
        body = as_object(self._request.get("body"))
        raw = _uncommented(self._resolved(str(body.get("raw") or ""))) if body.get("mode") == "raw" else ""
        listed = [(name, self._resolved(value)) for name, value, _ in self._fields(body, "urlencoded")]
        found = [*json_holes(raw, _VARIABLE), *form_holes(urlencode(listed), _VARIABLE)]
        if not _PASSWORD.search(raw) and not any(_PASSWORD.search(name) for name, _ in listed):
            yield from found

    def _headers(self) -> list[tuple[str, str]]:
        listed = self._request.get("header")
        if isinstance(listed, str):
            pairs = [line.partition(":")[::2] for line in listed.splitlines() if ":" in line]
        else:
            on = (as_object(one) for one in as_list(listed) if as_object(one).get("disabled") is not True)
            pairs = [(str(one.get("key") or ""), str(one.get("value") or "")) for one in on]
        made = [(name.strip(), self._credential(name, value.strip())) for name, value in pairs]
        return [(name, value) for name, value in made if name and value is not None and name.lower() not in _OURS]

    def _credential(self, name: str, value: str) -> str | None:
        """A header's value; None where it is a credential that has no value."""
        resolved = self._resolved(value)
        if _VARIABLE.search(resolved) and name.lower() in ("authorization", "cookie", "x-api-key"):
            self._wants.append(name)
            return None
        return self._made(value, name)

    def _body(self) -> tuple[str, bytes]:
        body = as_object(self._request.get("body"))
        mode = body.get("mode")
        if body.get("disabled") is True or not mode:
            return "", b""
        if mode == "raw":
            language = as_object(as_object(body.get("options")).get("raw")).get("language")
            text = self._raw_text(str(body.get("raw") or ""), is_json=language == "json")
            return (_LANGUAGES.get(str(language), "") or _guessed(text)) if text else "", text.encode()
        if mode == "urlencoded":
            pairs = [(self._made(name), self._made(value, name)) for name, value, _ in self._fields(body, mode)]
            return "application/x-www-form-urlencoded", urlencode(pairs, quote_via=quote).encode()
        if mode == "formdata":
            parts = [self._part(*field) for field in self._fields(body, mode)]
            made = multipart_body(parts)
            return made.content_type, made.data
        if mode == "graphql":
            return "application/json", self._graphql(as_object(body.get("graphql")))
        raise ValueError(f"a body of mode {mode!r} holds a file that is not in the collection")

    def _raw_text(self, text: str, *, is_json: bool) -> str:
        """The text with its variables; where a made-up word would make JSON none (`{"order": {{order}}}`), with a number."""
        if not is_json:
            return self._made(text)
        made, numbered = _uncommented(self._made(text)), _uncommented(_VARIABLE.sub("1", self._resolved(text)))
        return numbered if _is_json(numbered) and not _is_json(made) else made

    def _fields(self, body: Mapping[str, Any], mode: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        for one in map(as_object, as_list(body.get(mode))):
            if one.get("disabled") is not True and one.get("key"):
                yield str(one["key"]), str(one.get("value") or ""), one

    def _part(self, name: str, value: str, field: Mapping[str, Any]) -> Part:
        if field.get("type") == "file":
            source = field.get("src")
            path = next(iter(as_list(source)), "") if isinstance(source, list) else source
            file = re.split(r"[/\\]", str(path or ""))[-1] or "example.txt"
            return Part(name, "example\n", file, str(field.get("contentType") or type_of(file)))
        return Part(self._made(name), self._made(value, name), content_type=str(field.get("contentType") or ""))

    def _graphql(self, graphql: Mapping[str, Any]) -> bytes:
        variables = graphql.get("variables")
        if isinstance(variables, str):
            variables = json.loads(self._made(variables) or "{}")
        named = {"operationName": graphql["operationName"]} if graphql.get("operationName") else {}
        query = self._made(str(graphql.get("query") or ""))
        return json.dumps({"query": query, **named, "variables": variables or {}}).encode()

    def _authorized(self) -> tuple[list[tuple[str, str]], list[str]]:
        """The headers and query pairs of the authorization. What has no value is left out and wanted."""
        kind = str(self._auth.get("type") or "noauth")
        told = self._auth.get(kind)
        facts = (
            _variables(told) if isinstance(told, list) else {key: str(value) for key, value in as_object(told).items()}
        )
        values = {name: self._resolved(value) for name, value in facts.items()}
        if kind == "noauth":
            return [], []
        if any(_VARIABLE.search(value) for value in values.values()) or not values:
            self._wants.append(kind)
            return [], []
        if kind == "bearer" and values.get("token"):
            return [("Authorization", f"Bearer {values['token']}")], []
        if kind == "oauth2" and values.get("accessToken"):
            return _with_access_token(values)
        if kind == "basic":
            pair = f"{values.get('username', '')}:{values.get('password', '')}"
            return [("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())], []
        if kind == "apikey" and values.get("key"):
            if values.get("in") == "query":
                return [], [f"{quote(values['key'], safe='')}={quote(values.get('value', ''), safe='')}"]
            return [(values["key"], values.get("value", ""))], []
        self._wants.append(kind)
        return [], []

    def _resolved(self, text: str) -> str:
        """The text with every variable that has a value; variables may hold variables."""
        for _ in range(DEEPEST):
            changed = _VARIABLE.sub(lambda found: self._scope.get(found[1], _DYNAMIC.get(found[1], found[0])), text)
            if changed == text:
                return text
            text = changed
        raise ValueError("a variable holds itself")

    def _made(self, text: str, name: str = "") -> str:
        """The same, with made-up values for variables that have none."""
        return _VARIABLE.sub(lambda found: text_for({}, found[1] or name), self._resolved(text))


_PASSWORD = re.compile(r"passw|pwd", re.IGNORECASE)
_OURS = frozenset({"host", "content-length"})


def _segment_of(one: object) -> str:
    return str(as_object(one).get("value") or "") if isinstance(one, dict) else str(one)


def _with_access_token(values: Mapping[str, str]) -> tuple[list[tuple[str, str]], list[str]]:
    """A token that was had when the collection was saved, in the header unless it says otherwise."""
    token = values["accessToken"]
    if values.get("addTokenTo") == "queryParams":
        return [], [f"access_token={quote(token, safe='')}"]
    return [("Authorization", f"{values.get('headerPrefix', 'Bearer').strip()} {token}".strip())], []


def _uncommented(text: str) -> str:
    """JSON without the comments that Postman takes out before it sends it."""
    return _COMMENT.sub(lambda found: found[1] or "", text)


# What nothing closes is kept to the end, and never read again from a quote within it.
_COMMENT = re.compile(r'//[^\n]*+|/\*.*?\*/|("(?:[^"\\]++|\\.)*+"?|/\*.*+)', re.DOTALL)
_KEPT = "%,:@/+=!$*;()?~|"


def _leading_slash(path: str) -> str:
    return path if path.startswith("/") else "/" + path


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _guessed(text: str) -> str:
    """What a raw body without a language is, as Postman sends it: text, but JSON where it reads so."""
    if _is_json(text):
        return "application/json"
    return "application/xml" if text.lstrip().startswith("<") else "text/plain"
