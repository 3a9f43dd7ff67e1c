"""Every exception that Gatecrash raises on purpose; its type says whose fault it is. And what others raise, in plain words.

GatecrashError
├── UserError            what the user gave cannot be used
│   ├── InvalidPoint
│   ├── InvalidPattern
│   ├── InvalidPolicy
│   ├── InvalidProfile
│   └── UnwritableValue
├── TargetError          the application under test did not answer as HTTP wants
├── PeerError            node and control plane do not understand each other
│   └── ProtocolMismatch
└── InternalError        ours: a state that must not be reachable
"""

import re
from typing import Final

from gatecrash.core import certificates

_NUMBER: Final = re.compile(r"^\[Errno -?\d+\] ")
# What OpenSSL says, by its version, of a server that answers a ClientHello with plain text.
NO_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})
NOT_IN_TLS: Final = "it does not speak TLS there; perhaps http:// was meant"


class GatecrashError(Exception):
    """The root: catching it catches everything raised on purpose, and no bug of a library."""


class UserError(GatecrashError):
    """What the user gave cannot be used; the text says what, where, and the way out."""


class InvalidPoint(UserError):
    """A point's notation does not name a place in a request."""


class InvalidPattern(UserError):
    """A pattern (extensions, hosts, points) cannot be read."""


class InvalidPolicy(UserError):
    """A test policy cannot be applied."""


class InvalidProfile(UserError):
    """An auth profile cannot be read or applied; the text names the field and never a value of it."""


class UnwritableValue(UserError):
    """A value that the place it was meant for cannot hold, as a line break in a header."""


class TargetError(GatecrashError):
    """The application under test was not reached, or broke the protocol."""


class PeerError(GatecrashError):
    """Node and control plane do not understand each other."""


class ProtocolMismatch(PeerError):
    """A wire message has a version or a shape that this side does not know."""


class InternalError(GatecrashError):
    """Ours: a state that must not be reachable was reached."""


def plain_reason(error: Exception, otherwise: str = "") -> str:
    """What went wrong with a connection or a file, without the number and the name that Python writes around it.

    otherwise: what else helps where a certificate was refused.
    """
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return f"its {certificates.refused(str(error), otherwise)}"
    if any(f"SSL: {each}]" in str(error) for each in NO_TLS):
        return NOT_IN_TLS
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _NUMBER.sub("", str(error)).rstrip(".") or type(error).__name__
