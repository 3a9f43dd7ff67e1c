"""Where a page's own script writes what another window sends it into the page, and does not look at who sent it.

A listener for messages that stands where it is registered is read as `flow` reads a whole script, with what was sent in the
place of the address. A listener that looks at the sender, or that searches what was sent, may check it: that is no flow, and
neither is a part of the message that is compared with anything.
"""

import re
from collections.abc import Iterator
from itertools import islice

from gatecrash.core.testing.oracles.scripts.flow import LONGEST, MESSAGE, Flow, markup_flow, plain_of

_SENT = "decodeURIComponent(location.hash)"
_PARAMETER = r"([A-Za-z_$][\w$]*)"
_GAP = r"\s{0,9}"
_LISTENS = re.compile(
    rf"(?<![\w$.])(?:(?:window|self|globalThis)\.)?(?:addEventListener{_GAP}\({_GAP}\"{MESSAGE}\"{_GAP},|onmessage{_GAP}=){_GAP}(?:async{_GAP})?"
    rf"(?:function\b{_GAP}[\w$]{{0,60}}{_GAP}\({_GAP}{_PARAMETER}{_GAP}\)|\(?{_GAP}{_PARAMETER}{_GAP}\)?{_GAP}=>){_GAP}\{{"
)
_CHECKS = re.compile(
    r"\.(?:origin|source|isTrusted|ports|includes|indexOf|test|exec|match|has|some|every|find|hasOwnProperty)\b|\bin\b|\blocation\b|document\.URL"
)
_MEMBERS = r"(?:\.[A-Za-z_$][\w$]*(?![\w$]|\s*\())*"
_MOST_LISTENERS, _LONGEST_BODY = 20, 20_000


def message_flow(code: str) -> Flow | None:
    """The first flow of a script from a message; None where there is none without a doubt."""
    if len(code) > LONGEST or "message" not in code:
        return None
    for body, event in _listeners(plain_of(code)):
        found = None if _CHECKS.search(body) else markup_flow(_as_address(body, event))
        if found is not None:
            return Flow("a message of any other window", found.sink)
    return None


def _listeners(plain: str) -> Iterator[tuple[str, str]]:
    """What stands within each listener, and what it calls the event."""
    for found in islice(_LISTENS.finditer(plain), _MOST_LISTENERS):
        depth = 1
        for brace in re.finditer(r"[{}]", plain[found.end() : found.end() + _LONGEST_BODY]):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                yield plain[found.end() : found.end() + brace.start()], found[1] or found[2]
                break


def _as_address(body: str, event: str) -> str:
    """The listener with an expression that is read as the address for each part of the message that nothing is compared with."""
    sent = rf"(?:JSON\.parse\(\s*{re.escape(event)}\.data\s*\)|{re.escape(event)}\.data)"
    kept = re.search(rf"(?<![\w$.])(?:const|let|var)\s+{_PARAMETER}\s*=\s*{sent}\s*[;\n]", body)
    names = [sent]
    if kept is not None and len(re.findall(rf"(?<![\w$.]){re.escape(kept[1])}\s*=(?!=)", body)) == 1:
        names.append(re.escape(kept[1]))
        body = body[: kept.start()] + body[kept.end() :]
    part = re.compile(rf"(?<![\w$.])(?:{'|'.join(names)})(?![\w$]){_MEMBERS}")
    parts = {found[0] for found in part.finditer(body)}
    compared = {each for each in parts if re.search(rf"(?<![\w$.]){re.escape(each)}\s*(?:[=!]==?|[<>?])", body)}
    return part.sub(lambda found: found[0] if found[0] in compared else _SENT, body)
