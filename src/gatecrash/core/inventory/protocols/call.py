"""The contract of a protocol: from what a request says to the operations it calls, or to nothing.

A protocol keeps nothing and gives back names only, never a value; whatever a client sends, it answers in bounded time.
"""

from collections.abc import Callable
from typing import NamedTuple

from gatecrash.core.inventory.endpoint import Protocol

MOST_BYTES = 256 * 1024
MOST_NAME = 100


class Call(NamedTuple):
    """What a protocol may look at.

    content_type: the media type alone, in lower case; "" without one. content_parameters: what follows it. body: as it
    was meant, behind its content coding; empty where that is not read or where it is longer than 256 KiB.
    """

    method: str
    path: bytes
    query: bytes
    content_type: bytes = b""
    content_parameters: bytes = b""
    soap_action: bytes | None = None
    body: bytes = b""


class Speaker(NamedTuple):
    """A registered protocol. operations: the names called, "" where the path says it all; None where it is not spoken."""

    protocol: Protocol
    operations: Callable[[Call], tuple[str, ...] | None]


def is_name(name: str) -> bool:
    """Whether a name that a client wrote may be shown as an operation's: letters, digits and a few signs, not long."""
    return (
        0 < len(name) <= MOST_NAME
        and name.isascii()
        and name.replace(".", "").replace("-", "").replace("_", "").isalnum()
    )
