"""A limit is one for all processes: whoever takes a slot or passes the gate, the others count it."""

import asyncio
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.testing.pacing.windows import WINDOW
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.limits import HORIZON, Limit, Line


def two(folder: Path, rps: int) -> tuple[Limit, Limit]:
    """One limit, as two processes have it."""
    return Limit(Board(folder, 0), "run", rps), Limit(Board(folder, 1), "run", rps)


def test_slots_are_handed_out_one_after_the_other_to_all(tmp_path: Path) -> None:
    one, other = two(tmp_path, 100)
    times = [limit.take()[0] for limit in (one, other, one, one, other)]
    assert [late - soon for soon, late in pairwise(times)] == pytest.approx([0.0102] * 4)


def test_nobody_takes_slots_that_lie_far_ahead(tmp_path: Path) -> None:
    one, other = two(tmp_path, 5)
    assert one.take()[1]
    at, taken = other.take()
    assert not taken
    assert at - time.monotonic() > HORIZON
    assert one.take() == (at, False), "it is still to be had, by whoever asks in time"


def test_the_gate_counts_what_any_process_sent(tmp_path: Path) -> None:
    one, other = two(tmp_path, 3)
    assert [limit.pass_at(10.0) for limit in (one, other, one)] == [0, 0, 0]
    wait = other.pass_at(10.5)
    assert 0.5 < wait < 0.52
    assert one.wait(10.0 + WINDOW) > 0, "a window that holds both ends would hold one too many"
    assert one.pass_at(11.01) == 0


def test_the_gate_keeps_the_times_of_the_highest_limit(tmp_path: Path) -> None:
    one, other = two(tmp_path, 1000)
    for number in range(5000):
        now = 100.0 + number / 900
        assert (one if number % 2 else other).pass_at(now) == 0
    one.rps = 100
    assert one.wait(now) > 0.8, "a lower limit counts what was sent before"


class Closed(Limit):
    """A limit that has no slot until it is opened, and then one at once: whoever asks first waits before the others."""

    is_open = False

    def take(self) -> tuple[float, bool]:
        return time.monotonic() + (0.0 if self.is_open else HORIZON), self.is_open


@run
async def test_an_urgent_request_goes_before_those_that_wait(tmp_path: Path) -> None:
    limit = Closed(Board(tmp_path, 0), "run", 20)
    line = Line(limit)
    order: list[str] = []

    async def go(name: str, *, urgent: bool = False) -> None:
        await line.turn(urgent=urgent)
        order.append(name)

    waiting = [asyncio.ensure_future(go(name)) for name in "abcdef"]
    await asyncio.sleep(0)
    waiting[4].cancel()
    urgent = asyncio.ensure_future(go("login", urgent=True))
    await asyncio.sleep(0)
    limit.is_open = True
    await asyncio.gather(*waiting[:4], waiting[5], urgent)
    assert order == ["a", "login", "b", "c", "d", "f"]
