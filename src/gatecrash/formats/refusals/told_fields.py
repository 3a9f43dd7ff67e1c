"""A refused request with the fields that the refusal says it lacks: `raceId and phone are required`.

Descriptions that people write beside the code often say nothing of a request's body, or of a parameter. The application
says it to whoever asks without: each field that is named there is added with a made-up value.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import msgspec
import orjson

from gatecrash.core.message import Request, Response, kind_of_content, with_header, without_header
from gatecrash.core.point import Point
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.draft import Draft, Hole, names_a_thing

MOST_CHARACTERS, MOST_OF_A_TEXT = 4000, 500
MOST_FIELDS = 12
_REFUSED = frozenset({400, 415, 422, 500})
_IN_BODY = frozenset({"POST", "PUT", "PATCH"})
_JSON, _FORM = b"application/json", b"application/x-www-form-urlencoded"
_EMPTY = ("", None)
_DEEPEST = 4

_NAME = r"[\"'`]?[A-Za-z_]\w{1,39}[\"'`]?"
_NAMES = rf"({_NAME}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+|\s*/\s*){_NAME}){{0,11}})"
_KIND = r"(?:fields?|parameters?|params?|propert(?:y|ies)|attributes?|values?|keys?|arguments?)"
# What an application falls over that was sent no body at all.
_OF_NOTHING = rf"destructure property {_NAMES} of|of undefined \(reading {_NAMES}\)"
_BEFORE = rf"(?:an?|the|required|mandatory|both|all|valid|{_KIND})"
_LACKING = (
    r"(?:required|missing|mandatory|needed|absent|undefined|not (?:given|provided|set|specified|present)"
    r"|must be (?:given|provided|set|specified|present|supplied)"
    r"|(?:can(?:no|.)?t|must not|may not|should not) be (?:empty|blank|null|undefined|none|missing))"
)
_TOLD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NAMES}(?:\s+{_KIND})?[,:]?\s+(?:(?:is|are|was|were)\s+)?(?:both\s+|all\s+|an?\s+)?{_LACKING}",
        rf"(?:missing|required|lacks?|provide|specify|supply)(?:\s+{_BEFORE})*\s*[:\s(\[]\s*{_NAMES}",
        _OF_NOTHING,
        # What is not there is no URL either: `url must be an absolute URL`.
        rf"(?:^|[;,.:]\s+)({_NAME}) (?:must|should|has to|needs to) be\b",
    )
)
_SAYS_LACKING = re.compile(_LACKING, re.IGNORECASE)
_OF_LACKING = re.compile(rf"(?:missing|required|lacking)(?:[-_ ]?{_KIND})?", re.IGNORECASE)
_OF_FIELDS = re.compile(rf"{_KIND}|details|errors", re.IGNORECASE)
_IS_NAME = re.compile(r"[A-Za-z_]\w{0,39}")
# What sentences of this kind say besides the names.
_WORDS = frozenset(
    {
        "a", "all", "an", "and", "any", "are", "argument", "arguments", "at", "attribute", "attributes", "authentication",
        "authorization", "body", "both", "content", "credentials", "data", "empty", "error", "field", "fields", "following", "for",
        "from", "has", "have", "header", "in", "input", "is", "it", "json", "key", "keys", "login", "missing", "must", "no", "not", "null", "object",
        "of", "one", "or", "parameter", "parameters", "params", "path", "payload", "please", "properties", "property", "provide",
        "provided", "request", "required", "some", "that", "the", "this", "to", "token", "type", "undefined", "valid", "value",
        "values", "was", "which", "with", "you", "your",
    }
)  # fmt: skip


def completed(draft: Draft) -> Draft | None:
    """The draft with the fields that its answer asks for, and nothing else changed; None where it asks for none that it lacks. What was
    sent without any body, and said of none, gets an empty object.
    """
    request, response = draft.request, draft.response
    if not isinstance(response, Response) or response.status not in _REFUSED:
        return None
    names = list(lacking(response))[:MOST_FIELDS]
    in_body = request.method.upper() in _IN_BODY
    added = with_members(request, names) if in_body else _with_parameters(request, names)
    if added is None and in_body and not request.body and request.first(b"Content-Type") is None:
        added = _with_no_members(request)  # what reads a body falls over none before it can say what is missing
    if added is None:
        return None
    above = ("post", "json_doc", "json_obj") if in_body else ("get",)
    known = {hole.name for hole in draft.holes}
    holes = [Hole(name, Point((*above, name))) for name in names if names_a_thing(name) and name not in known]
    return msgspec.structs.replace(draft, request=added, spare=None, holes=(*draft.holes, *holes))


def lacking(response: Response) -> Iterator[str]:
    """The names of fields that an answer says are missing; each once, in its order."""
    text = text_of(response)[:MOST_CHARACTERS]
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        page = "<html" in text.lower()
        fallen = re.search(_OF_NOTHING, unescape(text)) if page else None
        said = fallen[0] if fallen is not None else "" if page else text
    yield from dict.fromkeys(_names_in(said, "", 0))


def _names_in(said: Any, above: str, depth: int) -> Iterator[str]:
    """above: the member that holds it. A member whose text says only that something is missing names it."""
    if depth > _DEEPEST:
        return
    if isinstance(said, str):
        said = said[:MOST_OF_A_TEXT]
        if _SAYS_LACKING.search(said):
            named = list(_told(said))
            # A title is the sentence itself in problem details (RFC 9457), and elsewhere a field that a thing may have.
            in_itself = above.lower() in ("", *_MESSAGES) or (above.lower() == "title" and named)
            yield from named if in_itself else [above]
        else:
            yield from _told(said)
    elif isinstance(said, list):
        for one in said[:MOST_FIELDS]:
            yield from _names_in(one, above, depth + 1)
    elif isinstance(said, dict):
        own = next(
            (said[key] for key in ("field", "param", "path", "propertyName") if isinstance(said.get(key), str)), ""
        )
        place = said.get("loc")
        if isinstance(place, list) and place and "missing" in str(said.get("type")):
            own = str(place[-1])
        if _IS_NAME.fullmatch(own) and _is_of_a_field(said):
            yield own
            return
        yield from _listed_beside(said)
        for name, one in said.items():
            yield from _names_in(one, above if name.lower() in _WRAPPING else name, depth + 1)


def _listed_beside(said: dict[str, Any]) -> Iterator[str]:
    """The names in a list of nothing else that is called what is missing, or stands beside a message that says it:
    `{"error": "missing fields", "fields": ["apiary_id", "notes"]}`.
    """
    message = any(isinstance(one, str) and _SAYS_LACKING.search(one[:MOST_OF_A_TEXT]) for one in said.values())
    for name, listed in said.items():
        if _OF_LACKING.fullmatch(name) is None and not (message and _OF_FIELDS.fullmatch(name)):
            continue
        if isinstance(listed, list) and all(isinstance(one, str) and _IS_NAME.fullmatch(one) for one in listed):
            yield from listed


_ALSO_FIELDS = frozenset({"content", "data", "from", "key", "path", "to", "token", "type", "value"})
_MESSAGES = frozenset({"message", "msg", "error", "detail", "details", "errors", "reason"})
_WRAPPING = frozenset({"errors", "error", "detail", "details", "data"})


def _is_of_a_field(said: dict[str, Any]) -> bool:
    """Whether an object tells of one field of the request's, as validators write: with a message beside its name."""
    return bool(_MESSAGES & {name.lower() for name in said} or {"loc", "defaultMessage", "code"} & said.keys())


def _told(sentence: str) -> Iterator[str]:
    """The names in a sentence; one word alone may be the sentence's own."""
    for pattern in _TOLD:
        for found in pattern.finditer(sentence):
            listed = re.findall(r"[A-Za-z_]\w*", next((part for part in found.groups() if part), ""))
            names = [name for name in listed if name.lower() not in ("and", "or")]
            for name in names:
                if name.lower() not in _WORDS or (len(names) > 1 and name in _ALSO_FIELDS):
                    yield name[0].lower() + name[1:] if found.start() == 0 and name.istitle() else name


def with_members(request: Request, names: list[str]) -> Request | None:
    """The request with these members, made up, in its JSON object or its form; None where it has them all, or its body is of another
    kind. One that is there and empty was left for its sender to fill in.
    """
    kind = kind_of_content(request) or _JSON
    if kind == _FORM:
        return _with_form_fields(request, names)
    try:
        document = orjson.loads(request.body) if request.body else {}
    except orjson.JSONDecodeError:
        return None
    if not isinstance(document, dict) or kind != _JSON:
        return None
    lacked = [name for name in names if document.get(name, "") in _EMPTY]
    return (
        _with_text(request, orjson.dumps(document | {name: _made_up(name) for name in lacked}), _JSON)
        if lacked
        else None
    )


def _with_form_fields(request: Request, names: list[str]) -> Request | None:
    pairs = _filled_in(request.body.decode("latin-1"), names)
    return _with_text(request, pairs.encode("latin-1"), _FORM) if pairs else None


def _filled_in(pairs: str, names: list[str]) -> str:
    """Pairs of names and values with these made up where they are not there, or empty; nothing where all are there."""
    held = [pair.partition("=") for pair in pairs.split("&") if pair]
    lacked = {name: quote(text_for({}, name), safe="") for name in names}
    for name, _, value in held:
        if value:
            lacked.pop(name, None)
    kept = [f"{name}{sign}{value}" for name, sign, value in held if name not in lacked]
    return "&".join([*kept, *(f"{name}={value}" for name, value in lacked.items())]) if lacked else ""


def _with_text(request: Request, body: bytes, kind: bytes) -> Request:
    headers = with_header(without_header(request.headers, b"Content-Type"), b"Content-Type", kind)
    headers = with_header(without_header(headers, b"Content-Length"), b"Content-Length", b"%d" % len(body))
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _with_no_members(request: Request) -> Request:
    headers = with_header(with_header(request.headers, b"Content-Type", _JSON), b"Content-Length", b"2")
    changed: Request = msgspec.structs.replace(request, headers=headers, body=b"{}")
    return changed


def _with_parameters(request: Request, names: list[str]) -> Request | None:
    pairs = _filled_in((request.query or b"").decode("latin-1"), names)
    if not pairs:
        return None
    target = request.path + b"?" + pairs.encode("latin-1")
    changed: Request = msgspec.structs.replace(request, target=target)
    return changed


def _made_up(name: str) -> str | int:
    text = text_for({}, name)
    return int(text) if text.isdigit() else text
