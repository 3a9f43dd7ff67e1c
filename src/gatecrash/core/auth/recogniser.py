"""A client's configuration compiled into a fast matcher: which points of a request carry credentials, and are they valid.

What makes it fast: one table per location; header names are looked up in their raw spelling, each spelling lowered once
in its life; a repeated value or cookie header is recalled by its keyed hash. No value is kept or given back.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from gatecrash.core.auth.bodies import json_fields, json_text, plain_body
from gatecrash.core.auth.families.session_cookies import LISTED, unprefixed
from gatecrash.core.auth.parameter_type import form_decoded, judge_by_word, judge_parameter
from gatecrash.core.auth.parameters import DEFAULTS, IDENTITY_COOKIE, is_identity_cookie
from gatecrash.core.auth.places import place_of
from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place, Rule, Scheme
from gatecrash.core.auth.words import Words
from gatecrash.core.message import Request
from gatecrash.core.point import MAX_NAME, Point

AUTHORIZATION = Point.of("header", "AUTHORIZATION")
_MAX_BODY = 10 * 1024 * 1024
_MAX_SPELLINGS = 8192
_DEFAULT_LEAST = 8
_CUSTOM_LEAST = 1
# A byte's number is looked for at an eighth of what the byte itself costs.
_BLANK, _PERCENT = b" %"


class Recognised(NamedTuple):
    """A credential that a request carries: its type, where it is, and whether its value is well-formed and real.

    unproven: a session's cookie that looks well-formed, where sessions show nothing; it is listed and not valid.
    """

    type: AuthType
    point: Point
    valid: bool
    kind: Kind = Kind.PROOF
    unproven: bool = False


Companions = tuple[bytes | None, ...]
# What the value at one point is; which point, the function knows.
Judge = Callable[[bytes, Companions], Judgement | None]

# What was said of a value, by the keyed hash of it (memory.py says why). Judging anew is cheap, so where there are too
# many all are forgotten: generations would cost more at every request.
_Verdicts = dict[int, tuple[Recognised, ...]]
_MOST_REMEMBERED = 4096


class _Entry:
    """One parameter of the compiled configuration, with what it remembers of the values seen there."""

    __slots__ = ("companions", "judge", "memory", "outcomes", "point")

    def __init__(self, point: Point, judge: Judge, companions: tuple[str, ...] = ()) -> None:
        self.point = point
        self.judge = judge
        self.companions = companions
        self.memory: _Verdicts = {}
        # Few things can be said of a point, and each is said in one and the same tuple.
        self.outcomes: list[tuple[Judgement, tuple[Recognised, ...]]] = []

    def recognise(self, value: bytes, companions: Companions = ()) -> tuple[Recognised, ...]:
        """Nothing, or the one credential that the value is; remembered."""
        memory = self.memory
        key = hash((value, companions)) if companions else hash(value)
        found = memory.get(key)
        if found is None:
            found = self.judged(value, companions)
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[key] = found
        return found

    def judged(self, value: bytes, companions: Companions = ()) -> tuple[Recognised, ...]:
        """Nothing, or the one credential that the value is; judged anew."""
        judged = self.judge(value, companions)
        if judged is None:
            return ()
        # A list, because equal members are one object and compare faster than an enum's member hashes.
        for known, found in self.outcomes:
            if known is judged or known == judged:
                return found
        found = (Recognised(judged.type, self.point, judged.valid, judged.kind),)
        self.outcomes.append((judged, found))
        return found


_Patterns = tuple[tuple[re.Pattern[bytes], "_Entry"], ...]


class _Headers(dict[bytes, "_Entry | str | None"]):
    """From a header's raw spelling to its entry; a spelling not seen before is looked up in capitals, once."""

    def __init__(self, by_name: Mapping[bytes, "_Entry | str"], patterns: _Patterns) -> None:
        super().__init__()
        self._by_name = by_name
        self._patterns = patterns

    def __missing__(self, spelling: bytes) -> "_Entry | str | None":
        name = spelling.upper()
        found = self._by_name.get(name) or _by_pattern(name, self._patterns)
        # Clients choose spellings, so the table must not grow for ever.
        if len(self) < _MAX_SPELLINGS:
            self[spelling] = found
        return found


class _Cookies(dict[bytes, "_Entry | None"]):
    """From a cookie's name, with the blanks before it, to its entry; one not seen before is compared with the patterns."""

    def __init__(self, by_name: Mapping[bytes, "_Entry"], patterns: _Patterns) -> None:
        super().__init__()
        self._by_name = by_name
        self._patterns = patterns

    def __missing__(self, name: bytes) -> "_Entry | None":
        found = self._find(name.strip())
        if len(self) < _MAX_SPELLINGS:
            self[name] = found
        return found

    def _find(self, name: bytes) -> "_Entry | None":
        if name in self._by_name:
            return self._by_name[name]
        if is_identity_cookie(name):
            return self._by_name.get(IDENTITY_COOKIE.encode())
        bare = unprefixed(name)
        # A default's or a client's own name counts as written alone (contract 2.2): of prefixes, frameworks' cookies know.
        listed = self._by_name.get(bare) if bare.decode("latin-1") in LISTED else None
        return listed or _by_pattern(bare, self._patterns)


def _by_pattern(name: bytes, patterns: _Patterns) -> "_Entry | None":
    if len(name) > MAX_NAME:
        return None
    return next((entry for pattern, entry in patterns if pattern.fullmatch(name)), None)


_COOKIE, _CONTENT_TYPE, _CONTENT_ENCODING, _SOCKET = "cookie", "content-type", "content-encoding", "socket"
# A browser's page can give a WebSocket no header, so this name, which links that confirm and invite use too, says there
# who asks.
_OF_SOCKETS = Point.of("get", "token")


def _companion_names(tables: Mapping[Place, Mapping[bytes, _Entry]], patterns: Mapping[Place, _Patterns]) -> set[bytes]:
    entries = (*tables[Place.HEADER].values(), *(entry for _, entry in patterns[Place.HEADER]))
    return {name.encode() for entry in entries for name in entry.companions}


class Recogniser:
    """Recognises credentials in requests by one client's configuration. Not shared between threads."""

    def __init__(
        self,
        tables: Mapping[Place, Mapping[bytes, _Entry]],
        patterns: Mapping[Place, _Patterns],
        of_sockets: Mapping[bytes, _Entry],
    ) -> None:
        """Use compile_recogniser instead."""
        special: dict[bytes, _Entry | str] = {
            b"COOKIE": _COOKIE,
            b"CONTENT-TYPE": _CONTENT_TYPE,
            b"CONTENT-ENCODING": _CONTENT_ENCODING,
            b"SEC-WEBSOCKET-KEY": _SOCKET,
        }
        self._headers = _Headers({**tables[Place.HEADER], **special}, patterns[Place.HEADER])
        self._companions = _companion_names(tables, patterns)
        self._cookies = _Cookies(tables[Place.COOKIE], patterns[Place.COOKIE])
        self._query = tables[Place.QUERY]
        self._socket_query = {**of_sockets, **self._query}
        self._form = tables[Place.FORM]
        self._json = {name.decode(): entry for name, entry in tables[Place.JSON].items()}
        self._json_names = tuple(tables[Place.JSON])
        self._cookie_headers: _Verdicts = {}
        # Keyed hashes of queries without a credential, such as every page of a list has.
        self._bare_queries: set[int] = set()

    def asks_for(self, header: bytes) -> bool:
        """Whether a header of this name can matter here; all others may be left out of a request."""
        return self._headers[header] is not None or header.upper() in self._companions

    def recognise(self, request: Request) -> tuple[Recognised, ...]:
        """Every credential of the request, one a point, in the order of headers, query, body."""
        found: tuple[Recognised, ...] = ()
        content_type = b""
        encoded = opens_socket = False
        table = self._headers
        for name, value in request.headers:
            entry = table[name]
            if entry is None:
                continue
            if isinstance(entry, _Entry):
                found += entry.recognise(value, _header_companions(entry, request) if entry.companions else ())
            elif entry is _COOKIE:
                found += self._cookie_header(value)
            elif entry is _CONTENT_TYPE:
                content_type = value
            elif entry is _SOCKET:
                opens_socket = True
            else:
                encoded = value.strip().lower() not in (b"", b"identity")
        target = request.target
        mark = target.find(b"?")
        if mark >= 0:
            query = target[mark + 1 :]
            found += self._pairs(query, self._socket_query) if opens_socket else self._query_of(query)
        if request.body and len(request.body) <= _MAX_BODY:
            found += self._body(content_type, plain_body(request) if encoded else request.body)
        if len(found) < 2 or (len(found) == 2 and found[0].point != found[1].point):
            return found
        return _one_a_point(found)

    def _cookie_header(self, header: bytes) -> tuple[Recognised, ...]:
        memory = self._cookie_headers
        key = hash(header)
        found = memory.get(key)
        if found is None:
            found = ()
            cookies = self._cookies
            for pair in header.split(b";"):
                name, equals, value = pair.partition(b"=")
                entry = cookies[name]
                if entry is not None and equals:
                    # The header is remembered as a whole; remembering each value too costs more than judging it.
                    found += entry.judged(value.strip())
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[key] = found
        return found

    def _query_of(self, query: bytes) -> tuple[Recognised, ...]:
        key = hash(query)
        if key in self._bare_queries:
            return ()
        found = self._pairs(query, self._query)
        if not found:
            if len(self._bare_queries) >= _MOST_REMEMBERED:
                self._bare_queries.clear()
            self._bare_queries.add(key)
        return found

    def _pairs(self, raw: bytes, table: Mapping[bytes, _Entry]) -> tuple[Recognised, ...]:
        # Names and values alike: where none of them is a name of ours, no name is, and most queries hold none.
        if _PERCENT not in raw and table.keys().isdisjoint(raw.replace(b"=", b"&").split(b"&")):
            return ()
        found: tuple[Recognised, ...] = ()
        for pair in raw.split(b"&"):
            name, _, value = pair.partition(b"=")
            entry = table.get(name)
            if entry is None:
                if b"%" not in name:
                    continue
                entry = table.get(unquote_to_bytes(name))
                if entry is None:
                    continue
            found += entry.recognise(form_decoded(value), _pair_companions(entry, raw) if entry.companions else ())
        return found

    def _body(self, content_type: bytes, body: bytes) -> tuple[Recognised, ...]:
        kind = content_type.partition(b";")[0].strip().lower()
        if kind == b"application/x-www-form-urlencoded":
            return self._pairs(body, self._form)
        if kind == b"application/json" or (kind.startswith(b"application/") and kind.endswith(b"+json")):
            return self._json_fields(body)
        return ()

    def _json_fields(self, body: bytes) -> tuple[Recognised, ...]:
        fields = json_fields(body, self._json_names)
        if fields is None or self._json.keys().isdisjoint(fields):
            return ()
        found: tuple[Recognised, ...] = ()
        for name, value in fields.items():
            entry = self._json.get(name)
            if entry is not None:
                found += entry.recognise(json_text(value))
        return found


def compile_recogniser(custom: Iterable[Point] = (), schemes: Iterable[Scheme] = REGISTRY) -> Recogniser:
    """A recogniser for the built-in rules, the defaults of contract 2.2 and a client's custom parameters.

    A custom point of another shape than those of contract 2.3 is left out: the service never stores one.
    """
    schemes = tuple(schemes)
    words = Words(schemes)
    tables: _Tables = {place: {} for place in Place}
    patterns: dict[Place, _Patterns] = dict.fromkeys(Place, ())
    for scheme in schemes:
        for rule in scheme.rules:
            _add_rule(tables, patterns, scheme, rule, words)
    for point in DEFAULTS:
        _add_parameter(tables, point, _DEFAULT_LEAST, words)
    wordless = tuple(scheme for scheme in schemes if scheme.wordless)
    least = _DEFAULT_LEAST
    for point in custom:
        _add_parameter(tables, point, _CUSTOM_LEAST, words)
        if point == AUTHORIZATION:
            least = _CUSTOM_LEAST
    tables[Place.HEADER][b"AUTHORIZATION"] = _Entry(AUTHORIZATION, _authorization(words, wordless, least))
    of_sockets: _Tables = {Place.QUERY: {}}
    _add_parameter(of_sockets, _OF_SOCKETS, _DEFAULT_LEAST, words)
    return Recogniser(tables, patterns, of_sockets[Place.QUERY])


_Tables = dict[Place, dict[bytes, _Entry]]


def _add_parameter(tables: _Tables, point: Point, least: int, words: Words) -> None:
    located = place_of(point)
    if located is None:
        return
    place, name = located
    name = name.upper() if place is Place.HEADER else name

    def judge(value: bytes, companions: Companions) -> Judgement:
        return judge_parameter(Candidate(place, name, b"", value, least, companions), words)

    tables[place][name.encode()] = _Entry(point, judge)


def _add_rule(tables: _Tables, patterns: dict[Place, _Patterns], scheme: Scheme, rule: Rule, words: Words) -> None:
    located = place_of(rule.point)
    if located is None:
        return
    place, name = located
    entry = _Entry(rule.point, _by_rule(scheme, place, name, words), rule.companions)
    if rule.pattern:
        patterns[place] += ((re.compile(rule.pattern.encode()), entry),)
    else:
        tables[place][name.encode()] = entry


def _by_rule(scheme: Scheme, place: Place, name: str, words: Words) -> Judge:
    """Judge the value of a built-in name: by the scheme that the value names, else by the rule's own."""
    # Cookies hold no blanks (RFC 6265 section 4.1.1), so no scheme's word stands in one.
    worded, judged = place is not Place.COOKIE, scheme.judge

    def judge(value: bytes, companions: Companions) -> Judgement | None:
        candidate = Candidate(place, name, b"", value, _DEFAULT_LEAST, companions)
        named = judge_by_word(candidate, words) if worded and _BLANK in value else None
        return named or judged(candidate)

    return judge


def _authorization(words: Words, wordless: tuple[Scheme, ...], least: int) -> Judge:
    """Judge an Authorization value: by the owner of its word, else by the first wordless scheme that takes it."""
    header = Place.HEADER

    def judge(value: bytes, companions: Companions) -> Judgement | None:
        word, space, rest = value.partition(b" ")
        worded = Candidate(header, "AUTHORIZATION", word.lower(), rest.strip(), least, companions)
        scheme = words[word]
        if scheme is not None:
            judged = scheme.judge(worded)
            if judged is not None or not space:
                return judged
        asked = worded if space else Candidate(header, "AUTHORIZATION", b"", value, least, companions)
        return next((judgement for one in wordless if (judgement := one.judge(asked))), None)

    return judge


def _header_companions(entry: _Entry, request: Request) -> Companions:
    # A list in several lines is one list (RFC 9110 section 5.3).
    return tuple(b", ".join(request.all(name.encode())) or None for name in entry.companions)


def _pair_companions(entry: _Entry, raw: bytes) -> Companions:
    pairs = {unquote_to_bytes(name): value for name, _, value in (pair.partition(b"=") for pair in raw.split(b"&"))}
    values = (pairs.get(name.encode()) for name in entry.companions)
    return tuple(None if value is None else form_decoded(value) for value in values)


def _one_a_point(found: tuple[Recognised, ...]) -> tuple[Recognised, ...]:
    """The first valid credential of each point, else the first at all: a repeated header is still one parameter."""
    kept: dict[Point, Recognised] = {}
    for credential in found:
        earlier = kept.get(credential.point)
        if earlier is None or (credential.valid and not earlier.valid):
            kept[credential.point] = credential
    return tuple(kept.values())
