"""Broken syntax that an engine complains of beside whole syntax that it does not: proof by what it says of its query.

    told = yield from complained(inquiry, LDAP, BROKEN, WHOLE)

Asked again and again with fresh letters, so that a page that says such words by itself, or by turns, proves nothing.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.oracles.errors.query import complaints
from gatecrash.core.testing.probe import Answer, TestRequest


class Complained(NamedTuple):
    """The last pair of answers. words: what the engine said over the broken one."""

    broken: Reply
    whole: Reply
    words: str


Complaining = Generator[TestRequest, Answer, Complained | None]


def complained(inquiry: Inquiry, engine: str, broken: str, whole: str) -> Complaining:
    """Whether the pattern `broken` is complained of and `whole` is answered without a complaint or a break, each time.

    Patterns hold `{value}`, what the baseline says, and `{mark}`, fresh letters.
    """
    found: Complained | None = None
    for purpose in ("test", "confirm"):
        odd = yield from _ask(inquiry, broken, purpose)
        words = _words(inquiry, engine, odd) if odd is not None else frozenset()
        if odd is None or not words:
            return None
        sound = yield from _ask(inquiry, whole, "control")
        if sound is None or sound.broke or _words(inquiry, engine, sound):
            return None
        found = Complained(odd, sound, min(words))

    def complains(reply: Reply) -> frozenset[str]:
        return _words(inquiry, engine, reply)

    def again() -> Asking:
        return (yield from _ask(inquiry, broken, "confirm"))

    def beside() -> Asking:
        return (yield from _ask(inquiry, whole, "control"))

    return found if (yield from shown_by_it_alone(inquiry, again, beside, complains)) else None


def _ask(inquiry: Inquiry, pattern: str, purpose: str) -> Asking:
    return (yield from inquiry.send(pattern.format(value=inquiry.value, mark=inquiry.mark()), purpose=purpose))


def _words(inquiry: Inquiry, engine: str, reply: Reply) -> frozenset[str]:
    return complaints(reply.text, engine) - complaints(inquiry.good_text, engine)
