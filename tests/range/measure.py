"""What the probes find on the range: recall and false claims by class, the requests they cost, and bounds for what was not seen.

A claim of a class that is not at the place is false, whatever else is there.
"""

import asyncio
import importlib
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import THOROUGH, Policy
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import allowed_by
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.trial import Trial as NodeTrial
from gatecrash.wire.session import RunOrder
from tests.core.testing.driving import record
from tests.range.place import PLACES, Place, respond
from tests.range.serving import Client, addressed, served
from tests.range.tenants_store import PROFILE


def order(policy: Policy) -> RunOrder:
    """A run's order. Requests of the tenants carry the tokens of its identities; all others keep what they came with."""
    return RunOrder(
        run_id="tr_range",
        generation=1,
        record_id="rec_range",
        recording=False,
        sending=True,
        policy=msgspec.structs.replace(policy, logins=policy.id == THOROUGH.id),
        profile=PROFILE,
    )


def places() -> list[Place]:
    """Every place of every module of the range."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if not path.stem.startswith(("_", "test_")):
            importlib.import_module(f"tests.range.{path.stem}")
    return list(PLACES)


def probes() -> tuple[Probe, ...]:
    """The probes whose class has places here."""
    known = {place.type for place in places()}
    return tuple(probe for probe in REGISTRY if probe.type in known)


@dataclass(frozen=True)
class Trial:
    """One baseline, tested by all probes. claimed: the classes that were found. decided: whether its own class was judged.

    seconds: what it took beside others. proofs: by class, in words, so that a false claim can be looked into without another run.
    """

    place: Place
    request: Request
    claimed: frozenset[str]
    decided: bool
    spent: dict[str, int]
    seconds: float = 0.0
    proofs: dict[str, str] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        return self.place.type in self.claimed

    @property
    def false(self) -> frozenset[str]:
        """Claims of what is not there."""
        there = {self.place.type, *self.place.also} if self.place.flaw else set(self.place.also)
        return self.claimed - there


class Counting:
    """The probes, with what each spent and concluded on one baseline."""

    def __init__(self, asked: Iterable[Probe]) -> None:
        self.spent: Counter[str] = Counter()
        self.verdicts: list[Verdict] = []
        self.probes = [msgspec.structs.replace(probe, run=self._counted(probe)) for probe in asked]

    def _counted(self, probe: Probe) -> Callable[[Situation], Dialogue]:
        def run(situation: Situation) -> Dialogue:
            dialogue = probe.run(situation)
            try:
                question = next(dialogue)
                while True:
                    self.spent[probe.type] += 1
                    # Nothing here changes by the clock alone.
                    question = dialogue.send((yield msgspec.structs.replace(question, pause=0.0)))
            except StopIteration as end:
                self.verdicts.append(end.value)
                return end.value

        return run


@dataclass(frozen=True)
class Run:
    """What all baselines of one measurement share: a node's order, its way to the wire, and what it asks for."""

    order: RunOrder
    traffic: Traffic
    asked: tuple[Probe, ...]

    async def tried(self, place: Place, baseline: Baseline) -> Trial:
        """One baseline, tested as a node tests it."""
        # A 500 over an odd byte is an anomaly wherever it comes; most places of other classes have one, so it is asked of its own.
        counting = Counting(probe for probe in self.asked if probe.type != "anomaly" or place.type == "anomaly")
        trial = NodeTrial(baseline, self.order, self.traffic, compile_recogniser(), counting.probes)
        started = time.perf_counter()
        await trial.run(lambda _: None)
        seconds = time.perf_counter() - started
        proven = [v for v in counting.verdicts if v.outcome is Outcome.VULNERABLE]
        proofs = {v.type: f"{'/'.join(v.point)}: {v.detail}: {v.proof.verified_by}" for v in proven if v.proof}
        decided = any(v.type == place.type and v.outcome is not Outcome.INCONCLUSIVE for v in counting.verdicts)
        claimed = frozenset(v.type for v in proven)
        return Trial(place, baseline.request, claimed, decided, dict(counting.spent), seconds, proofs)


async def _all(jobs: list[tuple[Place, Baseline]], read: list[Exchange], policy: Policy, at_once: int) -> list[Trial]:
    """Every baseline, some at once, over one sender as in a run. Those of hosts apart wait for their own host only.

    read: what the record holds besides.
    """
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time())
    sender = Sender(allowed_by([AllowedHosts("")]))
    wanted = order(policy)
    run = Run(wanted, Traffic(wanted, sender, lifeline, Tally(1)), probes())
    for exchange in read:
        run.traffic.met(exchange)
    room = asyncio.Semaphore(at_once)

    async def one(place: Place, baseline: Baseline) -> Trial:
        if place.apart:
            return await run.tried(place, baseline)
        async with room:
            return await run.tried(place, baseline)

    try:
        return list(await asyncio.gather(*(one(*job) for job in jobs)))
    finally:
        await sender.close()


def measure(
    chosen: Iterable[Place], *, first_only: bool = False, at_once: int = 4, policy: Policy = THOROUGH
) -> list[Trial]:
    """Every baseline of the chosen places, recorded and tested by the node's own trials over real connections."""
    with ExitStack() as hosts:
        shared = hosts.enter_context(served(respond))
        jobs, read = [], []
        for place in chosen:
            for number, request in enumerate(place.requests[: 1 if first_only else None]):
                port = hosts.enter_context(served(respond)) if place.apart else shared
                client = Client(port)
                read += [record(client, addressed(each, port)).exchange for each in place.beside]
                jobs.append((place, recorded(client, addressed(request, port), number)))
                client.close()
        return asyncio.run(_all(jobs, read, policy, at_once))


def recorded(client: Client, request: Request, number: int) -> Baseline:
    """The request with its answer, as a recorder has it."""
    exchange = record(client, request).exchange
    return Baseline(f"bl_{number}{request.target.decode('latin-1')}", exchange)


def upper_bound(seen: int, of: int, confidence: float = 0.95) -> float:
    """The largest share that is still likely where so many of so many were seen (Clopper and Pearson 1934, one-sided).

    For none seen it is 1 - 0.05 ** (1 / of), which the rule of three comes near to.
    """
    if of == 0 or seen >= of:
        return 1.0
    low, high = seen / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(seen, of, middle) > 1 - confidence else (low, middle)
    return high


def _at_most(seen: int, of: int, share: float) -> float:
    """The chance of at most so many of so many."""
    chance, total = (1 - share) ** of, 0.0
    for count in range(seen + 1):
        total += chance
        chance *= (of - count) / (count + 1) * share / (1 - share) if share < 1 else 0.0
    return total


@dataclass
class Line:
    """One class in figures. replayed, replayed_found: flaws without an engine behind them, which count for no recall."""

    flaws: int = 0
    found: int = 0
    replayed: int = 0
    replayed_found: int = 0
    sound: int = 0
    false: int = 0
    undecided: int = 0
    requests: int = 0
    wrong: list[str] = field(default_factory=list)


def tally(trials: Iterable[Trial]) -> dict[str, Line]:
    """The figures by class. sound: baselines at which the class is not."""
    lines: dict[str, Line] = defaultdict(Line)
    known = list(trials)
    for trial in known:
        place = trial.place
        if place.flaw and not place.missed:
            line = lines[place.type]
            if place.replayed:
                line.replayed += 1
                line.replayed_found += trial.found
            else:
                line.flaws += 1
                line.found += trial.found
            if not trial.found:
                line.wrong.append(f"not found: {place} {trial.request.method}")
        elif not place.flaw and place.type:
            lines[place.type].undecided += not trial.decided
    for type_, line in lines.items():
        for trial in known:
            if not ((trial.place.flaw and trial.place.type == type_) or type_ in trial.place.also):
                line.sound += 1
                if type_ in trial.false:
                    line.false += 1
                    proof = trial.proofs.get(type_, "")
                    line.wrong.append(f"false claim: {type_} at {trial.place} {trial.request.method} {proof}".rstrip())
            line.requests += trial.spent.get(type_, 0)
    return dict(lines)
