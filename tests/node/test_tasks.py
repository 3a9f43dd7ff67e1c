"""Works that stand and fall together end together."""

import asyncio

import pytest
from tests.node.loop import run

from gatecrash.node.tasks import until_one_ends


async def nothing() -> None:
    """Ends at once."""


async def broken() -> None:
    """Breaks at once."""
    raise OSError("the disk is full")


async def endless(ended: list[str]) -> None:
    """Never ends by itself."""
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("cancelled")


@run
async def test_the_others_are_cancelled_when_one_ends() -> None:
    ended: list[str] = []
    await until_one_ends(nothing(), endless(ended), endless(ended))
    assert ended == ["cancelled", "cancelled"]


@run
async def test_what_breaks_one_is_raised_after_the_others_have_ended() -> None:
    ended: list[str] = []
    with pytest.raises(OSError, match="the disk is full"):
        await until_one_ends(endless(ended), broken())
    assert ended == ["cancelled"]


@run
async def test_all_end_when_who_waits_is_cancelled() -> None:
    ended: list[str] = []
    waiting = asyncio.ensure_future(until_one_ends(endless(ended), endless(ended)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended == ["cancelled", "cancelled"]
