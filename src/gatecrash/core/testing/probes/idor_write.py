"""Objects of others, written: what belongs to one caller is changed by another, and the owner reads it changed.

What it finds
    Changing requests (PUT, PATCH, POST) with an identifier in the path, the query or the body that
    are done for another identity of no higher rank, on the owner's object.

Why it matters
    Whoever changes an identifier overwrites other customers' data: the address that parcels go to, the e-mail that
    passwords are reset by.

How it decides
    First the owner reads the object (by GET of the same address, the one above it, or where the recorded answer leads), and a
    text that the request sends must stand in it; without that nothing is sent. It must be the owner's: the list that it
    stands in, or another recorded page, shows it to him and not to the other, or the other may not even read it, or it names the owner as the owner's credentials do. Then the
    recorded request is sent as the other identity with a fresh mark in that one text. The owner reads again: the mark
    must be there. Without credentials the same must change nothing, else that is another finding. At the end the owner
    sends the request with the text that stood there before, and reads it once more. Status codes decide nothing.

Known misses
    Objects that the owner cannot read back, requests that send no text, and mutations of GraphQL. Deleting: it could only be seen by its harm.
    Creating in the name of others.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.account_doors import door_of
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.holder import holder_values
from gatecrash.core.testing.identity import Identity, peer_of
from gatecrash.core.testing.objects import Named, listing, named_fields, named_objects, only_reads
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.ownership import listed_apart, names_owner
from gatecrash.core.testing.owning import listed_elsewhere
from gatecrash.core.testing.pages import landing_of
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.properties import body_of, sending
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

TYPE = "idor"
CWE = 639
THREAT = 88
_NOBODY = ""
_FIRST_ERROR = 400
_LEAST_TEXT = 3
_LETTERS = "bcdfghjklmnpqrstvwxz"
# Free texts first: a mark in them is taken by every check of form.
_FREE = (
    "note",
    "text",
    "comment",
    "description",
    "title",
    "message",
    "bio",
    "address",
    "street",
    "name",
    "city",
    "email",
)
_NEVER = ("password", "passwd", "token", "secret", "role", "status", "type", "currency", "country", "date", "id")

_Deciding = Generator[TestRequest, Answer, Verdict]


class _Kept(NamedTuple):
    """Where the owner reads the object, the text of it that the request sends, and what it was before."""

    target: bytes
    field: str
    value: str
    before: Exchange


def _dialogue(situation: Situation) -> Dialogue:
    other = peer_of(situation.identities)
    assert other is not None
    trial = _Trial(situation, other)
    kept = yield from trial.kept()
    if kept is None:
        detail = "the owner cannot read back what the request writes"
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, detail)
    evidence = yield from trial.evidence(kept)
    if not evidence:
        return safe(TYPE, situation.point, "nothing says that the object is the owner's alone")
    return (yield from trial.verdict(kept, evidence))


class _Trial:
    """One changing request of one owner. body: what it sends."""

    def __init__(self, situation: Situation, other: Identity) -> None:
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.other = other
        self.named: Named = _named(situation)[-1]
        self.body = body_of(self.request) or {}

    def kept(self) -> Generator[TestRequest, Answer, _Kept | None]:
        """Read the object as its owner, where it stands or one level above."""
        path = self.request.path.rstrip(b"/")
        recorded = self.situation.baseline.response
        landing = landing_of(self.request, recorded) if recorded is not None else None
        for target in (self.request.target, path.rpartition(b"/")[0], *([landing] if landing else [])):
            exchange = yield from ask(listing(self.request, target), "control")
            field = _field(self.body, response_of(exchange))
            if field:
                return _Kept(target, field, self.body[field], exchange)
        return None

    def evidence(self, kept: _Kept) -> Generator[TestRequest, Answer, str]:
        """What says that the object is the owner's, in words; empty where nothing does."""
        values = holder_values(self.situation)
        if self.named.value.lower() in values or names_owner(response_of(kept.before), values):
            return "the object is named after its owner, as the owner's credentials say"
        seen = response_of((yield from ask_as(listing(self.request, kept.target), self.other.name, "control")))
        if not _is_good(seen):
            return "the other identity may not even read it"
        where, shared = yield from listed_elsewhere(self.situation, self.other, self.named, kept.target)
        if where and not shared:
            return f"{where.decode('latin-1')} shows it to the owner only"
        if self.named.collection is None:
            return ""
        asked = listing(self.request, self.named.collection)
        mine = response_of((yield from ask(asked, "control")))
        theirs = response_of((yield from ask_as(asked, self.other.name, "control")))
        path = kept.target.partition(b"?")[0]
        return "its list shows it to the owner only" if listed_apart(mine, theirs, self.named.value, path) else ""

    def verdict(self, kept: _Kept, evidence: str) -> _Deciding:
        """Write as the other, read as the owner, and put back what was there."""
        point = self.situation.point
        text, sent = self._marked(kept)
        written = yield from ask_as(sent, self.other.name)
        read = yield from self._read(kept)
        if text not in text_of(response_of(read)):
            return safe(TYPE, point, "what the other identity writes is not what the owner reads")
        bare, stranger = self._marked(kept)
        yield from ask_as(stranger, _NOBODY, "control")
        public = bare in text_of(response_of((yield from self._read(kept))))
        yield from ask(sending(self.request, {**self.body, kept.field: kept.value}), "confirm")
        after = text_of(response_of((yield from self._read(kept))))
        if public:
            return safe(TYPE, point, "anybody writes it without credentials, which is told elsewhere")
        more = "" if text not in after and kept.value in after else " It could not be put back: do so by hand."
        return self._vulnerable(kept, written, evidence, more)

    def _read(self, kept: _Kept) -> Generator[TestRequest, Answer, Exchange]:
        return (yield from ask(listing(self.request, kept.target), "control"))

    def _marked(self, kept: _Kept) -> tuple[str, Request]:
        """A text that was never there, of the old one's form, and the request that writes it."""
        mark = "".join(self.situation.random.choice(_LETTERS) for _ in range(8))
        _, at, host = kept.value.partition("@")
        text = f"{mark}{at}{host}" if at else mark
        return mark, sending(self.request, {**self.body, kept.field: text})

    def _vulnerable(self, kept: _Kept, written: Exchange, evidence: str, more: str) -> Verdict:
        return Verdict(
            outcome=Outcome.VULNERABLE,
            type=TYPE,
            point=tuple(self.named.point),
            detail=f"{self.other.name!r} writes {kept.field!r}",
            threat=THREAT,
            cwe=(CWE,),
            title=ENTRY.title,
            proof=Proof(
                test=written,
                control=kept.before,
                verified_by=(
                    f"Sent as the identity {self.other.name!r} with a fresh mark in {kept.field!r}, the request changed the "
                    f"object: its owner reads the mark at {kept.target.decode('latin-1')}. That it is the owner's: "
                    f"{evidence}. Without credentials the same changes nothing.{more}"
                ),
            ),
        )


def _field(body: dict[str, object], response: Response) -> str:
    """The text of the body that the object shows, the freest first; empty where there is none."""
    if not _is_good(response):
        return ""
    shown = text_of(response)
    texts = [
        name
        for name, value in body.items()
        if isinstance(value, str) and len(value) >= _LEAST_TEXT and value in shown and not _is_bound(name)
    ]
    return min(texts, key=_freedom, default="")


def _is_bound(name: str) -> bool:
    return any(name.lower() == word or name.lower().endswith("_" + word) for word in _NEVER) or "passw" in name.lower()


def _freedom(name: str) -> int:
    return next((number for number, word in enumerate(_FREE) if word in name.lower()), len(_FREE))


def _named(situation: Situation) -> list[Named]:
    """The identifiers that the request names; words that only may be names last in importance."""
    request = situation.baseline.request
    named = named_fields(request) + named_objects(request, holder_values(situation))
    return sorted(named, key=lambda each: each.sure)


def _is_good(response: Response) -> bool:
    return response.status < _FIRST_ERROR and refusal(response) is None


def applies(situation: Situation) -> bool:
    """Changing requests with an identifier, a body of named texts and a peer, that were answered well."""
    request, response = situation.baseline.request, situation.baseline.response
    if (
        is_safe(request)
        or request.method.upper() not in ("PUT", "PATCH", "POST")
        or peer_of(situation.identities) is None
    ):
        return False
    if response is None or response.status >= _FIRST_ERROR or not situation.credentials:
        return False
    if door_of(situation.baseline.exchange) is not None or only_reads(request):
        return False
    if not _named(situation) or b"passw" in request.path.lower() or b"logout" in request.path.lower():
        return False
    body = body_of(request)
    return body is not None and any(isinstance(value, str) for value in body.values())


def forecast(_situation: Situation) -> int:
    """The owner's read, the other's, the other's write and the owner's read again."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="Objects of others can be changed",
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
