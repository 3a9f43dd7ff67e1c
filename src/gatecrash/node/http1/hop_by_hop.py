"""What an intermediary takes out of a head before it passes it on (RFC 9110 section 7.6.1)."""

from gatecrash.core.message import Headers
from gatecrash.node.http1.head import HOP, Framing

_NEVER = frozenset((b"host", b"content-length", b"transfer-encoding", b"authorization", b"cookie"))
"""End-to-end fields that a Connection header may not take away: naming them there is an attack, not a wish."""


def is_websocket(framing: Framing) -> bool:
    """Whether the head asks for, or agrees to, a change to WebSocket; other upgrades (h2c) are not passed on."""
    return b"upgrade" in framing.options and framing.upgrade.strip() == b"websocket"


def end_to_end(headers: Headers, framing: Framing) -> Headers:
    """The headers that travel on, in their order and spelling. framing: what these headers, or nearly these, say.

    Transfer-Encoding stays: the body is passed on in the same coding. For WebSocket, Upgrade stays and Connection says so.
    """
    if not framing.hop:
        return headers
    named = HOP.union(framing.options) - _NEVER
    if is_websocket(framing):
        return _with_upgrade(headers, named)
    return tuple([pair for pair in headers if pair[0].lower() not in named])


def _with_upgrade(headers: Headers, named: frozenset[bytes]) -> Headers:
    kept: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        lowered = name.lower()
        if lowered == b"connection":
            kept.append((name, b"Upgrade"))
        elif lowered == b"upgrade" or lowered not in named:
            kept.append((name, value))
    return tuple(kept)
