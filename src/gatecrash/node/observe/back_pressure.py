"""Who sends faster than the other side takes is not read meanwhile."""

import asyncio


def set_reading(transport: asyncio.Transport | None, *, on: bool) -> None:
    """Stops reading, or reads on; nothing happens where the connection is closing, or not there yet."""
    if transport is None or transport.is_closing():
        return
    if on:
        transport.resume_reading()
    else:
        transport.pause_reading()
