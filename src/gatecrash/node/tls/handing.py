"""TLS laid over a connection from which something was read already; asyncio's own and uvloop's alike."""

import asyncio
import ssl
from typing import cast


async def serve_tls(
    transport: asyncio.Transport, protocol: asyncio.Protocol, context: ssl.SSLContext, read: bytes, seconds: float
) -> asyncio.Transport:
    """The handshake as the server, whose client has sent `read`; returns the transport inside.

    The protocol may be handed data before this returns. Raises OSError (ssl.SSLError is one).
    """
    loop = asyncio.get_running_loop()
    starting = loop.create_task(
        loop.start_tls(transport, protocol, context, server_side=True, ssl_handshake_timeout=seconds)
    )
    # One turn of the loop, in which start_tls puts its protocol in place; what was read is handed to it as the
    # transport would, through the two public methods of every BufferedProtocol.
    await asyncio.sleep(0)
    _feed(cast("asyncio.BufferedProtocol", transport.get_protocol()), read)
    inside = await starting
    if inside is None:
        raise ConnectionAbortedError("the client left during the handshake")
    return inside


def _feed(protocol: asyncio.BufferedProtocol, data: bytes) -> None:
    while data:
        buffer = memoryview(protocol.get_buffer(len(data)))
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]
