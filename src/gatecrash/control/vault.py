"""Secrets at rest: AES-GCM with the client and the row as associated data (decisions 2).

A sealed value is `version (1) | key name (8) | nonce (12) | ciphertext and tag`. Copied to another row or client it does
not open. The key's name is a digest of the key, so a ring may hold several: new values take the first, old ones find
theirs. NIST SP 800-38D limits random 96-bit nonces to 2^32 values per key; rotate before that.
"""

import base64
import binascii
import hashlib
import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from gatecrash.control import keys
from gatecrash.core.errors import InternalError, UserError

_VERSION = b"\x01"
_NAME = 8
_NONCE = 12
_HEAD = 1 + _NAME + _NONCE


class InvalidKey(UserError):
    """A key is not base64 of 32 bytes."""


class CannotOpen(InternalError):
    """A sealed value was changed, belongs to another row, or its key is not in the ring."""


class Vault:
    """Seals and opens with a ring of keys."""

    def __init__(self, ring: list[str]) -> None:
        """Take keys as base64 text, the one for new values first. Raises InvalidKey."""
        if not ring:
            raise InvalidKey("there is no key: set GATECRASH_KEYS or restore the key file")
        raw = [_decode(key) for key in ring]
        self._ciphers = {_name(key): AESGCM(key) for key in raw}
        self._first = _name(raw[0])

    def seal(self, value: bytes, *, client_id: str, row: str) -> bytes:
        """The value, encrypted for one client's row."""
        nonce = os.urandom(_NONCE)
        head = _VERSION + self._first + nonce
        return head + self._ciphers[self._first].encrypt(nonce, value, _associated(head, client_id, row))

    def open(self, sealed: bytes, *, client_id: str, row: str) -> bytes:
        """The value back. Raises CannotOpen."""
        sealed = bytes(sealed)
        head = sealed[:_HEAD]
        if head[:1] != _VERSION or len(head) < _HEAD:
            raise CannotOpen("this is no sealed value")
        cipher = self._ciphers.get(head[1 : 1 + _NAME])
        if cipher is None:
            raise CannotOpen(
                f"sealed with key {head[1 : 1 + _NAME].hex()}, which is not in the ring: "
                "add the key to GATECRASH_KEYS or restore the key file"
            )
        try:
            return cipher.decrypt(head[1 + _NAME :], sealed[_HEAD:], _associated(head, client_id, row))
        except InvalidTag as error:
            raise CannotOpen(f"the sealed value of {row} was changed, or belongs to another row") from error

    def knows(self, sealed: bytes) -> bool:
        """Whether the key that sealed the value is in the ring."""
        return bytes(sealed[1 : 1 + _NAME]) in self._ciphers

    @property
    def first(self) -> bytes:
        """The name of the key for new values; it stands in each of them behind the first byte."""
        return self._first

    def is_current(self, sealed: bytes) -> bool:
        """Whether the value was sealed with the first key; where not, seal it again after a rotation."""
        return bytes(sealed[1 : 1 + _NAME]) == self._first

    def reseal(self, sealed: bytes, *, client_id: str, row: str) -> bytes:
        """The same value under the first key. Raises CannotOpen."""
        if self.is_current(sealed):
            return sealed
        return self.seal(self.open(sealed, client_id=client_id, row=row), client_id=client_id, row=row)


@lru_cache(maxsize=1)
def vault() -> Vault:
    """The vault of this installation's keys."""
    return Vault(settings.VAULT_KEYS)


def seal(value: bytes, *, client_id: str, row: str) -> bytes:
    """Encrypt for one client's row with this installation's keys."""
    return vault().seal(value, client_id=client_id, row=row)


def unseal(sealed: bytes, *, client_id: str, row: str) -> bytes:
    """Decrypt with this installation's keys. Raises CannotOpen.

    A key that is not known may be one that a rotation has put into the key file since this process began.
    """
    if not vault().knows(sealed):
        settings.VAULT_KEYS = keys.grown(settings.VAULT_KEYS, settings.DATA_DIR, settings.KEY_DIR)
        vault.cache_clear()
    return vault().open(sealed, client_id=client_id, row=row)


def name_of(key: str) -> str:
    """A key's public name in hex, as it stands in what the key sealed. Raises InvalidKey."""
    return _name(_decode(key)).hex()


def _decode(key: str) -> bytes:
    try:
        raw = base64.b64decode(key.encode("ascii"), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise InvalidKey("a key is no base64 text") from error
    if len(raw) != 32:
        raise InvalidKey(f"a key has {len(raw)} bytes; 32 are needed")
    return raw


def _name(key: bytes) -> bytes:
    """A key's public name: a digest under its own prefix, which says nothing about the key."""
    return hashlib.sha256(b"gatecrash key name" + key).digest()[:_NAME]


def _associated(head: bytes, client_id: str, row: str) -> bytes:
    """What the tag covers besides the value; the lengths keep ("a", "bc") and ("ab", "c") apart."""
    parts = (client_id.encode(), row.encode())
    return head + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
