"""The form that a refused request's made-up texts should have, as the error message tells it.

A document that says no more than `string` is answered with "unknown url type: 'example'" or "must be one of: open, closed". One
request more, with a text of that form, is often let in. The fields that the message names are written anew, and all that hold
the made-up word where it names none of them.
"""

import re

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.formats.sample_text import FORMATS

MADE_UP = "example"
MOST_CHARACTERS = 4000
_MOST_FIELDS = 20

_FORMS = (
    (
        (
            r"unknown url type|url type|invalid ur[li]|not a valid ur[li]|valid ur[li]\b|malformed ?url|no scheme (?:is )?supplied"
            r"|no host (?:is )?(?:supplied|given)|no protocol:|not an? absolute ur[li]|ur[li] is not absolute|only absolute ur[li]s"
            r"|unsupported protocol|relative url without a base"
        ),
        FORMATS["uri"],
    ),
    (
        r"start tag expected|not allowed in prolog|not well-formed|non-whitespace before first tag|document is empty, line",
        "<example>1</example>",
    ),
    (r"is not valid json|expecting value: line 1|unexpected token .{1,12} in json|invalid json", '{"example": 1}'),
    (r"incorrect padding|illegal base64|invalid base64|not (?:a )?valid base64", FORMATS["byte"]),
    (
        (
            r"invalid isoformat|does not match format '%y-%m-%d'|invalid date\b|not a valid date\b|valid date\b"
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
            r"|valid integer|could not convert string to float"
        ),
        "1",
    ),
)
_TOLD = tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in _FORMS)
# "must be one of: open, closed", "Input should be 'a', 'b' or 'c'"; quotes may be escaped, as in JSON.
_CHOICES = re.compile(
    r"(?:\bone of(?: the following)?|(?:allowed|valid|possible) (?:values|choices|options)(?: are)?|choose from|accepted for enum class)"
    r"\W{1,8}([\w-]{1,40})[\"'\\]*\s*(?:,|\||/|\bor\b)"
    r"|(?:expected|should be)\W{1,3}(?<=[\"'])([\w-]{1,40})[\"'\\]+\s*(?:,|\||\bor\b)",
    re.IGNORECASE,
)


def reworded(request: Request, response: Response) -> Request | None:
    """The request with texts of the form that the answer asks for; None where it tells none, or nothing was made up."""
    message = text_of(response)[:MOST_CHARACTERS]
    text = _text_told(message)
    if text is None:
        return None
    made_up = [one for one in walk(request).points if not one.container and one.value == MADE_UP.encode()]
    values = [one for one in made_up if one.point[0] in ("get", "post", "path")][:_MOST_FIELDS]
    named = [one for one in values if re.search(rf"\b{re.escape(one.point[-1])}\b", message)]
    if not values:
        return None
    try:
        return rewrite_many(request, {one.point: text.encode() for one in named or values})
    except GatecrashError:
        return None


def _text_told(message: str) -> str | None:
    chosen = _CHOICES.search(message)
    if chosen:
        return chosen[1] or chosen[2]
    return next((text for pattern, text in _TOLD if pattern.search(message)), None)
