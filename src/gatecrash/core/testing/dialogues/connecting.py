"""Proof by connections: what only a server can tell that connects to the address it is given, and shows nothing of what it read.

    proof = yield from fails_as_networks(inquiry)
    proof = yield from tells_who_listens(inquiry)

An address of the server itself at which nothing listens is answered by a refused connection, a name that never resolves by a
failed look-up. Or a host with its port is answered one way where our listener waits, and another way where nobody does: its port
was drawn at random, as theirs are, so that no list and no look at the text tells it from them.

A sound point costs one request here, two where the value is a host with its port.
"""

import re
from collections.abc import Generator

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.oracles.difference import Fact, telling
from gatecrash.core.testing.oracles.errors.network import NAMELESS as NAME_ERROR
from gatecrash.core.testing.oracles.errors.network import REFUSED, network_errors
from gatecrash.core.testing.payloads.ssrf import CLOSED, CLOSED_PORTS, NAMELESS, NO_ADDRESS
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_HOST_WITH_PORT = re.compile(r"[\w.-]+:\d{2,5}")
# Of five digits, as a system draws them; a listener elsewhere has a port that somebody chose.
_DRAWN = range(10_000, 65_536)
_ROUNDS, _PORTS = 8, 3


def fails_as_networks(inquiry: Inquiry) -> Generator[TestRequest, Answer, Proof | None]:
    """Whether each address has its own kind of error, twice, and what is no address has none."""
    refused = yield from _closed(inquiry, "test")
    if _errors(inquiry, refused) != {REFUSED}:
        return None
    nameless = yield from _nameless(inquiry, "test")
    if nameless is None or _errors(inquiry, nameless) != {NAME_ERROR}:
        return None
    text = yield from inquiry.send(NO_ADDRESS.format(mark=inquiry.mark(8)), purpose="control")
    if text is None or REFUSED in _errors(inquiry, text):
        return None
    again = yield from _closed(inquiry, "confirm")
    other = yield from _nameless(inquiry, "confirm")
    if again is None or _errors(inquiry, again) != {REFUSED} or _errors(inquiry, other) != {NAME_ERROR}:
        return None
    return Proof(
        test=again.exchange,
        control=nameless.exchange,
        verified_by=(
            f"{again.payload!r}, where nothing listens, is answered with a refused connection; {nameless.payload!r}, a "
            f"name that never resolves, with a failed look-up; each twice. {text.payload!r}, which is no address, is "
            f"answered with neither: the server connects to what it is told."
        ),
    )


def _closed(inquiry: Inquiry, purpose: str) -> Asking:
    port = inquiry.random.choice(CLOSED_PORTS)
    return (yield from inquiry.send(CLOSED.format(port=port, mark=inquiry.mark(8)), purpose=purpose))


def _nameless(inquiry: Inquiry, purpose: str) -> Asking:
    return (yield from inquiry.send(NAMELESS.format(mark=inquiry.mark(12)), purpose=purpose))


def _errors(inquiry: Inquiry, reply: Reply | None) -> frozenset[str]:
    return network_errors(reply.text) - network_errors(inquiry.good_text) if reply else frozenset()


def tells_who_listens(inquiry: Inquiry) -> Generator[TestRequest, Answer, Proof | None]:
    """Whether our listener's port is answered otherwise than ports that were drawn as it was, in random order."""
    oob = inquiry.situation.oob
    if oob is None or oob.listening.port not in _DRAWN or not _HOST_WITH_PORT.fullmatch(inquiry.value):
        return None
    host, port = oob.listening.host, oob.listening.port
    others = [each for each in inquiry.random.sample(_DRAWN, _PORTS + 1) if each != port][:_PORTS]

    def ask(purpose: str, *, open_: bool) -> Asking:
        asked = port if open_ else inquiry.random.choice(others)
        # An answer may show the two apart.
        return (yield from inquiry.send(f"{host}:{asked}", {str(asked): ""}, purpose=purpose))

    replies: dict[bool, list[Reply]] = {True: [], False: []}
    for open_ in (True, False, *in_random_order(inquiry.random, _ROUNDS - 1)):
        reply = yield from ask("confirm" if replies[False] else "test", open_=open_)
        if reply is None:
            return None
        replies[open_].append(reply)
        if replies[False] and not _told(replies):
            return None
    there, gone = replies[True][-1], replies[False][-1]
    return Proof(
        test=there.exchange,
        control=gone.exchange,
        verified_by=(
            f"{there.payload!r}, where our listener waits at a port that was drawn at random, is answered otherwise than "
            f"{gone.payload!r} and others that were drawn at random, where nobody does, in {_ROUNDS} rounds in random order: "
            f"the server connects to what it is told."
        ),
    )


def _told(replies: dict[bool, list[Reply]]) -> frozenset[Fact]:
    return telling(*([reply.reading for reply in replies[open_]] for open_ in (True, False)))
