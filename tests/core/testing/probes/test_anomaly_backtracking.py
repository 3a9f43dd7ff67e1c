"""The probe anomaly_backtracking, against the range's places on the clock of the processor, and against applications with a clock
of their own.
"""

import re
import resource
import time
from random import Random

import msgspec
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, drive, record, runs
from tests.core.testing.probes.at_range import WITHOUT_NAMES, cases, told_all
from tests.range.place import respond

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.anomaly_backtracking import PROBE, forecast
from gatecrash.core.testing.verdict import Outcome

CASES = cases("anomaly_backtracking")


class Worked:
    """The range, which takes as long as it works: what else the machine does meanwhile makes no place slower."""

    def __init__(self) -> None:
        self.elapsed = 0.0

    def __call__(self, request: Request) -> Response:
        before = _seconds_of_work()
        response = respond(request)
        self.elapsed = 0.01 + _seconds_of_work() - before
        return response


def _seconds_of_work() -> float:
    """Of this thread, and of the processes that ended below it."""
    below = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.thread_time() + below.ru_utime + below.ru_stime


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    assert case.expected == told_all(runs(Worked(), case.request, (PROBE,), policy=WITHOUT_NAMES))


class Clocked:
    """An application that takes as long as it says. seconds: by the length of the first run of one letter or digit."""

    def __init__(self, seconds) -> None:  # type: ignore[no-untyped-def]
        self._seconds = seconds
        self.elapsed = 0.01
        self.longest = 0.0

    def __call__(self, request: Request) -> Response:
        value = (request.query or b"").decode().removeprefix("q=").replace("%21", "!")
        run = re.match(r"a+|1+", value)
        self.elapsed = 0.01 + self._seconds(len(run[0]) if run is not None else 0, value)
        self.longest = max(self.longest, self.elapsed)
        return Response(200, (), b"fine")


def asked(application: Clocked, value: bytes = b"tea", method: str = "GET", path: bytes = b"/") -> Run | None:
    request = Request(method, path + b"?q=" + value)
    policy = msgspec.structs.replace(THOROUGH, locations=("get",))
    found = plan(record(application, request), policy, (), (PROBE,))
    return drive(found[0], application) if found else None


@pytest.mark.parametrize("at", [9, 13, 17, 21, 25])
def test_what_doubles_with_each_character_is_found_and_never_asked_for_more_than_some_seconds(at: int) -> None:
    """at: the length of a run at which it takes as long as can be told from noise."""
    application = Clocked(lambda run, _: 0.15 * 2.0 ** (run - at))
    run = asked(application)
    assert run is not None
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert run.verdict.cwe == (1333, 400)
    assert application.longest < 5.0


@pytest.mark.parametrize(
    ("seconds", "why"),
    [
        (lambda run, value: 0.0, "quick"),
        (lambda run, value: 0.002 * run, "linear"),
        (lambda run, value: 0.3 if run > 9 else 0.0, "as long for any run"),
        (lambda run, value: 2.0, "slow"),
        (lambda run, value: 1e-4 * run * run, "a power of the length"),
    ],
)
def test_what_does_not_grow_so_is_none(seconds, why: str) -> None:  # type: ignore[no-untyped-def]
    run = asked(Clocked(seconds))
    assert run is not None
    assert run.verdict.outcome is Outcome.SAFE, why


class Busy(Clocked):
    """On a machine with other work, which makes any answer up to three times as long and some tenths of a second longer."""

    def __init__(self, seconds, seed: int) -> None:  # type: ignore[no-untyped-def]
        other = Random(seed)
        super().__init__(lambda run, value: seconds(run, value) * other.uniform(1, 3) + other.choice((0.0, 0.0, 0.3)))


def test_on_a_busy_machine_most_are_found() -> None:
    told = [asked(Busy(lambda run, _: 0.15 * 2.0 ** (run - 17), seed)) for seed in range(40)]
    assert sum(run is not None and run.verdict.outcome is Outcome.VULNERABLE for run in told) > 25


@pytest.mark.parametrize(
    "seconds",
    [lambda run, _: 0.3 if run > 9 else 0.0, lambda run, _: 0.02 * run, lambda run, _: 2e-3 * run**2],
    ids=["as long for any run", "linear", "a power of the length"],
)
def test_on_a_busy_machine_nothing_is_found_that_does_not_grow_so(seconds) -> None:  # type: ignore[no-untyped-def]
    told = [asked(Busy(seconds, seed)) for seed in range(40)]
    assert not [run for run in told if run is None or run.verdict.outcome is Outcome.VULNERABLE]


def test_what_was_slow_once_is_asked_for_again() -> None:
    times = iter([0.0, 0.0, 0.0, 0.0, 9.0])
    run = asked(Clocked(lambda run, _: next(times, 0.0)))
    assert run is not None
    assert run.verdict.outcome is Outcome.SAFE


def test_digits_are_asked_for_where_the_value_has_no_letter() -> None:
    run = asked(Clocked(lambda run, _: 0.0), b"12-34")
    assert run is not None
    assert any(b"q=111111111111%21" in each.request.target for each in run.sent)
    assert not any(b"aa" in each.request.target for each in run.sent)


def test_a_pattern_is_found_that_is_not_begun_without_the_sign_it_needs() -> None:
    """As engines do that look for the `@` of an address first."""
    application = Clocked(lambda run, value: 0.15 * 2.0 ** (run - 17) if value.endswith("!ann%40a.example") else 0.0)
    run = asked(application, b"ann@a.example")
    assert run is not None
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert application.longest < 5.0


@pytest.mark.parametrize("value", [b"tea", b"caf%C3%A9-7", b"a-" * 40])
def test_nothing_stands_behind_a_run_in_the_place_of_a_word_or_of_a_long_text(value: bytes) -> None:
    run = asked(Clocked(lambda run, _: 0.0), value)
    assert run is not None
    assert any(each.request.target == b"/?q=aaaaaaaaaaaa%21" for each in run.sent)


def test_a_sound_point_costs_what_is_forecast() -> None:
    run = asked(Clocked(lambda run, _: 0.0))
    assert run is not None
    assert len(run.sent) == forecast(run.check.situation(Random(1))) == 9
