"""`gatecrash scan` of a capture: asks whether its sessions are alive before anything is tested in them."""

import asyncio
import sys

import uvloop

from gatecrash.cli.interruption import INTERRUPTED, term_interrupts
from gatecrash.cli.scan_capture import ScanCapture
from gatecrash.core.testing.profiles.recorded_sign_ins import Door
from gatecrash.node.scan.liveness import dead_doors, open_sessions
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.traffic import Tally
from gatecrash.wire.session import RunOrder

ENDED, OVER = "The file ends its users' sessions itself", "The file's sessions are over"
BASELINE = "session"
"""Stands in the place of a baseline, to which the questions do not belong."""


def dead_sessions(capture: ScanCapture, order: RunOrder, way: Way) -> frozenset[Door]:
    """The logins of a capture whose sessions are over at the target."""
    sessions = open_sessions(capture.exchanges()) if not capture.drafts else {}
    if not sessions:
        return frozenset()

    async def run() -> frozenset[Door]:
        # These are no tests, and none of a run's counts is theirs.
        async with traffic_of(order, way, Tally(order.generation)) as traffic:
            return await dead_doors(sessions, lambda request: traffic.send(request, BASELINE))

    try:
        with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(run())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
