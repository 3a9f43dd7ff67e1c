"""GraphQL that tells or does more than it needs: introspection, suggestions, batches and depth without bounds.

What it finds
    GraphQL endpoints that describe their whole schema to the caller, name the fields that somebody nearly guessed,
    answer several operations in one request, or follow a query to any depth.

Why it matters
    The schema is the map of everything an attacker may try. Batches pass limits that count requests, as of logins;
    depth without a bound lets one small request cost the server minutes.

How it decides
    Only requests that are GraphQL are looked at. Introspection: a query for the schema's types must be answered with
    names of types. Suggestions: a field with a letter too many must be answered with the right name in quotation. Batches: an
    array of two queries with aliases drawn at random must be answered by an array with both. Depth: a query of the type
    of a type, 25 levels deep, which costs the server nothing because it ends in null, must be answered by data. Each is
    asked twice. Where introspection is answered the other three are told with it, as one finding.

Known misses
    Limits by cost: a deep query of the schema costs nothing, and may be let through where data is not. Fields that anybody
    may read and nobody should: that is `auth` and `idor`. Endpoints that take persisted queries only.

Standards and references
    CWE-200 (introspection, suggestions), CWE-770 (batches, depth); OWASP Top 10:2021 A05 Security Misconfiguration; OWASP
    API Security Top 10:2023 API4 Unrestricted Resource Consumption; GraphQL, October 2021, section 4.
"""

import json
from collections.abc import Callable, Generator

import msgspec
import orjson

from gatecrash.core.message import Request, with_header
from gatecrash.core.testing.asking import concluding, known_answers
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.inquiry import Inquiry, Reply
from gatecrash.core.testing.payloads.graphql import (
    BATCHED,
    DEEP,
    DEPTH,
    INTROSPECTION,
    MISSPELT,
    deep,
)
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, inconclusive

TYPE = "graphql"
CWE = (200, 770)
SCHEMA, SUGGESTIONS, BATCHES, DEPTHS = "introspection", "suggestions", "batches", "depth"
_THREAT_OF = {BATCHES: 40, DEPTHS: 35, SCHEMA: 30, SUGGESTIONS: 20}
_CWE_OF = {SCHEMA: 200, SUGGESTIONS: 200, BATCHES: 770, DEPTHS: 770}

_Judged = Generator[TestRequest, Answer, Reply | None]


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from known_answers(situation)
    if not samples:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
    inquiry = Inquiry(situation, samples)
    found: dict[str, Reply] = {}
    for what, check in _CHECKS.items():
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
    DEPTHS: f"a query {DEPTH} levels deep was answered with data",
}


def _posted(request: Request, document: object) -> Request:
    body = json.dumps(document).encode()
    headers = with_header(request.headers, b"Content-Type", b"application/json")
    headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, method="POST", target=request.path, headers=headers, body=body)
    return changed


def _ask(
    inquiry: Inquiry, document: object, purpose: str
) -> Generator[TestRequest, Answer, tuple[Reply, object] | None]:
    """The answer and its JSON; None where there is none."""
    told = json.dumps(document)[:200]
    reply = yield from inquiry.submit(_posted(inquiry.situation.baseline.request, document), told, purpose=purpose)
    if reply is None:
        return None
    try:
        return reply, orjson.loads(reply.text)
    except orjson.JSONDecodeError:
        return None


def _introspection(inquiry: Inquiry, purpose: str) -> _Judged:
    asked = yield from _ask(inquiry, {"query": INTROSPECTION}, purpose)
    types = _within(asked[1], "data", "__schema", "types") if asked else None
    named = isinstance(types, list) and any(isinstance(each, dict) and each.get("name") for each in types)
    return asked[0] if asked and named else None


def _suggestions(inquiry: Inquiry, purpose: str) -> _Judged:
    asked = yield from _ask(inquiry, {"query": MISSPELT}, purpose)
    if asked is None:
        return None
    reply, document = asked
    errors = _within(document, "errors")
    texts = (
        [str(each.get("message", "")) for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
    )
    # "name" and "kind" are not in the misspelt query; only the schema knows them.
    return reply if any("did you mean" in text.lower() for text in texts) else None


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
    if asked is None or _within(asked[1], "errors"):
        return None
    return asked[0] if _within(asked[1], "data", alias) is not None else None


_CHECKS: dict[str, Callable[[Inquiry, str], _Judged]] = {
    SCHEMA: _introspection,
    SUGGESTIONS: _suggestions,
    BATCHES: _batches,
    DEPTHS: _depth,
}


def _within(document: object, *names: str) -> object:
    """What stands at this path of a JSON answer; None where nothing does."""
    for name in names:
        if not isinstance(document, dict):
            return None
        document = document.get(name)
    return document


def applies(situation: Situation) -> bool:
    """Requests that are GraphQL: a body whose `query` is an operation, or its like in the address."""
    request = situation.baseline.request
    try:
        document = orjson.loads(request.body) if request.body else None
    except orjson.JSONDecodeError:
        document = None
    query = document.get("query") if isinstance(document, dict) else None
    if not isinstance(query, str):
        return False
    text = query.lstrip()
    return text.startswith(("{", "query", "mutation", "subscription", "fragment"))


def forecast(_situation: Situation) -> int:
    """One request for each of the four."""
    return len(_CHECKS)


ENTRY = Entry(
    type=TYPE,
    title="GraphQL without bounds",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API4:2023",),
    why=(
        "A schema that is told to everybody shows every operation there is to try; batches pass limits that count "
        "requests; depth without a bound lets a small request keep the server busy."
    ),
    remediation=(
        "Switch introspection and suggestions off where the schema is not public. Bound the depth and the cost of a query "
        "and the operations of a request, and count operations where you limit logins."
    ),
)


def _address(request: Request) -> tuple[str, ...]:
    """What all operations of one endpoint have in common: its bounds are told once, whatever is asked of it."""
    return (TYPE, request.origin, request.path.decode("latin-1"))


PROBE = Probe(
    type=TYPE,
    name="bounds",
    entry=ENTRY,
    whole=True,
    collected=_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
