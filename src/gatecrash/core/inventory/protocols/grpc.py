"""gRPC and gRPC-Web: the path is `/package.Service/Method`, so it names the method by itself.

Standards and references: gRPC over HTTP2 (Requests); gRPC-Web protocol (content types).
"""

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker

_TYPE = b"application/grpc"


def operations(call: Call) -> tuple[str, ...] | None:
    """The method that the path names, by content type."""
    return ("",) if is_grpc(call.content_type) else None


def is_grpc(content_type: bytes) -> bool:
    """Whether it is `application/grpc`, with `+proto`, `-web`, `-web-text` behind or not."""
    return content_type.startswith(_TYPE) and content_type[len(_TYPE) :][:1] in (b"", b"+", b"-")


SPEAKER = Speaker(Protocol.GRPC, operations)
