"""Which WebSockets a page's scripts open, read out of their text: nothing is run.

opened_in("new WebSocket('ws://' + location.host + '/live')")     ["/live"]

Addresses are as a page joins them to its own, with http in the place of ws (RFC 6455 section 3): a path where the host is
the page's or is not written out, as a page asks its own server nearly always.
"""

import re
from collections.abc import Iterator

from gatecrash.formats.scripts.literals import UNKNOWN, Script, script_of

_MOST = 20
_MADE = re.compile(r"(?<![\w$.])new\s++(?:window\s*+\.\s*+)?\w*?WebSocket\s*+\(", re.IGNORECASE)
_ENDS = re.compile(r"[;\n]")
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
# `ws://`, `${scheme}://`, `${protocol}//`, a host and a beginning that are not written out, before a path.
_OWN = re.compile(rf"(?:(?:wss?:|{UNKNOWN}:?)//)?(?:{UNKNOWN})?(?=/(?!/))")
_SCHEME = re.compile(r"ws(?=s?://)")


def opened_in(code: str) -> list[str]:
    """Each once; a bounded number."""
    # Most bundles open none, and reading one takes long.
    return list(dict.fromkeys(_opened(script_of(code))))[:_MOST] if _MADE.search(code) else []


def _opened(script: Script) -> Iterator[str]:
    for made in _MADE.finditer(script.code):
        given = script.parts(made.end(), script.matching(made.end() - 1))
        address = _address(script, *_declared(script, *given[0])) if given else ""
        if address:
            yield address


def _declared(script: Script, begin: int, end: int) -> tuple[int, int]:
    """What a name stands for, where it is given a value in one place; else the expression itself."""
    name = script.source[begin:end].strip()
    if not _NAME.fullmatch(name):
        return begin, end
    given = list(re.finditer(rf"(?<![\w$.]){re.escape(name)}\s*+=(?!=)", script.code))
    if len(given) != 1:
        return begin, end
    ends = _ENDS.search(script.code, given[0].end())
    return given[0].end(), ends.start() if ends else len(script.code)


def _address(script: Script, begin: int, end: int) -> str:
    """A text and what is joined to it, from where it is written out; empty where nothing of it is."""
    starts = (start for start, _ in script.parts(begin, end, "+"))
    start, text = next(((each, told) for each in starts if (told := script.text(each, end)) is not None), (begin, ""))
    own = _OWN.match(text)
    if own is not None:
        return text[own.end() :]
    return _SCHEME.sub("http", text, count=1) if start == begin and _SCHEME.match(text) else ""
