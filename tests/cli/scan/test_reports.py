"""Reports are wanted by format and file; one that cannot be written is told, and the others are written."""

from pathlib import Path

import click
import pytest
from tests.core.reports.reporting import REPORT

from gatecrash.cli.scan.reports import unwritten, wanted_reports
from gatecrash.core.errors import UserError


def test_each_is_read_and_written(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.sarif"
    wanted = wanted_reports([f"json={first}", f"sarif={second}"])
    assert wanted == [("json", first), ("sarif", second)]
    assert unwritten(REPORT, wanted) == []
    assert b"S0001" in first.read_bytes()
    assert b"sarif-schema" in second.read_bytes()


@pytest.mark.parametrize("given", ["pdf=a", "json", "json=", "=a"])
def test_a_format_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(click.UsageError, match="FORMAT=FILE"):
        wanted_reports([given])


def test_a_folder_that_is_not_there_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no folder"):
        wanted_reports([f"json={tmp_path}/no/a.json"])


def test_a_file_that_could_not_be_written_is_named_and_the_next_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone, good = tmp_path / "gone" / "a.json", tmp_path / "b.json"
    assert unwritten(REPORT, [("json", gone), ("json", good)]) == [gone]
    assert str(gone) in capsys.readouterr().err
    assert good.exists()
