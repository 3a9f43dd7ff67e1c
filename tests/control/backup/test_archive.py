"""An archive is read whole and unchanged, or refused; nothing in it chooses where it is written."""

import gzip
import io
import random
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.control.backup.test_manifest import WHOLE

from gatecrash.control.backup import archive
from gatecrash.control.backup.manifest import DATABASE, MANIFEST, RING, DamagedArchive, Entry, Manifest
from gatecrash.core.errors import UserError


def untold(_: object) -> None:
    """Nobody listens."""


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """An archive of two files."""
    return packed(tmp_path, {DATABASE: random.Random(7).randbytes(2_500_000), RING: b"a key\n"})


def packed(folder: Path, contents: dict[str, bytes]) -> Path:
    sources = []
    for number, (name, content) in enumerate(contents.items()):
        sources.append((name, folder / f"source{number}"))
        sources[-1][1].write_bytes(content)
    files = tuple(archive.entry_of(name, source, untold) for name, source in sources)
    path = folder / "whole.tar.gz"
    with archive.private_part(path) as part:
        archive.write(part, manifest_of(files), sources, untold)
        part.replace(path)
    return path


def manifest_of(files: tuple[Entry, ...]) -> Manifest:
    return Manifest(**{**vars(WHOLE), "files": files})


def unpacked(path: Path, folder: Path) -> Manifest:
    folder.mkdir()
    return archive.unpack(path, folder, untold, untold)


def test_what_is_packed_is_unpacked_for_its_owner_only(whole: Path, tmp_path: Path) -> None:
    manifest = unpacked(whole, tmp_path / "out")
    place = archive.place_in(tmp_path / "out", RING)
    assert (place.read_bytes(), stat.S_IMODE(place.stat().st_mode)) == (b"a key\n", 0o600)
    assert place.parent == tmp_path / "out"
    assert stat.S_IMODE(whole.stat().st_mode) == 0o600
    assert archive.unpack(whole, None, untold, untold) == manifest


@pytest.mark.parametrize("lost", [1, 8, 5_000])
def test_one_that_was_cut_short_is_refused(whole: Path, tmp_path: Path, lost: int) -> None:
    whole.write_bytes(whole.read_bytes()[:-lost])
    with pytest.raises(DamagedArchive):
        unpacked(whole, tmp_path / "out")


def test_a_byte_that_was_changed_anywhere_is_found(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    for number, place in enumerate(range(20, len(content), len(content) // 12)):
        whole.write_bytes(content[:place] + bytes((content[place] ^ 1,)) + content[place + 1 :])
        with pytest.raises(DamagedArchive):
            unpacked(whole, tmp_path / f"out{number}")


def changed(path: Path, change: Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]) -> None:
    """Pack the archive's members again, changed."""
    with tarfile.open(path) as tar:
        members = [(one, tar.extractfile(one).read()) for one in tar]  # type: ignore[union-attr]
    change(members)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for one, content in members:
            tar.addfile(one, io.BytesIO(content))
    path.write_bytes(gzip.compress(out.getvalue()))


def other_bytes(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    one, content = members[1]
    members[1] = (one, bytes(len(content)))


def other_size(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    one, content = members[1]
    one.size -= 1
    members[1] = (one, content[:-1])


def a_file_left_out(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    members.pop()


def a_file_twice(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    members.append(members[-1])


def a_name_that_leads_out(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    members[2][0].name = "../../escaped"


def a_link_that_leads_out(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    one = members[2][0]
    one.type, one.linkname, one.size = tarfile.SYMTYPE, "/etc/passwd", 0
    members[2] = (one, b"")


def no_manifest(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    assert members.pop(0)[0].name == MANIFEST


@pytest.mark.parametrize(
    "change",
    [
        other_bytes,
        other_size,
        a_file_left_out,
        a_file_twice,
        a_name_that_leads_out,
        a_link_that_leads_out,
        no_manifest,
    ],
)
def test_one_that_was_tampered_with_is_refused(
    whole: Path, tmp_path: Path, change: Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]
) -> None:
    changed(whole, change)
    with pytest.raises(UserError):
        unpacked(whole, tmp_path / "out")
    assert {one.name for one in (tmp_path / "out").iterdir()} <= {"database", "keys_ring"}
    assert not (tmp_path.parent / "escaped").exists()


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"hello", gzip.compress(b"hello"), gzip.compress(b""))):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(DamagedArchive):
            unpacked(tmp_path / "file", tmp_path / f"out{number}")
    (tmp_path / "file").write_bytes(b"{}")
    with pytest.raises(DamagedArchive, match="is no backup: give a file"):
        unpacked(tmp_path / "file", tmp_path / "last")
    with pytest.raises(UserError, match="No such file"):
        archive.unpack(tmp_path / "absent", None, untold, untold)


def test_nothing_is_left_where_writing_fails(tmp_path: Path) -> None:
    def interrupted() -> None:
        with archive.private_part(tmp_path / "b.tar.gz"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UserError, match="cannot be written"), archive.private_part(tmp_path / "none" / "b.tar.gz"):
        pass
