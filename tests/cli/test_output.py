"""Documents and tables on standard output, messages on standard error, nothing that steers a terminal."""

import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from gatecrash.cli import output


def test_a_document_is_alone_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    output.document({"a": [1]})
    output.warn("careful")
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"a": [1]}
    assert captured.err == "Warning: careful\n"


def test_a_document_waits_for_its_reader_though_another_program_made_the_pipe_non_blocking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As Node.js does to the pipe that it shares with a scan; 200,000 bytes do not fit into one."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with (
        os.fdopen(reading) as pipe,
        ThreadPoolExecutor() as readers,
        monkeypatch.context() as patch,
        os.fdopen(writing, "w") as out,
    ):
        patch.setattr(sys, "stdout", out)
        os.write(writing, b" " * 65536)  # full before anybody reads
        received = readers.submit(pipe.read)
        output.document("x" * 200_000)
        out.close()
        assert json.loads(received.result()) == "x" * 200_000


def test_a_table_off_a_terminal_is_plain_columns(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("id", "state"), [("tr_1", "passed"), ("tr_22", None)], empty="none")
    assert capsys.readouterr().out == "ID     STATE\ntr_1   passed\ntr_22  -\n"


def test_an_empty_table_says_so_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("id",), [], empty="There are none.")
    assert capsys.readouterr() == ("", "There are none.\n")


def test_control_characters_from_a_target_are_shown_not_obeyed() -> None:
    assert output.text("a\x1b[31mb") == "a\\x1b[31mb"
    assert output.text("HTTP/1.1 200 OK\r\n\r\nx\rz") == "HTTP/1.1 200 OK\n\nx\\x0dz"


@pytest.mark.parametrize(("seconds", "shown"), [(5.9, "5 s"), (61, "1 min 01 s"), (3700, "1 h 01 min")])
def test_a_duration_is_short(seconds: float, shown: str) -> None:
    assert output.span(seconds) == shown


def test_a_closed_stream_is_no_terminal() -> None:
    assert not output.is_terminal(None)
    assert not output.coloured(None)


@pytest.mark.parametrize(("columns", "whole"), [(200, True), (60, False)])
def test_a_narrow_terminal_gets_whole_identifiers(
    columns: int, whole: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    identifier, path = "ep_" + "7" * 40, "/customers/{customer_id}/orders"
    output.table(("id", "method", "path", "types"), [(identifier, "GET", path, None)], empty="none")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    if whole:
        assert lines[1].split() == [identifier, "GET", path, "-"]
    else:
        assert lines == [identifier, f"  method GET · path {path}"]


def test_no_color_leaves_a_terminal_without_a_single_escape() -> None:
    """A real terminal: rich would still write bold and dim."""
    ours, theirs = pty.openpty()
    try:
        program = "from gatecrash.cli.output import table; table(('a', 'b'), [('missing', 'x' * 90)], empty='')"
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "40", "TERM": "xterm"}
        subprocess.run([sys.executable, "-c", program], stdout=theirs, env=environment, check=True)
        written = os.read(ours, 65_536)
    finally:
        os.close(ours)
        os.close(theirs)
    assert b"missing" in written
    assert b"\x1b" not in written
