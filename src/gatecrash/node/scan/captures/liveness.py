"""Whether the sessions of a capture are still alive at the target: asked once, before anything is tested in them.

A capture outlives its sessions: they run out, and applications forget them when they are started again. What let their
users in stands in the capture, so tests can sign in as they did; where it does not, nothing but a new capture helps,
which has to be said.
"""

import re
from collections.abc import Awaitable, Callable, Iterable

import msgspec

from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, OK
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.authorization.callers.own_headers import own_headers
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.health.nobody import face_of, has_changed
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.recorded_logins import can_be_repeated, signed_in
from gatecrash.core.testing.profiles.recorded_session import LoginAddress
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns
from gatecrash.core.testing.selection.replay import replayable, why_not

_MOST_CHECKS = 6
FEWEST = 2
"""So many must fail where others are answered as before, as everybody is."""
# Headers and fields that may let somebody in.
_LETTING_IN = re.compile(rb"auth|cookie|token|session|key|secret|ticket|jwt|pass|(?:^|-)sid$", re.IGNORECASE)
_OF_THE_MOMENT = frozenset({429, 502, 503, 504})

Sending = Callable[[Request], Awaitable[Answer]]


def open_sessions(exchanges: Iterable[Exchange]) -> dict[LoginAddress, list[Exchange]]:
    """What a capture read in sessions that it did not end, by the logins at which they began; of one user each."""
    sign_ins = SignIns()
    for exchange in exchanges:
        if not why_not(exchange):
            sign_ins.see(exchange)
    return dict(reversed(sign_ins.open()))


async def dead_logins(sessions: dict[LoginAddress, list[Exchange]], send: Sending) -> frozenset[LoginAddress]:
    """The logins of sessions in which something is refused now that was answered when it was recorded."""
    return await ended_logins(sessions.items(), send)


async def ended_logins(
    sessions: Iterable[tuple[LoginAddress, Iterable[Exchange]]], send: Sending
) -> frozenset[LoginAddress]:
    """The same of several sessions for each login."""
    return frozenset([login for login, checks in sessions if await _is_dead(checks, send, by_errors=True)])


class Unopened:
    """What was read with credentials, where a capture holds no login that can be sent again.

    unopened.see(exchange)           for each exchange
    await unopened.are_over(send)    whether they do not let in any more
    unopened.letting_in              by host, secrets that nobody calls a credential, where all is answered as nobody is with them
    """

    def __init__(self, recogniser: Recognises) -> None:
        """Nothing was seen yet."""
        self._recogniser = recogniser
        self._checks: dict[bytes, Exchange] = {}
        self._opened = False
        self.letting_in: list[tuple[str, Point]] = []

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        self._opened = self._opened or (signed_in(request) != "" and can_be_repeated(request))
        if len(self._checks) == _MOST_CHECKS or response is None or refusal(response) is not None:
            return
        good = OK <= response.status < FIRST_REDIRECT
        if not good or request.method.upper() != "GET" or why_not(exchange) or destroys(request):
            return
        if request.first(b"Cookie") or self._is_known(request) or _secrets(request):
            self._checks.setdefault(request.path, exchange)

    def _is_known(self, request: Request) -> bool:
        return any(one.valid for one in self._recogniser.recognise(request))

    async def are_over(self, send: Sending) -> bool:
        """Whether something that was answered is refused now, or all of several is answered otherwise, and as nobody is."""
        refused, dead = False, True
        for recorded in [] if self._opened else map(replayable, self._checks.values()):
            answer = await send(recorded.request)
            response = answer.exchange.response
            if answer.failure or response is None:
                return False
            if refusal(response, recorded.response) is not None:
                refused = True
            elif not has_changed(recorded.response, response) or not await _is_nobodys(recorded, response, send):
                dead = False
        is_all = dead and not self._opened and len(self._checks) >= FEWEST
        if is_all:
            unknown = [one.request for one in self._checks.values() if not self._is_known(one.request)]
            found = ((host_of(request), point) for request in unknown for point in _secrets(request))
            self.letting_in = list(dict.fromkeys(found))
        return refused or is_all


async def _is_dead(checks: Iterable[Exchange], send: Sending, *, by_errors: bool = False) -> bool:
    """Whether one of them is refused, or all are answered by errors that were not: some applications fail at a token
    that they do not know, or hide what is there; or all are answered as nobody is, and were not: by the start page, or
    by nothing under a good status.
    by_errors: whether to believe that; to sign in once more in vain costs little.
    """
    failing, answered = 0, []
    for recorded in map(replayable, checks):
        answer = await send(recorded.request)
        response = answer.exchange.response
        if answer.failure or response is None:
            return False
        if refusal(response, recorded.response) is not None:
            return True
        fails = _fails(response) and recorded.response is not None and not _fails(recorded.response)
        changed = by_errors and response.status < FIRST_ERROR and has_changed(recorded.response, response)
        if fails or (changed and await _is_nobodys(recorded, response, send)):
            failing += 1
        else:
            answered.append((recorded, response))
    if not by_errors or failing < (FEWEST if answered else 1):
        return False
    # What everybody is shown says nothing of a session; one thing may be gone.
    return all([await _is_nobodys(recorded, response, send) for recorded, response in answered])


async def _is_nobodys(recorded: Exchange, now: Response, send: Sending) -> bool:
    """Whether a recorded request is answered as it is answered without a session."""
    request = _bare(recorded.request)
    if request == recorded.request:
        return False
    bare = (await send(request)).exchange.response
    return bare is not None and face_of(recorded.request, bare) == face_of(recorded.request, now)


def _secrets(request: Request) -> tuple[Point, ...]:
    """Headers of the application's own, and cookies, whose values nobody could guess."""
    own = {name.decode("latin-1").upper() for name, value in own_headers(request) if looks_random(value)}
    return tuple(each.point for each in walk(request).points if _is_secret(each, own))


def _is_secret(found: Found, own: set[str]) -> bool:
    """own: headers of the application's own with a value that nobody could guess."""
    if tuple(found.point[:3]) == COOKIE and len(found.point) == 4:
        return looks_random(found.value) and not is_ignored(found.point[-1].encode())
    return found.point[0] == "header" and len(found.point) == 2 and found.point[1] in own


def _bare(request: Request) -> Request:
    """Without what may let somebody in."""
    secret = {point[1].lower() for point in _secrets(request)}
    headers = tuple(
        pair
        for pair in request.headers
        if not _LETTING_IN.search(pair[0]) and pair[0].decode("latin-1").lower() not in secret
    )
    path, _, query = request.target.partition(b"?")
    kept = [part for part in query.split(b"&") if not _LETTING_IN.search(part.partition(b"=")[0])]
    target = request.target if len(kept) == query.count(b"&") + 1 else path + (b"?" + b"&".join(kept) if kept else b"")
    bare: Request = msgspec.structs.replace(request, target=target, headers=headers)
    return bare


def _fails(response: Response) -> bool:
    """Whether an answer is an error of the application's own, and not of who is asked too often or away for a moment."""
    return response.status >= FIRST_ERROR and response.status not in _OF_THE_MOMENT
