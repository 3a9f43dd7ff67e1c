"""A node that speaks the real protocol over real HTTP, and does by hand what a real one does by itself.

    node = FakeNode(httpx.Client(base_url=…), token)
    node.hello()
    node.beat()                        # learns its orders
    node.record(run_id, 3)             # into its spool
    node.hand_over(run_id)             # to the control plane
    node.claim(run_id, 2)
    node.send(run_id, 10)              # pretends ten test requests
    node.finish(run_id, "passed")

It obeys its orders as a node must: it drops what it is no longer told to do and reports a dropped run once more.
Its spool survives `die`; what it held, counted and was told does not.
"""

import secrets
import time
from collections.abc import Callable, Iterable

import httpx
import msgspec

from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.parts import EVERYTHING, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.verdict import Outcome, Proof, Verdict
from gatecrash.wire import codec
from gatecrash.wire.counts import Added, Counts, EndpointCount
from gatecrash.wire.session import Config, Heartbeat, Hello, Orders, RunOrder, RunProgress, StartTold, Welcome
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

FORECAST = 8  # test requests that the fake says each baseline still needs, until it has sent that many
SECONDS_TOLD = 15


class Refused(Exception):
    """The control plane refused a message; `status` is HTTP's, `code` the envelope's."""

    def __init__(self, status: int, code: str) -> None:
        """Take what the envelope said."""
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


class Held:
    """A baseline in the node's hands."""

    def __init__(self, baseline: Baseline, todo: Todo = EVERYTHING) -> None:
        """Nothing is sent yet. todo: what it is held for."""
        self.baseline = baseline
        self.todo = todo
        self.sent = 0


class FakeNode:
    """One node. Its state is public: tests look at it. in_parts: it knows that a part may be put off."""

    def __init__(
        self,
        http: httpx.Client,
        token: str,
        *,
        name: str = "fake",
        in_parts: bool = True,
        build_id: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        """Be nobody yet; `hello` comes first."""
        self._http = http
        self._token = token
        self._now = now
        self._hello = Hello(name, "native", "0.24.0", secrets.token_hex(8), build_id)
        self.in_parts = in_parts
        self.id = ""
        self.client_id = ""
        self.session = ""
        self.config: Config | None = None
        self.orders: dict[str, RunOrder] = {}
        self.dropped: dict[str, RunProgress] = {}
        self.spool: dict[str, tuple[str, list[Baseline]]] = {}
        self.held: dict[str, dict[str, Held]] = {}
        self.ready: dict[str, dict[str, Held]] = {}
        self.sent: dict[str, int] = {}
        self.seconds: dict[str, dict[int, int]] = {}
        self.starts: dict[str, StartTold] = {}
        self._batch = 0

    def hello(self) -> Welcome:
        """Begin a session; the one before is over."""
        welcome = self.say("hello", self._hello, Welcome)
        self.id, self.client_id, self.session = welcome.node_id, welcome.client_id, welcome.session
        self.config = welcome.config
        return welcome

    def die(self) -> None:
        """Lose everything but the spool, without a word."""
        self.session = ""
        for memory in (self.orders, self.dropped, self.held, self.ready, self.sent, self.seconds):
            memory.clear()

    def come_back(self) -> Welcome:
        """Start again after a death."""
        return self.hello()

    def beat(self, rps_per_host: int | None = None) -> Orders:
        """Report and obey. rps_per_host: what it says that it may still be sending to one host."""
        progress = (*(self._progress(run_id) for run_id in self._known()), *self.dropped.values())
        version = self.config.version if self.config else 0
        beat = Heartbeat(self.id, self.session, self._now(), version, progress, rps_per_host=rps_per_host)
        orders = self.say("heartbeat", beat, Orders)
        self.config = orders.config or self.config
        self._obey({order.run_id: order for order in orders.runs})
        return orders

    def record(self, run_id: str, count: int = 1, *, baselines: Iterable[Baseline] | None = None) -> list[Baseline]:
        """Record baselines into the spool: the given ones, or so many that differ."""
        made = list(baselines) if baselines is not None else [baseline() for _ in range(count)]
        order = self.orders[run_id]
        assert order.recording, f"{run_id} is not to be recorded"
        self.spool.setdefault(run_id, (order.record_id, []))[1].extend(made)
        return made

    def hand_over(self, run_id: str) -> Stored:
        """Send the spool's baselines of a run; what is acknowledged leaves the spool."""
        record_id, unsent = self.spool.get(run_id, ("", []))
        stored = self.say("baselines", Recorded(self.id, self.session, run_id, record_id, tuple(unsent)), Stored)
        gone = {*stored.stored, *(name for name, _ in stored.refused)}
        unsent[:] = [item for item in unsent if item.id not in gone]
        if not unsent:
            self.spool.pop(run_id, None)
        return stored

    def claim(self, run_id: str, count: int = 1, *, ahead: int = 0, lose_answer: bool = False) -> Work:
        """Ask for baselines, some of them to have at hand; with `lose_answer` the answer never reaches the node."""
        ready = self.ready.setdefault(run_id, {})
        holding = tuple(self.held.get(run_id, ()))
        lease = (run_id, self._generation(run_id))
        parts = None
        if self.in_parts:
            having = [*self.held.get(run_id, {}).items(), *ready.items()]
            parts = tuple((name, each.todo.part) for name, each in having if each.todo.part)
        work = self.say(
            "claim", Claim(self.id, self.session, *lease, count, holding, ahead, tuple(ready), parts=parts), Work
        )
        belated = {name for name, _ in work.belated}
        todo = {name: Todo(made, Pass(last), name in belated) for name, made, last, _ in work.parts or ()}
        if not lose_answer:
            for item in work.baselines:
                self.held.setdefault(run_id, {}).setdefault(item.id, Held(item, todo.get(item.id, EVERYTHING)))
            ready.update((item.id, Held(item, todo.get(item.id, EVERYTHING))) for item in work.ahead)
        return work

    def describe(self, run_id: str, users: int | None = None, *notes: str) -> Described:
        """Ask for what nobody has sent yet, or tell as how many users that let the node in."""
        message = Describe(self.id, self.session, run_id, self._generation(run_id), users, notes)
        return self.say("describe", message, Described)

    def tell_beside(self, run_id: str, *found: tuple[str, bytes], note: str = "") -> Described:
        """Tell of drafts that stand beside those of the record."""
        notes = (note,) if note else ()
        message = Describe(self.id, self.session, run_id, self._generation(run_id), None, notes, found)
        return self.say("describe", message, Described)

    def acquaint(
        self,
        run_id: str,
        after: int = 0,
        *let_in: LearnedCookie,
        answered: tuple[Exchange, ...] = (),
        notes: tuple[str, ...] = (),
        headers: tuple[str, ...] = (),
    ) -> Acquainted:
        """Ask what was recorded behind a place of its record; tell what the target wants, what senders are answered, and notes."""
        message = Acquaint(
            self.id, self.session, run_id, self._generation(run_id), after, let_in, answered, notes, headers
        )
        return self.say("acquaint", message, Acquainted)

    def begin(self, run_id: str) -> str:
        """Begin with the next that is at hand, without a word; its identifier."""
        name, item = next(iter(self.ready[run_id].items()))
        del self.ready[run_id][name]
        self.held.setdefault(run_id, {})[name] = item
        return name

    def send(self, run_id: str, count: int, baseline_id: str | None = None) -> None:
        """Pretend to have sent test requests, for one held baseline."""
        held = self.held[run_id][baseline_id or next(iter(self.held[run_id]))]
        held.sent += count
        self.sent[run_id] = self.sent.get(run_id, 0) + count
        seconds = self.seconds.setdefault(run_id, {})
        second = int(self._now())
        seconds[second] = seconds.get(second, 0) + count

    def find(self, run_id: str, baseline_id: str | None = None, *, type_: str = "sqli") -> Accepted:
        """Report a vulnerability before the baseline is finished."""
        item = self._held(run_id, baseline_id)
        found = (vulnerable(item.baseline, type_),)
        result = Result(baseline_id=item.baseline.id, final=False, verdicts=found, sent=item.sent, part=item.todo.part)
        return self.report(run_id, result)

    def finish(
        self,
        run_id: str,
        status: str = "passed",
        baseline_id: str | None = None,
        *,
        reason: str | None = None,
        detail: str = "",
        authenticated: tuple[int, int] = (0, 0),
        left: int = 0,
        made: int = 0,
    ) -> Accepted:
        """Report the end of a held baseline's checks, or of a part of them; `failed` brings a vulnerability with it. made:
        so many passes are made where something is left; unless told, as the turn has it.
        """
        item = self._held(run_id, baseline_id)
        verdicts = (vulnerable(item.baseline),) if status == "failed" else ()
        result = Result(
            baseline_id=item.baseline.id,
            final=not left,
            status=status,
            reason=reason,
            detail=detail,
            verdicts=verdicts,
            sent=item.sent,
            authenticated=authenticated,
            left=left,
            made=made or (item.todo.made if item.todo.belated else item.todo.up_to + 1),
            part=item.todo.part,
        )
        accepted = self.report(run_id, result)
        del self.held[run_id][item.baseline.id]
        return accepted

    def report(self, run_id: str, *results: Result, generation: int | None = None) -> Accepted:
        """Report results as they are given."""
        lease = self._generation(run_id) if generation is None else generation
        return self.say("results", Results(self.id, self.session, run_id, lease, results), Accepted)

    def count(self, *endpoints: EndpointCount) -> Added:
        """Hand over one batch of traffic counts."""
        self._batch += 1
        batch = Counts(self.id, self.session, self._hello.spool, self._batch, endpoints)
        return self.say("counts", batch, Added)

    def say(self, name: str, message: msgspec.Struct, expected: type[codec.Message]) -> codec.Message:
        """One message and its answer. Raises Refused."""
        answer = self._http.post(
            f"/v1/node/{name}",
            content=codec.encode(message),
            headers={"X-Service-API-Token": self._token, "Content-Type": codec.CONTENT_TYPE},
        )
        if answer.status_code != httpx.codes.OK:
            raise Refused(answer.status_code, str(answer.json()["body"].get("error")))
        return codec.decode(answer.content, expected)

    def _known(self) -> list[str]:
        return list(dict.fromkeys([*self.orders, *self.spool]))

    def _generation(self, run_id: str) -> int:
        return self.orders[run_id].generation if run_id in self.orders else 0

    def _held(self, run_id: str, baseline_id: str | None) -> Held:
        held = self.held[run_id]
        return held[baseline_id or next(iter(held))]

    def _progress(self, run_id: str) -> RunProgress:
        order = self.orders.get(run_id)
        seconds = sorted(self.seconds.get(run_id, {}).items())
        held = self.held.get(run_id, {}).values()
        return RunProgress(
            run_id=run_id,
            generation=self._generation(run_id),
            sent=self.sent.get(run_id, 0),
            recent=tuple(pair for pair in seconds if pair[0] > self._now() - SECONDS_TOLD),
            remaining=tuple((item.baseline.id, max(0, FORECAST - item.sent)) for item in held),
            recording=order is not None and order.recording,
            unsent_baselines=len(self.spool.get(run_id, ("", []))[1]),
            start=self.starts.get(run_id),
        )

    def _obey(self, wanted: dict[str, RunOrder]) -> None:
        """Take on the orders; a run that is gone, paused or under a new lease loses what was in flight."""
        gone = [run_id for run_id in self.orders if run_id not in wanted]
        self.dropped = {run_id: msgspec.structs.replace(self._progress(run_id), recording=False) for run_id in gone}
        for run_id, order in self.orders.items():
            new = wanted.get(run_id)
            if new is None or not new.sending or new.generation != order.generation:
                self.held.pop(run_id, None)
                self.ready.pop(run_id, None)
            if new is None or new.generation != order.generation:
                self.sent.pop(run_id, None)
        self.orders = wanted


def baseline(path: str | None = None, *, method: str = "GET", body: bytes = b"", host: str = "shop.test") -> Baseline:
    """A small recorded exchange; without a path one that no other has."""
    name = secrets.token_hex(13)
    target = path if path is not None else f"/items/{name}?q=tea"
    headers = ((b"Host", host.encode()), (b"Authorization", b"Bearer abcdefghijkl"), (b"Accept", b"*/*"))
    request = Request(method, target.encode(), headers, body, "http", host, 80)
    response = Response(200, ((b"Content-Type", b"application/json"),), b'{"ok": true}', b"OK")
    return Baseline(f"bl_{name}", Exchange(request, response, time.time(), 0.01))


def vulnerable(item: Baseline, type_: str = "sqli", point: tuple[str, ...] = ("get", "q")) -> Verdict:
    """A verdict with its proof."""
    test = Exchange(item.request, Response(500, (), b"syntax error near 'tea'", b"Internal Server Error"))
    proof = Proof(test=test, control=item.exchange, verified_by="A quote broke the statement, two quotes did not.")
    return Verdict(
        outcome=Outcome.VULNERABLE, type=type_, point=point, threat=90, cwe=(89,), title="SQL injection", proof=proof
    )
