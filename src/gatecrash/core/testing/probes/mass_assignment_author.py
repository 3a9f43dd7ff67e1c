"""Objects made in the name of others: who their author is is taken from a field that no client sends.

What it finds
    Requests that make something (a comment, a message, an order) and name nobody, where the list of such things shows who
    made each in a field (`senderId`), and another identity that adds this field with the first one's name makes it in his.

Why it matters
    That no form has the field keeps nobody from writing it. Whoever does speaks and orders as another, and nobody can say
    later who it was.

How it decides
    A recorded answer, or the list and the pages on which such things are read, must show an object of the sender's that
    has a text of the request's and names him in a field that says who made it. The recorded request is sent as another
    identity of no higher rank, with that field and a fresh mark in one of its texts. Then the owner reads what was made:
    an object must show the mark and the owner's name, and nothing that the other is called. Without the field an object
    with another mark must not name the owner. It must name him twice with the field, and without credentials the same must
    be refused, or not be kept.

Known misses
    What cannot be read back, and authors who are told as an object of their own. What moves money is not sent.

Standards and references
    CWE-639, CWE-290 (spoofing), CWE-915 (mass assignment); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security
    Top 10:2023 API1 Broken Object Level Authorization, API3 Broken Object Property Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.authorization.fields.authored import author_of, author_told
from gatecrash.core.testing.authorization.fields.balances import moves_money
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.authorization.objects.creations import makes_another
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.objects.new_places import MOST_PAGES, places_of_new, read_as_made_by
from gatecrash.core.testing.authorization.objects.whole_lists import ask_until
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.identity import Identity, peer_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = (915, 290, 639)
THREAT = 65
_NOBODY = ""

_Making = Generator[TestRequest, Answer, tuple[Exchange, Exchange] | None]


def _dialogue(situation: Situation) -> Dialogue:
    trial = _Trial(situation)
    yield from trial.find_author()
    if not trial.author:
        return safe(TYPE, situation.point, "what such requests make names nobody in a field that could be sent")
    made = yield from trial.made("test")
    if made is None:
        return safe(TYPE, situation.point, "what the other identity sends is not made in the owner's name")
    if (yield from trial.made("control", adds=False)) is not None:
        return safe(TYPE, situation.point, "it names the owner without the field as well")
    if (yield from trial.made("control", _NOBODY)) is not None:
        return safe(TYPE, situation.point, "anybody makes it without credentials, which is told elsewhere")
    again = yield from trial.made("confirm")
    if again is None:
        return safe(TYPE, situation.point, "it was made in the owner's name once, and not again")
    return trial.vulnerable(*again)


class _Trial:
    """One request that makes something, and names nobody. author, name: the field that is added, and the owner's name there."""

    def __init__(self, situation: Situation) -> None:
        other = peer_of(situation.identities)
        assert other is not None
        self.situation = situation
        self.other: Identity = other
        self.field = _texts(situation)[0]
        self.author = ""
        self.name: str | int = ""

    def find_author(self) -> Generator[TestRequest, Answer, None]:
        """Find the field that names the sender of the recorded request in what such ones make."""
        answered = self.situation.baseline.response
        assert answered is not None
        if self._tells_author(answered):
            return
        for asked in places_of_new(self.situation, answered):
            yield from ask_until(asked, self._tells_author)
            if self.author:
                return

    def _tells_author(self, response: Response) -> bool:
        for shown in objects_in(response) if is_taken(response) else ():
            field = author_told(self.situation.baseline.request, shown, holder_values(self.situation))
            value = shown.get(field)
            if self.field.name in shown and isinstance(value, str | int):
                self.author, self.name = field, value
                return True
        return False

    def made(self, purpose: str, identity: str | None = None, *, adds: bool = True) -> _Making:
        """Send it as the other identity (or as nobody) with a fresh mark: that request, and the one by which the owner reads the result.

        adds: whether the field that names the owner is sent as well.
        """
        mark = fresh_letters(self.situation.random, 9)
        asked = rewrite(self.situation.baseline.request, self.field.point, f"{self.field.value} {mark}".encode())
        if adds:
            asked = sending(asked, {**(body_of(asked) or {}), self.author: self.name})
        sent = yield from ask_as(asked, self.other.name if identity is None else identity, purpose)
        if not is_taken(response_of(sent)):
            return None
        seen = yield from read_as_made_by(self.situation, response_of(sent), mark, str(self.name), self.other)
        return None if seen is None else (sent, seen)

    def vulnerable(self, sent: Exchange, seen: Exchange) -> Verdict:
        """The finding. sent: what the other identity sent. seen: the owner reads it there, under his own name."""
        where = f"{seen.request.method} {seen.request.target.decode('latin-1')}"
        return vulnerable(
            ENTRY,
            Point((*self.field.point[:-1], self.author)),
            detail=f"{self.other.name!r} writes as {str(self.name)!r}",
            threat=THREAT,
            test=sent,
            control=seen,
            verified_by=(
                f"Sent as the identity {self.other.name!r} with the field {self.author!r} added, which no recorded request has and "
                f"answers show, and a fresh mark in {self.field.name!r}: {where} shows the mark in an object of {str(self.name)!r}, and "
                "nothing of who sent it. Twice; without that field it names somebody else, and without credentials nothing is made."
            ),
        )


def _texts(situation: Situation) -> list[Markable]:
    """The texts of the request at the top of its body, the freest first."""
    body = body_of(situation.baseline.request) or {}
    texts = (each for each in markable(situation.baseline.request, situation.point) if each.is_text)
    return sorted((each for each in texts if body.get(each.name) == each.value), key=lambda each: each.freedom)


def applies(situation: Situation) -> bool:
    """What makes something, names nobody as its author, holds a text, moves no money, was answered well, and may be sent as a peer."""
    request, response = situation.baseline.request, situation.baseline.response
    if peer_of(situation.identities) is None or not situation.credentials or response is None:
        return False
    if not makes_another(request, response) or not is_taken(response) or destroys(request) or only_reads(request):
        return False
    if account_request(situation.baseline.exchange) is not None or is_privileged(request, situation.credentials):
        return False
    own = holder_values(situation)
    return bool(own) and author_of(request, own) is None and not moves_money(request) and bool(_texts(situation))


def forecast(situation: Situation) -> int:
    """Where such things are read; and where they name their author, the request as the other, and where it may be read."""
    return 2 + min(MOST_PAGES, len(situation.pages))


ENTRY = Entry(
    type=TYPE,
    title="The author of new objects is taken from a field that nobody sends",
    cwe=CWE,
    owasp=("A08:2021",),
    owasp_api=("API3:2023",),
    why=(
        "Any signed-in caller writes, orders or complains in another's name by adding one field to a request, called as answers call "
        "it. The others are held to what they never said."
    ),
    remediation=(
        "Take who makes something from the session or the token alone, and only the fields that clients may set from the request."
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
