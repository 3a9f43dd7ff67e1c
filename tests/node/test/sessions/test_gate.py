"""Many of a session pass together, or one goes alone."""

import asyncio

from tests.node.loop import run

from gatecrash.node.test.sessions.gate import SessionGate


async def visit(gate: SessionGate, name: str, told: list[str], *, alone: bool = False) -> None:
    async with gate.alone() if alone else gate.together():
        told.append(f"{name} in")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        told.append(f"{name} out")


@run
async def test_many_pass_together_and_one_alone_waits_for_them_and_keeps_others_out() -> None:
    gate, told = SessionGate(), list[str]()
    await asyncio.gather(
        visit(gate, "a", told), visit(gate, "b", told), visit(gate, "c", told, alone=True), visit(gate, "d", told)
    )
    assert told.index("b in") < told.index("a out"), "together"
    assert max(told.index("a out"), told.index("b out")) < told.index("c in")
    assert told.index("c out") < told.index("d in")


@run
async def test_where_it_is_the_rule_everybody_goes_alone() -> None:
    gate, told = SessionGate(), list[str]()
    gate.always_alone = True
    await asyncio.gather(*[visit(gate, name, told) for name in "abc"])
    assert told == ["a in", "a out", "b in", "b out", "c in", "c out"]


@run
async def test_who_is_dropped_inside_keeps_nobody_out() -> None:
    gate, told = SessionGate(), list[str]()
    task = asyncio.ensure_future(visit(gate, "a", told))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await visit(gate, "b", told, alone=True)
    assert told[-1] == "b out"
