"""Rights taken from a cookie that came with the login: whoever writes the role of a higher one into his own has his rights.

What it finds
    Addresses that refuse a lower identity, and open to it once the role in its own cookie is the one that the higher
    identity's cookie has. In plain text, in base64, in JSON (`ctx=eyJyb2xlIjoiZHJpdmVyIn0`).

Why it matters
    The session says who somebody is, and a word that he may edit says what he may do. To become an administrator he edits
    it; no password is guessed and no signature broken.

How it decides
    The recorded request of the higher identity must say a role, or a right, in a place that its credentials stand in, outside
    of signed tokens. It is sent as the lower identity, which must be refused. Then the same is sent with the higher one's word
    in the place of the lower one's own, and all else as the lower one's login gave it: the answer must say nearly all that the
    higher one's says and that nobody gets without credentials. With a role that nobody has it must be refused again. All of it
    twice. Only requests that read are asked.

Known misses
    Roles among other words of one text (`ann|admin`), and in values that are hashed, encrypted or signed. What a role may
    change.

Standards and references
    CWE-565 (reliance on cookies without validation); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top
    10:2023 API5 Broken Function Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import ask_as, concluding, known_answers, put, response_of
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.openness.access import Access, sample_reading
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.ranks.claimed_rights import Claim, claims_of
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe

TYPE = "auth"
CWE = 565
THREAT = 85
_NOBODY = ""
_ROUNDS = 2
_MOST_CLAIMS = 2
_WRITTEN = {"base64": "base64", "json_doc": "JSON"}


def _dialogue(situation: Situation) -> Dialogue:
    lower = lower_of(situation.identities)
    assert lower is not None
    access = Access(situation, (yield from known_answers(situation)))
    access.check_comparable()
    if not access.refuses((yield from ask_as(access.request, lower.name, "control"))):
        return safe(TYPE, situation.point, "the lower identity is not refused: there is nothing that a role could open")
    access = Access(situation, (yield from sample_reading(situation)))
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    told = only_told(access.readings, response_of(stranger))
    for claim in _claims(situation):
        opened = (yield from _opened(access, lower, claim, told)) if told else None
        if opened is not None:
            return _vulnerable(access, lower, claim, opened)
    return safe(TYPE, situation.point, "what the lower identity's cookies say of its rights is not believed")


def _opened(
    access: Access, lower: Identity, claim: Claim, told: frozenset[Fact]
) -> Generator[TestRequest, Answer, Exchange | None]:
    """The last answer to the lower identity with the higher one's word, where each such answer is the higher one's, and none with
    another word.
    """
    last: Exchange | None = None
    for attempt in range(_ROUNDS):
        last = yield from _with(access, lower, claim, claim.value, "confirm" if attempt else "test")
        if not has_nearly_all(response_of(last), told):
            return None
        made_up = claim.made_up(access.situation.random)
        plain = ask_as(access.request, lower.name, "control")
        other = yield from (plain if made_up is None else _with(access, lower, claim, made_up, "control"))
        if not access.refuses(other):
            return None
    return last


def _with(
    access: Access, lower: Identity, claim: Claim, value: str, purpose: str
) -> Generator[TestRequest, Answer, Exchange]:
    return (yield from put(TestRequest(access.request, purpose, lower.name, written=((claim.point, value.encode()),))))


def _vulnerable(access: Access, lower: Identity, claim: Claim, opened: Exchange) -> Verdict:
    told = (
        f"Sent as {lower.name!r} it is refused. With {claim.name} = {claim.value!r} written into {_where(claim)} of that identity, and all "
        "else as its login gave it, the answer says what the higher one's says and nobody is told without credentials, twice; with a "
        "role that nobody has it is refused."
    )
    return access.vulnerable(ENTRY, opened, THREAT, told, claim.point)


def _where(claim: Claim) -> str:
    """Which cookie or other place holds the claim, and how it is written there, in words."""
    steps = tuple(claim.point)
    place, inside = (f"the cookie {steps[3]!r}", steps[4:]) if steps[:3] == COOKIE else (f"{steps[1]!r}", steps[2:])
    written = [word for step, word in _WRITTEN.items() if step in inside]
    return f"{place} ({' of '.join(written)})" if written else place


def _claims(situation: Situation) -> list[Claim]:
    """What the higher identity's credentials say of its rights, outside of signed tokens."""
    carried = [tuple(point) for point in situation.credentials]
    found = claims_of(situation.baseline.request, high=True)
    within = [each for each in found if any(tuple(each.point)[: len(point)] == point for point in carried)]
    return within[:_MOST_CLAIMS]


def applies(situation: Situation) -> bool:
    """Requests that read, answered well to somebody whose cookies say what he may, where another one may less."""
    request, response = situation.baseline.request, situation.baseline.response
    if not only_reads(request) or destroys(request) or response is None or not is_good(response):
        return False
    return lower_of(situation.identities) is not None and bool(_claims(situation))


def forecast(_situation: Situation) -> int:
    """The lower identity's own request, a good answer, and each claim once."""
    return 3 + _MOST_CLAIMS


ENTRY = Entry(
    type=TYPE,
    title="Rights are taken from a cookie that its owner may edit",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Whoever signs in as anybody and edits one word of his cookie has the rights of an administrator. Nothing in the logs looks odd."
    ),
    remediation=(
        "Keep roles and rights on the server, in the session or the account, and look them up for each request. What must travel "
        "through the browser has to be signed and the signature checked; an encoding such as base64 protects nothing."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="claimed_lower",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
