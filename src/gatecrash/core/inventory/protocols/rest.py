"""REST, and whatever else is told apart by method and path alone."""

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker


def operations(call: Call) -> tuple[str, ...] | None:
    """Always the one operation that method and path are."""
    del call
    return ("",)


SPEAKER = Speaker(Protocol.REST, operations)
