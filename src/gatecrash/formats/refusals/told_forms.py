"""The form that a refused request's values should have, as the error message tells it.

A document that says no more than `string` is answered with "unknown url type: 'example'", "example is not defined" or "must be one of:
open, closed". One request more, with a text of that form, is often let in. The fields that the message names are written anew, and all
that hold the made-up word where it names none of them. What the document shows is written anew where the message names its field and
tells what may stand there (`kind: must be one of loss, damage`, `amount: between 1 and 500`), dates where it tells when they may be,
addresses where it names the host that they must be on, and what is too short or too long where it tells how long it may be. A request
that the document gives no body is sent with one in XML where it is refused for being none.
"""

import re
from collections.abc import Iterable

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite, rewrite_many
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.formats.descriptions.said_choices import choice_said
from gatecrash.formats.descriptions.said_forms import form_said
from gatecrash.formats.descriptions.sample_text import FORMATS, text_for
from gatecrash.formats.refusals.sealed_forms import sealed_anew
from gatecrash.formats.refusals.told_apart import told_apart
from gatecrash.formats.refusals.told_dates import dates_told
from gatecrash.formats.refusals.told_hosts import hosts_told
from gatecrash.formats.refusals.told_lengths import lengths_told

MADE_UP = "example"
MOST_CHARACTERS = 4000
_MOST_FIELDS = 20
_IN_JSON = ("post", "json_doc")
_POSTING = frozenset({"POST", "PUT", "PATCH"})

_ONE, _YES = "1", "true"
_XML = "<example>1</example>"
_NO_BODY = (b"", b"{}")
_NUMBER_ITSELF = r"(?:must|should) be (?:an? )?(?:(?:positive|whole|valid) )?(?:number|integer|numeric)|\bpositive\b|(?:greater|more) than zero"
_YES_ITSELF = (
    r"(?:must|should|has to|needs? to) be (?:accepted|agreed(?: to)?|true|checked|confirmed|a(?: valid)? bool(?:ean)?)\b"
    r"|(?:must|have to|need to) (?:accept|agree|consent)\b|(?:not|valid) (?:a )?(?:valid )?boolean\b"
)
_FORMS = (
    (
        (
            r"unknown url type|url type|invalid ur[li]|not a valid ur[li]|valid ur[li]\b|malformed ?url|no scheme (?:is )?supplied"
            r"|no host (?:is )?(?:supplied|given)|no protocol:|not an? absolute ur[li]|ur[li] is not absolute|only absolute ur[li]s"
            r"|unsupported protocol|relative url without a base|only https?\b"
            r"|(?:must|should|has to|needs? to) (?:be|use|(?:start|begin) with)\W{1,8}(?:an? )?(?:valid )?https?\b"
        ),
        FORMATS["uri"],
    ),
    (
        (
            r"start tag expected|not allowed in prolog|not well-formed|non-whitespace before first tag|document is empty, line"
            r"|(?:not|no) (?:an? )?(?:valid )?xml\b|(?:invalid|malformed) xml\b|xml (?:parse|parsing|syntax) error"
        ),
        _XML,
    ),
    (
        r"is not valid json|expecting value: line 1|unexpected token .{1,12} in json|invalid json|must be (?:valid )?json\b",
        '{"example": 1}',
    ),
    (r"incorrect padding|illegal base64|invalid base64|not (?:a )?valid base64", FORMATS["byte"]),
    (
        (
            r"invalid isoformat|does not match format '%y-%m-%d'|invalid date\b|not a valid date\b|valid date\b"
            r"|(?:look like|format(?:ted)? (?:as|like)|e\.g\.|for example) \W{0,2}\d{4}-\d\d-\d\d(?![t ]?\d)"
            r"|yyyy-mm-dd(?!.?t?hh)|invalid input syntax for type date|localdate\b"
        ),
        FORMATS["date"],
    ),
    (r"not a valid (?:date-?time|timestamp)|valid datetime|localdatetime\b|iso ?8601", FORMATS["date-time"]),
    (r"not a valid uuid|valid uuid|badly formed hexadecimal uuid|invalid uuid|type uuid", FORMATS["uuid"]),
    (r"not a valid e-?mail|valid e-?mail|invalid e-?mail", FORMATS["email"]),
    (
        (
            r"invalid literal for int|numberformatexception|not a (?:valid )?(?:number|integer)|must be (?:a |an )?(?:number|integer|numeric)"
            rf"|valid integer|could not convert string to float|{_NUMBER_ITSELF}"
        ),
        _ONE,
    ),
    # Read as a name, of a variable or a column: a number is right wherever one may stand, and names nothing.
    (
        (
            rf"\b{MADE_UP} is not defined|name \W{{0,3}}{MADE_UP}\W{{0,3}} is not defined|no such (?:column|property): {MADE_UP}\b"
            rf"|undefined (?:constant|(?:local )?variable)(?: or method)? \W{{0,3}}{MADE_UP}\b|unknown column \W{{0,3}}{MADE_UP}\b"
            rf"|column \W{{0,3}}{MADE_UP}\W{{0,3}} does not exist|property or field \W{{0,3}}{MADE_UP}\W{{0,3}} cannot be found"
        ),
        _ONE,
    ),
    # What whoever registers agrees to.
    (_YES_ITSELF, _YES),
)
_TOLD = tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in _FORMS)
_AS_NUMBER, _AS_YES = re.compile(_NUMBER_ITSELF, re.IGNORECASE), re.compile(_YES_ITSELF, re.IGNORECASE)
# "must be one of: open, closed", "must be open, closed or lost", "Input should be 'a', 'b' or 'c'"; quotes may be escaped, as in JSON.
_CHOICES = re.compile(
    r"(?:\bone of(?: the following)?|(?:allowed|valid|possible) (?:values|choices|options)(?: are)?|choose from|accepted for enum class)"
    r"\W{1,8}([\w-]{1,40})[\"'\\]*\s*(?:,|\||/|\bor\b)"
    r"|must be (?:either )?[\"'\\]*([\w-]{1,40})[\"'\\]*(?:, ?[\"'\\]*[\w-]{1,40}[\"'\\]*){0,9},? or [\"'\\]*[\w-]{1,40}[\"'\\]*(?=\W*\Z|[.;\"'\\])"
    r"|(?:expected|should be)\W{1,3}(?<=[\"'])([\w-]{1,40})[\"'\\]+\s*(?:,|\||\bor\b)",
    re.IGNORECASE,
)
# What a number may be: from, more than, up to, less than. A length is none (`at least 8 characters`).
_NUMBER = r"(-?\d{1,9})(?![\d.]*\d|\s*+(?:char|letter|digit|item|entr|element|word|byte|symbol))"
_FROM = re.compile(
    rf"(?:between|at least|minimum(?: value)?(?: is| of)?|no less than|not less than|greater than or equal to|>=)\s{{1,3}}{_NUMBER}"
    rf"|(?:must be|from|range|within|in)\s{{1,3}}[\[(]?{_NUMBER}\s?(?:to|[-,\u2013])\s?\d",
    re.IGNORECASE,
)
_MORE = re.compile(rf"(?:greater than|more than|larger than|above)\s{{1,3}}{_NUMBER}", re.IGNORECASE)
_UP_TO = re.compile(
    rf"(?:at most|maximum(?: value)?(?: is| of)?|no more than|not more than|not exceed|less than or equal to|<=)\s{{1,3}}{_NUMBER}",
    re.IGNORECASE,
)
_LENGTHS = re.compile(r"\bcharacters?\b|\bchars\b|\blength\b|\bletters\b|\bdigits\b", re.IGNORECASE)
_IS_NUMBER = re.compile(rb"-?\d{1,18}(?:\.\d{1,9})?")
# Members of an answer that tells what is wrong, which a field may be called like.
_OF_ANSWERS = frozenset(
    {"error", "errors", "message", "msg", "detail", "details", "status", "code", "title", "type", "field", "path"}
)


def reworded(request: Request, response: Response) -> Request | None:
    """The request with values of the form that the answer asks for; None where it tells none, or nothing that may be written anew."""
    message = text_of(response)[:MOST_CHARACTERS]
    try:
        return _field_by_field(request, message) or _at_once(request, message)
    except GatecrashError:
        return None


def _field_by_field(request: Request, message: str) -> Request | None:
    """The request with the fields of which the message speaks apart; None where it speaks of none, or tells nothing."""
    better = request
    for name, said in told_apart(message, [one.point[-1] for one in _values(request)]):
        found = [one for one in _values(better) if one.point[-1] == name]
        text = choice_said(said) or _choice_told(said) or form_said(said, name)
        made_up = [one for one in found if one.value in (MADE_UP.encode(), text_for({}, name).encode())]
        if text is not None and made_up and not any(one.value == text.encode() for one in made_up):
            better = rewrite_many(better, {one.point: text.encode() for one in made_up})
        else:
            better = _with_told(better, found, f"{name}: {said}") or better
    return better if better is not request else None


def _values(request: Request) -> list[Found]:
    return [one for one in walked(request) if not one.container and one.point[0] in ("get", "post", "path")]


def _at_once(request: Request, message: str) -> Request | None:
    """The request with what the message as a whole tells."""
    better = _with_told(request, _values(request), message)
    if (
        better is None
        and _text_told(message) == _XML
        and request.body in _NO_BODY
        and request.method.upper() in _POSTING
    ):
        return _with_document(request)
    sealed = sealed_anew(walked(request)) if better is None else {}
    return rewrite_many(request, sealed) if sealed else better


def _with_told(request: Request, found: list[Found], message: str) -> Request | None:
    """The request with what the message tells of these values; None where it tells nothing."""
    text = _text_told(message)
    made_up = [one for one in found if one.value == MADE_UP.encode()][:_MOST_FIELDS] if text is not None else []
    named = [one for one in made_up if re.search(rf"\b{re.escape(one.point[-1])}\b", message)]
    values: dict[Point, bytes] = {one.point: (text or "").encode() for one in named}
    values = values or _shown(found, message) or dates_told(found, message) or hosts_told(found, message)
    values = values or lengths_told(found, message)
    values = values or {one.point: (text or "").encode() for one in made_up}
    if not values:
        return None
    changed = rewrite_many(request, values)
    if (text == _ONE and _AS_NUMBER.search(message)) or (text == _YES and _AS_YES.search(message)):
        return _with_literals(changed, values, text)
    return changed


def _with_document(request: Request) -> Request:
    body = _XML.encode()
    headers = with_header(request.headers, b"Content-Type", b"application/xml")
    headers = with_header(headers, b"Content-Length", b"%d" % len(body))
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _with_literals(request: Request, points: Iterable[Point], text: str) -> Request:
    """The request with numbers or true in JSON where it has texts that say so: what wants these does not take a text for them."""
    for point in points:
        if tuple(point[:2]) == _IN_JSON:
            request = rewrite(request, point, text.encode(), raw=True)
    return request


def _shown(found: Iterable[Found], message: str) -> dict[Point, bytes]:
    """What stands in the place of values that the document shows and the message names: a choice, or a number within its bounds."""
    chosen, number = _choice_told(message), _number_told(message)
    values: dict[Point, bytes] = {}
    for one in found:
        if one.point[0] == "path" or not one.value or not _is_named(one.point[-1], message):
            continue
        text = number if _IS_NUMBER.fullmatch(one.value) else chosen
        if text is not None and text.encode() != one.value:
            values[one.point] = text.encode()
    return values


def _is_named(name: str, message: str) -> bool:
    """Whether a message is about the field of that name; a member that every refusal has is about none."""
    behind = r"(?!\w|[\"']\s*+:)" if name.lower() in _OF_ANSWERS else r"(?!\w)"
    return len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}{behind}", message) is not None


def _number_told(message: str) -> str | None:
    """A number within the bounds that a message tells."""
    if _LENGTHS.search(message):
        return None
    for pattern, step in ((_FROM, 0), (_MORE, 1), (_UP_TO, 0)):
        told = pattern.search(message)
        if told:
            return str(int(next(filter(None, told.groups()))) + step)
    return None


def _choice_told(message: str) -> str | None:
    chosen = _CHOICES.search(message)
    return (chosen[1] or chosen[2] or chosen[3]) if chosen else None


def _text_told(message: str) -> str | None:
    return _choice_told(message) or next((text for pattern, text in _TOLD if pattern.search(message)), None)
