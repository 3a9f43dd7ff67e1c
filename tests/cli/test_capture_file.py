"""A named file or standard input, to be read once or more."""

import io
from pathlib import Path

import pytest

from gatecrash.cli.capture_file import has_credentials, opened_file, seekable_file, whole_file
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"absent\.har cannot be read"), opened_file(str(tmp_path / "absent.har")):
        pass


@pytest.mark.parametrize("name", ["127.0.0.1:3000", "localhost:3000/openapi.json", "htp://127.0.0.1/"])
def test_what_was_meant_as_an_address_is_told_how_one_is_written(name: str) -> None:
    with pytest.raises(UserError, match="begins with http://"), opened_file(name):
        pass


def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"traffic")))
    with seekable_file("-") as stream:
        assert stream.read() == b"traffic"
        stream.seek(0)
        assert stream.read() == b"traffic"


def test_a_description_of_several_files_is_one_and_no_file_of_another_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "secret.yaml").write_text("a: secret")
    (tmp_path / "own" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "own" / "part.yaml").write_text("a: {get: {summary: found}}")
    main = tmp_path / "own" / "openapi.yaml"
    main.write_text(
        "openapi: 3.0.0\npaths: {/a: {$ref: 'part.yaml#/a'}, /b: {$ref: 'link.yaml#/a'}, /c: {$ref: '../secret.yaml#/a'}}"
    )
    with whole_file(str(main)) as stream:
        whole = stream.read()
    assert b"found" in whole
    assert b'"a": "secret"' not in whole


def test_any_other_file_is_read_as_it_is(tmp_path: Path) -> None:
    for data in (b"", b'{"log": {"entries": ["$ref: x"]}}', b"openapi: 3.0.0\npaths: {/a: {get: {}}}"):
        (tmp_path / "file").write_bytes(data)
        with whole_file(str(tmp_path / "file")) as stream:
            assert stream.read() == data


@pytest.mark.parametrize(("name", "holds"), [(b"cookie", True), (b"Authorization", True), (b"Accept", False)])
def test_credentials_are_seen_on_either_side(name: bytes, holds: bool) -> None:
    assert has_credentials(Exchange(Request("GET", b"/", ((name, b"x"),)))) is holds
    assert has_credentials(Exchange(Request("GET", b"/"), Response(200, ((b"Set-Cookie", b"a=b"),))))


def test_what_an_export_has_masked_is_no_credential() -> None:
    masked = ((b"Authorization", b"Bearer $TOKEN"), (b"Cookie", b"sid=$TOKEN"))
    assert not has_credentials(Exchange(Request("GET", b"/", masked)))
