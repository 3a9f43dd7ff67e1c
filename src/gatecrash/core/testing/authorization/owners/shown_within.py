"""What only the thing above it shows: the remark `7` of `DELETE /remarks/7`, made at `/posts/4/remarks` and read in `/posts/4`.

evidence = yield from evidence_within(situation, other, named, by)     whose it is, in words; as `evidence_of_own` has it elsewhere
things_above(situation)                                                requests for the things that show what was made below them
"""

from collections.abc import Generator

import msgspec
import orjson

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.made_anew import is_shown
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.owners.list_entries import entry_names
from gatecrash.core.testing.authorization.owners.own_evidence import evidence_of_own
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_MAKERS = 2


def things_above(situation: Situation) -> list[Request]:
    """Requests for the things whose answer was what made such an object below them: `/posts/4` of `/posts/4/remarks`."""
    return [listing(situation.baseline.request, each.shown_in()) for each in _makers(situation)]


def evidence_within(
    situation: Situation, other: Identity, named: Named, by: Exchange
) -> Generator[TestRequest, Answer, str]:
    """What says that an object is its owner's to delete, in words; empty where nothing does.

    by: how its owner reads it. Of a thing that shows several the others do not count, nor does whose the thing is: where
    both read it, the entry must name its owner itself.
    """
    made = next((each for each in _makers(situation) if each.shown_in() == by.request.path), None)
    if made is None:
        return (yield from evidence_of_own(situation, other, named, by))
    alone = _alone(response_of(by), made.path, named.value) or response_of(by)
    evidence = yield from evidence_of_own(situation, other, named, msgspec.structs.replace(by, response=alone))
    if not evidence or entry_names(alone, named.value, b"", holder_values(situation)):
        return evidence
    seen = response_of((yield from ask_as(by.request, other.name, "control")))
    return "" if is_shown(seen, named.value) else evidence


def _makers(situation: Situation) -> list[Made]:
    return [each for each in situation.makers[:_MOST_MAKERS] if each.shown_in()]


def _alone(shown: Response, path: tuple[str, ...], value: str) -> Response | None:
    """The answer with one entry in the list to which the names lead; None where it has no such list, or not that entry once."""
    try:
        document = orjson.loads(content_of(shown) or b"")
    except orjson.JSONDecodeError:
        return None
    above = document
    for name in path[:-2]:
        above = above.get(name) if isinstance(above, dict) else None
    entries = above.get(path[-2]) if isinstance(above, dict) else None
    if not isinstance(entries, list):
        return None
    found = [each for each in entries if isinstance(each, dict) and str(each.get(path[-1])) == value]
    if len(found) != 1:
        return None
    above[path[-2]] = found
    headers = tuple(pair for pair in shown.headers if pair[0].lower() not in (b"content-encoding", b"content-length"))
    return Response(shown.status, headers, orjson.dumps(document))
