"""Proof by a function that is called by the name which a value gives it: the answer shows its result for another value
sent along.

PHP calls what a text names, and finds a name behind a backslash in the global namespace: no list of what may be called holds it
spelt so. A digest of a value that the request holds stands in an answer for no other reason. Where the function is given what
the request does not hold, another function tells it first, byte by byte.

Ruby's `send` calls what a text names, private methods among them. Some that every object has ask for no argument and change
nothing; no list of what may be called holds them all, and the same names with two letters exchanged are nobody's.

A sound point costs one request here, and one more where PHP tells that it answers; in Ruby two.
"""

import hashlib
import re
from collections.abc import Generator
from itertools import cycle
from typing import NamedTuple

from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.by_lines import is_checked_in_ruby
from gatecrash.core.testing.dialogues.files.file_existence import words_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.oracles.platforms import on_php
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

_FUNCTIONS = ("sha1", "md5")
_NAME = re.compile(r"[A-Za-z_]\w{1,40}")
_NAMED = re.compile(
    r"func|^f$|^fn|_fn$|call|^cb$|filter|method|action|handler|format|transform|convert|operation|^op$|^do$|^apply|process|algo|exec"
    r"|sort|compare|map|render",
    re.IGNORECASE,
)
# What PHP itself calls the functions that a text is often handed to (the manual, string functions): such a value is likely a name.
_OF_TEXTS = frozenset(
    [
        "addslashes",
        "base64_decode",
        "base64_encode",
        "bin2hex",
        "crc32",
        "htmlentities",
        "htmlspecialchars",
        "lcfirst",
        "ltrim",
        "md5",
        "metaphone",
        "nl2br",
        "rtrim",
        "sha1",
        "soundex",
        "str_rot13",
        "str_shuffle",
        "strip_tags",
        "stripslashes",
        "strlen",
        "strrev",
        "strtolower",
        "strtoupper",
        "trim",
        "ucfirst",
        "ucwords",
    ]
)
# Tells what it is given in hexadecimal signs.
_TELLING = "\\bin2hex"
_TOLD = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-f]{2}){2,200}(?![0-9A-Za-z])")
# Behind two backslashes, around one, and behind the name of a space that is not there.
_LOOKALIKES = ("\\\\{name}", "{head}\\{tail}", "{mark}\\{name}")
_SHORTEST, _MOST = 2, 20
_METHODS = ("binding", "caller_locations", "local_variables", "global_variables", "__method__")
# What Ruby says of them where public methods alone are called (`public_send`).
_NOT_CALLED = "private method"


class Named(NamedTuple):
    """The last answer to a function's name, and to one that only looks like it."""

    called: Reply
    plain: Reply
    in_ruby: bool = False

    def told(self) -> Proof:
        """The proof in words."""
        if self.in_ruby:
            return Proof(
                test=self.called.exchange,
                control=self.plain.exchange,
                verified_by=(
                    f"{self.called.payload!r}, a private method that every object of Ruby has, is called, and so are others; "
                    f"{self.plain.payload!r}, which names none, is answered otherwise each time. Repeated in random order."
                ),
            )
        return Proof(
            test=self.called.exchange,
            control=self.plain.exchange,
            verified_by=(
                f"{self.called.payload!r}, the name of a function of PHP in its global namespace, is answered with this very "
                f"function's result for another value, which the request holds or another function told; so is another function's name. {self.plain.payload!r}, "
                f"which names none, is not. Repeated in random order."
            ),
        )


def may_name_a_function(situation: Situation) -> bool:
    """Whether the value may be a name, the parameter by its own says what to call, or the value is what PHP calls a function, and
    something is sent along with it; in Ruby any does, whose methods are sent kinds, scopes and periods as well.
    """
    value = situation.value.decode("utf-8", "replace")
    if situation.point[0] == "path" or _NAME.fullmatch(value) is None:
        return False
    if is_checked_in_ruby(situation):
        return True
    named = _NAMED.search(situation.point[-1]) is not None or value in _OF_TEXTS
    return named and (_on_php(situation) or bool(_arguments(situation)))


def forecast_of_names(situation: Situation) -> int:
    """Requests for a sound point."""
    if not may_name_a_function(situation):
        return 0
    return 2 if is_checked_in_ruby(situation) else _on_php(situation) + bool(_arguments(situation))


def calls_by_name(inquiry: Inquiry) -> Generator[TestRequest, Answer, Named | None]:
    """Whether functions of PHP are called by the names that are sent, or methods of Ruby."""
    if is_checked_in_ruby(inquiry.situation):
        return (yield from _sends_messages(inquiry))
    arguments = _arguments(inquiry.situation)
    called = (yield from _gives_digests(inquiry, arguments)) if arguments else None
    if called is not None or not _on_php(inquiry.situation):
        return called
    arguments = yield from _told_arguments(inquiry)
    return (yield from _gives_digests(inquiry, arguments)) if arguments else None


def _told_arguments(inquiry: Inquiry) -> Generator[TestRequest, Answer, list[bytes]]:
    """What the named function is given, if it is called: as told by one that writes each byte in two signs."""
    reply = yield from inquiry.send(_TELLING, purpose="test")
    if reply is None:
        return []
    told = dict.fromkeys(each for each in _TOLD.findall(reply.text) if each not in inquiry.good_text)
    return [bytes.fromhex(each) for each in told][:_MOST]


def _gives_digests(inquiry: Inquiry, arguments: list[bytes]) -> Generator[TestRequest, Answer, Named | None]:
    """Whether functions that are named are answered with the digests of what they are given."""
    results = {hashlib.new(name, each, usedforsecurity=False).hexdigest() for name in _FUNCTIONS for each in arguments}
    # Each of what cleans names is cleared by one of its own.
    none = cycle(_LOOKALIKES)

    def shown(reply: Reply) -> bool:
        text = reply.text.lower()
        return any(result in text for result in results)

    def named(purpose: str = "confirm") -> Asking:
        return (yield from inquiry.send("\\" + inquiry.random.choice(_FUNCTIONS), purpose=purpose))

    def lookalike() -> Asking:
        name = inquiry.random.choice(_FUNCTIONS)
        payload = next(none).format(name=name, head=name[0], tail=name[1:], mark=inquiry.mark(5))
        return (yield from inquiry.send(payload, purpose="control"))

    first = yield from named("test")
    if first is None or not shown(first):
        return None
    apart = yield from shown_by_it_alone(inquiry, named, lookalike, shown)
    return apart and Named(apart.shown, apart.control)


def _sends_messages(inquiry: Inquiry) -> Generator[TestRequest, Answer, Named | None]:
    """Whether any method of Ruby is called that is named: what names none is refused, with an error or in the same words."""
    plain: frozenset[str] = frozenset()

    def shown(reply: Reply) -> bool:
        refused = reply.reading.status >= FIRST_ERROR and reply.reading.status != inquiry.good.status
        return not refused and _NOT_CALLED not in reply.text and words_of(reply) != plain

    def method() -> Asking:
        return (yield from inquiry.send(inquiry.random.choice(_METHODS), purpose="test"))

    def lookalike() -> Asking:
        name = inquiry.random.choice(_METHODS)
        # Two neighbours in the middle of a word, which are never alike in these.
        payload = name[:-4] + name[-3] + name[-4] + name[-2:]
        return (yield from inquiry.send(payload, purpose="control"))

    first = yield from lookalike()
    if first is None:
        return None
    plain = words_of(first)
    called = yield from method()
    if called is None or not shown(called):
        return None
    apart = yield from shown_by_it_alone(inquiry, method, lookalike, shown, MANY)
    return apart and Named(apart.shown, apart.control, in_ruby=True)


def _on_php(situation: Situation) -> bool:
    return on_php(situation.baseline.request, situation.baseline.response)


def _arguments(situation: Situation) -> list[bytes]:
    """The other values of the request."""
    others = [value for point, value in situation.memory.places if point != situation.point]
    return [value for value in others if len(value) >= _SHORTEST][:_MOST]
