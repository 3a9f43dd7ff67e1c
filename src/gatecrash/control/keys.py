"""Where keys come from: the environment, or 0600 files outside the data directory (decisions 2).

A data directory holds a random installation name; the key files in the key directory carry that name, so that several
installations of one user keep apart and a data directory that is moved finds its keys again. A copy of the data
directory alone opens nothing.
"""

import base64
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from gatecrash.core.errors import UserError


class KeyFileError(UserError):
    """A key file cannot be had, is readable by others, or does not hold keys."""


def installation(data_dir: Path) -> str:
    """The installation's random name, made at the first call."""
    return _read_or_create(data_dir / "installation", lambda: secrets.token_hex(8), 0o600)


def secret_key(data_dir: Path, key_dir: Path) -> str:
    """The key that signs sessions: GATECRASH_SECRET_KEY, or a file's."""
    given = os.environ.get("GATECRASH_SECRET_KEY")
    if given:
        return given
    return _private(key_dir / f"secret-{installation(data_dir)}", lambda: secrets.token_urlsafe(48))


def ring(data_dir: Path, key_dir: Path) -> list[str]:
    """The keys of secrets at rest, as base64 of 32 bytes, the one for new secrets first.

    GATECRASH_KEYS holds them separated by commas; else the key file holds one a line.
    """
    given = os.environ.get("GATECRASH_KEYS")
    if given:
        return [part.strip() for part in given.split(",") if part.strip()]
    return _private(ring_file(data_dir, key_dir), new_key).split()


def grown(known: list[str], data_dir: Path, key_dir: Path) -> list[str]:
    """These keys, with those before them that stand in the key file by now; none is forgotten, and no file is made."""
    if os.environ.get("GATECRASH_KEYS") or not ring_file(data_dir, key_dir).exists():
        return known
    return list(dict.fromkeys([*ring(data_dir, key_dir), *known]))


def ring_file(data_dir: Path, key_dir: Path) -> Path:
    """The file that `key rotate` changes."""
    return key_dir / f"keys-{installation(data_dir)}"


def new_key() -> str:
    """A fresh 256-bit key as text."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def rotate(data_dir: Path, key_dir: Path) -> None:
    """Put a fresh key before the others; old ones still open what they sealed.

    Raises KeyFileError where the keys come from the environment: only its owner can change that.
    """
    if os.environ.get("GATECRASH_KEYS"):
        raise KeyFileError("GATECRASH_KEYS is set: put a new key before the others there, and restart")
    write_ring(ring_file(data_dir, key_dir), [new_key(), *ring(data_dir, key_dir)])


def write_ring(path: Path, lines: list[str]) -> None:
    """Put other keys into a key file, in one step."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    _write(fresh, "\n".join(lines) + "\n", 0o600)
    fresh.replace(path)


def _private(path: Path, make: Callable[[], str]) -> str:
    """A key file's content. Raises KeyFileError where others could read it."""
    content = _read_or_create(path, make, 0o600)
    if path.stat().st_mode & 0o077:
        raise KeyFileError(f"{path} can be read by others: run chmod 600 on it, and consider its keys known")
    return content


def _read_or_create(path: Path, make: Callable[[], str], mode: int) -> str:
    """The file's content, made first where it is absent; two processes that start at once agree on one."""
    try:
        if not path.exists():
            _create(path, make() + "\n", mode)
        content = path.read_text("utf-8").strip()
    except OSError as error:
        raise KeyFileError(
            f"{path} cannot be made or read ({error.strerror}): its folder must be this user's; "
            "GATECRASH_KEY_DIR and GATECRASH_DATA_DIR name others"
        ) from error
    if not content:
        raise KeyFileError(f"{path} is empty")
    return content


def _create(path: Path, content: str, mode: int) -> None:
    """Make the file, unless another process is first."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    _write(draft, content, mode)
    try:
        os.link(draft, path)  # fails where another process was first, and never leaves half a file
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _write(path: Path, content: str, mode: int) -> None:
    """Write a new file with its mode from the start, and sync it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
