"""What the probes find on the range: recall and false claims by class, the requests they cost, and bounds for what was not seen.

A claim of a class that is not at the place is false, whatever else is there.
"""

import importlib
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from gatecrash.core.message import Request
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Outcome
from tests.core.testing.driving import credentials_of, drive, record
from tests.range.place import PLACES, Place, respond
from tests.range.serving import Client, addressed, served


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
    """One baseline, tested by all probes. claimed: the classes that were found. decided: whether its own class was judged."""

    place: Place
    request: Request
    claimed: frozenset[str]
    decided: bool
    spent: dict[str, int]

    @property
    def found(self) -> bool:
        return self.place.type in self.claimed

    @property
    def false(self) -> frozenset[str]:
        """Claims of what is not there."""
        there = {self.place.type, *self.place.also} if self.place.flaw else set(self.place.also)
        return self.claimed - there


def tried(place: Place, request: Request, port: int, asked: Iterable[Probe], seed: int) -> Trial:
    """One baseline recorded and tested over the port."""

    client = Client(port)
    spent: dict[str, int] = defaultdict(int)
    claimed, decided = set(), False
    try:
        ready = addressed(request, port)
        for check in plan(record(client, ready), THOROUGH, credentials_of(ready), asked):
            run = drive(check, client, seed)
            spent[check.probe.type] += len(run.sent)
            if run.verdict.outcome is Outcome.VULNERABLE:
                claimed.add(run.verdict.type)
            if check.probe.type == place.type and run.verdict.outcome is not Outcome.INCONCLUSIVE:
                decided = True
    finally:
        client.close()
    return Trial(place, request, frozenset(claimed), decided, dict(spent))


def measure(chosen: Iterable[Place], *, first_only: bool = False, seed: int = 1, threads: int = 4) -> list[Trial]:
    """Every baseline of the chosen places, some at once."""
    asked = probes()
    jobs = [(place, request) for place in chosen for request in place.requests[: 1 if first_only else None]]
    with served(respond) as port, ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda job: tried(*job, port, asked, seed), jobs))


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
    """One class in figures."""

    flaws: int = 0
    found: int = 0
    replayed: int = 0
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
            line.flaws += 1
            line.found += trial.found
            line.replayed += place.replayed
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
                    line.wrong.append(f"false claim: {type_} at {trial.place} {trial.request.method}")
            line.requests += trial.spent.get(type_, 0)
    return dict(lines)
