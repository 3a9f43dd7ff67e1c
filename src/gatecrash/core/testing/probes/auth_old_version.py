"""Old versions of lists of people: `/v1/members` tells how to reach everybody, and `/v2/members` does not any more.

What it finds
    Pages that tell of several people what they keep to themselves, whose newer version tells the same caller of the same
    people without it, or is refused to him. One identity is enough.

Why it matters
    The leak was mended where the application's own pages look, and the old version still answers: whoever changes one
    digit of the address reads what was taken away.

How it decides
    The record shows the same path with a higher version, answered or refused to somebody who is signed in. It is asked
    for again as the same caller. Where it is refused in words or by its status, that is enough; where it answers, it
    must name several of those whom the old version lists, and hold none of what that tells of others. The old version must say so
    twice, and a path that does not exist must be answered otherwise. Who is told of himself that he manages others is
    left alone, and so is what says of itself that it is for everybody.

Known misses
    Versions that are named elsewhere than in the path, and newer ones that the record does not show. Data of one person.
    Old versions that change something.

Standards and references
    CWE-1059 (what is not documented any more), CWE-213; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security
    Top 10:2023 API9 Improper Inventory Management, API3 Broken Object Property Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Response, reading
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.oneself import HIGH, is_privileged
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_reading
from gatecrash.core.testing.authorization.owners.ownership import is_published
from gatecrash.core.testing.authorization.owners.private_fields import is_kind_of_private, private_of_several
from gatecrash.core.testing.authorization.ranks.described_roles import roles_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import lower_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe

TYPE = "auth"
CWE = (213, 1059)
THREAT = 65
_LEAST_PEOPLE, _LEAST_TOLD = 2, 2
_NUMBER_OF_NOBODY = 3

_Saying = Generator[TestRequest, Answer, str]


def _dialogue(situation: Situation) -> Dialogue:
    said = yield from _kept_by_the_newer(situation)
    if not said:
        return safe(TYPE, situation.point, "the newer version tells the caller as much")
    access = Access(situation, (yield from sample_reading(situation)))
    access.check_comparable()
    again = yield from ask(access.request, "confirm")
    elsewhere = yield from ask(nowhere(access.request, situation), "control")
    if not access.as_good(again) or access.as_good(elsewhere):
        return safe(TYPE, situation.point, "the answer does not follow the path")
    told = private_of_several(access.good, holder_values(situation))
    return access.vulnerable(ENTRY, again, THREAT, f"It tells {told}, twice. {said}")


def _kept_by_the_newer(situation: Situation) -> _Saying:
    """What a newer version does not tell this caller, in words; empty where there is nothing."""
    old = situation.baseline.response
    assert old is not None
    for target in situation.newer:
        newer = response_of((yield from ask(reading(situation.baseline.request, target), "control")))
        where = target.partition(b"?")[0].decode("latin-1")
        if newer.status != UNAUTHORIZED and refusal(newer) is not None:
            return f"{where}, the newer version, is refused to the same caller."
        if is_good(newer) and _lists_the_same(old, newer) and _leaves_out(old, newer, holder_values(situation)):
            return f"{where}, the newer version, names the same people to the same caller and tells nothing of it."
    return ""


def _lists_the_same(old: Response, newer: Response) -> bool:
    """Whether several of what the old version names stand in the newer one, under the same names."""
    return len(_naming(old) & _naming(newer)) >= _LEAST_PEOPLE


def _naming(response: Response) -> frozenset[tuple[str, str]]:
    """What tells entries apart and is not private."""
    told = (leaf for leaf in leaves(response) if leaf.path and not is_kind_of_private(leaf.path[-1]))
    return frozenset((leaf.path[-1].lower(), leaf.value) for leaf in told if _is_a_name(leaf))


def _is_a_name(leaf: Leaf) -> bool:
    return len(leaf.value) >= _NUMBER_OF_NOBODY or leaf.path[-1].lower().endswith("id")


def _leaves_out(old: Response, newer: Response, own: frozenset[str]) -> bool:
    """Whether nothing private that the old version tells of others stands in the newer one."""
    kept = {
        leaf.value for leaf in leaves(old) if leaf.path and is_kind_of_private(leaf.path[-1]) and len(leaf.value) > 1
    }
    others = {value for value in kept if value.lower() not in own}
    text = text_of(newer)
    return len(others) >= _LEAST_TOLD and not any(value in text for value in others)


def applies(situation: Situation) -> bool:
    """What reads and tells of several people what they keep to themselves, where a newer version is known."""
    response = situation.baseline.response
    if not situation.newer or response is None or not is_good(response) or not situation.credentials:
        return False
    if is_published(response) or _manages(situation):
        return False
    return bool(private_of_several(response, holder_values(situation)))


def _manages(situation: Situation) -> bool:
    """Whether the caller is more than anybody, by who stands below him, by his role or by his token."""
    held = roles_of(situation.identities[0]) if situation.identities else frozenset[str]()
    above = lower_of(situation.identities) is not None or any(HIGH.search(role) for role in held)
    return above or is_privileged(situation.baseline.request, situation.credentials)


def forecast(situation: Situation) -> int:
    """The newer versions; where they tell as much, nothing else is asked."""
    return len(situation.newer)


ENTRY = Entry(
    type=TYPE,
    title="An old version tells what the newer one keeps",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API9:2023", "API3:2023"),
    why=(
        "What was taken out of the newer version is still told by the old one. Whoever changes the version in the address reads how to "
        "reach all others, or what else was meant to be kept."
    ),
    remediation=(
        "Switch the old version off, or answer it by the code of the newer one. Keep an inventory of the versions that are served, and "
        "mend a leak in each of them."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="old_version",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
