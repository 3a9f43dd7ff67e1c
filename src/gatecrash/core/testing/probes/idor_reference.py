"""Things put to objects of others: a request names the object in its body, and nobody looks whose it is.

What it finds
    Requests that make something which belongs to an object of their sender's (a note on his order, a visit of his pet),
    and take another user's object as well.

Why it matters
    Whoever changes one number writes into files, orders and records that he may not even see, and their owners take it
    for their own.

How it decides
    The field must name an object (`order_id`) whose own page and whose list the record shows. The owner reads that page
    and the other identity, of no higher rank, is refused; the list shows it to the owner, and the other's, as good a
    list, does not. The recorded request is then sent as the other with a fresh mark in one of its texts, and the owner
    must read the mark, or the identifier that the answer tells, on a page below the object's address, on its own page or in
    his list of what such requests make; twice, with two marks. What the other
    puts to an object of its own, as its list has one, else to one that does not exist, must not be shown there; and
    without credentials the same must not be kept. What anybody may write to, join, ask for or pay is left alone
    (people, teams, offers, invoices, accounts; addresses such as `/requests`, `/payments`), and so is what is asked
    with more than the number (a code, a postcode), which says that the sender was told of the object.

Known misses
    Requests without a text that could be marked, whose answer tells no identifier. Objects whose page was not recorded, and
    what is shown neither below their address nor at the request's own. Kinds that others may write to.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.authorization.fields.authored import author_of
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.fields.references import Reference, others_instead, reference_of
from gatecrash.core.testing.authorization.objects.made import identified
from gatecrash.core.testing.authorization.objects.named import absent, only_reads
from gatecrash.core.testing.authorization.owners.ownership import concerns, is_published, listed_apart
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.identity import Identity, peer_of
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "idor"
CWE = 639
THREAT = 65
_NOBODY = ""
_LOOKS = 5

_Making = Generator[TestRequest, Answer, tuple[Exchange, Exchange] | None]


def _dialogue(situation: Situation) -> Dialogue:
    trial = _Trial(situation)
    if not (yield from trial.is_his_alone()):
        return safe(TYPE, situation.point, "nothing says that the object is the owner's alone")
    if (yield from trial.made("test")) is None:
        return safe(TYPE, situation.point, "what the other identity sends is not put to the owner's object")
    if (yield from trial.made("control", _NOBODY)) is not None:
        return safe(TYPE, situation.point, "anybody makes it without credentials, which is told elsewhere")
    if (yield from trial.made("control", value=trial.instead)) is not None:
        return safe(TYPE, situation.point, "what is put to another object is shown there, too")
    again = yield from trial.made("confirm")
    if again is None:
        return safe(TYPE, situation.point, "it was put to the owner's object once, and not again")
    sent, seen = again
    name, value = trial.reference.found.point[-1], trial.value
    own = trial.reference.own.request.path.decode("latin-1")
    return vulnerable(
        ENTRY,
        trial.reference.found.point,
        detail=f"{trial.other.name!r} adds to {value!r}",
        threat=THREAT,
        test=sent,
        control=seen,
        verified_by=(
            f"Sent as the identity {trial.other.name!r} with {value!r} in {name!r}{trial.mark}: its owner reads what was made "
            f"at {seen.request.target.decode('latin-1')}, twice. The other is refused at {own}, and its list shows the object to its "
            f"owner alone. What it puts to {trial.instead!r} is not shown there. Without credentials nothing is made. What was made is still there."
        ),
    )


class _Trial:
    """One request that makes something, and names what that belongs to."""

    def __init__(self, situation: Situation) -> None:
        other, reference = peer_of(situation.identities), reference_of(situation.baseline.request, situation.pages)
        assert other is not None
        assert reference is not None
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.other: Identity = other
        self.reference = reference
        self.field = _field(situation, reference)
        self.maker = _maker(situation)
        self.value = reference.found.value.decode("utf-8", "replace")
        self.instead = absent(self.value, situation.random)

    @property
    def mark(self) -> str:
        """What it is known by, for people."""
        return f" and a fresh mark in {self.field.name!r}" if self.field is not None else ""

    def is_his_alone(self) -> Generator[TestRequest, Answer, bool]:
        """Whether its own page is refused to the other, and the list of such things shows it to its owner only."""
        own, listed = self._page(self.reference.own), self._page(self.reference.listed)
        mine = response_of((yield from ask(own, "control")))
        if not is_good(mine) or is_published(mine) or concerns(mine, values_of(self.other, self.situation)):
            return False
        if is_good(response_of((yield from ask_as(own, self.other.name, "control")))):
            return False
        ours = response_of((yield from ask(listed, "control")))
        theirs = response_of((yield from ask_as(listed, self.other.name, "control")))
        if not is_good(theirs) or not listed_apart(ours, theirs, self.value, own.path):
            return False
        self.instead = next(iter(others_instead(self.value, own.path, ours, theirs)), self.instead)
        return True

    def made(self, purpose: str, identity: str | None = None, value: str = "") -> _Making:
        """Send it as the other, or as nobody, with a fresh mark: what was sent, and where the owner reads it with his object.

        value: of another object to name.
        """
        mark, marked = fresh_letters(self.situation.random, 9), self.request
        if self.field is not None:
            marked = rewrite(marked, self.field.point, f"{self.field.value} {mark}".encode())
        marked = rewrite(marked, self.reference.found.point, (value or self.value).encode())
        sent = yield from ask_as(marked, self.other.name if identity is None else identity, purpose)
        if not is_taken(response_of(sent)):
            return None
        for page in self.reference.below:
            seen = yield from ask(self._page(page), "control")
            if is_good(response_of(seen)) and self._is_shown(response_of(seen), mark, response_of(sent)):
                return sent, seen
        return None

    def _is_shown(self, seen: Response, mark: str, answered: Response) -> bool:
        if mark in text_of(seen):
            return True
        maker = self.maker
        new = maker.identifier(answered) if maker is not None else ""
        name = maker.path[-1:] if maker is not None else ()
        return bool(new) and any(leaf.path[-1:] == name and leaf.value == new for leaf in leaves(seen))

    def _page(self, page: Page) -> Request:
        return asking(self.request, page)


def _maker(situation: Situation) -> Made | None:
    """Where the answer to the request tells the identifier of what it made; None where it tells none."""
    answered = situation.baseline.response
    told = [leaf for leaf in leaves(answered) if leaf.path] if answered is not None else []
    return next(iter(identified(situation.baseline.request, told)), None)


def _field(situation: Situation, reference: Reference) -> Markable | None:
    """The freest text of the request; None where it has none."""
    found = markable(situation.baseline.request, situation.point)
    texts = [each for each in found if each.is_text and not each.is_dialled and each.point != reference.found.point]
    return min(texts, key=lambda each: each.freedom, default=None)


def applies(situation: Situation) -> bool:
    """What makes something that belongs to an object of the record and can be known again, was answered well, and may be sent
    as a peer.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "POST" or peer_of(situation.identities) is None or not situation.credentials:
        return False
    if response is None or not is_taken(response) or destroys(request) or only_reads(request):
        return False
    if account_request(situation.baseline.exchange) is not None or is_privileged(request, situation.credentials):
        return False
    # Who is named as the author is looked at elsewhere.
    if author_of(request, holder_values(situation)) is not None:
        return False
    reference = reference_of(request, situation.pages)
    return reference is not None and (_field(situation, reference) is not None or _maker(situation) is not None)


def forecast(_situation: Situation) -> int:
    """The object's page and its list, each as both, the request as the other, and where it may be read."""
    return 2 * 2 + 1 + _LOOKS


ENTRY = Entry(
    type=TYPE,
    title="Things can be put to objects of other users",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller adds to what belongs to others by changing one number in the body of a request. Their owners read it as part "
        "of their own."
    ),
    remediation=(
        "Look up what a request names among what belongs to its caller, in its body as well as in its address, and answer 404 for what "
        "is not among that."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="reference",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
