"""gRPC by its content types."""

import pytest

from gatecrash.core.inventory.protocols.call import Call
from gatecrash.core.inventory.protocols.grpc import SPEAKER, is_grpc


@pytest.mark.parametrize(
    ("content_type", "operations"),
    [
        (b"application/grpc", ("",)),
        (b"application/grpc+proto", ("",)),
        (b"application/grpc-web", ("",)),
        (b"application/grpc-web-text+proto", ("",)),
        (b"application/grpcish", None),
        (b"application/json", None),
        (b"", None),
    ],
)
def test_the_content_type_tells(content_type, operations):
    assert SPEAKER.operations(Call("POST", b"/tea.Shop/Brew", b"", content_type)) == operations
    assert is_grpc(content_type) is (operations is not None)
