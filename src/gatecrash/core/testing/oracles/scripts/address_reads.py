"""What of its address a script of a page reads, as far as its words tell: by which names, at which routes of its own router.

It is read loosely, since a browser is asked afterwards what becomes of it: what is named here too much costs a question, and proves
nothing.

reads_of(codes)     Reads(hash=True, query=True, window=False, names=("q",), routes=("/search",), runs_code=False); None
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

LONGEST: Final = 3_000_000
_MOST_FOUND, _MOST_NAMES, _MOST_ROUTES, _MOST_LOOKING = 2_000, 16, 8, 6
_SOURCE: Final = re.compile(
    r"\blocation\b|document\.(?:URL|documentURI|baseURI)|URLSearchParams|\b(?:window|self|top)\.name\b|\$route\b|useSearchParams"
    r"|queryParam"
)
_SINK: Final = re.compile(
    r"(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\.(?:html|append|prepend|before|after|replaceWith|parseHTML)\("
    r"|srcdoc|createContextualFragment|__html|bypassSecurityTrust|HTMLUnsafe|\beval\(|\bFunction\(|set(?:Timeout|Interval)\("
    r"|location\s*=|location\.(?:assign|replace|href)|\.(?:href|src)\s*=|[\"'`](?:href|src)[\"'`]|\$\(|jQuery\(|parseFromString"
)
_RUNS_CODE: Final = re.compile(r"\beval\(|\bFunction\(|set(?:Timeout|Interval)\(|createElement\(\s*[\"'`]script")
_HASH: Final = re.compile(
    r"\bhash\b|\blocation\.(?:href|toString)|[=(,]\s*(?:window\.|document\.)?location\s*[,);]|document\.(?:URL|documentURI)|[\"'`]#!?/"
)
_QUERY: Final = re.compile(
    r"\bsearch\b|[sS]earchParams|\.query\b|\blocation\.(?:href|toString)|document\.(?:URL|documentURI)|queryParam|\$route\b"
)
_WINDOW: Final = re.compile(r"\b(?:window|self|top)\.name\b(?!\s*=[^=])")
_HASH_ROUTER: Final = re.compile(r"hashchange|[\"'`]#!?/|useHash|HashRouter|HashHistory")
_NAMED: Final = tuple(
    map(
        re.compile,
        (
            # `params.get("q")`, `getParameter('q')`, `urlParam("q")`
            r"\.(?:get|getAll|has)\(\s*[\"'`]([A-Za-z_][\w.\[\]-]{0,30})[\"'`]\s*\)",
            r"(?:[Pp]aram|[Qq]uery|[Qq]s|[Uu]rl)\w{0,20}\(\s{0,3}[\"'`]([A-Za-z_][\w.\[\]-]{0,30})[\"'`]",
            # `"name="`, `/[?&]name=([^&]*)/`
            r"[\"'`?&#\]](?:\w{1,9}\?)?([A-Za-z_][\w-]{0,30})=(?:[\"'`]|\(\[\^|\(\.)",
            # `query.q`, `route.query["q"]`, `{ q } = params`
            r"\b(?:query|queryParams|searchParams|params|args|qs|opts|hashParams)\??\.([A-Za-z_]\w{1,30})\b(?!\s*\()",
            r"\b(?:query|queryParams|searchParams|params|args|qs|opts|hashParams)\[\s*[\"'`]([A-Za-z_][\w.-]{0,30})[\"'`]\s*\]",
            r"\{\s*([A-Za-z_]\w{0,30})\s*\}\s*=\s*(?:\w+\.)*(?:query|queryParams|searchParams|params)\b",
        ),
    )
)
# A function of the page's own that looks a parameter up: `function from(n) { … location.search … }`.
_LOOKS_UP: Final = re.compile(
    r"(?:\bfunction\s+([\w$]{1,30})\s*\(|\b([\w$]{1,30})\s*[=:]\s*(?:function\b[^({]{0,30}\(|(?:\([^()]{0,60}\)|[\w$]+)\s*=>))"
    r"[^{}]{0,80}(?:\{[^{}]{0,200}){0,2}?\b(?:location|URLSearchParams|searchParams)\b"
)
_NO_NAMES: Final = frozenset({"length", "class", "href", "src", "style", "content-type", "Content-Type", "charset", "path", "domain", "expires", "prototype"})  # fmt: skip
_ROUTE: Final = re.compile(
    r"(?:\bpath\b[\"']?\s{0,3}:|\b(?:when|route|navigate|state)\(|[\"'`]#!?)\s{0,3}(?:(?<=#)|(?<=!)|[\"'`])(/?[\w:][\w/:-]{0,60})[\"'`?]"
)


class Reads(NamedTuple):
    """Of the page's scripts together. hash, query, window: of which part of the address, and whether of the window's name. routes: behind
    the hash where is_behind_hash says so, else as paths. runs_code: texts are run as code somewhere.
    """

    hash: bool
    query: bool
    window: bool
    names: tuple[str, ...]
    routes: tuple[str, ...]
    is_behind_hash: bool
    runs_code: bool


def reads_address(code: str) -> bool:
    """Whether a script names the address, or what holds it."""
    return _SOURCE.search(code) is not None


def reads_of(codes: Iterable[str]) -> Reads | None:
    """What the scripts of one page read; None where they read nothing of it, or write nothing anywhere."""
    held = [code for code in codes if len(code) <= LONGEST]
    if not any(map(reads_address, held)) or not any(map(_SINK.search, held)):
        return None
    return _reads("\n;".join(held))


@lru_cache(16)
def _reads(code: str) -> Reads:
    def says(pattern: re.Pattern[str]) -> bool:
        return pattern.search(code) is not None

    return Reads(
        says(_HASH), says(_QUERY), says(_WINDOW), _names(code), _routes(code), says(_HASH_ROUTER), says(_RUNS_CODE)
    )


def _names(code: str) -> tuple[str, ...]:
    """The latest first: a bundler puts an application's own code behind the libraries that it uses."""
    last: dict[str, int] = {}
    looking = dict.fromkeys(each[1] or each[2] for each in islice(_LOOKS_UP.finditer(code), _MOST_FOUND))
    called = [
        re.compile(rf"(?<![\w$.]){re.escape(one)}\(\s*[\"'`]([A-Za-z_][\w.-]{{0,30}})[\"'`]")
        for one in islice(looking, _MOST_LOOKING)
    ]
    for pattern in (*_NAMED, *called):
        for found in islice(pattern.finditer(code), _MOST_FOUND):
            last[found[1]] = max(found.start(), last.get(found[1], 0))
    names = sorted((name for name in last if name not in _NO_NAMES), key=last.__getitem__, reverse=True)
    return tuple(names[:_MOST_NAMES])


def _routes(code: str) -> tuple[str, ...]:
    found = (each[1] for each in islice(_ROUTE.finditer(code), _MOST_FOUND))
    routes = dict.fromkeys("/" + each.strip("/") for each in found)
    return tuple(each for each in routes if each != "/")[:_MOST_ROUTES]
