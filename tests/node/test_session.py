"""A node that nobody hears stops, and goes on when it is heard again."""

import asyncio

import pytest
from tests.node.loop import run

from gatecrash.node.session import Lifeline, Session
from gatecrash.wire.session import Config, Welcome


@run
async def test_who_sends_waits_while_the_control_plane_is_silent() -> None:
    now = asyncio.get_running_loop().time
    lifeline = Lifeline(silence=10)
    assert not lifeline.alive
    lifeline.heard(now() - 9)
    await lifeline.wait()
    lifeline.heard(now() - 11)
    assert not lifeline.alive
    waiting = asyncio.ensure_future(lifeline.wait())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(waiting), 0.05)
    lifeline.heard(now())
    await waiting


@run
async def test_senders_wait_for_the_next_session() -> None:
    session = Session()
    waiting = asyncio.ensure_future(session.welcome())
    await asyncio.sleep(0)
    welcome = Welcome("n", "c", "s", Config(1))
    session.set(welcome)
    assert await waiting is welcome
    session.end()
    waiting = asyncio.ensure_future(session.welcome())
    await asyncio.sleep(0)
    assert not waiting.done()
    session.set(welcome)
    assert await waiting is welcome
