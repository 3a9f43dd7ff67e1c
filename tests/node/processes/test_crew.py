"""Several processes test as one: what is found, counted and limited is the same, and the death of one costs nothing."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from typing import Any

import msgspec
from tests.node.loop import run, until
from tests.node.test.test_runner import OK, hold, order

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.processes.crew import Crew
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, Welcome


@asynccontextmanager
async def working(control: ControlPlane, **named: Any) -> AsyncIterator[Crew]:
    async with AsyncExitStack() as stack:
        uplink, session, lifeline = Uplink(control.api, TOKEN), Session(), Lifeline()
        stack.push_async_callback(uplink.close)
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        lifeline.heard(asyncio.get_running_loop().time())
        crew = Crew(uplink, session, lifeline, lambda: ((), ()), **{"processes": 2, **named})
        outbox = asyncio.ensure_future(crew.outbox.send_always(uplink, session))
        stack.callback(outbox.cancel)
        stack.push_async_callback(crew.close)
        crew.start()
        yield crew


@run
async def test_all_baselines_are_tested_and_every_request_is_counted_once() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 6)
        async with working(control, workers=4) as crew:
            crew.obey(control.orders)
            await until(lambda: len(control.finals) == 6)
            assert {result.status for result in control.finals.values()} == {"passed"}
            progress = crew.progress(control.orders[0], recording=False, unsent=0)
            assert progress.sent == sum(result.sent for result in control.finals.values()) == len(target.received)
