"""Functions of a higher rank behind a site's forms: the higher identity reads what the lower one's form did.

What it finds
    Forms that were recorded for an identity of a higher rank, are answered with a redirect, and are done for one of a
    lower rank: what an administrator writes (an announcement, the settings, somebody's data), and what he decides of
    others (`/users/7/lock`).

Why it matters
    The page with the form is guarded, and the address that the form is sent to was forgotten; or it sends the refused
    away and goes on all the same. Whoever knows the address manages the service.

How it decides
    Ranks come with the identities; of those below, the highest asks. Nothing is sent before something says that the
    form is for the higher rank, as for `auth_function`: its name, or a section above it that is refused to the lower
    identity, or from which it is led away. An answer says nothing, for a site leads back to the same page whether it
    did what was asked or not. So the higher identity reads a page that shows what the form does: where it leads, the
    one whose form it is, the one above, or a recorded one that shows its values.

    Where such a page shows a text that the form sends, nobody sends a fresh mark in its place first, and then the lower
    identity another, and one more. Both of its marks must stand where the recorded text stood: in the same element and
    column, with nothing more beside them, as in a log of what was refused. The higher identity writes the recorded text
    back, where the mark took its place.

    Else the page must offer what takes the form back: the same form with another choice, or one whose word is the
    contrary (`unlock`). The higher identity takes it back and sends it once more, and reads what differs. It takes it
    back again, and nobody asks; then the lower identity asks, twice, each time after it was taken back. What differs
    must differ in all of these readings in the same way, with the page as it was after each time that it was taken
    back, also where nobody asked meanwhile. The page is left as it was found.

Known misses
    What only an e-mail or a file tells. What is decided once and for all, as an approval, which `auth_approval` looks
    at. What sends something out or moves money.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

import re
from collections import Counter
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.ranks.refused_above import as_judged, evidence_above, sections_above
from gatecrash.core.testing.authorization.ranks.ways_back import has_contrary, ways_back
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.pieces import Piece, pieces, told_apart
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 285
THREAT = 88
_NOBODY = ""
_MOST_PLACES, _MOST_SAYING, _MOST_FIELDS, _MOST_ASIDE = 5, 2, 2, 3
_READINGS = 3
# What goes out to people or moves money cannot be taken back, and is not done twice for a test.
_GOES_OUT = re.compile(
    r"(?<![a-z])(?:send|mail|e-?mail|notify|broadcast|newsletter|pay|payout|payment|transfer|charge|refund|withdraw|invoice|import|run|execute"
    r"|deploy|restart|shutdown|backup|restore[-_]?backup|merge|close[-_]?year)(?![a-z])",
    re.IGNORECASE,
)

_Reading = Counter[Piece]
_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    lower = lower_of(situation.identities)
    assert lower is not None
    evidence = yield from evidence_above(situation.baseline.request, lower, situation.pages)
    if not evidence:
        return safe(TYPE, situation.point, "nothing says that the function is for the higher rank")
    form = _Form(situation, lower, evidence)
    yield from form.read()
    return (yield from form.marked()) or (yield from form.taken_back())


class _Place(NamedTuple):
    """A page as the higher identity read it first."""

    asked: Request
    before: Exchange


class _Way(NamedTuple):
    """What takes a form back, and what the page then shows, and what it shows when the form was sent again."""

    back: Request
    place: _Place
    undone: _Reading
    done: _Reading

    def is_done(self, reading: _Reading) -> bool:
        """Whether a reading of the page shows rather what the form did than what it was before."""
        apart = told_apart([self.done], [self.undone])
        agreeing = sum(reading[piece] == self.done[piece] for piece in apart)
        return agreeing > sum(reading[piece] == self.undone[piece] for piece in apart)


class _Form:
    """One form of the higher identity, and the pages on which it reads what the form did."""

    def __init__(self, situation: Situation, lower: Identity, evidence: str) -> None:
        self.situation = situation
        self.request = situation.baseline.request
        self.lower = lower
        self.evidence = evidence
        self.places: list[_Place] = []
        # Whether a page shows what the form sends, so that it would have shown a mark.
        self.is_shown = False

    def read(self) -> Generator[TestRequest, Answer, None]:
        """Read the pages that may show what the form does."""
        for target in self._targets():
            asked = reading(self.request, target)
            if destroys(asked):
                continue
            # A message of what was done last is shown once.
            yield from ask(asked, "control")
            before = yield from ask(asked, "control")
            if is_good(response_of(before)):
                self.places.append(_Place(asked, before))

    def _targets(self) -> list[bytes]:
        recorded = self.situation.baseline.response
        landing = landing_of(self.request, recorded) if recorded is not None else None
        above = self.request.path.rstrip(b"/").rpartition(b"/")[0]
        values = [each.value for each in markable(self.request, Point())]
        saying = [
            page.request.target
            for page in self.situation.pages
            if any(map(page.may_say, values)) and not page.request.body
        ]
        found = [
            landing,
            form_page_of(self.request, self.situation.pages),
            *saying[:_MOST_SAYING],
            above,
            above.rpartition(b"/")[0],
        ]
        return [target for target in dict.fromkeys(found) if target and target != b"/"][:_MOST_PLACES]

    def marked(self) -> Generator[TestRequest, Answer, Verdict | None]:
        """The verdict by fresh marks; None where no page shows what the form sends, or nothing else than that may stand there."""
        fields = sorted(
            (each for each in markable(self.request, Point()) if each.is_text), key=lambda each: each.freedom
        )
        shown = (
            (field, place) for field in fields for place in self.places if _shows(place.before, field, field.value)
        )
        for field, place in list(shown)[:_MOST_FIELDS]:
            verdict = yield from self._marked_in(field, place)
            if verdict is not None:
                return verdict
        return None

    def _marked_in(self, field: Markable, place: _Place) -> Generator[TestRequest, Answer, Verdict | None]:
        self.is_shown = True
        none, _ = yield from self._kept(field, place, _NOBODY)
        if none:
            yield from self._put_back(field, place)
            return safe(TYPE, self.situation.point, "anybody does it without credentials, which is told elsewhere")
        stood, written = yield from self._kept(field, place, self.lower.name)
        if not stood:
            yield from self._put_back(field, place)
            return None
        again, _ = yield from self._kept(field, place, self.lower.name)
        warning = yield from self._put_back(field, place)
        if not again:
            return safe(TYPE, self.situation.point, "the higher identity read such a mark once, and not again")
        where = place.asked.target.decode("latin-1")
        said = (
            f"Sent as {self.lower.name!r} with a fresh mark in {field.name!r}, twice, the form did what it does for the higher identity, which reads "
            f"both marks at {where} where the recorded text stood. Without credentials it did nothing."
        )
        return self._vulnerable(written, place, f"writes {field.name!r}", f"{said} {self.evidence}{warning}")

    def _kept(
        self, field: Markable, place: _Place, identity: str
    ) -> Generator[TestRequest, Answer, tuple[bool, Exchange]]:
        """Whether what an identity sends stands where the recorded text stood, as the higher identity reads it."""
        mark = field.mark(self.situation.random)
        _, at, host = field.value.partition("@")
        text = f"{mark}{at}{host}"
        written = yield from ask_as(
            rewrite(self.request, field.point, text.encode()), identity, "test" if identity else "control"
        )
        now = yield from ask(place.asked, "control")
        return _stands_as(place.before, now, field.value, text), written

    def _put_back(self, field: Markable, place: _Place) -> Generator[TestRequest, Answer, str]:
        """The recorded text is written again where a mark took its place; what else stays, for people."""
        stood = _count(place.before, field.value)
        if _count((yield from ask(place.asked, "control")), field.value) >= stood:
            return " What it made stands there beside what was there before."
        yield from ask(self.request, "confirm")
        if _count((yield from ask(place.asked, "control")), field.value) >= stood:
            return ""
        return " It could not be put back: do so by hand."

    def taken_back(self) -> _Deciding:
        """The verdict by what takes the form back."""
        point = self.situation.point
        way = yield from self._way()
        if way is None and self.is_shown:
            return safe(TYPE, point, "the higher identity reads nothing that the lower one sent")
        if way is None:
            detail = "no page shows what the function does, or what takes it back"
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, detail)
        apart, seen = yield from self._follows(way)
        if not apart:
            # What another test changed meanwhile on the same page is done by now.
            undone = yield from self._after(way.back, way.place)
            done = yield from self._after(self.request, way.place)
            apart, seen = yield from self._follows(way._replace(undone=undone, done=done))
        yield from self._left_as_found(way)
        if not apart:
            return safe(TYPE, point, "what the higher identity reads does not follow the lower one's form")
        where, said = way.place.asked.target.decode("latin-1"), apart[0].said[:80]
        told = (
            f"The higher identity read at {where} how {said!r} came or went: each time after {self.lower.name!r} had sent the form, twice, and not "
            "after the same was sent without credentials or nothing was asked. In between it took the form back itself, and left all as it was."
        )
        return self._vulnerable(seen, way.place, f"changes what is read at {where}", f"{told} {self.evidence}")

    def _follows(self, way: _Way) -> Generator[TestRequest, Answer, tuple[list[Piece], Exchange]]:
        """What is read after the lower identity's form as after the higher one's, and never before; and the lower identity's form."""
        undone = [way.undone, (yield from self._after(way.back, way.place))]
        yield from ask_as(self.request, _NOBODY, "control")
        undone += [(yield from self._reading(way.place)), (yield from self._reading(way.place))]
        seen = yield from ask_as(self.request, self.lower.name)
        done = [way.done, (yield from self._reading(way.place))]
        if told_apart(done, undone):
            undone.append((yield from self._after(way.back, way.place)))
            for _ in range(self.situation.random.randint(1, _MOST_ASIDE)):
                yield from ask_as(self.request, _NOBODY, "control")
                undone.append((yield from self._reading(way.place)))
            yield from ask_as(self.request, self.lower.name, "confirm")
            done += [(yield from self._reading(way.place)), (yield from self._reading(way.place))]
        return told_apart(done, undone), seen

    def _way(self) -> Generator[TestRequest, Answer, "_Way | None"]:
        """What takes the form back, and a page that shows both; None where nothing does."""
        for place in self.places:
            ways = ways_back(self.request, place.before)
            if not ways and has_contrary(self.request):
                yield from self._after(self.request, place)
                ways = ways_back(self.request, (yield from ask(place.asked, "control")))
            for back in ways:
                undone = yield from self._after(back, place)
                done = yield from self._after(self.request, place)
                if told_apart([done], [undone]):
                    return _Way(back, place, undone, done)
        return None

    def _after(self, asked: Request, place: _Place) -> Generator[TestRequest, Answer, _Reading]:
        """The page after the higher identity has asked for something. A message of it is shown once, and read past."""
        yield from ask(asked, "control")
        yield from ask(place.asked, "control")
        return (yield from self._reading(place))

    def _reading(self, place: _Place) -> Generator[TestRequest, Answer, _Reading]:
        return _pieces((yield from ask(place.asked, "control")))

    def _left_as_found(self, way: "_Way") -> Generator[TestRequest, Answer, None]:
        """The page is left as it was found: done, or taken back."""
        was_done = way.is_done(_pieces(way.place.before))
        shown = 0
        for _ in range(_READINGS):
            shown += way.is_done((yield from self._reading(way.place)))
        if was_done != (shown > _READINGS // 2):
            yield from self._after(self.request if was_done else way.back, way.place)

    def _vulnerable(self, test: Exchange, place: _Place, detail: str, verified_by: str) -> Verdict:
        return vulnerable(
            ENTRY,
            self.situation.point,
            detail=f"{self.lower.name!r} {detail}",
            threat=THREAT,
            test=test,
            control=place.before,
            verified_by=verified_by,
        )


def _pieces(exchange: Exchange) -> _Reading:
    return pieces(response_of(exchange))


def _shows(page: Exchange, field: Markable, value: str) -> bool:
    return any(value in piece.said for piece in _pieces(page)) and field.shown(response_of(page))


def _stands_as(before: Exchange, now: Exchange, recorded: str, mark: str) -> bool:
    """Whether a mark stands in a page as the recorded text stood there: in such an element, with the same words beside it."""
    stood = {piece for piece in _pieces(before) if recorded in piece.said}
    stands = (Piece(piece.where, piece.said.replace(mark, recorded)) for piece in _pieces(now) if mark in piece.said)
    return any(piece in stood for piece in stands)


def _count(page: Exchange, value: str) -> int:
    return text_of(response_of(page)).count(value)


def applies(situation: Situation) -> bool:
    """Changing requests that were answered with a redirect, where an identity of a lower rank is known; what ends
    sessions, deletes, goes out to people or moves money is left alone.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if lower_of(situation.identities) is None or not situation.credentials or response is None:
        return False
    if (
        not FIRST_REDIRECT <= response.status < FIRST_ERROR
        or is_safe(request)
        or only_reads(request)
        or signs_in(request)
    ):
        return False
    if _GOES_OUT.search(request.path.decode("latin-1")) or destroys(as_judged(request)):
        return False
    return request.method.upper() not in {each.upper() for each in situation.policy.methods_excluded}


def forecast(situation: Situation) -> int:
    """The sections above, the pages that may show it, nobody's and the lower identity's form."""
    return len(sections_above(situation.baseline.request, situation.pages)) + 6


ENTRY = Entry(
    type=TYPE,
    title="A form of a higher role is done for a lower one",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Anybody who is signed in does what only those who manage the service should: the page with the form is guarded, and the address "
        "that the form is sent to is not."
    ),
    remediation=(
        "Check the role where a form is received, not only where it is shown, and end the request where it is refused: what follows a redirect "
        "is done all the same in some languages. Test each address with each rank."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="function_form",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
