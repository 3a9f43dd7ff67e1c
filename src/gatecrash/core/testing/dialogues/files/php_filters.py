"""Proof by PHP's filters: a file's content comes encoded as often as it is asked to be.

Whoever adds an extension to a name, or runs the files that are named, shows no file of the system; through a filter PHP shows
the text of the file that the value named all along, where the value is the beginning of its address.

A sound point costs one request here; a word in a link (`?mod=news`) where no other beginning of a path is shown in an answer.
"""

import base64
import re
from binascii import Error
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.platforms import on_php
from gatecrash.core.testing.payloads.ptrav import filtered
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

_ENCODED = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,40}")
_MOST_TIMES, _MOST_TEXT = 3, 500_000


def takes_filters(situation: Situation, file_named: bool) -> bool:
    """Whether PHP may read the value as an address: that of a file, in a request that writes none. file_named: whether its parameter,
    or its look, says that it is a file.
    """
    return _reads_in_php(situation) and (file_named or (is_thorough(situation.policy) and situation.point[0] != "path"))


def picks_a_part(situation: Situation) -> bool:
    """Whether a link's value may be what a page is put together of, without its extension."""
    word = _WORD.fullmatch(situation.value.decode("utf-8", "replace"))
    return word is not None and situation.point[0] == "get" and _reads_in_php(situation)


def _reads_in_php(situation: Situation) -> bool:
    baseline = situation.baseline
    return not situation.policy.one_family and is_safe(baseline.request) and on_php(baseline.request, baseline.response)


class Filtered(NamedTuple):
    """The last answer through the filter, and to what names no file. content: what the file begins with."""

    shown: Reply
    nothing: Reply
    content: bytes

    def told(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.shown.exchange,
            control=self.nothing.exchange,
            verified_by=(
                f"{self.shown.payload!r} is answered with a file's text ({self.content[:40]!r}), encoded as often as the filter "
                f"was asked to; {self.nothing.payload!r}, which names no file, is not. Repeated in random order, encoded once to "
                f"three times."
            ),
        )


def reads_by_filter(inquiry: Inquiry) -> Generator[TestRequest, Answer, Filtered | None]:
    """Whether the value is read through a filter of PHP that it names."""
    times = 1

    def through(purpose: str = "confirm") -> Asking:
        return (yield from inquiry.send(filtered(inquiry.value, times), purpose=purpose))

    first = yield from through("test")
    contents = _decoded(inquiry, first, times) if first is not None else frozenset()
    if not contents:
        return None

    def encoded() -> Asking:
        nonlocal times
        times = 1 + times % _MOST_TIMES
        return (yield from through())

    def missing() -> Asking:
        return (yield from inquiry.send(filtered(inquiry.mark(8), times), purpose="control"))

    def shown(reply: Reply) -> bool:
        return not contents.isdisjoint(_decoded(inquiry, reply, times))

    apart = yield from shown_by_it_alone(inquiry, encoded, missing, shown)
    return apart and Filtered(apart.shown, apart.control, min(contents & _decoded(inquiry, apart.shown, times)))


def _decoded(inquiry: Inquiry, reply: Reply, times: int) -> frozenset[bytes]:
    """What stands encoded so many times in an answer, and not in the baseline's."""
    found: set[bytes] = set()
    for run in _ENCODED.findall(reply.text[:_MOST_TEXT].replace("\\/", "/")):
        if run in inquiry.good_text:
            continue
        content = run.encode()
        try:
            for _ in range(times):
                content = base64.b64decode(content, validate=True)
        except Error:
            continue
        found.add(content)
    return frozenset(found)
