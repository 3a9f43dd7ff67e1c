"""A control plane in memory that speaks the node protocol over real HTTP, for tests of the node.

It keeps what it is told as the real one does: a baseline once, a batch of counts once, a claim's holding honoured, old
sessions and generations refused. What it does not have: rows, tenants, states beyond the orders that a test sets.
"""

import asyncio
import time

import msgspec

from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.passes import Sort, turn_of, up_to
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.fakes.listening import Listening
from gatecrash.formats.draft import unpacked
from gatecrash.wire import codec
from gatecrash.wire.counts import Added, Counts, EndpointCount
from gatecrash.wire.session import Config, Heartbeat, Hello, Orders, RunOrder, RunProgress, Welcome
from gatecrash.wire.work import (
    Accepted,
    Acquaint,
    Acquainted,
    Claim,
    Describe,
    Described,
    Recorded,
    Result,
    Results,
    Stored,
    Work,
)

TOKEN = "token-of-the-fake"  # noqa: S105 - opens nothing


class ControlPlane(Listening):
    """Listens on loopback. A test sets `orders` and `config`, and looks at what came.

    down: answers 503 to everything. heartbeats: how many were answered. baselines: stored, by run. finals: final
    results by baseline. parts: results of all parts before them. put_off: the last of these by baseline. findings: proven
    verdicts. progress: the last heartbeat's, by run. counts: batches once each. users: signed in by a description, by
    run. notes: what a node told for the reader of its runs.
    """

    buffered = 2**26

    def __init__(self) -> None:
        super().__init__()
        self.down = False
        self.orders: list[RunOrder] = []
        self.config = Config(1)
        self.hellos: list[Hello] = []
        self.heartbeats = 0
        self.baselines: dict[str, dict[str, Baseline]] = {}
        self.finals: dict[str, Result] = {}
        self.put_off: dict[str, Result] = {}
        self.parts: list[Result] = []
        self.findings: list[Verdict] = []
        self.progress: dict[str, RunProgress] = {}
        self.counts: dict[tuple[str, int], Counts] = {}
        self.users: dict[str, int] = {}
        self.notes: list[str] = []
        self.standbys = 0
        self._session = ""
        self._taken = False

    @property
    def api(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def session(self) -> str:
        """The session of the node's last hello."""
        return self._session

    def end_session(self) -> None:
        """As if another start of the node had said hello."""
        self._session = "another"

    def hold(self, taken: bool) -> None:
        """As if another start of the node were at work, or had fallen silent; `standbys` counts who was told so."""
        self._taken = taken

    def endpoints(self) -> list[EndpointCount]:
        """All counted rows."""
        return [row for counts in self.counts.values() for row in counts.endpoints]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            status, body = self._answer(head, await reader.readexactly(_length(head)))
            start = f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(start.encode() + body)
            await writer.drain()

    def _answer(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        path = head.split(b" ", 2)[1].decode()
        if self.down:
            return 503, b'{"status": 503, "body": {"error": "internal", "message": "down"}}'
        if f"x-service-api-token: {TOKEN}".encode() not in head.lower():
            return 401, b'{"status": 401, "body": {"error": "unauthorized", "message": "no valid token"}}'
        if path == "/v1/node/hello" and self._taken:
            self.standbys += 1
            return (
                409,
                b'{"status": 409, "body": {"error": "action_not_allowed", "message": "another start is at work"}}',
            )
        if path != "/v1/node/hello" and self._session_of(path, body) != self._session:
            return 409, b'{"status": 409, "body": {"error": "action_not_allowed", "message": "session over"}}'
        return 200, codec.encode(self._reply(path, body))

    def _session_of(self, path: str, body: bytes) -> str:
        kinds: dict[str, type[Heartbeat | Recorded | Claim | Describe | Acquaint | Results | Counts]] = {
            "/v1/node/heartbeat": Heartbeat,
            "/v1/node/baselines": Recorded,
            "/v1/node/claim": Claim,
            "/v1/node/describe": Describe,
            "/v1/node/acquaint": Acquaint,
            "/v1/node/results": Results,
            "/v1/node/counts": Counts,
        }
        return codec.decode(body, kinds[path]).session

    def _reply(self, path: str, body: bytes) -> msgspec.Struct:
        match path:
            case "/v1/node/hello":
                return self._hello(codec.decode(body, Hello))
            case "/v1/node/heartbeat":
                return self._heartbeat(codec.decode(body, Heartbeat))
            case "/v1/node/baselines":
                return self._record(codec.decode(body, Recorded))
            case "/v1/node/claim":
                return self._claim(codec.decode(body, Claim))
            case "/v1/node/describe":
                return self._describe(codec.decode(body, Describe))
            case "/v1/node/acquaint":
                return self._acquaint(codec.decode(body, Acquaint))
            case "/v1/node/results":
                return self._results(codec.decode(body, Results))
            case _:
                counts = codec.decode(body, Counts)
                self.counts.setdefault((counts.spool, counts.sequence), counts)
                return Added(counts.sequence)

    def _hello(self, hello: Hello) -> Welcome:
        self.hellos.append(hello)
        self._session = f"session-{len(self.hellos)}"
        return Welcome("node_fake", "cl_fake", self._session, self.config, 0.05, 0.05)

    def _heartbeat(self, beat: Heartbeat) -> Orders:
        self.heartbeats += 1
        self.progress = {each.run_id: each for each in beat.runs}
        fresh = self.config if beat.config_version != self.config.version else None
        return Orders(time.time(), tuple(self.orders), fresh)

    def _record(self, recorded: Recorded) -> Stored:
        known = self.baselines.setdefault(recorded.run_id, {})
        drafts = (Baseline(name, unpacked(draft)) for name, draft in recorded.drafts)
        told = {baseline.id: baseline for baseline in (*recorded.baselines, *drafts)}
        for name, baseline in told.items():
            known.setdefault(name, baseline)
        return Stored(tuple(told))

    def _claim(self, claim: Claim) -> Work:
        order = self._order(claim.run_id)
        if order is None or order.generation != claim.generation:
            return Work(stale=True)
        parts = dict(claim.parts or ())
        had = {(name, parts.get(name, 0)) for name in (*claim.holding, *claim.ready)}
        held = [each for each in self.baselines.get(claim.run_id, {}).values() if each.id not in self.finals]
        open_ones = [each for each in held if (each.id, self._made(each.id)) not in had]
        open_ones.sort(key=lambda each: self._made(each.id))
        given = open_ones[: claim.count + claim.ahead]
        told = tuple(self._part(each.id) for each in given) if claim.parts is not None else None
        return Work(tuple(given[: claim.count]), ahead=tuple(given[claim.count :]), parts=told)

    def _made(self, name: str) -> int:
        return self.put_off[name].made if name in self.put_off else 0

    def _part(self, name: str) -> tuple[str, int, int, int]:
        """All are reads here."""
        made = self._made(name)
        sent = self.put_off[name].sent if name in self.put_off else 0
        return name, made, int(up_to(turn_of(Sort.READ, made))), sent

    def _describe(self, message: Describe) -> Described:
        if message.users is not None:
            self.users[message.run_id] = message.users
        held = self.baselines.setdefault(message.run_id, {})
        if message.users is not None or message.found:
            self.notes += message.notes
            held |= {name: Baseline(name, unpacked(draft)) for name, draft in message.found}
            return Described()
        drafts = [each for each in held.values() if each.exchange.drafted and each.response is None]
        packed = tuple((one.id, one.id not in self.finals, msgspec.msgpack.encode(one.exchange)) for one in drafts)
        return Described(packed, only=len(drafts) == len(held), extends=True)

    def _acquaint(self, message: Acquaint) -> Acquainted:
        """One of the record in each answer."""
        held = list(self.baselines.get(message.run_id, {}).values())
        order = self._order(message.run_id)
        told = tuple(each.exchange for each in held[message.after : message.after + 1] if each.response is not None)
        last = min(len(held), message.after + 1)
        return Acquainted(told, last, more=last < len(held), open=order is not None and order.recording)

    def _results(self, results: Results) -> Accepted:
        order = self._order(results.run_id)
        stale = order is None or order.generation != results.generation
        for result in results.results:
            self.findings += [
                each for each in result.verdicts if each.outcome is Outcome.VULNERABLE and not result.final
            ]
            if result.left and not stale:
                self.put_off[result.baseline_id] = result
                self.parts.append(result)
            if result.final and not stale:
                self.finals.setdefault(result.baseline_id, result)
        return Accepted(stale)

    def _order(self, run_id: str) -> RunOrder | None:
        return next((order for order in self.orders if order.run_id == run_id), None)


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
