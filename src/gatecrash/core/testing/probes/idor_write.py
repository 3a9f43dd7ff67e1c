"""Objects of others, written: what belongs to one caller is changed by another, and the owner reads it changed.

What it finds
    Changing requests (PUT, PATCH, POST, mutations of GraphQL) with an identifier in the path, the query or the body that
    are done for another identity of no higher rank, on the owner's object.

Why it matters
    Whoever changes an identifier overwrites other customers' data: the address that parcels go to, the e-mail that
    passwords are reset by.

How it decides
    First the owner reads the object (by GET of the same address, the one above it, where the recorded answer leads, or by a
    recorded request that shows it), and a text that the request sends must stand in it, or how many of something, or whether it
    is done; where its fields hold other values by now, the owner sends the request again first (a POST only where its own form
    is filled in with them, or leads back to the object's page above it and neither moves money nor goes to somebody). Without
    that nothing is sent. It must be the owner's: the list that it stands in, or another recorded page, shows it to him and not
    to the other, or the other may not even read it, or a form at an address that names nobody has it as its `user_id` for him
    and another one for the other, or another recorded change of it (`PUT /boats/7` of `PATCH /boats/7/price`) is done for him
    and refused to the other, or it, or the answer to the change, names the owner as the owner's credentials do (of a comment or
    a post the author is its owner, of an advert the seller) and stands in no small group (household, board, list) among whose
    members the application names the other; or a list calls the other the `viewer` of the project that it stands in, and its
    sender something more.
    Then the recorded request is sent as the other identity with a fresh mark in that one text, a telephone's number at which nobody
    is called, a few more, or the contrary, or another of the few words that its refusal lists or answers show (each of these
    twice). The owner reads again: the mark must be there, and the old text one time less, or the other may not read there what he
    added: a comment below a public article is none, what is put into another's basket is, be it read in a list of all that says in
    whose it lies. Where only the body
    names the owner, the other names himself, too: what that overwrites was his own. Without credentials the same must change
    nothing, else that is another finding. At the end the owner sends the request with the text that stood there before, and
    reads it once more; where the request wrote into what is the other's own, as a profile whose number is not looked at, the
    other sends what stood there. Where the recorded address
    changes nothing and a tenant or an account stands in it, the same is tried below the other's own
    (`/orgs/{own}/items/{foreign}`), if he reads there what the owner reads, and its list or its tenant says that it is the
    owner's. Where the recorded object is not there any more, and the record shows what makes such ones, its owner makes one
    (and a second, which tells that it was made and not only shown), sends the request about it, and all of that is done there;
    he deletes both afterwards, where the record shows how. All is done once more as a second identity of the other's
    rank where the first may be the owner's colleague, and where he changed it: if the second cannot, the first was chosen, as
    the seller whom an order's buyer pays. What its name or a section above says to be for a
    higher rank than the other's is told of by `auth`. Status codes decide nothing.

Known misses
    Objects that the owner cannot read back, those that are gone and were made by a form, and requests that send neither
    a text nor how many nor whether it is done. Creating in the name of others, which `idor_author` looks at.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

from collections.abc import Generator
from functools import partial
from itertools import count, islice

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.callers.holder import holder_values, named_by, named_himself
from gatecrash.core.testing.authorization.callers.peers import Did, as_all, is_about_him, peers_of
from gatecrash.core.testing.authorization.fields.choices import other_words
from gatecrash.core.testing.authorization.fields.markable import markable
from gatecrash.core.testing.authorization.objects.answered_objects import has_member, holds
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.objects.read_back import Kept, Reading, is_added, is_one_of_several
from gatecrash.core.testing.authorization.objects.renewed import Fresh, removed, renewed
from gatecrash.core.testing.authorization.owners.concerned_above import IN_WORDS, is_concerned_above
from gatecrash.core.testing.authorization.owners.own_above import below_ones_own, reached_below
from gatecrash.core.testing.authorization.owners.own_evidence import evidence_of_own
from gatecrash.core.testing.authorization.owners.refused_change import refused_change
from gatecrash.core.testing.authorization.owners.shared_groups import reads_alone_in
from gatecrash.core.testing.authorization.owners.theirs import called_like, is_called_by, put_back, theirs
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers
from gatecrash.core.testing.authorization.ranks.refused_above import evidence_above
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, inconclusive, safe, vulnerable

TYPE = "idor"
CWE = 639
THREAT = 88
_NOBODY = ""
_FEW = 5
_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    named, others = _named(situation), peers_of(situation.identities)
    assert named is not None
    moves = any(below_ones_own(situation, named, other) for other in others)
    return (yield from as_all(others, partial(_asked_as, situation), ends_at_kept=not moves))


def _asked_as(situation: Situation, other: Identity) -> Generator[TestRequest, Answer, Did]:
    named = _named(situation)
    assert named is not None
    reading = Reading(situation, situation.baseline.request, named, situation.baseline.response)
    kept = yield from reading.kept()
    fresh = (yield from renewed(situation, named)) if reading.gone else None
    if fresh is not None:
        return (yield from _of_fresh(fresh, other))
    return (yield from _decided(_Trial(reading, other), kept))


def _of_fresh(fresh: Fresh, other: Identity) -> Generator[TestRequest, Answer, Did]:
    """The same over an object that its owner has just made, which he deletes afterwards."""
    reading = Reading(fresh.situation, fresh.request, fresh.named, fresh.answered)
    kept = yield from reading.kept(again=True)
    decided = yield from _decided(_Trial(reading, other, is_fresh=True), kept)
    yield from removed(fresh)
    return decided


def _decided(trial: "_Trial", kept: Kept | None) -> Generator[TestRequest, Answer, Did]:
    point = trial.situation.point
    if kept is None:
        detail = "the owner cannot read back what the request writes"
        return Did(inconclusive(TYPE, point, Inconclusive.NO_CONTROL, detail))
    evidence = yield from trial.evidence(kept)
    if not evidence:
        return Did(safe(TYPE, point, "nothing says that the object is the owner's alone"))
    is_lower = trial.other.rank < trial.situation.identities[0].rank
    if is_lower and (yield from evidence_above(trial.request, trial.other, trial.situation.pages)):
        return Did(safe(TYPE, point, "it is for a higher rank, whosever the object is, which `auth` tells of"))
    verdict = yield from trial.verdict(kept, evidence)
    is_found = verdict.outcome is Outcome.VULNERABLE
    if is_found and (yield from is_concerned_above(trial.situation, trial.request, trial.other)):
        return Did(safe(TYPE, point, IN_WORDS))
    return Did(verdict, is_kept=trial.is_kept, is_final=trial.is_moved if is_found else trial.changed)


class _Trial:
    """One changing request of one owner."""

    def __init__(self, reading: Reading, other: Identity, *, is_fresh: bool = False) -> None:
        self.reading = reading
        self.situation = reading.situation
        self.request = reading.request
        self.named = reading.named
        self.other = other
        self.is_fresh = is_fresh
        # Whether the owner has read what the other sent.
        self.changed = False
        # Whether he did not get it done as it was recorded, and whether he did below what is his own.
        self.is_kept = False
        self.is_moved = False
        # Numbers that were sent: another request may have left one of them where this one is looked for.
        self.numbers: set[str] = set()
        # What is sent as the other: the request as it was recorded, or moved below what is his own.
        self.sent: Request = reading.request

    def evidence(self, kept: Kept) -> Generator[TestRequest, Answer, str]:
        """What says that the object is the owner's, in words; empty where nothing does."""
        by, answered = Exchange(kept.asked, response_of(kept.before)), self.reading.answered
        own = yield from evidence_of_own(self.situation, self.other, self.named, by, answered=answered)
        own = own or (yield from reads_alone_in(self.situation, self.other, self.named, response_of(by)))
        may_tell = not own and not self.is_fresh and self.request.method.upper() != "POST"
        return (yield from refused_change(self.situation, self.other, self.named)) if may_tell else own

    def verdict(self, kept: Kept, evidence: str) -> _Deciding:
        """Write as the other, read as the owner, and put back what was there."""
        point = self.situation.point
        text, sent = self._marked(kept, ())
        theirs_before = yield from theirs(self.other, self.named, kept.asked, self.situation)
        written = yield from ask_as(sent, self.other.name)
        read = response_of((yield from self._read(kept)))
        self.is_kept = not kept.field.shows(read, text) and is_about_him(response_of(written))
        if not kept.field.shows(read, text):
            if is_taken(response_of(written)):
                yield from self._put_back(kept, sent, theirs_before)
            return (yield from self._otherwise(kept, response_of(written), evidence)) or safe(
                TYPE, point, "what the other identity writes is not what the owner reads"
            )
        self.changed = True
        his_own = yield from self._goes_to_its_sender(kept, text, theirs_before)
        if his_own:
            return safe(TYPE, point, "the other identity writes his own with it, whoever it names")
        unsure = is_added(kept, read, text) or is_one_of_several(kept) or (his_own is None and self._is_elsewhere(kept))
        # The mark in the very object that is named is no other's; an entry that is new may be given the number of what it is below.
        was_there = has_member(response_of(kept.before), self.named.value, kept.field.name)
        unsure = unsure and not (was_there and holds(read, self.named.value, kept.field.name, text))
        unsure = unsure and not self.reading.is_in_his_own(kept.field, read, text)
        if unsure and not self.reading.is_his(response_of(kept.before)):
            seen = yield from ask_as(kept.asked, self.other.name, "control")
            if kept.field.shows(response_of(seen), text):
                yield from self._put_back(kept, sent, theirs_before)
                return safe(
                    TYPE, point, "what the other identity writes may be his own, where both read what several have"
                )
        taken: tuple[str, ...] = (text,)
        if kept.field.is_number:
            if not (yield from self._again(kept, text)):
                return safe(TYPE, point, "the owner read such a number once, and not again")
        elif kept.field.contrary:
            taken = (text, text)
            if not (yield from self._once_more(kept, text)):
                return safe(TYPE, point, "the owner read the other value once, and not again")
        bare, stranger = self._marked(kept, taken)
        yield from ask_as(stranger, _NOBODY, "control")
        public = kept.field.shows(response_of((yield from self._read(kept))), bare)
        yield from ask(rewrite(self.request, kept.field.point, kept.field.value.encode()), "confirm")
        after = response_of((yield from self._read(kept)))
        if public:
            return safe(TYPE, point, "anybody writes it without credentials, which is told elsewhere")
        # What was refused, or not shown, to the other for a moment says nothing of whose it is.
        if self.sent == self.request and not (yield from self.evidence(kept)):
            return safe(TYPE, point, "what said that the object is the owner's says so no more")
        restored = not kept.field.shows(after, text) and kept.field.shown(after)
        warning = "" if restored else " It could not be put back: do so by hand."
        return self._vulnerable(kept, written, evidence, warning)

    def _goes_to_its_sender(
        self, kept: Kept, text: str, before: Response | None
    ) -> Generator[TestRequest, Answer, bool | None]:
        """Whether the same field is written where the other names himself in the place of the owner: a profile is its
        sender's, whatever address stands in it, and the owner may read it among others'. None where nobody knows what
        the other is called there. before: what he read of his own.
        """
        named = self.named
        if not is_called_by(named, self.situation) or kept.field.contrary:
            return False
        called = called_like(self.other, named.value, self.situation)
        if not called:
            return None
        more, sent = self._marked(kept, (text,))
        own = rewrite(sent, named.point, called[0].encode())
        yield from ask_as(own, self.other.name, "control")
        read = response_of((yield from self._read(kept)))
        yield from self._put_back(kept, own, before)
        return kept.field.shows(read, more) and not kept.field.shows(read, text)

    def _is_elsewhere(self, kept: Kept) -> bool:
        """Whether it is read at an address of all objects, and by none that names this one."""
        return self.named.value.encode() not in kept.asked.target + kept.asked.body

    def _put_back(self, kept: Kept, sent: Request, before: Response | None) -> Generator[TestRequest, Answer, None]:
        """What stood in the other's own, where the request wrote into that. before: what he read there."""
        points = {each.point for each in markable(self.request, self.named.point)} | {self.named.point}
        yield from put_back(sent, self.other, before, points, kept.field.point)

    def _otherwise(
        self, kept: Kept, refused: Response, evidence: str
    ) -> Generator[TestRequest, Answer, Verdict | None]:
        """Another of the few words that the field takes; else the same below what is the other's own."""
        recorded = self.situation.baseline.response
        answers = [response_of(kept.before), *([recorded] if recorded is not None else [])]
        for word in other_words(kept.field, refused, answers):
            field = kept.field._replace(is_text=False, choice=word)
            if field.shown(response_of(kept.before)):
                verdict = yield from self.verdict(kept._replace(field=field), evidence)
                if verdict.outcome is Outcome.VULNERABLE:
                    return verdict
        may_move = self.sent == self.request and not kept.field.choice
        return (yield from self._moved(kept)) if may_move else None

    def _once_more(self, kept: Kept, text: str) -> Generator[TestRequest, Answer, bool]:
        """Whether the owner reads his own value again when he has put it back, and the other's when that is sent once more."""
        yield from ask(rewrite(self.request, kept.field.point, kept.field.value.encode()), "control")
        back = response_of((yield from self._read(kept)))
        if not kept.field.shown(back) or kept.field.shows(back, text):
            return False
        yield from ask_as(rewrite(self.sent, kept.field.point, text.encode()), self.other.name, "confirm")
        again = response_of((yield from self._read(kept)))
        if kept.field.shows(again, text):
            return True
        yield from ask(rewrite(self.request, kept.field.point, kept.field.value.encode()), "control")
        return False

    def _moved(self, kept: Kept) -> Generator[TestRequest, Answer, Verdict | None]:
        """The same below what is the other's own, where he reads the owner's object there."""
        reached = yield from reached_below(self.situation, self.named, self.other, self.request)
        if reached is None:
            return None
        trial = _Trial(self.reading, self.other, is_fresh=self.is_fresh)
        trial.sent = reached.request
        verdict = yield from trial.verdict(kept, reached.evidence)
        self.changed = self.is_moved = trial.changed
        return verdict

    def _again(self, kept: Kept, text: str) -> Generator[TestRequest, Answer, str]:
        """Another number, where the owner reads it, too: a small one may stand there by chance, or by another test; else empty."""
        more, sent = self._marked(kept, (text,))
        yield from ask_as(sent, self.other.name, "confirm")
        return more if kept.field.shows(response_of((yield from self._read(kept))), more) else ""

    def _read(self, kept: Kept) -> Generator[TestRequest, Answer, Exchange]:
        return (yield from ask(kept.asked, "control"))

    def _marked(self, kept: Kept, taken: tuple[str, ...]) -> tuple[str, Request]:
        """A text that was never there, of the old one's form, or one of the next numbers that nothing has; and what writes it.

        Of what is so or is not there are two values only: the contrary, and then what it was.
        """
        field = kept.field
        mark = self._mark(kept, taken)
        _, at, host = field.value.partition("@") if field.is_text else ("", "", "")
        return mark, rewrite(self.sent, field.point, f"{mark}{at}{host}".encode())

    def _mark(self, kept: Kept, taken: tuple[str, ...]) -> str:
        field = kept.field
        if field.is_text:
            return field.mark(self.situation.random)
        if field.contrary:
            return field.value if taken else field.contrary
        shown = {leaf.value for leaf in leaves(response_of(kept.before)) if leaf.path and leaf.path[-1] == field.name}
        free = (text for more in count(1) if (text := str(int(field.value) + more)) not in shown | self.numbers)
        self.numbers.add(number := self.situation.random.choice(list(islice(free, _FEW))))
        return number

    def _vulnerable(self, kept: Kept, written: Exchange, evidence: str, warning: str) -> Verdict:
        made = " Its owner had just made it, as the recorded one is not there any more." if self.is_fresh else ""
        return vulnerable(
            ENTRY,
            self.named.point,
            detail=f"{self.other.name!r} writes {kept.field.name!r}",
            threat=THREAT,
            test=written,
            control=kept.before,
            verified_by=(
                f"Sent as the identity {self.other.name!r} with a fresh mark in {kept.field.name!r}, the request changed the "
                f"object: its owner reads the mark at {kept.where}. That it is the owner's: "
                f"{evidence}. Without credentials the same changes nothing.{made}{warning}"
            ),
        )


def _named(situation: Situation) -> Named | None:
    """What names the object: the last identifier beside which something may be marked. An address that is set may look like one.

    Of a body that calls the sender by his name that is what says whose profile is written, and not his telephone number.
    """
    named = named_by(situation)
    beside = [each for each in named if markable(situation.baseline.request, each.point)] or named
    if beside and (beside[-1].point[0] != "post" or beside[-1].value.lower() in holder_values(situation)):
        return beside[-1]
    return named_himself(situation) or (beside[-1] if beside else None)


def applies(situation: Situation) -> bool:
    """Changing requests with an identifier, a body of named texts and a peer, that were answered well."""
    request, response = situation.baseline.request, situation.baseline.response
    peer = next(iter(peers_of(situation.identities)), None)
    if is_safe(request) or request.method.upper() not in ("PUT", "PATCH", "POST") or peer is None:
        return False
    if response is None or response.status >= FIRST_ERROR or not situation.credentials:
        return False
    if account_request(situation.baseline.exchange) is not None or signs_in(request) or only_reads(request):
        return False
    if b"passw" in request.path.lower() or b"logout" in request.path.lower():
        return False
    from_above = peer.rank < situation.identities[0].rank
    if from_above and is_of_managers(request):
        return False  # a function for those who manage, and what that says is told of by `auth`
    named = _named(situation)
    fields = markable(request, named.point) if named is not None else []
    return any(not (each.is_limit and from_above) for each in fields)


def forecast(situation: Situation) -> int:
    """The owner's read, the other's, the other's write and the owner's read again; both read below what is the other's
    own. Of several others each is asked as, and asks for another change of the same where one was recorded.
    """
    named = _named(situation)
    others = peers_of(situation.identities) if named is not None else ()
    least = 4 + len(situation.renewal.changes[:1])
    return (
        sum(least + 2 * len(below_ones_own(situation, named, other)) for other in others if named is not None) or least
    )


ENTRY = Entry(
    type=TYPE,
    title="Objects of other users can be changed",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller overwrites what belongs to others by changing an identifier: where parcels go, which address "
        "passwords are reset by, what was agreed."
    ),
    remediation=(
        "Fetch the object through its owner before it is changed, in the same place as for reading. Answer 404 for what is "
        "not the caller's, and change nothing."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
