"""Whether a value becomes part of a script that a document store evaluates for each document, as in MongoDB's `$where`.

found = yield from evaluates_scripts(inquiry)
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.boolean_based import DECOY as ASKED_DECOY
from gatecrash.core.testing.dialogues.boolean_based import FALSE, Apart, Question, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry
from gatecrash.core.testing.payloads.nosqli import (
    BARE_SCRIPT,
    JOINED,
    KNOWN,
    OF_THE_DATABASE,
    OF_THE_SERVER,
    SCRIPTS,
    Script,
)
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_ERROR, _SERVER_ERROR = 400, 500


class Scripted(NamedTuple):
    """That it does. place: where in the script the value stands, in words."""

    proof: Proof
    place: str


_Finding = Generator[TestRequest, Answer, Scripted | None]


# A comparison, or a member of the document.
_CONDITION = re.compile(r"[\w)\]'\"]\s*(?:[<>!=]=?=?|&&|\|\|)\s*[\w('\"-]|\bthis\.\w")


def evaluates_scripts(inquiry: Inquiry) -> _Finding:
    """What shows that a condition in JavaScript is evaluated; None where nothing does.

    It stands bare beside numbers and conditions; else it leaves the quotes, in which a number may stand as well.
    """
    number = is_number(inquiry.value)
    scripts = (BARE_SCRIPT, SCRIPTS[0]) if number else SCRIPTS[: 1 if not inquiry.steady else 2]
    scripts = (BARE_SCRIPT,) if _CONDITION.search(inquiry.value) else scripts
    for script in scripts:
        apart = yield from tells_apart(inquiry, _conditions(inquiry, script))
        if apart is not None:
            return (yield from _scripted(inquiry, script, apart))
        last = inquiry.replies[-1].reading if inquiry.replies else None
        if last is not None and (inquiry.like_baseline(last) or last.status >= (_ERROR if number else _SERVER_ERROR)):
            return None  # in other quotes these signs would be text, which neither is ignored nor breaks anything
    return None


def _conditions(inquiry: Inquiry, script: Script) -> Question:
    def question(kind: str, purpose: str) -> Asking:
        # Of a length that has nothing to do with the kind, so that what only counts signs tells nothing apart.
        word = inquiry.random.choice(KNOWN)
        word = word if kind != FALSE else word[:-3] + inquiry.mark(3)
        return (yield from _condition(inquiry, script, word, purpose, decoy=kind == ASKED_DECOY))

    return question


def _condition(inquiry: Inquiry, script: Script, word: str, purpose: str, *, decoy: bool = False) -> Asking:
    payload = script.pattern.format(value=inquiry.value, word=word)
    if decoy:
        payload = payload.replace("===", "=-=").replace("typeof", "typoef")
    # However the signs are escaped where the payload is shown, its words are told apart no more.
    # Nor is a text that code only joins and shows: nothing was compared there, and it is no query.
    joined = {} if script is BARE_SCRIPT else {inquiry.value + JOINED: inquiry.value}
    return (yield from inquiry.send(payload, {word: "", **joined}, purpose))


def _scripted(inquiry: Inquiry, script: Script, apart: Apart) -> _Finding:
    """The finding, after last questions. None where it is the server's own code, which is `rce`."""
    own = {}
    for word in (OF_THE_DATABASE, OF_THE_SERVER):
        asked = yield from _condition(inquiry, script, word, "confirm")
        own[word] = asked is not None and apart.holds(asked)
    if own[OF_THE_SERVER]:
        return None
    whose = "the database's JavaScript" if own[OF_THE_DATABASE] else "JavaScript that is evaluated for each document"
    return Scripted(apart.told(whose), script.name)
