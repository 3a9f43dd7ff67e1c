"""Whether somebody of a lower rank is refused what makes objects of a kind, which the higher identity made by a recorded request.

Who may not make a tool or an account has no business with deleting those of others. What he makes after all, its sender
deletes; but not what is answered a second time, too: his cart was there before, and is no more than shown to him.
Whoever may not even read what stands below the same project has no place there, whatever his rank.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of
from gatecrash.core.testing.authorization.objects.named import asking_for, listing, named_objects
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_NOT_FOR_HIM = (403, 404)


def is_kept_from(
    situation: Situation, other: Identity, maker: Made, named: Named
) -> Generator[TestRequest, Answer, bool]:
    """Whether making such an object is refused to a known caller. named: where the deleting request names what was made."""
    if other.rank >= situation.identities[0].rank or not maker.path:
        return False
    deleting: Request = situation.baseline.request
    asked = in_name_of(deleting, maker)
    made = response_of((yield from ask_as(asked, other.name, "control")))
    new = maker.identifier(made)
    if new:
        again = maker.identifier(response_of((yield from ask_as(asked, other.name, "control"))))
        for each in dict.fromkeys(filter(None, (new, again))) if again != new else ():
            undo = asking_for(deleting, named, each)
            if undo is not None:
                yield from ask(undo, "control")
    is_kept = made.status != UNAUTHORIZED and refusal(made) is not None
    if not is_kept or not any(each.sure and each.point[0] == "path" for each in named_objects(asked)):
        return is_kept
    above = response_of((yield from ask_as(listing(asked, asked.path), other.name, "control")))
    return refusal(above) is None and above.status not in _NOT_FOR_HIM
