"""What answers in JSON tell people of what was done, in a sentence: `{"status": "ok", "message": "Your order was placed."}`."""

import re

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of

_NAMES = frozenset(
    {"message", "msg", "error", "detail", "details", "reason", "feedback", "info", "notice", "result", "description"}
)
_NUMBER = re.compile(r"\d+")
_SENTENCE = re.compile(r"\S+(?:\s+\S+)+")
_LONGEST = 200


def says_otherwise(good: Response, other: Response) -> bool:
    """Whether an answer tells another sentence than the good one, under the same name; numbers aside."""
    ours, theirs = _messages(good), _messages(other)
    return any(theirs.get(name, told) != told for name, told in ours.items())


def _messages(response: Response) -> dict[str, str]:
    """The sentences of a JSON object, each by the name that it has."""
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return {}
    members = document.items() if isinstance(document, dict) else ()
    return {
        name: _NUMBER.sub("0", text.casefold().strip())
        for name, text in members
        if name.lower() in _NAMES and isinstance(text, str) and len(text) <= _LONGEST and _SENTENCE.fullmatch(text)
    }
