"""What tells that somebody is answered as nobody is, where no answer calls itself a refusal.

Applications hide what their callers may not see (404), fail at a session that they do not know (500), show everybody the same
page, or say `{"ok": false}` under a good status. Whoever is answered so in a session that is over finds nothing, which must not
be taken for soundness. Such an answer has another form than the recorded one, and is what a request without credentials is given.

has_changed(recorded, now)      whether a request is answered in another form than it was
is_alike(recorded, now)         whether it is so only in what it is called or holds nothing of any more
face_of(request, now)           what that answer is, to know it again at other addresses
"""

import re
from typing import Any, Final

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.health.sameness import steady
from gatecrash.core.testing.oracles.body import content_of, media_type
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.remembering import remembered

_OF_THE_MOMENT: Final = frozenset({429, 502, 503, 504})
"""Of who is asked too often, or away for a moment."""

_LOOKED_AT: Final = 20_000
_CALLED: Final = re.compile(rb"<(?:title|h1)(?:\s[^<>]{0,300})?>([^<>]{0,200})<", re.IGNORECASE)
"""What a page calls itself."""

Face = tuple[int, str, bytes]


def form_of(response: Response) -> tuple[Any, ...]:
    """What an answer is, whatever it tells: its status, where it leads, its kind, and the members of its object."""
    return _shape(response)[0]


@remembered
def _shape(response: Response) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """An answer's form; and what a page calls itself, or whether a list or an object, and its members, hold anything.

    What leads elsewhere has no other: browsers show nobody what else it holds, nor keep it in what they export.
    """
    if (leads_to := response.first(b"Location")) is not None and 300 <= response.status < FIRST_ERROR:
        return (response.status, leads_to), ()
    content, document = content_of(response) or b"", _document(response)
    names = sorted(document) if isinstance(document, dict) else []
    form = response.status, leads_to, media_type(response), type(document), tuple(names), not content
    called = tuple(found[1].strip() for found in _CALLED.finditer(content[:_LOOKED_AT])) if document is None else ()
    return form, (called, _holds(document), *(_holds(document[name]) for name in names))


def _document(response: Response) -> Any:
    try:
        return orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return None


def _holds(value: object) -> bool:
    return bool(value) if isinstance(value, bool | list | dict) else value is not None


def has_changed(recorded: Response | None, now: Response) -> bool:
    """Whether what was answered well is answered in another form now, and not for the moment alone."""
    if recorded is None or recorded.status >= FIRST_ERROR or now.status in _OF_THE_MOMENT:
        return False
    return _shape(recorded) != _shape(now) and not _has_grown(recorded, now) and refusal(recorded) is None


def _has_grown(recorded: Response, now: Response) -> bool:
    """Whether an object tells all that it told, under the same status, and more: labels by their names, to which tests add theirs."""
    if recorded.status != now.status:
        return False
    before, after = _document(recorded), _document(now)
    if not isinstance(before, dict) or not isinstance(after, dict) or not before:
        return False
    return all(name in after and after[name] == value for name, value in before.items())


def is_alike(recorded: Response | None, now: Response) -> bool:
    """Whether an answer that has changed has its form still: a list that was emptied since, another page; for everybody perhaps."""
    return recorded is not None and form_of(recorded) == form_of(now)


def face_of(request: Request, response: Response) -> Face:
    """What an answer says, without what moves by itself, the address that it repeats, and the method."""
    said = steady(request, response)
    return response.status, media_type(response), said.replace(request.method.encode(), b"")
