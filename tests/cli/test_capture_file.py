"""A named file or standard input, to be read once or more."""

import io
from pathlib import Path

import pytest

from gatecrash.cli.capture_file import has_credentials, opened_file, seekable_file
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"absent\.har cannot be read"), opened_file(str(tmp_path / "absent.har")):
        pass


def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"traffic")))
    with seekable_file("-") as stream:
        assert stream.read() == b"traffic"
        stream.seek(0)
        assert stream.read() == b"traffic"


@pytest.mark.parametrize(("name", "holds"), [(b"cookie", True), (b"Authorization", True), (b"Accept", False)])
def test_credentials_are_seen_on_either_side(name: bytes, holds: bool) -> None:
    assert has_credentials(Exchange(Request("GET", b"/", ((name, b"x"),)))) is holds
    assert has_credentials(Exchange(Request("GET", b"/"), Response(200, ((b"Set-Cookie", b"a=b"),))))
