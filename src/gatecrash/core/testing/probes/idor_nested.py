"""Objects of others, asked for below one's own: `/orgs/{own}/invoices/{foreign}` gives another tenant's invoice.

What it finds
    Reading requests that name a tenant or an account and an object of it (`/orgs/501/invoices/7`, `/invoices/7` with a header
    `X-Tenant-ID: 501`), where the first is looked at and the second is found by its own number alone.

Why it matters
    The wall between tenants seems to stand, for whoever asks at another's address is refused. He asks at his own, and counts.

How it decides
    The recorded request must be refused to another identity of no higher rank: the wall is there. What names the
    owner's tenant or account in it is replaced by what the other is called, as the application tells both about
    themselves, and the other asks so; where nothing tells that, what stands above (`/teams/61/documents/31`) is
    replaced by what the other's list of such things shows in the place of what the owner's shows alone. The answer
    must say nearly all that the owner's says and that nobody gets without credentials, twice, and an identifier that
    does not exist must be answered otherwise. That the object is the owner's must be said by the application, by two
    of three: it names its owner or his tenant, or what stands above it; it holds private data, or is of a kind that
    stands in no catalogue (a bill, a contract); the list above it shows it to the owner, and the other's own list, as
    good a one, does not. It must not name the other.

Known misses
    Tenants that nothing tells their members about, no recorded list shows, and no word of addresses that each was
    recorded below. Objects that hold nothing private and name nobody. What is changed or deleted in that way
    (`idor_write`, `idor_delete`), where it may not be read so.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.asking import ask_as, concluding, known_answers, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import absent, asking_for, named_objects, only_reads
from gatecrash.core.testing.authorization.openness.access import Access, sample_reading
from gatecrash.core.testing.authorization.owners.listed_containers import below_listed, may_be_listed
from gatecrash.core.testing.authorization.owners.own_above import below_ones_own, evidence_below
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, peer_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe

TYPE = "idor"
CWE = 639
THREAT = 80
_NOBODY = ""
_LEAST_FACTS = 2


def _dialogue(situation: Situation) -> Dialogue:
    other, named = peer_of(situation.identities), _innermost(situation)
    assert other is not None
    assert named is not None
    access = Access(situation, (yield from known_answers(situation)))
    access.check_comparable()
    if not _is_kept_from(access, (yield from ask_as(situation.baseline.request, other.name, "control"))):
        return safe(
            TYPE, situation.point, "the other identity is not refused where it was recorded, which is told elsewhere"
        )
    direct = below_ones_own(situation, named, other)
    for moved in [*direct, *([] if direct else (yield from below_listed(situation, named, other)))]:
        seen = yield from ask_as(moved, other.name)
        if not access.refuses(seen) and access.near(seen):
            access = Access(situation, (yield from sample_reading(situation)))
            return (yield from _judge(access, other, named, moved))
    return safe(TYPE, situation.point, "below what is the asker's own there is no such object")


def _is_kept_from(access: Access, seen: Exchange) -> bool:
    """Whether the other is refused, or led away to what is his own."""
    return access.refuses(seen) is not None or access.good.status < FIRST_REDIRECT <= response_of(seen).status


def _judge(access: Access, other: Identity, named: Named, moved: Request) -> Dialogue:
    """What the other gets below his own: what the owner has, and nobody without credentials, for this object alone."""
    point = access.situation.point
    stranger = yield from ask_as(moved, _NOBODY, "control")
    private = only_told(access.readings, response_of(stranger))
    if len(private) < _LEAST_FACTS:
        return safe(TYPE, point, "what is given is given to anybody")
    evidence = yield from evidence_below(access.situation, access.good, other, named, moved)
    if not evidence:
        return safe(TYPE, point, "nothing says that the object is the owner's alone")
    nobodys = absent(named.value, access.situation.random)
    elsewhere, echoes = asking_for(moved, named, nobodys), {nobodys: named.value}
    if elsewhere is None or has_nearly_all(
        response_of((yield from ask_as(elsewhere, other.name, "control"))), private, echoes
    ):
        return safe(TYPE, point, "the answer does not follow the identifier")
    again = yield from _twice(other, moved, private)
    if again is None:
        return safe(TYPE, point, "the other identity gets something else below its own")
    told = (
        f"Asked for below its own ({moved.target.decode('latin-1')}), the identity {other.name!r} gets what the owner gets and nobody "
        f"without credentials, twice; where it was recorded it is refused. That it is the owner's: {evidence}. "
        "An identifier that does not exist is answered otherwise."
    )
    return access.vulnerable(ENTRY, again, THREAT, told, named.point)


def _twice(
    other: Identity, moved: Request, private: frozenset[Fact]
) -> Generator[TestRequest, Answer, Exchange | None]:
    again: Exchange | None = None
    for _ in range(2):
        again = yield from ask_as(moved, other.name, "confirm")
        if not has_nearly_all(response_of(again), private):
            return None
    return again


def _innermost(situation: Situation) -> Named | None:
    """The last identifier of the path, else the last one that is no header's."""
    named = [each for each in named_objects(situation.baseline.request, holder_values(situation)) if each.sure]
    in_path = [each for each in named if each.point[0] == "path"]
    beside = in_path or [each for each in named if each.point[0] != "header"]
    return beside[-1] if beside else None


def applies(situation: Situation) -> bool:
    """Reading requests with credentials, answered well, for something below what is their sender's own."""
    request, response = situation.baseline.request, situation.baseline.response
    other = peer_of(situation.identities)
    if other is None or not situation.credentials or response is None or not is_good(response):
        return False
    if not only_reads(request) or destroys(request):
        return False
    named = _innermost(situation)
    return named is not None and bool(below_ones_own(situation, named, other) or may_be_listed(situation, named))


def forecast(_situation: Situation) -> int:
    """As the other, where it was recorded and below its own."""
    return 2


ENTRY = Entry(
    type=TYPE,
    title="Objects of other users can be read below one's own",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Whoever belongs to any tenant reads what belongs to the others by changing one number in an address of his own. The check of the tenant is "
        "passed, so nothing is logged as odd."
    ),
    remediation=(
        "Fetch the object through its tenant: the tenant that the caller belongs to, then of its objects the one of that number. Answer "
        "404 for what is not among them."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="nested",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
