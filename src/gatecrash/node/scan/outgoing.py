"""The way out of a scan, which has no control plane: its own sender, and traffic that nobody needs to be heard for."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import allowed_by
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.upstream_proxy import UpstreamProxy
from gatecrash.wire.session import RunOrder


class Way(msgspec.Struct, frozen=True):
    """Where tests may go, and how. proxy: through which targets are reached. browser: the program that runs a site's scripts while its
    pages are read and tested; None where they are read alone.
    """

    allowed: AllowedHosts
    verify_tls: bool = True
    proxy: UpstreamProxy | None = None
    browser: str | None = None


@asynccontextmanager
async def traffic_of(order: RunOrder, way: Way, tally: Tally) -> AsyncIterator[Traffic]:
    """Traffic for an order; what it opened is closed behind it."""
    lifeline = Lifeline(math.inf)  # there is no control plane that could fall silent
    lifeline.heard(asyncio.get_running_loop().time())
    destinations = allowed_by([way.allowed], resolved_elsewhere=way.proxy is not None)
    sender = Sender(destinations, verify_tls=way.verify_tls, proxy=way.proxy)
    traffic = Traffic(order, sender, lifeline, tally)
    traffic.showing.program = way.browser
    try:
        yield traffic
    finally:
        await traffic.close()
        await sender.close()
