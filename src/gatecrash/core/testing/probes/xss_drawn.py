"""Cross-site scripting by a page's own script: what is kept comes back in JSON, and the script writes it into the page as markup.

What it finds
    Values that a request leaves behind, that an answer in JSON shows as they are, and that the script of a page of the same host,
    which asks for that answer, puts into `innerHTML` and the like without an escape.

Why it matters
    As any other cross-site scripting that is kept: whoever opens the page runs the script of whoever wrote the text. The server
    answers nothing but data, so that neither its templates nor its firewall look at it.

How it decides
    The pages of the run, and the scripts that they load, are read and not run (`oracles/scripts/members.py`): a member of data
    counts that stands by itself between elements of what is written as markup, be it by the members and functions that frameworks take
    markup by, and that no script of the page escapes, writes as text or sets elsewhere. In a script of a bundler, where libraries draw
    what they are called with, most of what the script asks of the same object must be members of the object in the answer as well.
    Pages whose policy lets no inline script run are none. What such a page asks for is known by its path among
    the script's texts (`dialogues/drawn_data.py`). Letters are sent at all values at once; where they come back in such a member of
    such an answer, an element that would call a function of a fresh name is sent, must stand there whole, twice, and letters alone
    must stand there as well.

Known misses
    A component that is handed nothing but the text; Svelte's and Lit's functions where a bundler has put the framework into a file of its
    own; chunks that are loaded later; an application that cleans markup anywhere in a page's scripts; attributes; data that the
    page holds itself, or that comes over a socket; what is reflected and not kept.

Standards and references
    CWE-79; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; WHATWG HTML, section 8.5 (innerHTML).
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.drawn_data import Drawn, drawn_data, may_be_drawn
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.reading_after import kept_values, may_be_kept, renew_others, was_taken, write_all
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "xss"
CWE = (79,)
# As `xss` has it where nobody need be lured.
THREAT = 75
_MOST_DRAWN = 8
_KEPT_IN = ("get", "post")

_Places = dict[Point, list[Drawn]]


class _Seen(NamedTuple):
    """What was sent, and the answer in which it stands now."""

    reply: Reply
    shown: Exchange


def _dialogue(inquiry: Inquiry) -> Dialogue:
    point = inquiry.situation.point
    places: _Places = yield from inquiry.situation.memory.once("drawn", lambda: _places(inquiry))
    for drawn in places.get(point, ()) if (TYPE, point) not in inquiry.situation.memory.proven else ():
        verdict = yield from _written_by(inquiry, drawn)
        if verdict is not None:
            return verdict
    return (yield from inquiry.nothing_found(TYPE))


def _places(inquiry: Inquiry) -> Generator[TestRequest, Answer, _Places]:
    """By letters at every value at once: what of the baseline is drawn where."""
    situation = inquiry.situation
    drawn = yield from drawn_data(situation)
    values = kept_values(situation)
    marks = {point: inquiry.mark(8) for point in values}
    request = write_all(situation, {point: value + marks[point] for point, value in values.items()}) if drawn else None
    exchange = (yield from ask(request)) if request is not None else None
    if exchange is None or not was_taken(situation, exchange):
        return {}
    found: _Places = {}
    for each in drawn[:_MOST_DRAWN]:
        answer = response_of((yield from ask(each.request, "control")))
        for point, mark in marks.items():
            if each.holds(answer, mark):
                found.setdefault(point, []).append(each)
    return found


def _written_by(inquiry: Inquiry, drawn: Drawn) -> Generator[TestRequest, Answer, Verdict | None]:
    """An element stands there twice, and letters alone do."""
    first = yield from _sent(inquiry, drawn)
    if first is None and renew_others(inquiry):
        first = yield from _sent(inquiry, drawn)
    control = (yield from _sent(inquiry, drawn, "", "control")) if first is not None else None
    again = (yield from _sent(inquiry, drawn, purpose="confirm")) if control is not None else None
    return _vulnerable(inquiry, drawn, again, control) if again is not None and control is not None else None


def _sent(
    inquiry: Inquiry, drawn: Drawn, pattern: str = "<img src=x onerror={}()>", purpose: str = "test"
) -> Generator[TestRequest, Answer, _Seen | None]:
    """The answer that shows what was sent; None where it does not. pattern: empty for letters alone."""
    name = inquiry.mark(8)
    text = pattern.format(name) or name
    reply = yield from inquiry.send(inquiry.value + text, purpose=purpose)
    if reply is None:
        return None
    shown = yield from ask(drawn.request, "control")
    return _Seen(reply, shown) if drawn.holds(response_of(shown), text) else None


def _vulnerable(inquiry: Inquiry, drawn: Drawn, again: _Seen, control: _Seen) -> Verdict:
    asked = drawn.request.target.decode("latin-1")
    names = ", ".join(sorted({".".join(each.members) for each in drawn.draws.written}))
    proof = Proof(
        test=again.reply.exchange,
        control=control.reply.exchange,
        verified_by=(
            f"The input {again.reply.payload!r} is kept, and the answer of {drawn.request.method} {asked}, which was read afterwards, "
            f"shows it whole, twice, with names drawn at random. The script of the page {drawn.page!r} asks for that and writes "
            f"members of it into the page as markup, with nothing in between ({names}): a browser runs the call. "
            f"{control.reply.payload!r} stands there as well. The script was read, not run."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"stored, written as markup by the script of {drawn.page}")


def applies(situation: Situation) -> bool:
    """Texts that a request keeps whose own answer is no page, where pages and data were read beside it."""
    request, response = situation.baseline.request, situation.baseline.response
    if situation.policy.one_family or is_safe(request) or only_queries(request) or response is None:
        return False
    if response.status >= FIRST_ERROR or renders(response) or len(situation.point) == 1:
        return False
    is_value = situation.point[0] in _KEPT_IN and may_be_kept(situation, situation.point, situation.value)
    return is_value and may_be_drawn(situation)


def forecast(_situation: Situation) -> int:
    """Nothing where no page draws anything: those that do not are read once for all of the run."""
    return 0


ENTRY = Entry(
    type=TYPE,
    title="Cross-site scripting",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes the text runs scripts in the browser of everybody who opens the page, with that one's session: it reads what he "
        "sees and does what he may do."
    ),
    remediation=(
        "Write texts by textContent, or by a framework that escapes them, and never by innerHTML. Where markup is wanted, clean it in "
        "the browser by a maintained library. Add a Content-Security-Policy without 'unsafe-inline' as a second wall."
    ),
)
PROBE = Probe(type=TYPE, name="drawn", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
