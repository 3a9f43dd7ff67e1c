"""One testing process of a node: `python -m gatecrash.node.processes N`, N the descriptor of its end of a socket pair.

Signals of a terminal or a supervisor go to the whole group; this process ends when its main process does, and not before.
"""

import asyncio
import logging
import signal
import sys

import uvloop

from gatecrash.core.errors import GatecrashError
from gatecrash.node import journal
from gatecrash.node.children import channel_at
from gatecrash.node.garbage import collect_seldom
from gatecrash.node.processes.lane import Lane
from gatecrash.node.processes.letters import Begin, decoder

log = logging.getLogger(__name__)


async def attend(descriptor: int) -> None:
    """Reads the first letter, and is a lane until the channel closes."""
    channel = await channel_at(descriptor, decoder)
    begin = await channel.next()
    if isinstance(begin, Begin):
        await Lane(channel, begin).run()


def main() -> None:
    """Runs the lane; exits 2 where its settings cannot work."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    journal.set_up()
    collect_seldom()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(attend(int(sys.argv[1])))
    except GatecrashError as error:
        log.error("testing process cannot start", extra={"why": str(error)})  # noqa: TRY400 - the text says it
        sys.exit(2)


if __name__ == "__main__":
    main()
