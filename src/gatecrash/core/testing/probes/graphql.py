"""GraphQL that tells or does more than it needs: introspection, suggestions, consoles; batches, aliases and depth without bounds.

What it finds
    GraphQL endpoints that describe their whole schema to the caller, name the fields that somebody nearly guessed, show
    browsers a console for queries, answer several operations in one request, do one of them a hundred times under other names,
    take one field or one directive any number of times, or follow a query to any depth.

Why it matters
    The schema is the map of everything an attacker may try. Batches and aliases pass limits that count requests, as of logins;
    depth without a bound lets one small request cost the server minutes.

How it decides
    Only requests that are GraphQL are looked at. Introspection: a query for the schema's types (as it is, oddly spaced,
    by GET), or for the fields of the type `Query`, must be answered with names. Suggestions: a field with a letter
    missing, the schema's own and then the recorded one, must be answered with the right name in quotation. Batches: an
    array of two queries with aliases drawn at random must be answered by an array with both. Aliases: the first field
    of a recorded query whose answer is small, a hundred times under names drawn at random, must be answered a hundred
    times. Duplicates: one field two hundred times under one name must be answered with data; where one of these has no
    bound, a directive two hundred times behind one field, with data or with an error each. Depth: a query of the type
    of a type, 25 levels deep, which costs the server nothing because it ends in null, must be answered by data, and
    fields of a made-up name as deep in each other must not be refused for their depth. Consoles: a page at the
    endpoint's address, or beside it under a console's usual name, must load a known console in its scripts; where a
    cookie that was recorded, or is set there, says that something is off, also with one that says on. Each is asked
    twice. Where introspection is answered the others are told with it, as one finding.

Known misses
    Limits by cost, and limits that are looked at only where all fields are known: a deep query of the schema costs
    nothing, and may be let through where data is not. Fields that anybody may read and nobody should: that is `auth`
    and `idor`. Endpoints that take persisted queries only. Fragments that lead back to themselves: one such query may
    end the process of a server that follows them.

Standards and references
    CWE-200 (introspection, suggestions), CWE-489 (consoles), CWE-770 (batches, aliases, duplicates, depth); OWASP Top
    10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API4 Unrestricted Resource Consumption;
    GraphQL, October 2021, section 4.
"""

import json
import re
from collections.abc import Callable, Generator, Mapping
from urllib.parse import parse_qsl, urlencode

import msgspec
import orjson

from gatecrash.core.message import Headers, Request, Response, reading, with_header
from gatecrash.core.statuses import OK
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.operations.graphql import document_of, first_field, only_queries
from gatecrash.core.testing.oracles.pages.graphql_consoles import console_in
from gatecrash.core.testing.payloads.graphql import (
    ALIASES,
    BATCHED,
    CONSOLES,
    DEEP,
    DEPTH,
    DIRECTIVES,
    DUPLICATES,
    INTROSPECTION,
    LARGEST_ANSWER,
    MISSPELT,
    SPACED,
    TYPE_OF_QUERIES,
    deep,
    directed,
    duplicated,
    nested,
)
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Proof

TYPE = "graphql"
CWE = (200, 489, 770)
SCHEMA, SUGGESTIONS, CONSOLE = "introspection", "suggestions", "console"
BATCHES, NAMES, SAME, DEPTHS, DIRECTED = "batches", "aliases", "duplicates", "depth", "directives"
_THREAT_OF = {BATCHES: 40, NAMES: 38, DEPTHS: 35, SAME: 33, DIRECTED: 32, SCHEMA: 30, CONSOLE: 25, SUGGESTIONS: 20}
_CWE_OF = {SCHEMA: 200, SUGGESTIONS: 200, CONSOLE: 489, BATCHES: 770, NAMES: 770, SAME: 770, DEPTHS: 770, DIRECTED: 770}

_BOUNDED = re.compile(r"depth|\bdeep|\bnest(?:ed|ing)|complexity|too complex", re.IGNORECASE)
# A switch in a cookie: `console=off`, `page=editor:disabled`.
_SWITCHED_OFF = re.compile(rb"(=|[:._-]|%[0-9a-f]{2})(disabled?|off|false)(?=$|[;,\s.%_-])", re.IGNORECASE)
_ON = {b"disable": b"enable", b"disabled": b"enabled", b"off": b"on", b"false": b"true"}

_Judged = Generator[TestRequest, Answer, Reply | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    found: dict[str, Reply] = {}
    for what, check in _CHECKS.items():
        # Alone it says little of a server that has bounds.
        if what == DIRECTED and not found.keys() & {BATCHES, NAMES, SAME, DEPTHS}:
            continue
        if (yield from check(inquiry, "test")) is None:
            continue
        again = yield from check(inquiry, "confirm")
        if again is not None:
            found[what] = again
    if not found:
        return (yield from inquiry.nothing_found(TYPE))
    worst = max(found, key=lambda what: _THREAT_OF[what])
    told = ", ".join(f"{what} ({_SHOWN[what]})" for what in found)
    proof = Proof(
        test=found[worst].exchange,
        control=inquiry.control,
        verified_by=f"The endpoint answers, each twice: {told}. Shown is the answer to {found[worst].payload!r}.",
    )
    cwe = tuple(sorted({_CWE_OF[what] for what in found}))
    return inquiry.vulnerable(ENTRY, _THREAT_OF[worst], proof, ", ".join(found), cwe)


_SHOWN = {
    SCHEMA: "it described its schema",
    SUGGESTIONS: "it named the field that was nearly guessed",
    BATCHES: "two operations of one request were both answered",
    NAMES: f"one field was answered {ALIASES} times in one request",
    SAME: f"one field that stands {DUPLICATES} times in one request was answered",
    DIRECTED: f"a directive that stands {DIRECTIVES} times behind one field was carried out or complained of each time",
    DEPTHS: f"a query {DEPTH} levels deep was answered with data",
    CONSOLE: "it showed a browser a console for queries",
}


def _posed(request: Request, document: object, by_get: bool) -> Request:
    """The request with another document: in its address where it was asked by GET and is one, else posted as JSON."""
    if (by_get or request.method.upper() == "GET") and isinstance(document, Mapping):
        return reading(request, request.path + b"?" + urlencode(document).encode())
    body = json.dumps(document).encode()
    headers = with_header(request.headers, b"Content-Type", b"application/json")
    headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, method="POST", target=request.path, headers=headers, body=body)
    return changed


def _ask(
    inquiry: Inquiry, document: object, purpose: str, *, by_get: bool = False
) -> Generator[TestRequest, Answer, tuple[Reply, object] | None]:
    """The answer and its JSON; None where there is none."""
    told = json.dumps(document)[:200]
    reply = yield from inquiry.submit(
        _posed(inquiry.situation.baseline.request, document, by_get), told, purpose=purpose
    )
    if reply is None:
        return None
    try:
        return reply, orjson.loads(reply.text)
    except orjson.JSONDecodeError:
        return None


def _introspection(inquiry: Inquiry, purpose: str) -> _Judged:
    for query, by_get in ((INTROSPECTION, False), (SPACED, False), (SPACED, True)):
        asked = yield from _ask(inquiry, {"query": query}, purpose, by_get=by_get)
        if asked and _are_named(_within(asked[1], "data", "__schema", "types")):
            return asked[0]
    alias = inquiry.mark(8)
    asked = yield from _ask(inquiry, {"query": TYPE_OF_QUERIES.replace("alias", alias)}, purpose)
    return asked[0] if asked and _are_named(_within(asked[1], "data", alias, "fields")) else None


def _are_named(told: object) -> bool:
    return isinstance(told, list) and any(isinstance(each, dict) and each.get("name") for each in told)


def _suggestions(inquiry: Inquiry, purpose: str) -> _Judged:
    own = first_field(document_of(inquiry.situation.baseline.request))
    # One that guards against questions about the schema may still name what it has itself.
    for misspelt in (MISSPELT, *([own.misspelt()] if own is not None else [])):
        asked = yield from _ask(inquiry, {"query": misspelt}, purpose)
        if asked and any("did you mean" in told.lower() for told in _complaints(asked[1])):
            return asked[0]
    return None


def _aliases(inquiry: Inquiry, purpose: str) -> _Judged:
    """Only what reads is asked so often, and only where its answer is small: a hundred of them are one ordinary page."""
    request = inquiry.situation.baseline.request
    own = first_field(document_of(request)) if only_queries(request) else None
    good = inquiry.situation.baseline.response
    if own is None or good is None or good.status != OK or len(good.body) > LARGEST_ANSWER:
        return None
    message = _told_beside(request)
    names = [inquiry.mark(8) for _ in range(ALIASES)]
    asked = yield from _ask(inquiry, message | {"query": own.repeated(names)}, purpose)
    if asked is None or _within(asked[1], "errors"):
        return None
    return asked[0] if all(_within(asked[1], "data", name) is not None for name in names) else None


def _told_beside(request: Request) -> dict[str, object]:
    """What stands beside the document: its variables, and which operation is meant."""
    if request.method.upper() == "GET":
        fields = parse_qsl((request.query or b"").decode("utf-8", "replace"))
        return dict(fields)
    try:
        message = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return {}
    return message if isinstance(message, dict) else {}


def _batches(inquiry: Inquiry, purpose: str) -> _Judged:
    names = [inquiry.mark(8), inquiry.mark(8)]
    asked = yield from _ask(inquiry, [{"query": BATCHED.replace("alias", name)} for name in names], purpose)
    if asked is None:
        return None
    reply, document = asked
    answers = document if isinstance(document, list) else []
    both = len(answers) == 2 and all(
        _within(each, "data", name) is not None for each, name in zip(answers, names, strict=True)
    )
    return reply if both else None


def _depth(inquiry: Inquiry, purpose: str) -> _Judged:
    alias = inquiry.mark(8)
    asked = yield from _ask(inquiry, {"query": deep(DEEP.replace("alias", alias))}, purpose)
    if asked is None or _within(asked[1], "errors") or _within(asked[1], "data", alias) is None:
        return None
    # Many bounds let questions about the schema through; what data may be asked for so deep, they say of any document.
    data = yield from _ask(inquiry, {"query": nested(inquiry.mark(8))}, "control")
    return None if data is not None and any(_BOUNDED.search(told) for told in _complaints(data[1])) else asked[0]


def _complaints(document: object) -> list[str]:
    errors = _within(document, "errors")
    listed = errors if isinstance(errors, list) else []
    return [str(each.get("message", "")) for each in listed if isinstance(each, dict)]


def _duplicates(inquiry: Inquiry, purpose: str) -> _Judged:
    alias = inquiry.mark(8)
    asked = yield from _ask(inquiry, {"query": duplicated(BATCHED.replace("alias", alias))}, purpose)
    if asked is None or _within(asked[1], "errors"):
        return None
    return asked[0] if _within(asked[1], "data", alias) is not None else None


def _directives(inquiry: Inquiry, purpose: str) -> _Judged:
    """Answered with data, or with an error for each: both are work for each."""
    alias = inquiry.mark(8)
    asked = yield from _ask(inquiry, {"query": directed(BATCHED.replace("alias", alias))}, purpose)
    if asked is None:
        return None
    errors = _within(asked[1], "errors")
    each_told = isinstance(errors, list) and len(errors) >= DIRECTIVES - 1
    return asked[0] if each_told or (not errors and _within(asked[1], "data", alias) is not None) else None


def _consoles(inquiry: Inquiry, purpose: str) -> _Judged:
    request = inquiry.situation.baseline.request
    folder = request.path.rpartition(b"/")[0]
    paths = (request.path, *(folder + b"/" + name for name in CONSOLES))
    plain, off = _as_a_browser(request), _said_off(inquiry.good)
    for told in ("as a browser", "as a browser whose cookie says that it is on"):
        headers = plain if told == "as a browser" else _switched_on(_with_cookies(plain, off))
        if headers == plain and told != "as a browser":
            return None
        for path in paths:
            page: Request = msgspec.structs.replace(request, method="GET", target=path, headers=headers, body=b"")
            reply = yield from inquiry.submit(page, f"GET {path.decode('latin-1')} {told}", purpose=purpose)
            if reply is not None and reply.reading.status == OK and console_in(reply.text):
                return reply
            off |= _said_off(reply.exchange.response if reply is not None else None)
    return None


def _said_off(response: Response | None) -> dict[bytes, bytes]:
    """The cookies of an answer, by their names, that say of something that it is off."""
    given = (
        value.partition(b";")[0].strip() for value in (response.all(b"Set-Cookie") if response is not None else ())
    )
    return {pair.partition(b"=")[0]: pair for pair in given if _SWITCHED_OFF.search(pair)}


def _with_cookies(headers: Headers, cookies: Mapping[bytes, bytes]) -> Headers:
    """With these cookies beside those that are there, as a browser sends them that was given both."""
    own = next((value for name, value in headers if name.lower() == b"cookie"), b"")
    known = {pair.partition(b"=")[0].strip() for pair in own.split(b";")}
    pairs = [own] if own else []
    pairs += [pair for name, pair in cookies.items() if name not in known]
    return with_header(headers, b"Cookie", b"; ".join(pairs)) if pairs else headers


def _as_a_browser(request: Request) -> Headers:
    kept = (pair for pair in request.headers if not pair[0].lower().startswith((b"content-", b"accept")))
    return (*kept, (b"Accept", b"text/html"))


def _switched_on(headers: Headers) -> Headers:
    """With the contrary of what cookies say is off: whoever has a cookie may write what he likes in it."""

    def contrary(found: re.Match[bytes]) -> bytes:
        return found[1] + _ON[found[2].lower()]

    return tuple(
        (name, _SWITCHED_OFF.sub(contrary, value) if name.lower() == b"cookie" else value) for name, value in headers
    )


_CHECKS: dict[str, Callable[[Inquiry, str], _Judged]] = {
    SCHEMA: _introspection,
    SUGGESTIONS: _suggestions,
    BATCHES: _batches,
    NAMES: _aliases,
    SAME: _duplicates,
    DEPTHS: _depth,
    DIRECTED: _directives,
    CONSOLE: _consoles,
}


def _within(document: object, *names: str) -> object:
    """What stands at this path of a JSON answer; None where nothing does."""
    for name in names:
        if not isinstance(document, dict):
            return None
        document = document.get(name)
    return document


def applies(situation: Situation) -> bool:
    """Requests that are GraphQL: a body whose `query` is an operation, a bare one, or its like in the address."""
    return document_of(situation.baseline.request).startswith(("{", "query", "mutation", "subscription", "fragment"))


def forecast(situation: Situation) -> int:
    """One request for each check that a bounded server is asked, three for the other ways to the schema, one for the
    request's own field, and one for each name of a console; for all places of a console once more where a cookie says
    that something is off.
    """
    request = situation.baseline.request
    headers = _as_a_browser(request)
    switched = 1 + len(CONSOLES) if _switched_on(headers) != headers else 0
    return len(_CHECKS) - 1 + 4 + len(CONSOLES) + switched - (not only_queries(request))


ENTRY = Entry(
    type=TYPE,
    title="GraphQL without limits",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API4:2023",),
    why=(
        "A schema that is told to everybody shows every operation there is to try, and a console invites to it; batches pass limits that count "
        "requests; depth without a bound lets a small request keep the server busy."
    ),
    remediation=(
        "Switch introspection, suggestions and consoles off where the schema is not public. Bound the depth and the cost of a query "
        "and the operations of a request, aliases included, and count operations where you limit logins."
    ),
)


PROBE = Probe(
    type=TYPE,
    name="bounds",
    entry=ENTRY,
    whole=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=inquiring(TYPE, _dialogue),
)
