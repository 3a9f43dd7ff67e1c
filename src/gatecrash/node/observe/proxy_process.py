"""One proxying process of a node: `python -m gatecrash.node.observe.proxy_process N M`.

N is the descriptor of its end of a socket pair, M that of the socket on which it listens.
"""

import asyncio
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.children import Channel, channel_at, run_child
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.proxy_messages import Begin, End, Inside, Listening, Seen, orders
from gatecrash.node.observe.tap import Interception, Tap
from gatecrash.node.tls.authority import CertificateAuthority

BATCH = 200
BATCH_BYTES = 1024 * 1024
PAUSE_SECONDS = 0.01
"""Between two letters: those of a busy process tell of many exchanges at once, those of an idle one come at once."""

Makes = Callable[[Begin, Observations], Tap]


def make_tap(begin: Begin, observations: Observations) -> Tap:
    """The tap that the node asks for. Raises UserError where its CA cannot be used."""
    return Tap(begin.settings, observations, interception(begin.inside), name=begin.name)


async def proxy(descriptor: int, listening: int, makes: Makes = make_tap) -> None:
    """Passes traffic on and tells what passed, until the channel closes. Raises UserError."""
    channel = await channel_at(descriptor, orders)
    begin = await channel.next()
    with socket.socket(fileno=listening) as taken:
        if isinstance(begin, Begin):
            observations = Observations()
            await _serve(channel, makes(begin, observations), observations, taken)
    await channel.close()


async def _serve(channel: Channel[Begin | End], tap: Tap, observations: Observations, listening: socket.socket) -> None:
    await tap.start(listening)
    channel.post(Listening())
    telling = asyncio.ensure_future(_tell_always(observations, channel))
    await channel.next()
    await tap.close()
    telling.cancel()
    while rest := observations.take_now(BATCH, BATCH_BYTES):
        await _tell(rest, observations, channel)


async def _tell_always(observations: Observations, channel: Channel[Begin | End]) -> None:
    while True:
        await _tell(await observations.take(BATCH, BATCH_BYTES), observations, channel)
        if not observations.full_for(BATCH):
            await asyncio.sleep(PAUSE_SECONDS)


async def _tell(taken: list[Observation], observations: Observations, channel: Channel[Begin | End]) -> None:
    """Tells one batch; the next one waits in the bounded queue until this one has left."""
    channel.post(Seen(tuple(taken), observations.dropped))
    await channel.drain()


def interception(inside: Inside | None) -> Interception | None:
    """Looks into the TLS that the node says. Raises UserError where its CA cannot be used."""
    if inside is None:
        return None
    return Interception(CertificateAuthority.open(Path(inside.folder)), AllowedHosts(inside.hosts).allows)


def main(makes: Makes = make_tap) -> None:
    """Runs the process."""
    run_child(proxy(int(sys.argv[1]), int(sys.argv[2]), makes), "proxying process")


if __name__ == "__main__":
    main()
