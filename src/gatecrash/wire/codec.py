"""Bytes of a wire message: one version byte, then msgpack of an array-like struct.

Fields are only ever appended with a default, so that a node and a control plane one minor version apart understand each
other; a change that breaks this raises `VERSION`.
"""

from typing import TypeVar

import msgspec

from gatecrash.core.errors import ProtocolMismatch

VERSION = 1
CONTENT_TYPE = "application/vnd.gatecrash.node+msgpack"

Message = TypeVar("Message", bound=msgspec.Struct)

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[type, msgspec.msgpack.Decoder[msgspec.Struct]] = {}


def encode(message: msgspec.Struct) -> bytes:
    """The message as bytes for the wire or the spool."""
    return bytes((VERSION,)) + _encoder.encode(message)


def decode(data: bytes, expected: type[Message]) -> Message:
    """The message of the expected type.

    Raises ProtocolMismatch where the version or the shape is another.
    """
    if data[:1] != bytes((VERSION,)):
        raise ProtocolMismatch(
            f"The message has wire version {data[0] if data else 'none'}; this side speaks {VERSION}. "
            "Node and control plane may differ by one minor version at most: upgrade the older one."
        )
    decoder = _decoders.get(expected)
    if decoder is None:
        decoder = _decoders[expected] = msgspec.msgpack.Decoder(expected)
    try:
        message = decoder.decode(memoryview(data)[1:])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:  # the latter for a text that is not UTF-8
        raise ProtocolMismatch(f"The message is no {expected.__name__}: {error}") from error
    assert isinstance(message, expected)
    return message
