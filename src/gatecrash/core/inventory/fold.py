"""Folding traffic into counts: one exchange in, a few numbers changed; what comes out holds names, places and numbers only.

An endpoint appears after its first answer other than 400, 404, 405, or after 10 requests whose answers are not known;
and not before its path's names may leave the node. Until then its counts wait here, bounded, and lose nothing.
Left out altogether: CORS preflights, legs of handshakes, and our own test traffic where its marker is validly signed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from gatecrash.core.auth.handshake import HELD_SECONDS, Handshakes
from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.inventory import heads as head
from gatecrash.core.inventory.agents import OTHER, family_of
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.endpoint import EndpointKey, host_of
from gatecrash.core.inventory.heads import read_heads
from gatecrash.core.inventory.marker import MARKER_HEADER, verify_marker
from gatecrash.core.inventory.matcher import TemplateMatcher
from gatecrash.core.inventory.notes import Notes
from gatecrash.core.inventory.placing import UNPROVEN_STATUSES, Placing, shown_operation
from gatecrash.core.inventory.protocols.registry import spoken, status_of
from gatecrash.core.inventory.tally import EndpointHour, Seen, Tally
from gatecrash.core.inventory.templates import TemplateLearner, shape_of
from gatecrash.core.message import Exchange, Request

SECONDS_AN_HOUR = 3600
ANSWERLESS_TO_APPEAR = 10
_MOST_WAITING = 20_000
_MOST_APPEARED = 200_000
_MARKER_NAME = MARKER_HEADER.lower()
_MARKER_LENGTH = len(MARKER_HEADER)


class _Waiting:
    """One path whose endpoint has not appeared yet: its counts by hour, and what speaks for its appearing."""

    __slots__ = ("answerless", "example", "hours", "operation", "proven")

    def __init__(self, example: Seen, operation: str) -> None:
        self.example = example
        self.operation = operation
        self.hours: dict[int, Tally] = {}
        self.proven = False
        self.answerless = 0


# Method, host, the path's shape, protocol and operation.
_Key = tuple[str, str, str, str, str]


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
        self._handshakes: Handshakes[Seen] = Handshakes()
        self._newest = 0.0
        self._placing = Placing(learner)
        self._notes = Notes()
        self._most_waiting = most_waiting
        self._waiting: dict[_Key, _Waiting] = {}
        # Paths that began to wait since all were looked at.
        self._newcomers = 0
        self._appeared: set[EndpointKey] = set()
        self._counts: dict[tuple[int, EndpointKey], Tally] = {}

    def asks_for(self, header: bytes) -> bool:
        """Whether a request's header of this name can matter to counting, by the present configuration."""
        return head.follows(header) or self.recogniser.asks_for(header)

    def decide(
        self,
        pins: Iterable[HostTemplate] = (),
        splits: Iterable[HostTemplate] = (),
        documents: Iterable[DocumentPaths] = (),
    ) -> None:
        """From now on place requests by these decisions instead of those before; what was counted stays."""
        # What may leave by the old decisions leaves by them, or it would wait for names to be learned anew.
        self._release_all()
        self._placing.matcher = TemplateMatcher(pins, documents)
        self._placing.learner.split(splits)

    def add(self, exchange: Exchange) -> bool:
        """Take one exchange; False where it is left out. One that may be a handshake's leg counts when that is known."""
        request, response = exchange.request, exchange.response
        heads = read_heads(request.headers)
        if heads[head.PREFLIGHT] is not None and is_preflight(request):
            return False
        if heads[head.MARKER] is not None and is_own(request, self.marker_keys):
            return False
        host = host_of(request)
        found = self._handshakes.with_proof(exchange, self.recogniser.recognise(request))
        found = self.sessions.follow(host, exchange, found)
        authenticated = any(credential.valid for credential in found)
        protocol, operations = spoken(request, heads)
        seen = Seen(
            request.method.upper(),
            host,
            request.path,
            int(exchange.started),
            status_of(protocol, response) if response else None,
            found,
            authenticated,
            OTHER if authenticated else family_of(heads[head.AGENT]),
            self._notes.of(exchange, heads, found) if authenticated else (),
            protocol,
            tuple(dict.fromkeys(map(shown_operation, operations))) if operations[0] else operations,
        )
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
        self._release_all()
        taken, self._counts = self._counts, {}
        return tuple(tally.report(hour, key) for (hour, key), tally in taken.items())

    def _count(self, seen: Seen) -> None:
        """Count what was seen under its endpoint, or let it wait for one; a batch under each of its operations."""
        for operation in seen.operations:
            key = self._placing.place(seen, operation)
            if key is not None and (key in self._appeared or self._appears(key, seen.status)):
                self._tally(key, seen.second).add(seen)
            else:
                self._wait(seen, operation)

    def _appears(self, key: EndpointKey, status: int | None) -> bool:
        """Whether this answer makes the endpoint appear: nothing that can be counted at once is made to wait."""
        if status is None or status in UNPROVEN_STATUSES or len(self._appeared) >= _MOST_APPEARED:
            return False
        self._appeared.add(key)
        return True

    @property
    def waiting(self) -> int:
        """How many paths wait for their endpoint to appear."""
        return len(self._waiting)

    def _tally(self, key: EndpointKey, second: int) -> Tally:
        place = (second // SECONDS_AN_HOUR, key)
        tally = self._counts.get(place)
        if tally is None:
            tally = self._counts[place] = Tally(second)
        return tally

    def _wait(self, seen: Seen, operation: str) -> None:
        key = (seen.method, seen.host, shape_of(seen.path), seen.protocol, operation)
        waiting = self._waiting.get(key)
        if waiting is None:
            self._make_room()
            waiting = self._waiting[key] = _Waiting(seen._replace(found=(), notes=()), operation)
        waiting.hours.setdefault(seen.second // SECONDS_AN_HOUR, Tally(seen.second)).add(seen)
        if seen.status is None:
            waiting.answerless += 1
        elif seen.status not in UNPROVEN_STATUSES and not waiting.proven:
            waiting.proven = True
            # To the end of the line, so that what a scan asked for in vain makes room first.
            self._waiting[key] = self._waiting.pop(key)

    def _make_room(self) -> None:
        """Forget the path that waits longest where there are too many, unless some need wait no more."""
        self._newcomers += 1
        if len(self._waiting) >= self._most_waiting and self._newcomers > self._most_waiting // 2:
            self._release_all()
        if len(self._waiting) >= self._most_waiting:
            oldest = self._waiting.pop(next(iter(self._waiting)))
            self.dropped += sum(tally.requests for tally in oldest.hours.values())

    def _release_all(self) -> None:
        self._newcomers = 0
        places = {
            name: key
            for name, waiting in self._waiting.items()
            if (key := self._placing.place(waiting.example, waiting.operation, learn=False))
        }
        # One endpoint may wait under several names.
        answerless: Counter[EndpointKey] = Counter()
        for name, key in places.items():
            answerless[key] += self._waiting[name].answerless
        for name, key in places.items():
            if self._release(self._waiting[name], key, answerless[key]):
                del self._waiting[name]

    def _release(self, waiting: _Waiting, key: EndpointKey, answerless: int) -> bool:
        proven = waiting.proven or answerless >= ANSWERLESS_TO_APPEAR
        if not proven and key not in self._appeared:
            return False
        if len(self._appeared) < _MOST_APPEARED:
            self._appeared.add(key)
        for hour, tally in waiting.hours.items():
            kept = self._counts.get((hour, key))
            if kept is not None:
                # What waited is older than what was counted at once.
                tally.merge(kept)
            self._counts[hour, key] = tally
        return True


def is_preflight(request: Request) -> bool:
    """Whether the request is a CORS preflight (Fetch standard, section 3.3.2): browsers send it without credentials."""
    return request.method.upper() == "OPTIONS" and request.first(b"Access-Control-Request-Method") is not None


def is_own(request: Request, marker_keys: Mapping[str, bytes]) -> bool:
    """Whether the request carries a marker that one of these runs signed."""
    # Lengths are compared first, because this is asked of many requests.
    return bool(marker_keys) and any(
        len(name) == _MARKER_LENGTH and name.lower() == _MARKER_NAME and verify_marker(marker_keys, value)
        for name, value in request.headers
    )
