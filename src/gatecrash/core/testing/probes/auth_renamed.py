"""A GraphQL query that is refused by what it is called, and answered under another name.

What it finds
    Queries that are kept from a caller by a list of operations' names, or of the names under which fields are answered,
    and not where the field is resolved: with an operation name of the caller's own and an alias they are answered.

Why it matters
    Both names are the client's to choose (GraphQL, October 2021, sections 2.3 and 2.7). A list of them keeps out nobody
    who writes another one.

How it decides
    Only queries are asked, whose answer tells errors and gives nothing: as they were recorded, or, where all is asked
    for, without their credentials. The first field is asked for again under an operation name and an alias drawn at
    random. It must be given, without errors, three times under fresh names, while the same query as it stands is
    refused three times in between and afterwards.

Known misses
    Mutations, which would be done. Lists that look for the field's own name in the text of a document.

Standards and references
    CWE-288; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5 Broken Function Level
    Authorization.
"""

import orjson

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import only_queries, operation_of, under_other_names
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "auth"
PATH = 288
THREAT = 75
# Under other names or as it stands: twice in a row, so that no limit fits that lets every other one through.
_IN_TURNS = (True, False, False, True, True, False)
_NOT_LET_IN = (401, 403)
_GIVEN, _REFUSED = "given", "refused"


def _dialogue(situation: Situation) -> Dialogue:
    plain = _kept_back(situation)
    name = _field(plain)
    if plain is not situation.baseline.request:
        first = yield from ask_raw(plain, "control")
        if _said(response_of(first), name) != _REFUSED:
            return safe(TYPE, situation.point, "it is refused to nobody")
    asked: dict[bool, Exchange] = {}
    for place, is_renamed in enumerate(_IN_TURNS):
        operation, alias = (fresh_letters(situation.random, 8) for _ in range(2))
        named = under_other_names(plain, operation, alias) if is_renamed else plain
        assert named is not None  # applies() looks for that
        purpose = "control" if not is_renamed else "confirm" if place else "test"
        asked[is_renamed] = yield from ask_raw(named, purpose)
        said = _said(response_of(asked[is_renamed]), alias if is_renamed else name)
        if said != (_GIVEN if is_renamed else _REFUSED):
            return safe(TYPE, situation.point, "its names make no difference, or not each time")
    return vulnerable(
        ENTRY,
        situation.point,
        threat=THREAT,
        test=asked[True],
        control=asked[False],
        verified_by=(
            f"The query {name!r} is refused as it stands. With another operation name and an alias, drawn at random each time, it was "
            "answered three times; in between and afterwards it was refused as it stands."
        ),
    )


def _kept_back(situation: Situation) -> Request:
    """The request that is refused: as it was recorded, or without credentials."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is not None and _said(response, _field(request)) == _REFUSED:
        return request
    return without_credentials(request, situation.credentials)


def _field(request: Request) -> str:
    operation = operation_of(request)
    return operation.field if operation is not None else ""


def _said(response: Response, name: str) -> str:
    """Whether a field was given under a name, without errors, or nothing was but errors; empty for anything else."""
    if response.status in _NOT_LET_IN:
        return _REFUSED
    try:
        told = orjson.loads(text_of(response))
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(told, dict):
        return ""
    data = told.get("data")
    value = data.get(name) if isinstance(data, dict) else None
    if told.get("errors"):
        return _REFUSED if value is None else ""
    return _GIVEN if value is not None else ""


def applies(situation: Situation) -> bool:
    """Queries that were refused when they were recorded; with credentials also others, where all is asked for."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not only_queries(request) or under_other_names(request, "a", "b") is None:
        return False
    said = _said(response, _field(request))
    return said == _REFUSED or (said == _GIVEN and bool(situation.credentials) and is_thorough(situation.policy))


def forecast(situation: Situation) -> int:
    """One under another name; before it, where it was answered when it was recorded, one without credentials."""
    return 1 + (_kept_back(situation) is not situation.baseline.request)


ENTRY = Entry(
    type=TYPE,
    title="What is refused by its name is answered under another",
    cwe=(PATH,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why="Names of operations and aliases are the client's to choose: who is refused writes another name, and is given what is kept from him.",
    remediation=(
        "Check rights where the field is resolved, by a directive or in the resolver, whatever the operation and the answer's members "
        "are called. Where only certain documents may be asked, allow these by their text, and refuse all others."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="renamed",
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
