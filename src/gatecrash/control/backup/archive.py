"""The archive: a gzipped tar with its manifest first, written under another name and read in one pass.

What is read is checked on the way to a folder that nothing uses yet, so that what was checked is what is used.
"""

import gzip
import hashlib
import io
import os
import secrets
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, cast

from gatecrash.control.backup.manifest import MANIFEST, DamagedArchive, Entry, Manifest, decode
from gatecrash.core.errors import UserError

CHUNK = 1024 * 1024
LARGEST_MANIFEST = 1024 * 1024
_GZIP = b"\x1f\x8b"  # RFC 1952 section 2.3.1
# What is sealed does not shrink, and counts shrink about as well at once.
_LEVEL = 1

# Told of the bytes done since the last time.
Told = Callable[[int], None]


@contextmanager
def private_part(path: Path) -> Iterator[Path]:
    """A name beside the path for a file (0600, made here) that is to take its place; gone at the end if it is still there.

    Raises UserError where nothing can be written there.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def entry_of(name: str, path: Path, told: Told) -> Entry:
    """The file as the manifest tells of it."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
            size += len(piece)
            told(len(piece))
    return Entry(name, size, digest.hexdigest())


def write(path: Path, manifest: Manifest, files: Iterable[tuple[str, Path]], told: Told) -> None:
    """Write the archive over a file, and sync it. Raises UserError where that fails."""
    try:
        with path.open("r+b") as out:
            out.truncate()
            packed = gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=out, mtime=0)
            with packed, tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar:
                encoded = manifest.encode()
                tar.addfile(_member(MANIFEST, len(encoded), manifest), io.BytesIO(encoded))
                for name, source in files:
                    with source.open("rb") as file:
                        tar.addfile(
                            _member(name, source.stat().st_size, manifest), cast("IO[bytes]", _Counted(file, told))
                        )
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise UserError(f"The backup cannot be written: {error.strerror or error}.") from error


def _member(name: str, size: int, manifest: Manifest) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, manifest.made_at
    return member


class _Counted:
    """A file of which each piece that is read is told."""

    def __init__(self, file: IO[bytes], told: Told) -> None:
        self._file, self._told = file, told

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._told(len(piece))
        return piece


def unpack(path: Path, folder: Path | None, expected: Callable[[Manifest], None], told: Told) -> Manifest:
    """Check a whole archive and put its files into an empty folder, where one is given; see `place_in`.

    expected: may refuse by the manifest before anything large is read. told: of the archive's own bytes.
    Raises DamagedArchive where anything is not as the manifest says, UserError where the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_GZIP)) != _GZIP:
                raise DamagedArchive(f"{path} is no backup: give a file that `gatecrash backup` has written.")
            file.seek(0)
            return _unpack(file, folder, expected, told)
    except (EOFError, zlib.error, gzip.BadGzipFile, tarfile.TarError) as error:
        raise DamagedArchive(f"{path} is no whole backup: it was cut short or changed ({error}).") from error
    except OSError as error:
        raise UserError(f"{error.filename or path}: {error.strerror or error}.") from error


def _unpack(file: IO[bytes], folder: Path | None, expected: Callable[[Manifest], None], told: Told) -> Manifest:
    with gzip.GzipFile(fileobj=cast("IO[bytes]", _Counted(file, told))) as packed:
        with tarfile.open(fileobj=packed, mode="r|") as tar:
            manifest = _manifest(tar)
            expected(manifest)
            seen = [_take(tar, member, manifest, folder) for member in tar if member.name != MANIFEST]
        while packed.read(CHUNK):  # gzip's own checksum stands behind the last byte
            pass
    absent = {one.name for one in manifest.files} - set(seen)
    if absent:
        raise DamagedArchive(f"The backup lacks {min(absent)!r}, which its manifest names.")
    return manifest


def _manifest(tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    content = tar.extractfile(first) if first is not None and first.name == MANIFEST and first.isreg() else None
    if first is None or content is None or first.size > LARGEST_MANIFEST:
        raise DamagedArchive("This is no backup of Gatecrash: it does not begin with a manifest.")
    return decode(content.read())


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, manifest: Manifest, folder: Path | None) -> str:
    """Check one file and put it into the folder under a name of ours; its own name. Raises DamagedArchive."""
    wanted = manifest.entry(member.name)
    content = tar.extractfile(member) if member.isreg() else None
    if wanted is None or content is None:
        raise DamagedArchive(f"The backup holds {member.name!r}, which its manifest does not name as a file.")
    if member.size != wanted.size:
        raise DamagedArchive(f"{member.name!r} has {member.size} bytes and not the {wanted.size} of the manifest.")
    digest = hashlib.sha256()
    with _private(place_in(folder, member.name)) if folder else nullcontext() as out:
        while piece := content.read(CHUNK):
            digest.update(piece)
            if out is not None:
                out.write(piece)
        if out is not None:
            out.flush()
            os.fsync(out.fileno())
    if digest.hexdigest() != wanted.sha256:
        raise DamagedArchive(f"{member.name!r} was changed or damaged: its checksum is not that of the manifest.")
    return member.name


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def place_in(folder: Path, name: str) -> Path:
    """Where `unpack` puts the file of that name."""
    return folder / name.replace("/", "_")
