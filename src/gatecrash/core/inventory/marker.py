"""The marker on our own test, control and login requests: signed with a key of the run, so that nobody hides behind it.

`X-Gatecrash-Marker: 2.<run>.<nonce>.<mac>`, the MAC being keyed BLAKE2b (RFC 7693 section 2.9) over the rest; in version 1,
which is still read, it was HMAC-SHA256. Who forges one counts as any request. A marker that was seen on the wire can be
sent again while its run's key is known to the node; keys are dropped when the run ends, which bounds this.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping

MARKER_HEADER = b"X-Gatecrash-Marker"
_VERSION, _FORMER = "2", b"1"
_PURPOSE = b"gatecrash marker\x00"
_LONGEST_KEY = hashlib.blake2b.MAX_KEY_SIZE
_DIGEST = 32  # bytes
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_MARKER = re.compile(rb"([12])\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{1,128})\.([0-9a-f]{64})")


class Signer:
    """Signs the markers of one run, each with a nonce of its own: a number behind what all of this signer begin with.

    What they have in common is hashed once: every test request is signed. HMAC-SHA256, two objects of OpenSSL's for each,
    took a thirtieth of the engine's time, twice as much as this.
    """

    __slots__ = ("_beginning", "_begun", "_number")

    def __init__(self, key: bytes, run_id: str, nonce: str) -> None:
        """Raises ValueError where the key is empty, or run or nonce hold anything but letters, digits, `_` and `-`."""
        if not key:
            raise ValueError("a marker needs a key: an empty one could be signed by anybody")
        if not _NAME.fullmatch(run_id) or not _NAME.fullmatch(nonce):
            raise ValueError("run and nonce of a marker are letters, digits, _ and - only")
        self._number = 0
        self._beginning = f"{_VERSION}.{run_id}.{nonce}".encode()
        self._begun = _keyed(key)
        self._begun.update(self._beginning)

    def next(self) -> bytes:
        """The marker's value for the next request."""
        self._number += 1
        # As `sign` does; asked for with every request, where a call more can be told.
        rest = b"-%x" % self._number
        whole = self._begun.copy()
        whole.update(rest)
        return b"%b%b.%b" % (self._beginning, rest, whole.hexdigest().encode())

    def sign(self, rest: bytes = b"") -> bytes:
        """The marker's value for a nonce that goes on so."""
        whole = self._begun.copy()
        whole.update(rest)
        return b"%b%b.%b" % (self._beginning, rest, whole.hexdigest().encode())


def sign_marker(key: bytes, run_id: str, nonce: str) -> bytes:
    """The marker's value for one request of the run. Raises ValueError as `Signer` does."""
    return Signer(key, run_id, nonce).sign()


def verify_marker(keys: Mapping[str, bytes], value: bytes) -> str | None:
    """The run that signed this marker, out of those whose keys are given; None for a forged or unreadable one."""
    read = _MARKER.fullmatch(value)
    if read is None:
        return None
    run_id = read[2].decode()
    key = keys.get(run_id)
    if not key:
        return None
    expected = (_former_mac if read[1] == _FORMER else _mac)(key, value[: read.start(4) - 1])
    return run_id if hmac.compare_digest(expected, read[4]) else None


def _mac(key: bytes, body: bytes) -> bytes:
    whole = _keyed(key)
    whole.update(body)
    return whole.hexdigest().encode()


def _former_mac(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, _PURPOSE + body, "sha256").hex().encode()


def _keyed(key: bytes) -> hashlib.blake2b:
    """What every marker of a key begins with."""
    fitting = key if len(key) <= _LONGEST_KEY else hashlib.blake2b(key).digest()
    return hashlib.blake2b(_PURPOSE, key=fitting, digest_size=_DIGEST)
