"""Landing: to which host an answer sends a browser, by its status, a refresh, or a script that runs by itself.

Addresses are read as browsers read them (WHATWG URL, section 4.4): blanks around and tabs and line ends within fall away,
a backslash is a slash, two slashes begin a host, and what stands before an at sign is no host.
"""

import re
from collections.abc import Iterator

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.markup import RAW, START, tokens
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.oracles.scripts.script import CODE, spans, unescaped

_STRIPPED = re.compile(r"^[\x00-\x20]+|[\x00-\x20]+$|[\t\n\r]+")
_SCHEME = re.compile(r"(https?|ftp|wss?):", re.IGNORECASE)
_HOST = re.compile(r"[\\/]{2,}(?:[^\\/?#]*@)?(\[[^\]]*\]|[^\\/?#:]*)")
_REFRESH = re.compile(r"\s*\d*(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(?:^|[\s;{}(,.])location(?:\.href)?\s*=(?!=)\s*$|(?:^|[\s;{}(,.])location\.(?:replace|assign)\(\s*$"
)
# A variable that is declared with a text, and the location that is set to one.
_DECLARED = re.compile(r"(?<![\w$.])(?:var|let|const)\s+([A-Za-z_$][\w$]*)\s*=\s*$")
_GOES_TO = re.compile(
    r"(?:^|[\s;{}(,.])location(?:(?:\.href)?\s*=(?!=)\s*(?P<set>[A-Za-z_$][\w$]*)\s*(?=[;\n}]|$)"
    r"|\.(?:replace|assign)\(\s*(?P<given>[A-Za-z_$][\w$]*)\s*\))"
)
_ENDS = re.compile(r"\s*(?:;|\n|$)")
_OPENS, _BRACED = re.compile(r"[{}]"), re.compile(r"[{}]|[^{}]+")
_DECLARED_AND_FOLLOWED = 2
# Whether a variable holds anything is asked before it is followed: no check of what it holds.
_IF_ANY = re.compile(r"(?<![\w$.])if\s*\(\s*([A-Za-z_$][\w$]*)\s*\)\s*$")
# A function with a name, and where it is begun: called, or handed to what calls it later.
_NAMED = re.compile(
    r"(?:function\s+([A-Za-z_$][\w$]*)\s*\(\s*\)|([A-Za-z_$][\w$]*)\s*=\s*(?:function\s*\(\s*\)|\(\s*\)\s*=>))\s*$"
)
_BEGUN = re.compile(
    r"(?:setTimeout\(|onload\s*=|ready\(|\$\()\s*([A-Za-z_$][\w$]*)\s*(?=[,;)\n]|$)"
    r"|(?:^|[;}\n])[^\S\n]*+([A-Za-z_$][\w$]*)\(\s*\)\s*(?=[;\n]|$)"
)
# A function that runs once the page is read or some time has passed, or where it stands.
_RUNS = re.compile(
    r"(?:setTimeout\(|onload\s*=|addEventListener\(\s*[\"'`]?(?:load|DOMContentLoaded)[\"'`]?\s*,|\$\(|ready\(|(?:^|[;}\s])[(!])\s*"
    r"(?:async\s+)?(?:function\s*\w*\s*\([^()]*\)|\([^()]*\)\s*=>)\s*$"
)
_TAIL = 160
_LONGEST = 500_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def host_of(address: str) -> str | None:
    """The host that a browser would go to from an http page, in lower case; None where it stays on its own."""
    text = _STRIPPED.sub("", address)
    scheme = _SCHEME.match(text)
    if scheme:
        # A special scheme takes any number of slashes, none included, where it is another than the page's own.
        rest = text[scheme.end() :].lstrip("\\/")
        found = _HOST.match("//" + rest)
    else:
        found = _HOST.match(text)
    return found[1].lower().rstrip(".") or None if found else None


def landings(response: Response) -> Iterator[tuple[str, str]]:
    """Each address that a browser is sent to without asking anybody, with how it is sent."""
    if response.status in _REDIRECTS:
        location = response.first(b"Location")
        if location is not None:
            yield location.decode("utf-8", "replace"), f"by its Location ({response.status})"
        return
    for value in response.all(b"Refresh"):
        yield refreshed(value.decode("utf-8", "replace")), "by its Refresh header"
    if renders(response):
        yield from _in_page(text_of(response)[:_LONGEST])


def lands_on(response: Response, host: str) -> str | None:
    """How an answer sends a browser to this host, in a few words; None where it does not."""
    return next((how for address, how in landings(response) if host_of(address) == host.lower()), None)


def _in_page(text: str) -> Iterator[tuple[str, str]]:
    if "refresh" not in text.lower() and "location" not in text:
        return
    for token in tokens(text):
        if token.kind == START and token.name == "meta":
            given = {each.name: each.value for each in token.attributes}
            if given.get("http-equiv", "").strip().lower() == "refresh":
                yield refreshed(given.get("content", "")), "by a refresh in its head"
        elif token.kind == RAW and token.name == "script":
            for address in _in_script(text[token.begin : token.end]):
                yield address, "by a script that runs by itself"
        elif token.kind == START and token.name == "body":
            loads = "".join(each.value for each in token.attributes if each.name.lower() == "onload")
            for address in _in_script(loads):
                yield address, "by what its body runs once it is read"


def refreshed(content: str) -> str:
    """The address in the content of a refresh (`3; url=/next`); empty where it only names a time (HTML, 4.2.5.3)."""
    found = _REFRESH.match(content)
    return found[1] if found else ""


def _in_script(code: str) -> Iterator[str]:
    """Strings that the location is set to outside of any braces but those that run by themselves: another function's
    body may never.

    By themselves, or as a variable that is declared with one and named but there.
    """
    if "location" not in code:
        return
    opened, before, tail = [True], "", ""
    held: dict[str, str] = {}
    begun = _begun(code)
    for span in spans(code):
        piece = code[span.begin : span.end]
        if span.kind == CODE:
            read = 0
            for goes in _GOES_TO.finditer(piece):
                _follow(opened, piece[read : goes.start() + 1], tail + piece[:read], {*begun, *held})
                read = goes.start() + 1
                name = goes["set"] or goes["given"]
                # Named anywhere else, it may be checked or set anew.
                if all(opened) and name in held and _times_named(name, code) == _DECLARED_AND_FOLLOWED:
                    yield held[name]
            _follow(opened, piece[read:], tail + piece[:read], {*begun, *held})
            before = piece
        elif (declared := _DECLARED.search(before)) and all(opened) and _ENDS.match(code, span.end + 1):
            held[declared[1]] = unescaped(piece)
            before = ""
        elif all(opened) and _ASSIGNED.search(before):
            yield unescaped(piece)
            before = ""
        tail = (tail + piece)[-_TAIL:]


def _times_named(name: str, code: str) -> int:
    """How often a variable is named; whether it holds anything may be asked besides."""
    named = rf"(?<![\w$]){re.escape(name)}(?![\w$])"
    return len(re.findall(named, code)) - len(re.findall(rf"(?<![\w$.])if\s*\(\s*{named}\s*\)", code))


def _begun(code: str) -> set[str]:
    """The functions that a script begins by itself, outside of any braces."""
    depth, outside = 0, []
    for span in spans(code):
        if span.kind != CODE:
            outside.append("''")
            continue
        for piece in _BRACED.findall(code[span.begin : span.end]):
            depth = max(0, depth + {"{": 1, "}": -1}.get(piece, 0))
            if not depth:
                outside.append(piece)
    return {found[1] or found[2] for found in _BEGUN.finditer("".join(outside))}


def _follow(opened: list[bool], piece: str, tail: str, known: set[str]) -> None:
    """Which braces are open behind this piece of code, and whether what they hold runs by itself. tail: what stands before it.

    known: functions that are begun, and variables that hold a text.
    """
    for brace in _OPENS.finditer(piece):
        if brace[0] == "{":
            before = (tail + piece[: brace.start()])[-_TAIL:]
            named = _NAMED.search(before) or _IF_ANY.search(before)
            opened.append(
                _RUNS.search(before) is not None or (named is not None and not known.isdisjoint(named.groups()))
            )
        elif len(opened) > 1:
            opened.pop()
