"""The marker on our own test, control and login requests: signed with a key of the run, so that nobody hides behind it.

`X-Gatecrash-Marker: 1.<run>.<nonce>.<mac>`, the MAC being HMAC-SHA256 over the rest. Who forges one counts as any
request. A marker that was seen on the wire can be sent again while its run's key is known to the node; keys are dropped
when the run ends, which bounds this.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping

MARKER_HEADER = b"X-Gatecrash-Marker"
_VERSION = "1"
_PURPOSE = b"gatecrash marker\x00"
_BLOCK = 64  # bytes of a block of SHA-256
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_MARKER = re.compile(rb"1\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{1,128})\.([0-9a-f]{64})")


class Signer:
    """Signs the markers of one run, each with a nonce of its own: a number behind what all of this signer begin with.

    What they have in common is hashed once: every test request is signed, and begun anew the HMAC alone was a twentieth of
    the engine's time.
    """

    __slots__ = ("_beginning", "_inner", "_outer", "_signed")

    def __init__(self, key: bytes, run_id: str, nonce: str) -> None:
        """Raises ValueError where the key is empty, or run or nonce hold anything but letters, digits, `_` and `-`."""
        if not key:
            raise ValueError("a marker needs a key: an empty one could be signed by anybody")
        if not _NAME.fullmatch(run_id) or not _NAME.fullmatch(nonce):
            raise ValueError("run and nonce of a marker are letters, digits, _ and - only")
        self._signed = 0
        self._beginning = f"{_VERSION}.{run_id}.{nonce}".encode()
        self._inner, self._outer = _begun(key)
        self._inner.update(self._beginning)

    def next(self) -> bytes:
        """The marker's value for the next request."""
        self._signed += 1
        return self.sign(b"-%x" % self._signed)

    def sign(self, rest: bytes = b"") -> bytes:
        """The marker's value for a nonce that goes on so."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(rest)
        outer.update(inner.digest())
        return b"%b%b.%b" % (self._beginning, rest, outer.hexdigest().encode())


def sign_marker(key: bytes, run_id: str, nonce: str) -> bytes:
    """The marker's value for one request of the run. Raises ValueError as `Signer` does."""
    return Signer(key, run_id, nonce).sign()


def verify_marker(keys: Mapping[str, bytes], value: bytes) -> str | None:
    """The run that signed this marker, out of those whose keys are given; None for a forged or unreadable one."""
    read = _MARKER.fullmatch(value)
    if read is None:
        return None
    run_id = read[1].decode()
    key = keys.get(run_id)
    if not key:
        return None
    expected = _mac(key, value[: read.start(3) - 1])
    return run_id if hmac.compare_digest(expected, read[3]) else None


def _mac(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, _PURPOSE + body, "sha256").hex().encode()


def _begun(key: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """HMAC's two hashes (RFC 2104 section 2) with what every marker of a key begins with."""
    block = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\x00")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + _PURPOSE)
    return inner, hashlib.sha256(bytes(byte ^ 0x5C for byte in block))
