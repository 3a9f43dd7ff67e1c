"""A bar on a terminal for what takes long, nothing anywhere else; and the digest of what was read."""

import gzip
import hashlib
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from gatecrash.cli.reading_progress import WORTH_A_BAR, Watched, watched

LINE = json.dumps({"method": "GET", "url": "http://a.example/x", "status": 200, "body": "y" * 4000}) + "\n"


def observe_on_a_terminal(file: Path) -> tuple[str, str]:
    """What standard output and a terminal on standard error get."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "gatecrash", "observe", "--json", str(file)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        text=True,
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            seen += piece
        out = process.stdout.read() if process.stdout else ""
    os.close(ours)
    assert process.returncode == 0, seen
    return out, seen.decode("utf-8", "replace")


def test_a_large_file_has_a_bar_on_a_terminal_and_a_clean_document(tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    file.write_text(LINE * (WORTH_A_BAR // len(LINE) + 100))
    out, seen = observe_on_a_terminal(file)
    assert json.loads(out)["endpoints"][0]["path"] == "/x"
    assert "large.jsonl" in seen
    assert "━" in seen


def test_a_small_file_has_none(tmp_path: Path) -> None:
    file = tmp_path / "small.jsonl"
    file.write_text(LINE)
    assert observe_on_a_terminal(file)[1] == ""


def test_compressed_standard_input_is_read_without_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gatecrash", "observe", "--json", "-"],
        input=gzip.compress(LINE.encode() * 50),
        capture_output=True,
        check=True,
    )
    assert (json.loads(done.stdout)["endpoints"][0]["requests"], done.stderr) == (50, b"")


def test_what_was_read_is_told_and_digested() -> None:
    data = os.urandom(1_000_000)
    told: list[int] = []
    raw = Watched(io.BytesIO(data), told.append)
    assert io.BufferedReader(raw).read() == data
    assert (sum(told), raw.digest()) == (len(data), hashlib.sha256(data).digest())


def test_the_stream_can_be_looked_into() -> None:
    with watched("f", io.BytesIO(b"abc")) as (stream, raw):
        assert stream.peek(1)[:1] == b"a"  # type: ignore[attr-defined]
        assert stream.read() == b"abc"
        assert raw.digest() == hashlib.sha256(b"abc").digest()
