"""Handshakes: which exchanges are only a leg of one, and what a connection has proven.

    no credentials  → 401 Digest, Negotiate, NTLM or SCRAM      held: it is a leg if the next exchange is its repetition
    greeting        → 401 with the scheme's challenge           a leg (NTLM type 1, SCRAM client-first)
    token           → 401 Negotiate with an answer token        a leg
    proof           → anything but 401                          of NTLM and Negotiate: the connection counts from now on,
                                                                until it asks another server (through a forward proxy)
    another proof   → anything but 401                          each request is proven by itself: the connection counts no more

A leg is no request of the window: the client was asked for more and gave it, nobody was without credentials. Without
answers nothing is a leg; without a connection's name only the greetings are, and nothing is held or remembered.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

from gatecrash.core.auth.recogniser import AUTHORIZATION, Recognised
from gatecrash.core.auth.scheme import AuthType, Kind
from gatecrash.core.message import Exchange, Response
from gatecrash.core.statuses import UNAUTHORIZED

Item = TypeVar("Item")

# Longer than any client takes to answer a challenge, a user typing a password excepted.
HELD_SECONDS = 30.0
_MOST_HELD = 4096
_MOST_PROVEN = 8192

_WORDS = {
    b"digest": AuthType.DIGEST,
    b"negotiate": AuthType.NEGOTIATE,
    b"kerberos": AuthType.NEGOTIATE,
    b"ntlm": AuthType.NTLM,
    # Project Haystack names the hash beside it.
    b"scram": AuthType.SCRAM,
}
_SCRAM = b"scram-"
# Takes an open quote to the end: one that could fail would be tried anew from every quote.
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.?)*"?', re.DOTALL)
_CHALLENGE = re.compile(rb"(?:^|,)[ \t]*([A-Za-z][A-Za-z0-9-]*)(?:[ \t]+([A-Za-z0-9+/._~-]{4,}=*(?=$|[ \t]*,)))?")
# NTLM and Negotiate prove a connection, not a request ([MS-NTHT] section 3, RFC 4559 section 6).
_PROVES_CONNECTION = frozenset({AuthType.NTLM, AuthType.NEGOTIATE})
# NTLM comes inside Negotiate, so an offer of the one may be answered with the other.
_ANSWERS = {AuthType.NEGOTIATE: frozenset({AuthType.NEGOTIATE, AuthType.NTLM})}


class _Held(NamedTuple, Generic[Item]):
    """An exchange without credentials that was answered with a challenge."""

    second: float
    method: str
    target: bytes
    answers: frozenset[AuthType]
    item: Item


class _Proven(NamedTuple):
    """What a connection has proven, and to whom. credential: None where its requests are proven one by one.

    A server that binds nothing to connections (behind a balancer, or Kerberos outside IIS) asks again on one that it
    has just believed, and clients that know it bring a token with each request.
    """

    origin: str
    credential: Recognised | None


class Handshakes(Generic[Item]):
    """Follows connections, by one source's exchanges in the order of their answers. Pure and bounded.

    Item is whatever the caller counts an exchange as; it is kept only while its exchange is held.
    """

    def __init__(self, most_held: int = _MOST_HELD, most_proven: int = _MOST_PROVEN) -> None:
        """Hold at most so many exchanges, and remember at most so many proven connections."""
        self._most_held = most_held
        self._most_proven = most_proven
        self._held: OrderedDict[str, _Held[Item]] = OrderedDict()
        self._proven: OrderedDict[str, _Proven] = OrderedDict()

    def with_proof(self, exchange: Exchange, found: tuple[Recognised, ...]) -> tuple[Recognised, ...]:
        """What was recognised, and the connection's own proof where the request brings no Authorization."""
        proven = self._proven.get(exchange.connection)
        if proven is None:
            return found
        if proven.origin != exchange.request.origin:
            # Behind a forward proxy's one connection stands another for each server; the proven one was closed.
            del self._proven[exchange.connection]
            return found
        if proven.credential is None or exchange.request.first(b"Authorization") is not None:
            return found
        if exchange.response is not None and exchange.response.status == UNAUTHORIZED:
            # Nothing was believed here: the request came without credentials.
            return found
        self._proven.move_to_end(exchange.connection)
        return (*found, proven.credential)

    def settle(self, exchange: Exchange, found: tuple[Recognised, ...], item: Item) -> tuple[Item, ...]:
        """The items that count from now on: this exchange's, unless it is a leg or held, and those no longer held."""
        connection, response = exchange.connection, exchange.response
        credential = _authorization(found)
        earlier = self._held.pop(connection, None) if connection and self._held else None
        counted = () if earlier is None or _repeats(exchange, credential, earlier) else (earlier.item,)
        if response is None:
            return (*counted, item)
        bare = exchange.request.first(b"Authorization") is None
        if response.status != UNAUTHORIZED:
            if not bare:
                self._remember(exchange, credential, response)
            return (*counted, item)
        offered = challenges(response)
        self._doubt(connection, asked_again=bare and bool(offered))
        if credential is not None:
            return counted if _is_leg(credential, offered) else (*counted, item)
        if not connection or not offered or not bare:
            return (*counted, item)
        return (*counted, *self._hold(exchange, offered, item))

    def release(self, before: float | None = None) -> tuple[Item, ...]:
        """The items of exchanges held since before that second (UNIX time), which now count; all of them without it."""
        due = [name for name, held in self._held.items() if before is None or held.second < before]
        return tuple(self._held.pop(name).item for name in due)

    def holds(self, connection: str) -> bool:
        """Whether the connection's newest exchange is held."""
        return connection in self._held

    def __len__(self) -> int:
        """How many exchanges are held."""
        return len(self._held)

    def _hold(self, exchange: Exchange, offered: Mapping[AuthType, bool], item: Item) -> tuple[Item, ...]:
        """Hold the exchange; the item of the one that waited longest counts where there are too many."""
        answers = frozenset().union(*(_ANSWERS.get(offer, frozenset({offer})) for offer in offered))
        request = exchange.request
        self._held[exchange.connection] = _Held(exchange.started, request.method, request.target, answers, item)
        return (self._held.popitem(last=False)[1].item,) if len(self._held) > self._most_held else ()

    def _doubt(self, connection: str, *, asked_again: bool) -> None:
        """Believe a connection no longer whose request was answered 401; never again where it is asked for another proof."""
        proven = self._proven.get(connection)
        if proven is not None and proven.credential is not None:
            if asked_again:
                self._proven[connection] = proven._replace(credential=None)
            else:
                del self._proven[connection]

    def _remember(self, exchange: Exchange, credential: Recognised | None, response: Response) -> None:
        connection = exchange.connection
        if not connection or credential is None or credential.type not in _PROVES_CONNECTION or not credential.valid:
            return
        # IIS says so where each request must prove itself again.
        if (response.first(b"Persistent-Auth") or b"").lower() == b"false":
            return
        origin = exchange.request.origin
        earlier = self._proven.get(connection)
        again = earlier is not None and earlier.origin == origin
        self._proven[connection] = _Proven(origin, None if again else credential)
        self._proven.move_to_end(connection)
        if len(self._proven) > self._most_proven:
            self._proven.popitem(last=False)


def challenges(response: Response) -> dict[AuthType, bool]:
    """The handshake schemes that an answer's WWW-Authenticate offers, and whether each comes with data of its own."""
    offered: dict[AuthType, bool] = {}
    for value in response.all(b"WWW-Authenticate"):
        # Within quotes a comma separates nothing (RFC 9110 section 11.6.1).
        bare = _QUOTED.sub(b'""', value)
        for word, data in _CHALLENGE.findall(bare):
            lowered = word.lower()
            kind = AuthType.SCRAM if lowered.startswith(_SCRAM) else _WORDS.get(lowered)
            if kind is not None:
                offered[kind] = offered.get(kind, False) or bool(data)
    return offered


def _authorization(found: tuple[Recognised, ...]) -> Recognised | None:
    return next((credential for credential in found if credential.point == AUTHORIZATION), None)


def _is_leg(credential: Recognised, offered: Mapping[AuthType, bool]) -> bool:
    """Whether the challenge answers this very credential and asks for the next one."""
    # NTLM inside Negotiate is challenged by Negotiate.
    scheme_answers = credential.type in offered or (credential.type is AuthType.NTLM and AuthType.NEGOTIATE in offered)
    if credential.kind is Kind.LEG:
        return scheme_answers
    # A token that is refused gets a bare challenge; one that is to be continued gets an answer token (RFC 4559, 5).
    return credential.type is AuthType.NEGOTIATE and offered.get(AuthType.NEGOTIATE, False)


def _repeats(exchange: Exchange, credential: Recognised | None, earlier: _Held[Item]) -> bool:
    """Whether the exchange is the held one again, now with what the challenge asked for."""
    request = exchange.request
    same = request.method == earlier.method and request.target == earlier.target
    return same and credential is not None and credential.type in earlier.answers and _answers(credential)


def _answers(credential: Recognised) -> bool:
    return credential.valid or credential.kind is Kind.LEG
