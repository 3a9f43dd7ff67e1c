"""A backup put in an installation's place: checked, filled aside, migrated there, and only then exchanged.

The order makes every moment a whole one: keys are only ever added, the exchange of the database is one step, and what
comes after it are copies of what `gatecrash up` makes anew where it is absent.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gatecrash.control import keys, vault
from gatecrash.control.backup import manifest as names
from gatecrash.control.backup.archive import place_in, unpack
from gatecrash.control.backup.making import Progress, target
from gatecrash.control.backup.manifest import Manifest
from gatecrash.control.backup.staged import bring_up_to_date
from gatecrash.control.backup.targets import Target, target_of
from gatecrash.core.errors import UserError

_STAGING = ".restoring-"
# Migrating makes new tables beside the old ones.
_ROOM = 1.5


@dataclass(frozen=True)
class Restored:
    """migrated: how many migrations it lacked. aside: the old database, if there was one.

    missing: public names of keys that are not here, without which some of what is sealed cannot be opened. ring: the file
    that wants them.
    """

    manifest: Manifest
    migrated: int
    aside: str | None
    missing: tuple[str, ...]
    ring: Path


def verify(path: Path, progress: Progress) -> Manifest:
    """Check a whole archive, and write nothing. Raises DamagedArchive, UserError."""
    return unpack(path, None, lambda _: None, progress.step("Checking the backup", _size(path)))


def restore(
    path: Path, *, data_dir: Path, key_dir: Path, database_url: str, replace: bool, progress: Progress
) -> Restored:
    """Restore an archive. The caller holds the data directory's lock.

    Raises UserError where the archive, its version or the database does not allow it, TargetError where the server is away:
    the installation is then as it was.
    """
    to = target_of(database_url)

    def allowed(manifest: Manifest) -> None:
        _refuse(manifest, to, replace)
        _refuse_full(to.folder or data_dir, manifest)

    try:
        with _staging(to.folder or data_dir) as folder:
            manifest = unpack(path, folder, allowed, progress.step("Checking the backup", _size(path)))
            progress.step("Restoring beside the database in use" if replace else "Restoring", None)
            url = to.stage(place_in(folder, names.DATABASE))
            progress.step("Bringing it to this version's shape", None)
            migrated = bring_up_to_date(url, folder, _told(manifest))
            missing = _bring_keys(manifest, folder, data_dir, key_dir)
            now = int(time.time())
            aside = to.take_place(now)
            _bring_files(manifest, folder, data_dir, now)
    finally:
        to.discard()
    return Restored(manifest, migrated, aside, missing, keys.ring_file(data_dir, key_dir))


def _told(manifest: Manifest) -> dict[str, str]:
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(manifest.made_at))
    return {"made_at": made, "program": manifest.program}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}.") from error


def _refuse(manifest: Manifest, to: Target, replace: bool) -> None:
    if manifest.kind != to.kind:
        raise UserError(
            f"The backup is of a database of the kind {manifest.kind}, and this installation's is {to.kind}: "
            "name another with --database-url."
        )
    to.refuse(manifest, replace)


def _refuse_full(folder: Path, manifest: Manifest) -> None:
    needed = int(sum(one.size for one in manifest.files) * _ROOM)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise UserError(f"{folder} has {free} bytes left, and restoring takes about {needed}.")


@contextmanager
def _staging(parent: Path) -> Iterator[Path]:
    """A folder on the file system of what will be exchanged; those of restores that were killed go first."""
    try:
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in parent.glob(f"{_STAGING}*"):
            shutil.rmtree(left)
        folder = Path(tempfile.mkdtemp(prefix=_STAGING, dir=parent))
    except OSError as error:
        raise UserError(f"{error.filename or parent}: {error.strerror}.") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _bring_keys(manifest: Manifest, folder: Path, data_dir: Path, key_dir: Path) -> tuple[str, ...]:
    """Add the keys that the backup needs and that are in it, or on this machine; the names of those that are missing."""
    named = data_dir / "installation"
    if not named.exists():
        keys.write_ring(named, [manifest.installation])
    if os.environ.get("GATECRASH_KEYS"):
        return _lacking(manifest, keys.ring(data_dir, key_dir))
    ring = keys.ring_file(data_dir, key_dir)
    have = _lines(ring)
    offered = [*_lines(place_in(folder, names.RING)), *_lines(key_dir / f"keys-{manifest.installation}")]
    wanted = _lacking(manifest, have)
    added = list(dict.fromkeys(key for key in offered if vault.name_of(key) in wanted))
    if added:
        keys.write_ring(ring, have + added)
    secret, kept = place_in(folder, names.SECRET), key_dir / ring.name.replace("keys-", "secret-", 1)
    if secret.exists() and not kept.exists():
        keys.write_ring(kept, _lines(secret))
    return _lacking(manifest, have + added)


def _lacking(manifest: Manifest, ring: list[str]) -> tuple[str, ...]:
    known = {vault.name_of(key) for key in ring}
    return tuple(name for name in manifest.vault_keys if name not in known)


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split() if path.is_file() else []


def _bring_files(manifest: Manifest, folder: Path, data_dir: Path, now: int) -> None:
    """Put the data directory's files into their places, older ones kept under another name."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    for entry in manifest.files:
        if not entry.name.startswith("data/"):
            continue
        source, place = place_in(folder, entry.name), target(data_dir, entry.name)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if place.exists() and place.read_bytes() != source.read_bytes():
            place.replace(place.with_name(f"{place.name}.before-restore-{stamp}"))
        shutil.move(source, place)
