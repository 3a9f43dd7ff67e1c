"""One testing process of a node: `python -m gatecrash.node.processes N`, N the descriptor of its end of a socket pair."""

import sys

from gatecrash.node.children import channel_at, run_child
from gatecrash.node.processes.lane import Lane
from gatecrash.node.processes.messages import Begin, decoder


async def attend(descriptor: int) -> None:
    """Reads the first letter, and is a lane until the channel closes."""
    channel = await channel_at(descriptor, decoder)
    begin = await channel.next()
    if isinstance(begin, Begin):
        await Lane(channel, begin).run()


if __name__ == "__main__":
    run_child(attend(int(sys.argv[1])), "testing process")
