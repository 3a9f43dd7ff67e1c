"""Folding traffic into counts: one exchange in, a few numbers changed; what comes out holds names, places and numbers only.

An endpoint appears after its first answer other than 400, 404, 405, or after 10 requests whose answers are not known;
and not before its path's names may leave the node. Until then its counts wait here, bounded, and lose nothing.
Left out altogether: CORS preflights, legs of handshakes, and our own test traffic where its marker is validly signed.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from gatecrash.core.auth.handshake import HELD_SECONDS, Handshakes
from gatecrash.core.auth.recogniser import Recognised, Recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.inventory.endpoint import EndpointKey, Protocol, host_of
from gatecrash.core.inventory.marker import MARKER_HEADER, verify_marker
from gatecrash.core.inventory.templates import TemplateLearner, shape_of
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point

SECONDS_AN_HOUR = 3600
# Answers that a request to no endpoint at all gets, too.
UNPROVEN_STATUSES = frozenset({400, 404, 405})
REFUSED_STATUSES = frozenset({401, 403})
ANSWERLESS_TO_APPEAR = 10
_MOST_WAITING = 20_000
_MOST_APPEARED = 200_000
_MARKER_NAME = MARKER_HEADER.lower()
_MARKER_LENGTH = len(MARKER_HEADER)


class ParameterTally(msgspec.Struct, frozen=True, array_like=True):
    """One parameter of one endpoint in one hour: in how many requests it was seen, and in how many it was valid.

    unproven: it last came as a session that nobody proved, so it is listed and not counted (core/auth/sessions.py).
    """

    type: AuthType
    point: Point
    seen: int
    valid: int
    unproven: bool = False


class _Seen(NamedTuple):
    """What is counted of one exchange; no value of it. status: None where no answer is known."""

    method: str
    host: str
    path: bytes
    second: int
    status: int | None
    found: tuple[Recognised, ...]


class EndpointHour(msgspec.Struct, frozen=True, array_like=True):
    """One endpoint in one hour, as the node reports it.

    hour: UNIX seconds divided by 3600, floored. authenticated: requests with at least one valid value.
    refused: answered 401 or 403; None where no answer was known. statuses: (status class 1 to 5, requests).
    """

    hour: int
    key: EndpointKey
    requests: int
    authenticated: int
    refused: int | None
    first_seen: int
    last_seen: int
    parameters: tuple[ParameterTally, ...] = ()
    statuses: tuple[tuple[int, int], ...] = ()


class _Tally:
    """Counts that still grow."""

    __slots__ = ("authenticated", "first", "last", "parameters", "refused", "requests", "statuses")

    def __init__(self, second: int) -> None:
        self.requests = 0
        self.authenticated = 0
        self.refused: int | None = None
        self.first = self.last = second
        self.parameters: dict[tuple[AuthType, Point], list[int]] = {}
        self.statuses: dict[int, int] = {}

    def add(self, seen: _Seen) -> None:
        self.requests += 1
        self.first, self.last = min(self.first, seen.second), max(self.last, seen.second)
        valid = False
        for credential in seen.found:
            numbers = self.parameters.setdefault((credential.type, credential.point), [0, 0, 0])
            numbers[0] += 1
            numbers[1] += credential.valid
            # A placeholder says nothing of the session, so only what looks well-formed speaks.
            if credential.valid or credential.unproven:
                numbers[2] = credential.unproven
            valid = valid or credential.valid
        self.authenticated += valid
        status = seen.status
        if status is not None:
            self.refused = (self.refused or 0) + (status in REFUSED_STATUSES)
            self.statuses[status // 100] = self.statuses.get(status // 100, 0) + 1

    def merge(self, other: "_Tally") -> None:
        self.requests += other.requests
        self.authenticated += other.authenticated
        if other.refused is not None:
            self.refused = (self.refused or 0) + other.refused
        newer = other.last >= self.last
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        for parameter, (seen, valid, unproven) in other.parameters.items():
            numbers = self.parameters.setdefault(parameter, [0, 0, unproven])
            numbers[0] += seen
            numbers[1] += valid
            if newer and (valid or unproven):
                numbers[2] = unproven
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count

    def report(self, hour: int, key: EndpointKey) -> EndpointHour:
        return EndpointHour(
            hour,
            key,
            self.requests,
            self.authenticated,
            self.refused,
            self.first,
            self.last,
            tuple(
                ParameterTally(kind, point, seen, valid, bool(unproven))
                for (kind, point), (seen, valid, unproven) in self.parameters.items()
            ),
            tuple(sorted(self.statuses.items())),
        )


class _Waiting:
    """One path whose endpoint has not appeared yet: its counts by hour, and what speaks for its appearing."""

    __slots__ = ("answerless", "hours", "path", "proven")

    def __init__(self, path: bytes) -> None:
        self.path = path
        self.hours: dict[int, _Tally] = {}
        self.proven = False
        self.answerless = 0


_Key = tuple[str, str, str]


class Folder:
    """Folds one node's traffic into counts. Pure and not shared between threads.

    recogniser and marker_keys may be replaced at any time, when the client's configuration changes.
    dropped counts requests whose endpoint never appeared and had to make room. legs counts the exchanges that were a
    leg of a handshake. sessions is what was learned of session cookies, to be shared between a client's nodes.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        learner: TemplateLearner | None = None,
        marker_keys: Mapping[str, bytes] | None = None,
        most_waiting: int = _MOST_WAITING,
        sessions: Sessions | None = None,
    ) -> None:
        """Fold by this configuration; marker_keys are by run identifier."""
        self.recogniser = recogniser
        self.marker_keys: Mapping[str, bytes] = marker_keys or {}
        self.dropped = 0
        self.legs = 0
        self.sessions = sessions or Sessions()
        self._handshakes: Handshakes[_Seen] = Handshakes()
        self._newest = 0.0
        self._learner = learner or TemplateLearner()
        self._most_waiting = most_waiting
        self._waiting: dict[_Key, _Waiting] = {}
        self._appeared: set[EndpointKey] = set()
        self._counts: dict[tuple[int, EndpointKey], _Tally] = {}

    def add(self, exchange: Exchange) -> bool:
        """Take one exchange; False where it is left out. One that may be a handshake's leg counts when that is known."""
        request = exchange.request
        if is_preflight(request) or is_own(request, self.marker_keys):
            return False
        host, status = host_of(request), exchange.response.status if exchange.response else None
        found = self._handshakes.with_proof(exchange, self.recogniser.recognise(request))
        found = self.sessions.follow(host, exchange, found)
        seen = _Seen(request.method.upper(), host, request.path, int(exchange.started), status, found)
        self._newest = max(self._newest, exchange.started)
        held = len(self._handshakes)
        counted = self._handshakes.settle(exchange, found, seen)
        for one in counted:
            self._count(one)
        # What went in and neither came out nor stayed was a leg.
        self.legs += 1 + held - len(counted) - len(self._handshakes)
        return any(one is seen for one in counted) or self._handshakes.holds(exchange.connection)

    def take(self, *, ended: bool = True) -> tuple[EndpointHour, ...]:
        """The counts since the last call, of endpoints that have appeared; they are the caller's now.

        ended: no more is to come for now, so exchanges held as possible legs count. A source that goes on gives False:
        then they count when their handshake has had its time.
        """
        for seen in self._handshakes.release(None if ended else self._newest - HELD_SECONDS):
            self._count(seen)
        for key, waiting in list(self._waiting.items()):
            if self._release(key, waiting):
                del self._waiting[key]
        taken, self._counts = self._counts, {}
        return tuple(tally.report(hour, key) for (hour, key), tally in taken.items())

    def _count(self, seen: _Seen) -> None:
        """Count what was seen under its endpoint, or let it wait for one."""
        # What the application does not know must not teach names, or a scan for weak spots would.
        learn = seen.status not in UNPROVEN_STATUSES
        observe = self._learner.observe if learn else self._learner.resolve
        template = observe(seen.host, seen.path)
        key = EndpointKey(Protocol.REST, seen.method, seen.host, template) if template is not None else None
        if key is not None and key in self._appeared:
            self._tally(key, seen.second).add(seen)
        else:
            self._wait(seen)

    @property
    def waiting(self) -> int:
        """How many paths wait for their endpoint to appear."""
        return len(self._waiting)

    def _tally(self, key: EndpointKey, second: int) -> _Tally:
        place = (second // SECONDS_AN_HOUR, key)
        tally = self._counts.get(place)
        if tally is None:
            tally = self._counts[place] = _Tally(second)
        return tally

    def _wait(self, seen: _Seen) -> None:
        key = (seen.method, seen.host, shape_of(seen.path))
        waiting = self._waiting.get(key)
        if waiting is None:
            self._make_room()
            waiting = self._waiting[key] = _Waiting(seen.path)
        waiting.hours.setdefault(seen.second // SECONDS_AN_HOUR, _Tally(seen.second)).add(seen)
        if seen.status is None:
            waiting.answerless += 1
        elif seen.status not in UNPROVEN_STATUSES and not waiting.proven:
            waiting.proven = True
            # To the end of the line, so that what a scan asked for in vain makes room first.
            self._waiting[key] = self._waiting.pop(key)

    def _make_room(self) -> None:
        """Forget the path that waits longest where there are too many."""
        if len(self._waiting) >= self._most_waiting:
            oldest = self._waiting.pop(next(iter(self._waiting)))
            self.dropped += sum(tally.requests for tally in oldest.hours.values())

    def _release(self, waiting_key: _Key, waiting: _Waiting) -> bool:
        method, host, _ = waiting_key
        template = self._learner.resolve(host, waiting.path)
        if template is None:
            return False
        key = EndpointKey(Protocol.REST, method, host, template)
        proven = waiting.proven or waiting.answerless >= ANSWERLESS_TO_APPEAR
        if not proven and key not in self._appeared:
            return False
        if len(self._appeared) < _MOST_APPEARED:
            self._appeared.add(key)
        for hour, tally in waiting.hours.items():
            kept = self._counts.get((hour, key))
            if kept is None:
                self._counts[hour, key] = tally
            else:
                kept.merge(tally)
        return True


def is_preflight(request: Request) -> bool:
    """Whether the request is a CORS preflight (Fetch standard, section 3.3.2): browsers send it without credentials."""
    return request.method.upper() == "OPTIONS" and request.first(b"Access-Control-Request-Method") is not None


def is_own(request: Request, marker_keys: Mapping[str, bytes]) -> bool:
    """Whether the request carries a marker that one of these runs signed."""
    if not marker_keys:
        return False
    # Lengths are compared first, because this is asked of every request there is.
    return any(
        len(name) == _MARKER_LENGTH and name.lower() == _MARKER_NAME and verify_marker(marker_keys, value)
        for name, value in request.headers
    )


def fold(exchanges: Iterable[Exchange], recogniser: Recogniser) -> tuple[EndpointHour, ...]:
    """The counts of a finite capture, such as a file that its owner reads: names need not be seen 3 times to be shown."""
    folder = Folder(recogniser, TemplateLearner(seen_to_leave=1))
    for exchange in exchanges:
        folder.add(exchange)
    return folder.take()
