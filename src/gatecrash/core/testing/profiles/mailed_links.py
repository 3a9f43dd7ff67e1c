"""Who is let in by a link or a code that was mailed to him: asked for by his name or his address, read in a mailbox or
in the answer itself, and good for once.

way = way_of(entering, before)     how it was got; None where the record does not show that
way.steps(step)                    the same once more, and the request that lets in with what was mailed this time

A mailbox is one that anybody may read at the same target, as those of development are. Where it holds several messages
the recorded link tells whether the newest stands first; what was used already is passed over.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import as_step, registers
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import Step, Take
from gatecrash.core.testing.profiles.recorded_guards import is_guard
from gatecrash.core.words.named import Words

VARIABLE: Final = "mailed"
_LEAST, _MOST, _LEAST_NAME = 6, 200, 4
_MOST_BETWEEN: Final = 5
_BEFORE: Final = 16
_MAILED: Final = re.compile(r"[\w.~-]+")
_NAME: Final = Words(r"e?-?mail|user(?:_?name)?|login|account|identifier|phone", re.IGNORECASE)
_PASSWORD: Final = Words(r"pass(?!code)|pwd|\bpin\b|secret", re.IGNORECASE)
_LETS_IN: Final = Words(
    r"magic|sign[-_]?in|log[-_]?in|link|otp|one[-_]?time|password-?less|enter|auth|session|verify", re.IGNORECASE
)


class Way(msgspec.Struct, frozen=True):
    """asked: what had it mailed. mailbox: where it was read; None where the answer to that holds it. text: what lets
    in, as it was recorded.
    """

    name: str
    asked: Exchange
    mailbox: Exchange | None
    take: Take
    text: str

    def steps(self, step: Step) -> Iterator[Step]:
        """All that lets in. step: the last of it, as it was recorded."""
        yield as_step(self.asked.request, None if self.mailbox else self.take)
        if self.mailbox is not None:
            yield as_step(self.mailbox.request, self.take)
        fresh, body = f"${{{VARIABLE}}}", step.body
        yield msgspec.structs.replace(
            step, url=step.url.replace(self.text, fresh), body=body.replace(self.text, fresh) if body else body
        )


def way_of(entering: Request, before: Sequence[Exchange]) -> Way | None:
    """before: what was asked lately by nobody who was signed in, in order."""
    lately = list(before)[-_MOST_BETWEEN:]
    sent = [found for found in walk(entering).points if found.point[0] in ("get", "post") and not found.container]
    if any(_PASSWORD.search(found.point[-1]) for found in sent):
        return None
    values = [found.value.decode("latin-1") for found in sent if not is_guard(found.point[-1])]
    for text in values:
        if not _LEAST <= len(text) <= _MOST or not _MAILED.fullmatch(text):
            continue
        for place in range(len(lately) - 1, -1, -1):
            take = _take(lately[place], text)
            way = _asked(entering, lately[: place + 1], take, text) if take is not None else None
            if way is not None:
                return way
    return None


def _asked(entering: Request, lately: Sequence[Exchange], take: Take, text: str) -> Way | None:
    """The way whose last answer gave the text. Who asked for it said his name."""
    given = lately[-1]
    for asked in reversed(lately):
        name = _name_in(asked.request)
        if not name or not (_LETS_IN.search(_path(asked.request)) or _LETS_IN.search(_path(entering))):
            continue
        if asked is given:
            return Way(name, asked, None, take, text)
        # A mailbox is asked for by the same name, or shows it.
        if is_safe(given.request) and name in (given.request.url + _text(given)).lower().replace("%40", "@"):
            return Way(name, asked, given, take, text)
    return None


def _name_in(request: Request) -> str:
    """The name in a request that has something mailed; empty where it is none: one with a password signs in or registers."""
    if request.method.upper() != "POST" or registers(request):
        return ""
    sent = {found.point[-1]: found.value for found in walk(request).points if found.point[0] == "post"}
    if any(_PASSWORD.search(name) for name in sent):
        return ""
    names = (value.decode("utf-8", "replace").lower() for name, value in sent.items() if _NAME.search(name))
    return next((name for name in names if len(name) >= _LEAST_NAME), "")


def _take(given: Exchange, text: str) -> Take | None:
    """How the text is read in an answer: behind what stands before it, but for the recorded one, which was used."""
    said = _text(given)
    place = said.find(text)
    if place < 0 or text in given.request.url or text.encode() in given.request.body:
        return None
    prefix = re.escape(said[max(0, place - _BEFORE) : place])
    used = rf"(?!{re.escape(text)})"
    value = rf"([\w.~-]{{{_LEAST},{_MOST}}})"
    # Several messages are those of one mailbox: the newest stands first, or last.
    for pattern, ours in ((prefix + value, prefix + used + value), (rf"[\s\S]*{prefix}{value}",) * 2):
        try:
            found = compile_search(pattern).search(said)
        except InvalidPattern:
            continue
        if found is not None and found[1] == text:
            return Take(VARIABLE, "pattern", ours)
    return None


def _text(given: Exchange) -> str:
    return text_of(given.response)[:MOST_SEARCHED] if given.response is not None else ""


def _path(request: Request) -> str:
    return request.path.decode("latin-1")
