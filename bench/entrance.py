"""The tap entered where CONNECT would end, since wrk knows no proxy; as a process of a node: `python -m bench.entrance N M`."""

import asyncio
from typing import cast

from gatecrash.node.observe import proxy_process
from gatecrash.node.observe.connect import Connect
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.proxy_messages import Begin
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Interception, Tap, TapSettings

MODULE = "bench.entrance"


class Tunnelled(Connect):
    """What follows a CONNECT, for a client that sent none."""

    ESTABLISHED = b""


class Entrance(asyncio.Protocol):
    """Takes a connection to the opened tunnel."""

    def __init__(self, tap: Tap, origin: Origin) -> None:
        self.tap = tap
        self.origin = origin

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        client = cast("asyncio.Transport", transport)
        Tunnelled(self.tap, client, self.origin, str(id(self)), b"", eof=False)


class Entered(Tap):
    """A tap all of whose clients are in a tunnel to its upstream."""

    def __init__(self, settings: TapSettings, observations: Observations, interception: Interception | None) -> None:
        super().__init__(settings, observations, interception)
        assert settings.upstream is not None
        self.leads_to = settings.upstream

    def _client(self) -> Entrance:  # type: ignore[override]
        return Entrance(self, self.leads_to)


def make_tap(begin: Begin, observations: Observations) -> Tap:
    """As the node asks for it; plain without a CA."""
    if begin.inside is None:
        return proxy_process.make_tap(begin, observations)
    return Entered(begin.settings, observations, proxy_process.interception(begin.inside))


if __name__ == "__main__":
    proxy_process.main(make_tap)
