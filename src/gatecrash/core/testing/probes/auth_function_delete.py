"""Deleting that is for a higher rank: what somebody of a lower one could not make is gone after he asked for that.

What it finds
    `DELETE /tools/7`, recorded for an identity of a higher rank and done for one of a lower rank, to whom making such
    an object is refused; `DELETE /admin/tools/7`, whose path says for whom it is, also where everybody may make such an
    object.

Why it matters
    The role is checked where things are made and was forgotten where they are deleted. Whoever is signed in empties the
    catalogue, or deletes the accounts of all others.

How it decides
    Ranks come with the identities; of those below, the highest asks. Nothing that was there before is touched. The
    record must show the request that makes such an object; sent as the lower identity it must be refused in words or by
    its status, so that the application itself says that such objects are not his to make (below a project that he may
    not read either it says no more than that he is no member, which `idor_delete` looks at), unless the path of what
    deletes says by a word such as `admin` who it is for. Then the higher identity sends it once more and reads the new
    object. Nobody asks to delete it, without credentials; it must still be there. Then the lower identity asks, and it
    must be gone. What is left at the end, and what the lower identity was let make after all, the higher one deletes.

Known misses
    Objects whose making was not recorded, or that everybody may make where the path says nothing. What deletes by
    another method than DELETE.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import named_by
from gatecrash.core.testing.authorization.objects.made_anew import is_gone, is_shown, may_make, one_made_anew
from gatecrash.core.testing.authorization.objects.named import asking_for, listing
from gatecrash.core.testing.authorization.ranks.makers_kept import is_kept_from
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers, section_of_managers
from gatecrash.core.testing.authorization.ranks.role_sections import was_led_into
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 285
THREAT = 88
_NOBODY = ""
_FORECAST = 1


def _dialogue(situation: Situation) -> Dialogue:
    lower, named = lower_of(situation.identities), named_by(situation)[-1]
    assert lower is not None
    request = situation.baseline.request
    word = "" if was_led_into(section_of_managers(request), lower) else is_of_managers(request)
    for maker in _makers(situation):
        evidence = f"its path says by {word!r} who it is for" if word else ""
        if (yield from is_kept_from(situation, lower, maker, named)):
            evidence = f"{maker.request.path.decode('latin-1')}, which makes such objects, refuses {lower.name!r}"
        if evidence:
            return (yield from _deleted(situation, lower, maker, named, evidence))
    return safe(TYPE, situation.point, "nothing says that such objects are for the higher rank")


def _deleted(situation: Situation, lower: Identity, maker: Made, named: Named, evidence: str) -> Dialogue:
    """Delete a new one as nobody, and then as the lower identity; the higher one looks after each."""
    point = situation.point
    new = yield from one_made_anew(situation, maker, named)
    asked = asking_for(situation.baseline.request, named, new) if new else None
    if asked is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no such object can be made, and no other is deleted")
    place = yield from _place(asked, maker, named, new)
    if place is None:
        yield from ask(asked, "confirm")
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "what was just made cannot be read")
    before = yield from ask(place, "control")
    yield from ask_as(asked, _NOBODY, "control")
    if not is_shown(response_of((yield from ask(place, "control"))), new):
        return safe(TYPE, point, "anybody deletes it without credentials")
    deleted = yield from ask_as(asked, lower.name)
    if not (yield from is_gone(place, new)):
        yield from ask(asked, "confirm")
        return safe(TYPE, point, "it is there still after the lower identity asked to delete it")
    return vulnerable(
        ENTRY,
        named.point,
        detail=f"{lower.name!r} deletes it",
        threat=THREAT,
        test=deleted,
        control=before,
        verified_by=(
            f"What the higher identity had just made was gone after {lower.name!r} asked to delete it; without credentials the same "
            f"left it there. That it is not for this rank: {evidence}. Nothing else was deleted."
        ),
    )


def _place(asked: Request, maker: Made, named: Named, new: str) -> Generator[TestRequest, Answer, Request | None]:
    """Where the new object is read: at its own address, in the list above it, or below where it was made and in the list there."""
    own, made_at = [asked.target, *([named.collection] if named.collection else [])], maker.request.path
    for target in dict.fromkeys((*own, made_at + b"/" + new.encode(), made_at)):
        place = listing(asked, target)
        if is_shown(response_of((yield from ask(place, "control"))), new):
            return place
    return None


def _makers(situation: Situation) -> list[Made]:
    return [each for each in situation.makers if each.path][:1]


def applies(situation: Situation) -> bool:
    """What deletes an object that it names, was done for somebody who stands above another, and is made by a recorded request."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_REDIRECT or request.method.upper() != "DELETE":
        return False
    if lower_of(situation.identities) is None or not situation.credentials:
        return False
    return may_make(situation) and bool(_makers(situation)) and bool(named_by(situation))


def forecast(_situation: Situation) -> int:
    """To make one is refused, or one is made and deleted; else nothing more is asked."""
    return _FORECAST


ENTRY = Entry(
    type=TYPE,
    title="Deleting is open to a lower role than making",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Anybody who is signed in deletes what only those who manage the service may make, one thing after the other: the catalogue, "
        "the accounts of others."
    ),
    remediation=(
        "Check the role at each function and for every method, deleting as well as making, and refuse by default. Test each method "
        "of an address with each rank."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="function_delete",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
