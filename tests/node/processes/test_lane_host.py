"""What one process learns of a host holds for all, and among processes the turn goes round."""

import asyncio
from pathlib import Path

from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.lane_host import LaneHostPace, LaneHostPaces, clear_lane

REQUEST = Request("GET", b"/", (), b"", "http", "127.0.0.1", 80)


def answer(status: int, elapsed: float = 0.01, **headers: str) -> Answer:
    pairs = tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())
    return Answer(exchange=Exchange(REQUEST, Response(status, headers=pairs), elapsed=elapsed))


def lanes(folder: Path, number: int, rps: int | None = None) -> list[LaneHostPace]:
    """One host's pace, as so many processes have it."""
    return [LaneHostPace(Board(folder, lane), "127.0.0.1:80", rps) for lane in range(number)]


@run
async def test_answers_to_one_process_widen_what_all_may_have_under_way(tmp_path: Path) -> None:
    one, other = lanes(tmp_path, 2)
    for _ in range(20):
        assert one.enters("bl_1")
        assert not one.note(answer(200), 0.0, "bl_1")
        one.leave("bl_1")
    assert other.enters("bl_2")
    assert other.congestion.width == one.congestion.width > 2


@run
async def test_the_width_is_of_all_processes_together(tmp_path: Path) -> None:
    one, other = lanes(tmp_path, 2)
    assert one.enters("bl_1")
    assert other.enters("bl_2")
    assert not one.enters("bl_3"), "two at first, whoever they belong to"
    other.leave("bl_2")
    assert one.enters("bl_3")


@run
async def test_a_limiter_that_refuses_one_process_pauses_all(tmp_path: Path) -> None:
    one, other = lanes(tmp_path, 2)
    now = asyncio.get_running_loop().time()
    assert one.enters("bl_1")
    assert one.note(answer(429, Retry_After="1"), now, "bl_1")
    one.leave("bl_1")
    assert not other.enters("bl_2")
    await other.enter("bl_2")
    assert asyncio.get_running_loop().time() - now >= 0.99


@run
async def test_who_waits_in_another_process_has_its_turn(tmp_path: Path) -> None:
    """A host that bears one request at a time: nobody takes its place again before the other had it."""
    one, other = lanes(tmp_path, 2)
    for _ in range(12):
        one.note(answer(200, elapsed=0.001), 0.0, "bl_1")
        one.congestion.lost(float(_ * 10), 0.0)
    one.note(answer(503), asyncio.get_running_loop().time(), "bl_1")
    one.note(answer(200), 0.0, "bl_1")
    turns: list[int] = []

    async def ask(number: int, pace: LaneHostPace) -> None:
        for _ in range(6):
            if not pace.enters(f"bl_{number}"):
                await pace.enter(f"bl_{number}")
            turns.append(number)
            await asyncio.sleep(0.01)
            pace.leave(f"bl_{number}")

    await asyncio.gather(ask(0, one), ask(1, other))
    half = turns[: len(turns) // 2]
    assert {0, 1} == set(half)
    assert abs(half.count(0) - half.count(1)) <= 2


@run
async def test_what_a_killed_process_had_under_way_makes_room(tmp_path: Path) -> None:
    one, other = lanes(tmp_path, 2)
    assert one.enters("bl_1")
    assert one.enters("bl_2") or other.enters("bl_2")
    assert not other.enters("bl_3")
    clear_lane(Board(tmp_path), 0)
    assert other.enters("bl_3")


@run
async def test_a_limit_of_the_host_holds_for_all_and_may_change(tmp_path: Path) -> None:
    paces = [LaneHostPaces(Board(tmp_path, lane), 50) for lane in range(2)]
    one, other = (each.of(REQUEST) for each in paces)
    assert not one.enters("bl_1"), "its time is to be waited for"
    await asyncio.gather(one.enter("bl_1"), other.enter("bl_2"))
    assert one.gate is not None
    assert other.gate is not None
    assert one.gate.pass_at(5.0) == 0
    for each in paces:
        each.limit(1)
    assert other.gate.wait(5.5) > 0
    paces[0].limit(None)
    assert one.gate is None
    one.leave("bl_1")
    assert one.enters("bl_3")
