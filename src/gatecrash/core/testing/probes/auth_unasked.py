"""Lists of people that nobody is asked for credentials for: an export of customers that was recorded without any.

What it finds
    Endpoints (GraphQL queries and functions that read by their names, too) that the record itself asks without
    credentials, and that tell of several customers, patients or their like what nobody puts into a directory (accounts,
    dates of birth, illnesses), each with how to reach him; and those that tell the passwords or session tokens of several, be it
    that a description calls them public. `auth` needs a request with credentials.

Why it matters
    Detection shows such an endpoint as Missing, among many that are public on purpose. This one is not: whoever finds the address
    has the data of all.

How it decides
    The answer calls them customers and the like, or its address does. The request is sent without cookies and without
    headers that may hold a key, and must say all that it said, several times; a path that does not exist must be
    answered otherwise. What shared caches may keep, what says of itself that it is public, and lists with anything
    masked are no findings.

Known misses
    Data of one person. People who are called members, users or staff, of whom some sites tell much to all visitors.
    Pages of HTML. Guards that do not look at the request (client certificates, addresses) make an endpoint look open.

Standards and references
    CWE-306; OWASP Top 10:2021 A07; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from gatecrash.core.message import Response
from gatecrash.core.testing.asking import ask_raw, concluding, enough_samples, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.openness.access import Access, may_be_repeated, nowhere, sample_repeatable
from gatecrash.core.testing.authorization.openness.everybodys import called_public, is_shared
from gatecrash.core.testing.authorization.openness.told_of_strangers import (
    kept_of_strangers,
    passwords_of_several,
    sessions_of_several,
)
from gatecrash.core.testing.authorization.owners.ownership import is_published
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.policy import PUBLIC_AUTH
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "auth"
MISSING = 306
THREAT = 80


def _dialogue(situation: Situation) -> Dialogue:
    case = Access(situation, (yield from enough_samples(situation, (yield from sample_repeatable(situation)))))
    case.check_comparable()
    told = _told(situation, case.good)
    if not told or is_shared(case.good) or is_published(case.good, wholly=True):
        return safe(TYPE, situation.point, "what it tells is for everybody, or of nobody in particular")
    bare = yield from ask_raw(without_credentials(case.request, ()), "confirm")
    if not case.as_good(bare) or is_shared(response_of(bare)):
        return safe(TYPE, situation.point, "without cookies and headers of its own it gives another answer")
    if case.as_good((yield from ask_raw(nowhere(case.request, situation), "control"))):
        return safe(TYPE, situation.point, "any path at all gets this answer")
    return vulnerable(
        ENTRY,
        situation.point,
        threat=THREAT,
        test=bare,
        control=case.control,
        verified_by=(
            f"It needs no credentials by its record, and sent without any it is answered with {told}; the answers say the same. A path "
            "that does not exist is answered differently."
        ),
    )


def applies(situation: Situation) -> bool:
    """What reads, was asked without credentials, and whose answer tells it; where a description asks for them, `auth_declared` judges."""
    request, recorded = situation.baseline.request, situation.baseline.response
    if (situation.credentials and not _is_public(situation)) or recorded is None or not is_good(recorded):
        return False
    if not may_be_repeated(request) or request.method.upper() == "OPTIONS":
        return False
    if situation.declared is not None and situation.declared.asks:
        return False
    return not called_public(request.path.decode("latin-1")) and bool(_told(situation, recorded))


def _is_public(situation: Situation) -> bool:
    """Whether its own clients need no credentials, and those of a profile come along all the same."""
    return PUBLIC_AUTH in situation.policy.types


def _told(situation: Situation, response: Response) -> str:
    """What an answer tells of several people, in words; of what a description calls public what lets them in alone."""
    passwords = passwords_of_several(response) or sessions_of_several(response)
    if passwords or situation.credentials:
        return passwords
    secret = kept_of_strangers(situation.baseline.request, response)
    return f"{secret!r} of several people and how to reach each" if secret else ""


def forecast(_: Situation) -> int:
    """Two good answers, one without anything that may be a credential, and a path that does not exist."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="Tells everybody what people keep to themselves",
    cwe=(MISSING,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Nobody is asked who he is, and all data of all people is in one answer. Programs that collect addresses of APIs find it "
        "without knowing anything of the application."
    ),
    remediation=(
        "Ask for credentials at this endpoint, best in one place for all that refuses by default, and give each caller what concerns "
        "him. Where it is meant for everybody, leave the fields out that nobody needs, and mark the endpoint as public on purpose here."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="unasked",
    whole=True,
    of_answers=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
