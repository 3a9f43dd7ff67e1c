"""Requests of a description that was fetched from an address, sent to where it came from, where it says nothing that holds there."""

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.formats.draft import Draft
from gatecrash.node.observe.route import Origin
from gatecrash.node.test.retargeting import redirected


def at_home(exchange: Exchange, home: Origin) -> Exchange:
    """The exchange, sent to `home` where it names no host, or another port of this machine: what is written there was the
    address of whoever wrote it.
    """
    host = exchange.request.host
    return aimed(exchange, home) if not host or is_elsewhere_here(exchange.request, home) else exchange


def is_elsewhere_here(request: Request, home: Origin) -> bool:
    """Whether both are this machine, and not the same port of it."""
    here = request.host in _LOOPBACK and home.host in _LOOPBACK
    return here and (request.scheme, request.port) != (home.scheme, home.port)


_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def aimed(exchange: Exchange, origin: Origin) -> Exchange:
    """The exchange, its request sent to this origin; a draft's spare one, too."""
    changed: dict[str, Request] = {"request": redirected(exchange.request, origin)}
    if isinstance(exchange, Draft) and exchange.spare is not None:
        changed["spare"] = redirected(exchange.spare, origin)
    return msgspec.structs.replace(exchange, **changed)
