"""Reading again what a changing request may have left, once for all of its values.

Each value gets letters of its own, all of them are sent in one request, and a dozen pages are read: those that the answer
leads to, those of what was created, those that were recorded with one of the values, then the nearest; and the one to which
a list links by what was sent. What shows whose letters is remembered for the other dialogues about the baseline. Where all
values at once are refused, each is tried by itself with fewer pages.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.auth.logins import is_password
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.core.testing.dialogues.behind_link import behind_link, leads_on
from gatecrash.core.testing.dialogues.following import END, LANDING, LINKED, Way, follow, gives_session, ways_from
from gatecrash.core.testing.dialogues.going_on import gone_on
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.operations.graphql import says_what_is_called
from gatecrash.core.testing.operations.one_script import names_page, page_asked
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import block
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_PAGES, _MOST_ALONE, _MOST_VALUES, _LONGEST = 12, 4, 20, 512
# What applications write down of who called.
_TOLD_OF_CALLER = frozenset({"USER-AGENT", "REFERER", "X-FORWARDED-FOR", "X-REAL-IP", "FROM"})
_BROWSER = ("header", "USER-AGENT")
# UUID, ULID, ObjectId: with letters added they name nothing, and what belongs to nothing is shown on no page.
_REFERENCE = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{24}", re.IGNORECASE
)
# What a password that is typed a second time is called.
_ONCE_MORE = re.compile(r"confirm|repeat|again|retype|verif|check|conf$|2$|^re", re.IGNORECASE)
# Other values in a path are another address.
_KEPT_IN = (("post",), ("get",), ("header",))
_IN_FORMS, _SHORT_FORM = ("post", "form_urlencoded"), 4
_FORMS, _ANY_TOKEN = ("form_urlencoded", "multipart"), re.compile(r"(?:\w+[_-])?token", re.IGNORECASE)
_TYPE_OF_FILE = ("content_type",)

Values = dict[Point, str]


class Shown(NamedTuple):
    """What a sweep found. whole: all values were taken at once. ways: to the pages that show the letters of each point."""

    whole: bool
    ways: dict[Point, tuple[Way, ...]]


def may_keep(inquiry: Inquiry) -> bool:
    """Whether the value may be kept and shown elsewhere: a text or what a form says, in a request that may change something."""
    return may_be_kept(inquiry.situation, inquiry.situation.point, inquiry.situation.value)


def may_be_kept(situation: Situation, point: Point, value: bytes) -> bool:
    """The same of any point of the baseline."""
    if is_safe(situation.baseline.request) and not _is_written_down(situation, point, value):
        return False
    if is_name(point) or len(value) > _LONGEST or point[-1:] == _TYPE_OF_FILE:
        return False
    if _says_where(situation.baseline.request, point) or _is_a_password(situation, point, value):
        return False
    if point[0] == "header" and not (len(point) == 2 and point[1] in _TOLD_OF_CALLER):
        return False
    is_text = bool(value) and not is_literal(value.decode("utf-8", "replace"))
    return is_text or _is_number_of_form(situation, point, value)


def _says_where(request: Request, point: Point) -> bool:
    """Whether it says which operation is called, or which page of a site's one script: with another value nothing is kept at all."""
    asks = point[0] == "get" and names_page(point[-1]) and bool(page_asked(request))
    return asks or says_what_is_called(request, point)


def _is_written_down(situation: Situation, point: Point, value: bytes) -> bool:
    """Whether a page shows which browser called, as a log of visits does, which requests that only read write as well."""
    browser = value.decode("utf-8", "replace")
    return tuple(point) == _BROWSER and any(page.rendered and page.may_say(browser) for page in situation.pages)


def _is_a_password(situation: Situation, point: Point, value: bytes) -> bool:
    """Whether a value is a password, or one once more: no page shows it, and what is sent twice must be the same."""
    if _ONCE_MORE.search(point[-1]) is None:
        return is_password(point[-1].encode("utf-8", "replace"))
    same = (each for each, other in situation.memory.places if other == value and value)
    return any(is_password(each[-1].encode("utf-8", "replace")) for each in (point, *same))


def _is_number_of_form(situation: Situation, point: Point, value: bytes) -> bool:
    """Whether it is a number that a short form sends, where it is a text as any other: what a session is to remember."""
    beside = [each for each, _ in situation.memory.places if each[:1] == ("post",) and not is_name(each)]
    return point[:2] == _IN_FORMS and value.isdigit() and len(beside) <= _SHORT_FORM


def may_be_shown_later(inquiry: Inquiry) -> bool:
    """The same, where there is a page to read: one that the recorded answer leads to, or one of the run."""
    known = any(page.rendered for page in inquiry.situation.pages)
    return may_keep(inquiry) and (known or landing_of(inquiry.situation.baseline.request, inquiry.good) is not None)


def kept_values(situation: Situation) -> Values:
    """The values of the baseline that may be kept, the question's own first; none that stands inside another, nor one
    that names an object or is a form's token where there are others: written with them it would lead what is kept
    astray, or have it refused.
    """
    places = [(situation.point, situation.value)]
    places += [(point, value) for point, value in situation.memory.places if not is_name(point)]
    kept: Values = {}
    for point, value in (each for each in places if each[0][:1] in _KEPT_IN and len(each[0]) > 1):
        apart = not any(_within(point, each) or _within(each, point) for each in kept)
        holds_others = any(other != point and _within(other, point) for other, _ in places)
        if apart and not holds_others and may_be_kept(situation, point, value):
            kept[point] = value.decode("utf-8", "surrogateescape")
    names = [point for point, value in places if _names_an_object(value.decode("utf-8", "replace"))]
    texts = {
        point: value
        for point, value in kept.items()
        if not _is_guard(point, value) and not any(point[: len(name)] == name for name in names)
    }
    return dict(list((texts or kept).items())[:_MOST_VALUES])


def _is_guard(point: Point, value: str) -> bool:
    """Whether a value lets a form in: by its name, or called `token` as many call their own, and drawn."""
    called = point[0] == "post" and point[1] in _FORMS and _ANY_TOKEN.fullmatch(point[-1]) is not None
    return is_form_token(point) or (called and looks_random(value.encode("utf-8", "surrogateescape")))


def _names_an_object(value: str) -> bool:
    return _REFERENCE.fullmatch(value) is not None or GlobalId.read(value) is not None


def first_kept(situation: Situation) -> Point:
    """The point at which the others' questions are asked as well: the first of the baseline."""
    places = situation.memory.places or ((situation.point, situation.value),)
    first = msgspec.structs.replace(situation, point=places[0][0], value=places[0][1])
    return next(iter(kept_values(first)), situation.point)


def _within(inner: Point, outer: Point) -> bool:
    """Whether a point is decoded inside another's value; a file's name and type stand beside its content."""
    return inner[: len(outer)] == outer and inner[len(outer) : len(outer) + 1] not in (("filename",), ("content_type",))


def write_all(situation: Situation, values: Values) -> Request | None:
    """The baseline's request with all of these values; None where one of the places cannot hold its own."""
    try:
        return _written(situation.baseline.request, values)
    except UserError:
        return None


def _written(request: Request, values: Values) -> Request:
    for point, value in values.items():
        request = rewrite(request, point, value.encode("utf-8", "surrogateescape"))
    return request


def renew_others(inquiry: Inquiry) -> bool:
    """Have every request bring fresh letters at the other values, as the one with letters at all of them did: a name that
    must be new is so, then. False where there are no others, or this is done already.
    """
    values = kept_values(inquiry.situation)
    others = {point: value for point, value in values.items() if point != inquiry.situation.point}
    if inquiry.beside is not None or not others or len(others) == len(values):
        return False
    inquiry.beside = lambda request: _written(
        request, {point: value + inquiry.mark(8) for point, value in others.items()}
    )
    return True


def was_taken(situation: Situation, exchange: Exchange) -> bool:
    """Whether the application seems to have taken what was sent. Who is shown a page where he was led on before has the form
    before him once more, with what is wrong in it.
    """
    recorded, answer = situation.baseline.response, response_of(exchange)
    if (
        recorded is not None
        and FIRST_REDIRECT <= recorded.status < FIRST_ERROR
        and answer.status < FIRST_REDIRECT
        and renders(answer)
    ):
        return False
    if block(answer) and not (recorded and block(recorded)):
        return False
    if tells_errors(text_of(answer)) and not (recorded and tells_errors(text_of(recorded))):
        return False
    return answer.status < FIRST_ERROR or (recorded is not None and recorded.status == answer.status)


def read_way(situation: Situation, way: Way, exchange: Exchange) -> Generator[TestRequest, Answer, Exchange | None]:
    """The page that a way leads to after this answer; None where it leads nowhere."""
    if way == END:
        return (yield from gone_on(situation, exchange))
    if way.target == LINKED.target:
        return (yield from behind_link(situation, exchange, way.page))
    page = follow(situation, way, exchange)
    if page is None:
        return None
    # Another session than the run's own must not be brought up to date on its way.
    return (yield from (ask_raw if gives_session(response_of(exchange)) else ask)(page, "control"))


def pages_showing(inquiry: Inquiry) -> Generator[TestRequest, Answer, list[Way]]:
    """The ways to the pages that show what is left at the point: one page may escape what another does not."""
    point = inquiry.situation.point
    shown: Shown = yield from inquiry.situation.memory.once("shown", lambda: _sweep(inquiry))
    if shown.whole and point in kept_values(inquiry.situation):
        return list(shown.ways.get(point, ()))
    return (yield from _showing_alone(inquiry))


def _sweep(inquiry: Inquiry) -> Generator[TestRequest, Answer, Shown]:
    """Letters at every value at once, and the pages that show them."""
    situation = inquiry.situation
    values = kept_values(situation)
    marks = {point: inquiry.mark(8) for point in values}
    request = write_all(situation, {point: value + marks[point] for point, value in values.items()})
    exchange = (yield from ask(request)) if request is not None else None
    if exchange is None or not was_taken(situation, exchange):
        return Shown(len(values) == 1, {})
    found: dict[Point, tuple[Way, ...]] = {}
    for way, text in (yield from _pages(situation, exchange, list(values.values()), _MOST_PAGES)):
        for point in (point for point, mark in marks.items() if mark in text):
            found[point] = (*found.get(point, ()), way)
    return Shown(True, found)


def _showing_alone(inquiry: Inquiry) -> Generator[TestRequest, Answer, list[Way]]:
    mark = inquiry.mark(8)
    reply = yield from inquiry.send(inquiry.value + mark)
    if reply is None:
        return []
    pages = yield from _pages(inquiry.situation, reply.exchange, [inquiry.value], _MOST_ALONE)
    return [way for way, text in pages if mark in text]


def _pages(
    situation: Situation, exchange: Exchange, values: list[str], most: int
) -> Generator[TestRequest, Answer, list[tuple[Way, str]]]:
    """So many pages as a browser shows them after an answer, with their texts in lower case."""
    ways = ways_from(situation, response_of(exchange), values, rendered=True)
    found: list[tuple[Way, str]] = []
    for way in ways[:most]:
        found += yield from _read(situation, way, exchange)
    answer = response_of(exchange)
    lists = [(LINKED, text_of(answer).lower())] if renders(answer) else []
    lists += [(LINKED._replace(page=way.page), text) for way, text in found if way.page is not None or way == LANDING]
    leading = next((way for way, text in lists if leads_on(text, values)), None)
    if leading is not None and not is_safe(situation.baseline.request):
        found += yield from _read(situation, leading, exchange)
    return found


def _read(situation: Situation, way: Way, exchange: Exchange) -> Generator[TestRequest, Answer, list[tuple[Way, str]]]:
    page = yield from read_way(situation, way, exchange)
    shown = page is not None and renders(response_of(page))
    return [(way, text_of(response_of(page)).lower())] if page is not None and shown else []


def showing(inquiry: Inquiry, reply: Reply, way: Way | None) -> Generator[TestRequest, Answer, Response]:
    """The answer that shows what was sent: the reply's own, or the page's as it is now."""
    if way is None:
        return response_of(reply.exchange)
    page = yield from read_way(inquiry.situation, way, reply.exchange)
    return response_of(page) if page is not None else Response(404)


def claim(situation: Situation, type_: str, way: Way) -> bool:
    """Whether nobody found this page to be flawed by the same header, or is about to: every request brings its caller's.

    What is claimed is to be given back where nothing is found. Of values that only this request brings all are news.
    """
    if situation.point[0] != "header":
        return True
    if (claimed := _claimed(situation, type_, way)) in situation.memory.told:
        return False
    situation.memory.told.add(claimed)
    return True


def give_back(situation: Situation, type_: str, way: Way) -> None:
    """Nothing was found there by this request; another may be taken where this one is not."""
    situation.memory.told.discard(_claimed(situation, type_, way))


def _claimed(situation: Situation, type_: str, way: Way) -> tuple[str, ...]:
    request = situation.baseline.request
    return (type_, request.origin, *situation.point, way.target.decode("latin-1"))
