"""Markup that JSON carries for a page to insert: `{"message": "<p>No results for <b>tea</b>.</p>"}`.

A member is markup by design where the recorded answer has tags in it that the request did not bring along.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.body import content_of, media_type

_TAG = re.compile(
    r"<(?:a|b|br|button|code|div|em|font|form|h[1-6]|hr|i|img|input|label|li|ol|p|pre|section|small|span|strong|table|td|th|tr|u|ul)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_AS_PAGE = ((b"Content-Type", b"text/html; charset=utf-8"),)
_MOST_MEMBERS = 2000

Path = tuple[str, ...]


def inserted(answer: Response, recorded: Response, request: Request) -> Response:
    """What pages insert of an answer in JSON, as a page; the answer itself where nothing is known to be inserted."""
    paths = {path for path, text in texts_of(recorded) if _has_tags(text, request)}
    held = [text for path, text in texts_of(answer) if path in paths] if paths else []
    return Response(answer.status, _AS_PAGE, "\n".join(held).encode("utf-8", "replace")) if held else answer


def _has_tags(text: str, request: Request) -> bool:
    """Whether a text has a tag that does not stand in the request."""
    tags = set(_TAG.findall(text))
    if not tags:
        return False
    body = request.body.decode("utf-8", "replace")
    sent = (
        unquote_plus(request.target.decode("latin-1"))
        + unquote_plus(body)
        + body.replace("\\/", "/").replace('\\"', '"')
    )
    return any(tag not in sent for tag in tags)


def texts_of(response: Response) -> Iterator[tuple[Path, str]]:
    """The texts of a JSON answer, each with the names that lead to it; none of any other answer."""
    return ((path, text) for path, text, _ in texts_of_objects(response))


def texts_of_objects(response: Response) -> Iterator[tuple[Path, str, frozenset[str]]]:
    """The same, each with the names of all members of its object."""
    if "json" not in media_type(response):
        return
    try:
        todo: list[tuple[Path, object, frozenset[str]]] = [((), orjson.loads(content_of(response) or b""), frozenset())]
    except orjson.JSONDecodeError:
        return
    for _ in range(_MOST_MEMBERS):
        if not todo:
            return
        path, value, beside = todo.pop()
        if isinstance(value, dict):
            names = frozenset(map(str, value))
            todo += [((*path, str(name)), below, names) for name, below in value.items()]
        elif isinstance(value, list):
            todo += [(path, below, beside) for below in value]
        elif isinstance(value, str):
            yield path, value, beside
