"""Each line of a log is read once, whatever rotates it and whenever the reader ends."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gatecrash.node.observe import log_file
from gatecrash.node.observe.log_file import LOOKS, LogFile, LogPosition

KEY = b"key"


def drain(log: LogFile) -> list[bytes]:
    """All lines that are there, through the looks that end a rotated file."""
    lines: list[bytes] = []
    empty = 0
    while empty <= LOOKS:
        chunk = log.read()
        empty = 0 if chunk is not None else empty + 1
        lines += chunk.lines if chunk is not None else []
    return lines


def append(path: Path, *lines: str) -> None:
    with path.open("a") as file:
        file.writelines(line + "\n" for line in lines)


_open: list[LogFile] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _open:
        _open.pop().close()


def opened(path: Path, position: LogPosition | None = None) -> LogFile:
    _open.append(LogFile(path, KEY, position))
    return _open[-1]


def position_after(path: Path) -> LogPosition:
    log = opened(path)
    last = None
    while (chunk := log.read()) is not None:
        last = chunk
    log.close()
    assert last is not None
    return last.position


def test_what_is_there_and_what_comes_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    log = opened(path)
    assert log.read() is None, "a log that is not there yet has no lines"
    append(path, "1", "2")
    with path.open("a") as file:
        file.write("3 is not who")
    assert drain(log) == [b"1", b"2"]
    append(path, "le", "4")
    assert drain(log) == [b"3 is not whole", b"4"]
    log.close()


def test_a_restart_goes_on_behind_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1", "2")
    position = position_after(path)
    append(path, "3")
    assert drain(opened(path, position)) == [b"3"]


def test_a_renamed_log_is_read_to_its_end_then_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1")
    log = opened(path)
    assert drain(log) == [b"1"]
    path.rename(tmp_path / "a.log.1")
    append(path, "new")
    append(tmp_path / "a.log.1", "late")
    assert drain(log) == [b"late", b"new"]
    assert log.restarted == 0


def test_the_end_of_a_renamed_log_needs_no_line_end(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1")
    log = opened(path)
    assert drain(log) == [b"1"]
    path.rename(tmp_path / "a.log.1")
    with (tmp_path / "a.log.1").open("a") as file:
        file.write("cut off")
    path.touch()
    assert drain(log) == [b"cut off"]


def test_a_truncated_log_is_read_on_in_its_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1", "2")
    log = opened(path)
    assert drain(log) == [b"1", b"2"]
    append(path, "3 only in the copy")
    shutil.copy(path, tmp_path / "a.log.1")
    with path.open("w") as file:
        file.write("4\n")
    assert drain(log) == [b"3 only in the copy", b"4"]


def test_a_truncated_log_that_has_grown_past_the_place_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1")
    log = opened(path)
    assert drain(log) == [b"1"]
    with path.open("w") as file:
        file.write("another line, much longer than the first\nand one more\n")
    assert drain(log) == [b"another line, much longer than the first", b"and one more"]


@pytest.mark.parametrize("rotations", [1, 2, 3])
def test_rotations_while_nobody_reads_lose_nothing(tmp_path: Path, rotations: int) -> None:
    path = tmp_path / "a.log"
    append(path, "1", "2")
    position = position_after(path)
    append(path, "3")
    expected = [b"3"]
    for number in range(rotations):
        for old in range(number, 0, -1):
            (tmp_path / f"a.log.{old}").rename(tmp_path / f"a.log.{old + 1}")
        path.rename(tmp_path / "a.log.1")
        append(path, f"new {number}")
        expected.append(f"new {number}".encode())
    # Rotated files are told apart in time by when they were last written.
    for age, name in enumerate(["a.log", *(f"a.log.{number}" for number in range(1, rotations + 1))]):
        _written_at(tmp_path / name, 1_795_168_800 - 3600 * age)
    assert drain(opened(path, position)) == expected


def test_lines_that_differ_in_their_time_alone_tell_a_copy_from_what_came_after(tmp_path: Path) -> None:
    """As of a service that is asked for its health and nothing else: each line is as long as the others, and ends so."""
    path = tmp_path / "a.log"
    lines = [f'{{"msec":"{second:010}","http_user_agent":"{"probe" * 80}"}}' for second in range(12)]
    append(path, *lines[:4])
    left = position_after(path)
    append(path, *lines[4:8])
    shutil.copy(path, tmp_path / "a.log.1")
    path.write_bytes(b"")
    append(path, *lines[8:])
    log = opened(path, left)
    assert drain(log) == [line.encode() for line in lines[4:]]
    assert log.restarted == 0


def _written_at(path: Path, second: int) -> None:
    os.utime(path, (second, second))


def test_a_log_whose_place_is_gone_is_begun_anew_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "1", "2")
    position = position_after(path)
    path.unlink()
    append(path, "other")
    log = opened(path, position)
    assert drain(log) == [b"other"]
    assert log.restarted == 1


def test_a_line_without_end_costs_itself_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "CHUNK", 64)
    monkeypatch.setattr(log_file, "MAX_LINE", 1024)
    path = tmp_path / "a.log"
    append(path, "1", "x" * 5000, "2")
    log = opened(path)
    overlong, lines = 0, []
    for _ in range(100):
        chunk = log.read()
        if chunk is not None:
            overlong += chunk.overlong
            lines += chunk.lines
    assert (lines, overlong) == ([b"1", b"2"], 1)


def test_the_kept_place_holds_nothing_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    append(path, "Bearer a-secret-of-somebody")
    assert b"secret" not in position_after(path).tail
    assert position_after(path).tail != LogFile(path, b"other")._digest(b"Bearer a-secret-of-somebody\n")


@pytest.mark.parametrize("seed", range(30))
def test_each_line_once_through_any_mixture_of_rotation_and_restart(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    path = tmp_path / "a.log"
    path.touch()
    log = opened(path)
    assert log.read() is None
    written, seen, rotated = 0, [], 0
    position: LogPosition | None = None
    clock = 1_795_000_000
    for _ in range(60):
        step = draw.randrange(6)
        if step <= 2:
            append(path, *(f"line {written + more}" for more in range(3)))
            written += 3
        elif step == 3:
            chunk = log.read()
            if chunk is not None:
                seen += chunk.lines
                position = chunk.position
        elif step == 4 and path.stat().st_size:
            rotated += 1
            clock += 60
            path.rename(tmp_path / f"a.log-{rotated:03}")
            _written_at(tmp_path / f"a.log-{rotated:03}", clock)
            path.touch()
        elif step == 5 and position is not None:
            log.close()
            log = opened(path, position)
    seen += drain(log)
    log.close()
    assert seen == [f"line {number}".encode() for number in range(written)]
