"""gRPC and gRPC-Web: the path is `/package.Service/Method`, so it names the method by itself.

Standards and references: gRPC over HTTP2 (Requests); gRPC-Web protocol (content types).
"""

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker

_TYPE = b"application/grpc"


def operations(call: Call) -> tuple[str, ...] | None:
    """The method that the path names, by content type: `application/grpc`, with `+proto`, `-web`, `-web-text` behind."""
    kind = call.content_type
    return ("",) if kind.startswith(_TYPE) and kind[len(_TYPE) :][:1] in (b"", b"+", b"-") else None


SPEAKER = Speaker(Protocol.GRPC, operations)
