"""Whose an object is, told by another change of it: `PUT /boats/7` is done for its owner and refused to the other, so that
`PATCH /boats/7/price` and its deletion are the owner's as well.

told = yield from refused_change(situation, other, named)      in words; empty where nothing says so

The change is sent as it was recorded, so that whoever may make it changes nothing.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of
from gatecrash.core.testing.authorization.objects.named import asking_for
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_NOT_HIS = (403, 404)


def refused_change(
    situation: Situation, other: Identity, named: Named, new: str = ""
) -> Generator[TestRequest, Answer, str]:
    """What says that the object is its owner's. new: another object of its kind, which is asked about in its place."""
    excluded = {method.upper() for method in situation.policy.methods_excluded}
    for change in situation.renewal.changes[:1]:
        asked = _about(situation, change, named, new)
        if asked is None or change.method.upper() in excluded:
            continue
        if response_of((yield from ask_as(asked, other.name, "control"))).status not in _NOT_HIS:
            continue
        if is_taken(response_of((yield from ask(asked, "control")))):
            where = change.path.decode("latin-1")
            return f"{change.method} {where}, another change of it, is done for its owner and refused to the other"
    return ""


def _about(situation: Situation, change: Request, named: Named, new: str) -> Request | None:
    asked = in_name_of(situation.baseline.request, Made(change, ()))
    return asking_for(asked, named, new) if new and new != named.value else asked
