"""Recorded baselines at rest on the node: AES-GCM with the baseline's identifier as associated data (decisions 2).

The key is made when the first baseline is recorded, in a 0600 file outside the spool's folder, and named by the spool's
random name: a copy or a backup of the folder alone opens nothing. Who can read this user's files can read both; against
that only the machine's own protection helps. The key goes with the last baseline, so that nothing can open what is left
on the disk.
"""

import logging
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

log = logging.getLogger(__name__)

_KEY = 32
_NONCE = 12


class CannotOpen(ValueError):
    """The key is gone, or the value was changed."""


class Seal:
    """Seals for one spool. folder: the spool's own. name: the spool's."""

    def __init__(self, folder: Path, name: str) -> None:
        self._file = f"spool-{name.removeprefix('sp_')}"
        self._places = (key_dir() / self._file, folder / "key")
        self._cipher: AESGCM | None = None

    def seal(self, data: bytes, row: str) -> bytes:
        """The value, encrypted for one row."""
        if self._cipher is None:
            self._cipher = AESGCM(self._read() or self._make())
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, data, row.encode())

    def open(self, sealed: bytes, row: str) -> bytes:
        """The value back. Raises CannotOpen."""
        if self._cipher is None:
            key = self._read()
            if key is None:
                raise CannotOpen(f"its key {self._places[0]} is gone")
            self._cipher = AESGCM(key)
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], row.encode())
        except (InvalidTag, ValueError) as error:
            raise CannotOpen("it was changed, or sealed with another key") from error

    def forget(self) -> None:
        """Remove the key: nothing that it sealed is needed any more."""
        self._cipher = None
        for place in self._places:
            place.unlink(missing_ok=True)

    def _read(self) -> bytes | None:
        for place in self._places:
            try:
                key = place.read_bytes()
            except OSError:
                continue
            if len(key) == _KEY:
                return key
        return None

    def _make(self) -> bytes:
        key = secrets.token_bytes(_KEY)
        first, beside = self._places
        try:
            first.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(first, key)
        except OSError as error:
            log.warning(
                "the spool's key lies beside the spool, where it protects little; set GATECRASH_KEY_DIR",
                extra={"folder": str(first.parent), "why": error.strerror},
            )
            _write(beside, key)
        return key


def key_dir() -> Path:
    """Where key files are: GATECRASH_KEY_DIR, or this user's configuration folder."""
    given = os.environ.get("GATECRASH_KEY_DIR")
    if given:
        return Path(given).expanduser()
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "gatecrash"


def _write(path: Path, key: bytes) -> None:
    """Whole and on the disk before anything is sealed with it."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
