"""What waits in a folder, in a form that outlives the process: a kill costs a node no more than its last second.

Counts of a path wait until its endpoint appears, which may take hours. They are written down beside the batches: names,
places, types and numbers, and of each identifier in a path only that it was one. No value is in here.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec

from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.fold import Folder, _Key, _Waiting
from gatecrash.core.inventory.identifiers import look_in_path, split_extension
from gatecrash.core.inventory.placing import UNPROVEN_STATUSES
from gatecrash.core.inventory.tally import EndpointHour, Seen, Tally
from gatecrash.core.inventory.templates import look_at, shape_of

HELD = "held"
_EXAMPLES = {"id": "0", "date": "2000-01-01", "email": "a@b.cd"}
_CLIENT_ERROR = 4
_NAMELESS = EndpointKey("", "", "", "")


class KeptPath(msgspec.Struct, frozen=True, array_like=True):
    """One path that waits. seen: method, host, path without identifiers, protocol, operation.

    status, authenticated: of the exchange that stands for it. proven, answerless: what speaks for its endpoint.
    """

    seen: tuple[str, str, str, str, str]
    status: int | None
    authenticated: bool
    proven: bool
    answerless: int
    hours: tuple[EndpointHour, ...]


class KeptFolder(Folder):
    """A folder that says what changed in its waiting room, and that can be filled again from what it said."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """As a Folder."""
        super().__init__(*args, **named)
        self._touched: set[_Key] = set()
        self._written: dict[_Key, str] = {}
        self._held: tuple[Seen, ...] | None = ()

    def changes(self) -> dict[str, tuple[KeptPath, ...]]:
        """What waits otherwise than at the last call, by a name that tells nothing; empty where it waits no more."""
        gone = {name: () for key, name in self._written.items() if key not in self._waiting}
        for key in [key for key in self._written if key not in self._waiting]:
            del self._written[key]
        changed: dict[str, tuple[KeptPath, ...]] = {**gone}
        for key in self._touched & self._waiting.keys():
            self._written[key] = _name(key)
            changed[self._written[key]] = (_kept(self._waiting[key]),)
        self._touched.clear()
        held = tuple(one.item for one in self._handshakes._held.values())  # noqa: SLF001 - what may be a leg waits too
        if held != self._held:
            self._held = held
            changed[HELD] = tuple(_kept(_alone(seen)) for seen in held)
        return changed

    def touch(self) -> None:
        """What was said last was not written: say all of it once more."""
        self._touched.update(self._waiting)
        self._held = None

    def refill(self, paths: Iterable[KeptPath]) -> None:
        """Let these wait again, as they did in the process before; their names are learned as far as they were."""
        for kept in paths:
            self._refill(kept)
        # What was held is among them; it is no longer kept apart.
        self._held = None

    def _refill(self, kept: KeptPath) -> None:
        method, host, path, protocol, operation = kept.seen
        second = kept.hours[0].first_seen if kept.hours else 0
        example = Seen(
            method, host, path.encode(), second, kept.status, (), kept.authenticated, protocol=protocol, operations=(operation,)
        )  # fmt: skip
        key = (method, host, shape_of(example.path), protocol, operation)
        self._touched.add(key)
        self._written[key] = _name(key)
        waiting = self._waiting.get(key)
        if waiting is None:
            self._make_room()
            waiting = self._waiting[key] = _Waiting(example, operation)
        waiting.proven = waiting.proven or kept.proven
        waiting.answerless += kept.answerless
        for hour in kept.hours:
            tally = grown(hour)
            if hour.hour in waiting.hours:
                waiting.hours[hour.hour].merge(tally)
            else:
                waiting.hours[hour.hour] = tally
        teaching = example._replace(status=None) if kept.status in UNPROVEN_STATUSES else example
        for _ in range(min(_taught(kept.hours), self._placing.learner.seen_to_leave)):
            self._placing.place(teaching, operation)

    def _wait(self, seen: Seen, operation: str) -> None:
        super()._wait(seen, operation)
        self._touched.add((seen.method, seen.host, shape_of(seen.path), seen.protocol, operation))


def grown(hour: EndpointHour) -> Tally:
    """The tally whose report this is."""
    tally = Tally(hour.first_seen)
    tally.last = hour.last_seen
    tally.requests = hour.requests
    tally.authenticated = hour.authenticated
    tally.refused = hour.refused
    tally.authenticated_refused = hour.authenticated_refused or 0
    tally.parameters = {(one.type, one.point): [one.seen, one.valid, int(one.unproven)] for one in hour.parameters}
    tally.statuses = dict(hour.statuses)
    tally.without = {(one.family, one.status): [one.requests, one.first_seen, one.last_seen] for one in hour.without}
    tally.notes = {(one.kind, one.point): [one.requests, one.first_seen, one.last_seen] for one in hour.notes}
    return tally


def encode(paths: tuple[KeptPath, ...]) -> bytes:
    """As bytes for the disk."""
    return msgspec.msgpack.encode(paths, enc_hook=tuple)


def decode(data: bytes) -> tuple[KeptPath, ...]:
    """Out of bytes. Raises msgspec.MsgspecError, where another version wrote them."""
    return msgspec.msgpack.decode(data, type=tuple[KeptPath, ...], dec_hook=lambda kind, value: kind(value))


def nameless(path: bytes) -> str:
    """A path in which an example stands for each identifier; its shape is that of the path."""
    return "/" + "/".join(_example(segment, kind) if kind else segment for segment, kind in look_at(path))


def _example(segment: str, kind: str) -> str:
    _, extension = split_extension(segment)
    return _EXAMPLES[kind] + (extension if look_in_path(_EXAMPLES[kind] + extension) in (None, kind) else "")


def _kept(waiting: _Waiting) -> KeptPath:
    seen = waiting.example
    return KeptPath(
        (seen.method, seen.host, nameless(seen.path), seen.protocol, waiting.operation),
        seen.status,
        seen.authenticated,
        waiting.proven,
        waiting.answerless,
        tuple(tally.report(hour, _NAMELESS) for hour, tally in waiting.hours.items()),
    )


def _alone(seen: Seen) -> _Waiting:
    """One exchange as it would wait: what was held when its connection died counts, for it was no leg."""
    waiting = _Waiting(seen, seen.operations[0])
    tally = waiting.hours[seen.second // 3600] = Tally(seen.second)
    tally.add(seen)
    waiting.proven = seen.status is not None and seen.status not in UNPROVEN_STATUSES
    return waiting


def _taught(hours: Iterable[EndpointHour]) -> int:
    """How many exchanges surely taught names; what is refused or unknown to the application may have taught none."""
    return sum(hour.requests - sum(count for kind, count in hour.statuses if kind == _CLIENT_ERROR) for hour in hours)


def _name(key: _Key) -> str:
    return blake2b("\0".join(key).encode(), digest_size=16).hexdigest()
