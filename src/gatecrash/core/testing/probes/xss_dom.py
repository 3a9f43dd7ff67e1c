"""DOM-based cross-site scripting: what stands in the address is written into the page by the browser (in the DOM).

What it finds
    Scripts within pages, and those of the same host that they load, that take a part of the page's address, undo its escapes,
    and write it where markup is read, or run it.

Why it matters
    A link is enough, as with any such flaw, and the server never sees what stands behind the hash: no firewall, no log.

How it decides
    The script is read, not run (`oracles/script_flow.py`), and only what leaves no doubt counts: from the address through
    concatenations, methods that cut a text and functions that undo escapes to `innerHTML`, `outerHTML`,
    `insertAdjacentHTML`, `document.write`, jQuery's `html` or `eval`. Any other function on the way, any check of the address and any
    other use of the variable end it. The page's Content-Security-Policy must let such markup run. The script is asked for
    twice. A script that several pages load is told once.

Known misses
    Ways through functions, objects and frameworks; scripts that a bundler has renamed, where one short name is many variables;
    links to javascript: addresses; messages of other windows.

Standards and references
    CWE-79; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; WHATWG HTML, section 8.4
    (document.write) and 8.5 (innerHTML); WHATWG URL, section 1.3 (what browsers escape).
"""

from collections.abc import Generator, Iterator
from urllib.parse import urljoin, urlsplit

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.testing.dialogues.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.content_policy import forbids_inline, forbids_markup_by_scripts
from gatecrash.core.testing.oracles.markup import RAW, START, Token, tokens
from gatecrash.core.testing.oracles.reflection import is_xml, renders
from gatecrash.core.testing.oracles.script_flow import Flow, flow
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.pages import reading
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict, safe

TYPE = "xss"
CWE = (79,)
THREAT = 60
_MOST_SCRIPTS = 5
_OK = 200
_SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript"})

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    situation = inquiry.situation
    if forbids_inline(inquiry.good) or forbids_markup_by_scripts(inquiry.good):
        return safe(TYPE, situation.point, "the page's policy lets no such markup run")
    verdict = (yield from _within(inquiry)) or (yield from _loaded(inquiry))
    return verdict or safe(TYPE, situation.point)


def _within(inquiry: Inquiry) -> _Deciding:
    """A script that stands in the page; it must stand there when the page is asked for again. Told once of a page, whatever it is
    asked with.
    """
    found, page = _first_flow(inquiry.good), inquiry.control.request
    key = (TYPE, page.origin, page.path.decode("latin-1"), str(found))
    if found is None or key in inquiry.situation.memory.told:
        return None
    again = yield from ask(page, "confirm")
    if _first_flow(response_of(again)) != found:
        return None
    inquiry.situation.memory.told.add(key)
    return _vulnerable(inquiry, again, found, "its own script")


def _loaded(inquiry: Inquiry) -> _Deciding:
    """A script that the page loads from its host."""
    page, told = inquiry.control.request, inquiry.situation.memory.told
    for path in _loads(page, inquiry.good):
        key = (TYPE, page.origin, path)
        if key in told:
            continue
        told.add(key)
        request = reading(page, for_request_line(path.encode()))
        found = _flow_in((yield from ask(request)))
        if found is None:
            continue
        again = yield from ask(request, "confirm")
        if _flow_in(again) == found:
            return _vulnerable(inquiry, again, found, f"the script {path!r}, which it loads,")
    return None


def _scripts(response: Response) -> Iterator[Token]:
    """The elements that hold or load a script, as a browser finds them."""
    for token in tokens(text_of(response)):
        kind = next((each.value.strip().lower() for each in token.attributes if each.name == "type"), "")
        if token.name == "script" and token.kind in (START, RAW) and kind in _SCRIPT_TYPES:
            yield token


def _first_flow(response: Response) -> Flow | None:
    if response.status != _OK or not renders(response):
        return None
    text = text_of(response)
    within = (text[token.begin : token.end] for token in _scripts(response) if token.kind == RAW)
    return next((found for code in within if (found := flow(code)) is not None), None)


def _flow_in(exchange: Exchange) -> Flow | None:
    response = response_of(exchange)
    return flow(text_of(response)) if response.status == _OK and "script" in media_type(response) else None


def _loads(request: Request, response: Response) -> list[str]:
    """The scripts of its own host that a page loads; known libraries are named as such, and left out."""
    own = urlsplit(f"{request.origin}{request.path.decode('latin-1')}")
    paths: dict[str, None] = {}
    for token in _scripts(response):
        source = next((each.value.strip() for each in token.attributes if each.name == "src"), "")
        address = urlsplit(urljoin(own.geturl(), source)) if source and token.kind == START else own
        if address.netloc == own.netloc and address.path != own.path and ".min." not in address.path:
            paths[address.path + (f"?{address.query}" if address.query else "")] = None
    return list(paths)[:_MOST_SCRIPTS]


def _vulnerable(inquiry: Inquiry, exchange: Exchange, found: Flow, what: str) -> Verdict:
    words = (
        f"The page is shown to a browser, and {what} hands what stands in {found.source} to {found.sink}: nothing on the way "
        f"checks or escapes it, and no policy of the answer keeps such markup from running. The script was read, not "
        f"run; it was served twice."
    )
    proof = Proof(test=exchange, control=inquiry.control, verified_by=words)
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"in the DOM, from {found.source} to {found.sink}")


def applies(situation: Situation) -> bool:
    """Pages that were asked for by a safe method."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status != _OK or not is_safe(request):
        return False
    return renders(response) and not is_xml(response) and b"<script" in response.body.lower()


def forecast(situation: Situation) -> int:
    """One request for each script that the page loads and no other page has."""
    request, response = situation.baseline.request, situation.baseline.response
    paths = _loads(request, response) if response is not None else []
    return sum(1 for path in paths if (TYPE, request.origin, path) not in situation.memory.told)


ENTRY = Entry(
    type=TYPE,
    title="DOM-based cross-site scripting",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever makes a victim open a link runs scripts on the page in the victim's name. What stands behind the hash "
        "never reaches the server, so that nothing there stops or shows it."
    ),
    remediation=(
        "Write text by `textContent`, and addresses by `setAttribute` after a check of their scheme. Where markup is needed, "
        "clean it with a maintained library. A Content-Security-Policy with Trusted Types finds the places that are left."
    ),
)
PROBE = Probe(
    type=TYPE, entry=ENTRY, name="dom", whole=True, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue)
)
