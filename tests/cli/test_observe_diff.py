"""What a change did to the endpoints' authentication."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gatecrash.cli.main import main

NOW = 1_795_168_800


def line(path: str, *, token: str = "") -> str:
    headers = {"Authorization": token} if token else {}
    fields = {"method": "GET", "url": f"http://a.example{path}", "headers": headers, "status": 200, "time": NOW}
    return json.dumps(fields) + "\n"


BEARER, BASIC = "Bearer a-token-of-somebody", "Basic dTpw"
OLD = line("/same", token=BEARER) + line("/opened", token=BEARER) + line("/retyped", token=BEARER) + line("/gone")
NEW = line("/same", token=BEARER) + line("/opened") + line("/retyped", token=BASIC) + line("/new")


def compare(folder: Path, old: str, new: str, *options: str) -> Result:
    for name, text in (("old", old), ("new", new)):
        (folder / name).write_text(text)
    names = [str(folder / "old"), str(folder / "new")]
    return CliRunner().invoke(main, ["observe", "--diff", *names, *options], catch_exceptions=False)


def test_new_gone_and_changed_endpoints_are_listed(tmp_path: Path) -> None:
    result = compare(tmp_path, OLD, NEW, "--json")
    body = json.loads(result.stdout)
    assert result.exit_code == 0
    assert [one["path"] for one in body["new"]] == ["/new"]
    assert [one["path"] for one in body["gone"]] == ["/gone"]
    place = {"protocol": "rest", "method": "GET", "host": "a.example"}
    assert body["changed"] == [
        {
            **place,
            "path": "/opened",
            "before": {"status": "consistent", "types": ["bearer"]},
            "after": {"status": "missing", "types": []},
        },
        {
            **place,
            "path": "/retyped",
            "before": {"status": "consistent", "types": ["bearer"]},
            "after": {"status": "consistent", "types": ["basic"]},
        },
    ]
    assert body["skipped"] == {"malformed": 0}


def test_the_table_says_what_was_and_what_is(tmp_path: Path) -> None:
    rows = [row.split() for row in compare(tmp_path, OLD, NEW).stdout.splitlines()]
    assert ["changed", "GET", "a.example", "/opened", "consistent", "(bearer)", "missing"] in rows
    assert ["new", "GET", "a.example", "/new", "-", "missing"] in rows
    assert "Nothing is new, gone or changed" in compare(tmp_path, OLD, OLD).stderr


def test_a_saved_document_stands_for_the_old_traffic(tmp_path: Path) -> None:
    (tmp_path / "traffic").write_text(OLD)
    saved = CliRunner().invoke(main, ["observe", "--json", str(tmp_path / "traffic")]).stdout
    assert json.loads(compare(tmp_path, saved, NEW, "--json").stdout) == json.loads(
        compare(tmp_path, OLD, NEW, "--json").stdout
    )


@pytest.mark.parametrize(
    ("old", "new", "fail_on", "code"),
    [
        (OLD, NEW, "missing", 1),
        (line("/a"), line("/a"), "missing", 0),
        (line("/a"), line("/a") + line("/b", token=BEARER), "missing", 0),
        (line("/a", token=BEARER), line("/a") + line("/a", token=BEARER), "partial", 1),
        (line("/a", token=BEARER), line("/a") + line("/a", token=BEARER), "missing", 0),
        (line("/a"), "", "missing", 2),
    ],
)
def test_only_what_is_new_or_changed_fails(tmp_path: Path, old: str, new: str, fail_on: str, code: int) -> None:
    assert compare(tmp_path, old, new, "--fail-on", fail_on).exit_code == code


@pytest.mark.parametrize("more", [["x"], ["x", "y", "z"], ["x", "y", "--send"]])
def test_it_takes_two_files_and_sends_nothing(more: list[str]) -> None:
    assert CliRunner().invoke(main, ["observe", "--diff", *more]).exit_code == 2


@pytest.mark.parametrize("text", ['{"endpoints": 7}', '{"endpoints": [{"method": 1}]', '{"endpoints": [{}]}'])
def test_a_document_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    result = compare(tmp_path, text, NEW)
    assert result.exit_code == 2
    assert "begins like a document" in result.stderr
