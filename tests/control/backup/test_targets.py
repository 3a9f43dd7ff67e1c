"""Where a backup may be restored to."""

from pathlib import Path

import pytest
from tests.control.backup.test_manifest import WHOLE
from tests.control.backup.test_sqlite_file import count, filled

from gatecrash.control.backup.sqlite_file import UnusableDatabase
from gatecrash.control.backup.targets import target_of
from gatecrash.control.places import sqlite_url
from gatecrash.core.errors import TargetError


def test_the_database_that_was_there_is_kept_under_another_name(tmp_path: Path) -> None:
    path, staged = filled(tmp_path / "db", 3), filled(tmp_path / "staged", 7)
    target = target_of(sqlite_url(path))
    with pytest.raises(UnusableDatabase, match="--replace"):
        target.refuse(WHOLE, replace=False)
    target.refuse(WHOLE, replace=True)
    target.stage(staged)
    aside = target.take_place(1_700_000_000)
    assert aside == f"{path}.before-restore-20231114-221320"
    assert (count(path), count(Path(aside))) == (7, 3)


def test_a_server_that_is_away_is_the_targets_fault() -> None:
    target = target_of("postgresql://nobody@127.0.0.1:9/none")
    with pytest.raises(TargetError, match="not reached"):
        target.refuse(WHOLE, replace=False)
