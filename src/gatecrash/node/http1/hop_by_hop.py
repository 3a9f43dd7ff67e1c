"""What an intermediary takes out of a head before it passes it on (RFC 9110 section 7.6.1)."""

from gatecrash.core.message import Headers
from gatecrash.node.http1.head import Framing

_ALWAYS = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-connection",
        b"te",
        b"upgrade",
        b"proxy-authorization",
        b"proxy-authenticate",
        b"proxy-authentication-info",
    )
)
_NEVER = frozenset((b"host", b"content-length", b"transfer-encoding", b"authorization", b"cookie"))
"""End-to-end fields that a Connection header may not take away: naming them there is an attack, not a wish."""


class _Spellings(dict[bytes, bool]):
    """Whether a name, in the spelling seen, always goes; each spelling is lowered once, and few are remembered."""

    def __missing__(self, name: bytes) -> bool:
        goes = name.lower() in _ALWAYS
        if len(self) < _MAX_SPELLINGS:
            self[name] = goes
        return goes


_MAX_SPELLINGS = 4096
_goes = _Spellings()


def is_websocket(framing: Framing) -> bool:
    """Whether the head asks for, or agrees to, a change to WebSocket; other upgrades (h2c) are not passed on."""
    return b"upgrade" in framing.options and framing.upgrade.strip() == b"websocket"


def end_to_end(headers: Headers, framing: Framing) -> Headers:
    """The headers that travel on, in their order and spelling.

    Transfer-Encoding stays: the body is passed on in the same coding. For WebSocket, Upgrade stays and Connection says so.
    """
    if not framing.options and not framing.upgrade:
        return tuple([pair for pair in headers if not _goes[pair[0]]])
    named = _ALWAYS.union(framing.options) - _NEVER
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
