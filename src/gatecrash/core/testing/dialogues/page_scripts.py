"""The scripts of a page, those within it and those that it loads from its own host, read for a flow from the page's address.

found = yield from first_flow(inquiry, "xss", flow)    the first one, seen twice; None where there is none, or it was told before
codes = yield from scripts_of(page, loaded)            all of them, as they are now
"""

from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.statuses import OK
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.pages.markup import RAW, START, Token, tokens
from gatecrash.core.testing.oracles.pages.reflection import is_xml, renders
from gatecrash.core.testing.oracles.scripts.flow import Flow
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_SCRIPTS = 5
_SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript"})

Reads = Callable[[str], Flow | None]


class Found(NamedTuple):
    """A flow that was served twice. what: the script that holds it, in words."""

    exchange: Exchange
    flow: Flow
    what: str


_Finding = Generator[TestRequest, Answer, Found | None]


def first_flow(inquiry: Inquiry, type_: str, reads: Reads) -> _Finding:
    """The first flow that a script of the page has."""
    return (yield from _within(inquiry, type_, reads)) or (yield from _loaded(inquiry, type_, reads))


def _within(inquiry: Inquiry, type_: str, reads: Reads) -> _Finding:
    """A script that stands in the page; it must stand there when the page is asked for again. Told once of a page, whatever it is
    asked with.
    """
    found, page = _flow_of(inquiry.good, reads), inquiry.control.request
    key = (type_, page.origin, page.path.decode("latin-1"), str(found))
    if found is None or key in inquiry.situation.memory.told:
        return None
    again = yield from ask(page, "confirm")
    if _flow_of(response_of(again), reads) != found:
        return None
    inquiry.situation.memory.told.add(key)
    return Found(again, found, "its own script")


def _loaded(inquiry: Inquiry, type_: str, reads: Reads) -> _Finding:
    """A script that the page loads from its host."""
    page, told = inquiry.control.request, inquiry.situation.memory.told
    for path in loaded_by(page, inquiry.good):
        key = (type_, page.origin, path)
        if key in told:
            continue
        told.add(key)
        request = reading(page, for_request_line(path.encode()))
        found = _flow_in((yield from ask(request)), reads)
        if found is None:
            continue
        again = yield from ask(request, "confirm")
        if _flow_in(again, reads) == found:
            return Found(again, found, f"the script {path!r}, which it loads,")
    return None


def scripts_of(page: Exchange, loaded: dict[str, str]) -> Generator[TestRequest, Answer, list[str]]:
    """The scripts that stand in a page's answer, and those that it loads from its host; none of what is no page. loaded: by their
    paths those that were asked for already, which grows.
    """
    answer = response_of(page)
    if answer.status != OK or not renders(answer):
        return []
    paths = loaded_by(page.request, answer)
    for path in (each for each in paths if each not in loaded):
        script = response_of((yield from ask(reading(page.request, for_request_line(path.encode())), "control")))
        loaded[path] = text_of(script) if script.status == OK and "script" in media_type(script) else ""
    return [*codes_within(answer), *(loaded[path] for path in paths)]


def codes_within(response: Response) -> list[str]:
    """The scripts that stand in a page."""
    text = text_of(response)
    return [text[token.begin : token.end] for token in _scripts(response) if token.kind == RAW]


def _scripts(response: Response) -> Iterator[Token]:
    """The elements that hold or load a script, as a browser finds them."""
    for token in tokens(text_of(response)):
        kind = next((each.value.strip().lower() for each in token.attributes if each.name == "type"), "")
        if token.name == "script" and token.kind in (START, RAW) and kind in _SCRIPT_TYPES:
            yield token


def _flow_of(response: Response, reads: Reads) -> Flow | None:
    if response.status != OK or not renders(response):
        return None
    return next((found for code in codes_within(response) if (found := reads(code)) is not None), None)


def _flow_in(exchange: Exchange, reads: Reads) -> Flow | None:
    response = response_of(exchange)
    return reads(text_of(response)) if response.status == OK and "script" in media_type(response) else None


def loaded_by(request: Request, response: Response) -> list[str]:
    """The scripts of its own host that a page loads; known libraries are named as such, and left out."""
    own = urlsplit(f"{request.origin}{request.path.decode('latin-1')}")
    paths: dict[str, None] = {}
    for token in _scripts(response):
        source = next((each.value.strip() for each in token.attributes if each.name == "src"), "")
        address = urlsplit(urljoin(own.geturl(), source)) if source and token.kind == START else own
        if address.netloc == own.netloc and address.path != own.path and ".min." not in address.path:
            paths[address.path + (f"?{address.query}" if address.query else "")] = None
    return list(paths)[:_MOST_SCRIPTS]


def has_scripts(situation: Situation) -> bool:
    """Pages that were asked for by a safe method."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status != OK or not is_safe(request):
        return False
    return renders(response) and not is_xml(response) and b"<script" in response.body.lower()


def forecasting(type_: str) -> Callable[[Situation], int]:
    """For `forecast`: one request for each script that the page loads and no other page has."""

    def forecast(situation: Situation) -> int:
        request, response = situation.baseline.request, situation.baseline.response
        paths = loaded_by(request, response) if response is not None else []
        return sum(1 for path in paths if (type_, request.origin, path) not in situation.memory.told)

    return forecast
