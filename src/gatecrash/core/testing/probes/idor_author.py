"""Objects made in the name of others: a request says who its author is, and is believed.

What it finds
    Requests that make something (a review, a note, an order) and name its author in their body, where another identity
    that sends the same makes it in the first one's name; and those that take from an account, a card or a wallet of the
    first one's, named there or in the path above what they do (`/boxes/80/send`).

Why it matters
    Whoever writes another's name below what he writes speaks, orders and pays as him. Nobody can say later who it was.

How it decides
    The field must hold what the application calls its sender: in his token, his login, or the answer to `me`; or an
    account, a card or a wallet that a recorded list (`/accounts`) shows to its owner and not to the other, or, in a field for
    a source, his own number, which a page of what he has (`/points`) shows. The recorded
    request is sent as another identity of no higher rank, with a fresh mark in one of its texts. Then the owner reads
    what was made, at its own address, its list, or a recorded page: an object must show the mark and the owner's name,
    and nothing that the other is called. It must do so twice, with two marks. Without credentials the same must be
    refused, or not be kept; what visitors send as well (feedback) is a finding where an identifier names its author, which
    no visitor writes below it himself. Of an account or its like whose list shows a balance the owner reads that instead: it must
    be less by the amount that the request names each time that the other sends it, twice, stay as it is meanwhile, and
    after the same was sent without credentials.

Known misses
    What cannot be read back, or has neither a text that could be marked nor an amount and a balance in JSON. Names
    and e-mail addresses in what visitors send, too, as forms for everybody have them. One identity alone.

Standards and references
    CWE-639, CWE-290 (spoofing); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken
    Object Level Authorization.
"""

from collections.abc import Generator
from decimal import Decimal

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.authorization.fields.authored import author_of
from gatecrash.core.testing.authorization.fields.balances import amount_of, balance_of
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.fields.paid_from import Source, source_of
from gatecrash.core.testing.authorization.objects.creations import makes_another
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.objects.new_places import MOST_PAGES, read_as_made_by
from gatecrash.core.testing.authorization.openness.everybodys import for_visitors
from gatecrash.core.testing.authorization.owners.ownership import listed_apart
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.identity import Identity, peer_of
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict, safe, vulnerable

TYPE = "idor"
CWE = (639, 290)
THREAT = 65
_NOBODY = ""

_Making = Generator[TestRequest, Answer, tuple[Exchange, Exchange] | None]


def _dialogue(situation: Situation) -> Dialogue:
    trial = _Trial(situation)
    if trial.source is not None and not (yield from trial.is_his_alone(trial.source)):
        return safe(TYPE, situation.point, "nothing says that it is taken from what is the owner's alone")
    if trial.source is not None and trial.amount is not None:
        verdict = yield from trial.taking(trial.source, trial.amount)
        if verdict.outcome is Outcome.VULNERABLE or trial.field is None:
            return verdict
    made = yield from trial.made("test")
    if made is None:
        return safe(TYPE, situation.point, "what the other identity sends is not made in the owner's name")
    if not trial.is_signed_for_visitors and (yield from trial.made("control", _NOBODY)) is not None:
        return safe(TYPE, situation.point, "anybody makes it without credentials, which is told elsewhere")
    again = yield from trial.made("confirm")
    if again is None:
        return safe(TYPE, situation.point, "it was made in the owner's name once, and not again")
    return trial.vulnerable(*again)


class _Trial:
    """One request that makes something, and names who does."""

    def __init__(self, situation: Situation) -> None:
        other, (author, source) = peer_of(situation.identities), _named(situation)
        assert other is not None
        assert author is not None
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.other: Identity = other
        self.author = author
        self.source = source
        self.name = author.value.decode("utf-8", "replace")
        self.field = _field(situation, author.point)
        self.amount = amount_of(self.request)

    @property
    def is_signed_for_visitors(self) -> bool:
        """Whether visitors send the like, and nobody would sign it by hand as this one is."""
        answered = self.situation.baseline.response
        is_theirs = answered is not None and for_visitors(self.request, answered) is not None
        return self.field is not None and self.source is None and is_theirs and look_of(self.name) == "id"

    def is_his_alone(self, source: Source) -> Generator[TestRequest, Answer, bool]:
        """Whether the list of such things shows it to its owner, and not to the other, whose list is as good."""
        asked = asking(self.request, source.page)
        mine = response_of((yield from ask(asked, "control")))
        theirs = response_of((yield from ask_as(asked, self.other.name, "control")))
        return listed_apart(mine, theirs, self.name, b"")

    def made(self, purpose: str, identity: str | None = None) -> _Making:
        """Send it as the other identity (or as nobody) with a fresh mark: that request, and the one by which the owner reads the result."""
        assert self.field is not None
        mark = fresh_letters(self.situation.random, 9)
        marked = rewrite(self.request, self.field.point, f"{self.field.value} {mark}".encode())
        sent = yield from ask_as(marked, self.other.name if identity is None else identity, purpose)
        if not is_taken(response_of(sent)):
            return None
        seen = yield from read_as_made_by(self.situation, response_of(sent), mark, self.name, self.other)
        return None if seen is None else (sent, seen)

    def taking(self, source: Source, amount: Decimal) -> Dialogue:
        """By what the owner has left: as much less as is asked for, each time that the other sends it, and no less for nobody."""
        point = self.situation.point
        nothing = safe(TYPE, point, "what the other identity sends takes nothing from what is the owner's")
        held = yield from self._held(source)
        if held is None:
            return nothing
        sent = yield from ask_as(self.request, self.other.name)
        left = (yield from self._held(source)) if is_taken(response_of(sent)) else None
        if left is None or held - left != amount:
            return nothing
        yield from ask_as(self.request, _NOBODY, "control")
        if (yield from self._held(source)) != left:
            return safe(TYPE, point, "anybody takes it without credentials, which is told elsewhere")
        again = yield from ask_as(self.request, self.other.name, "confirm")
        last = yield from self._held(source)
        if last is None or left - last != amount:
            return nothing
        where = source.page.request.path.decode("latin-1")
        told = (
            f"which only its owner is shown: {where} tells him {amount} less, from {held} to {left} and from {left} to "
            f"{last}. Without credentials it stayed."
        )
        return self._vulnerable(f"takes {amount} from", told, again, sent)

    def _held(self, source: Source) -> Generator[TestRequest, Answer, Decimal | None]:
        """What its owner reads that it holds, twice the same; None where he does not, or where it moves by itself."""
        asked = asking(self.request, source.page)
        first = balance_of(response_of((yield from ask(asked, "control"))), self.name)
        again = balance_of(response_of((yield from ask(asked, "control"))), self.name)
        return first if first == again else None

    def vulnerable(self, sent: Exchange, seen: Exchange) -> Verdict:
        """The finding. sent: what the other identity sent. seen: the owner reads it there, under his own name."""
        where = f"{seen.request.method} {seen.request.target.decode('latin-1')}"
        told = (
            f"which {'a list shows to its owner alone' if self.source else 'names another'}, and a fresh mark in "
            f"{self.field.name if self.field else ''!r}: {where} shows the mark in an object of {self.name!r}, and nothing of who "
            f"sent it. Twice; {'visitors send the like' if self.is_signed_for_visitors else 'without credentials nothing is made'}."
        )
        return self._vulnerable("takes from" if self.source else "writes as", told, sent, seen)

    def _vulnerable(self, does: str, told: str, test: Exchange, control: Exchange) -> Verdict:
        point = self.author.point
        named = f"{self.name!r} in {'the path' if point[0] == 'path' else repr(point[-1])}"
        return vulnerable(
            ENTRY,
            self.author.point,
            detail=f"{self.other.name!r} {does} {self.name!r}",
            threat=THREAT,
            test=test,
            control=control,
            verified_by=f"Sent as the identity {self.other.name!r} with {named}, {told}",
        )


def _named(situation: Situation) -> tuple[Found | None, Source | None]:
    """The field that names its sender, or what of his it takes from; and in that case where such things are listed."""
    request = situation.baseline.request
    author = author_of(request, holder_values(situation))
    source = None if author is not None else source_of(request, situation.pages, holder_values(situation))
    return (author, None) if source is None else (source.found, source)


def _field(situation: Situation, author: object) -> Markable | None:
    """The freest text of the request, which the name of its author is not; None where it has no text."""
    texts = [
        each
        for each in markable(situation.baseline.request, situation.point)
        if each.is_text and not each.is_dialled and each.point != author
    ]
    return min(texts, key=lambda each: each.freedom, default=None)


def applies(situation: Situation) -> bool:
    """What makes something, names its sender as the author, holds a text, or takes an amount from what is his, was
    answered well, and may be sent as a peer.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if peer_of(situation.identities) is None or not situation.credentials or response is None:
        return False
    if not makes_another(request, response) or not is_taken(response) or destroys(request) or only_reads(request):
        return False
    if account_request(situation.baseline.exchange) is not None or is_privileged(request, situation.credentials):
        return False
    author, source = _named(situation)
    if author is None:
        return False
    if source is not None and amount_of(request) is not None:
        return True
    return _field(situation, author.point) is not None


def forecast(situation: Situation) -> int:
    """The request as the other, and where it may be read; where it takes from something, whose that is."""
    return 1 + 2 + min(MOST_PAGES, len(situation.pages))


ENTRY = Entry(
    type=TYPE,
    title="Objects can be created, or funds taken, in the name of other users",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller writes, orders or complains in another's name by changing one word of a request. The others are held to "
        "what they never said."
    ),
    remediation=(
        "Take who makes something from the session or the token alone. Leave the field out of the request, or refuse what is not "
        "the caller's own. Look up whose an account is before anything is taken from it."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="author",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
