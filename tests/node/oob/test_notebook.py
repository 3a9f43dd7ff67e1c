"""What is noted is there after a restart, sealed, for a day."""

import time
from pathlib import Path

import msgspec
import pytest
from tests.node.oob.lured import EXCHANGE, hit, lure

from gatecrash.core.errors import UserError
from gatecrash.core.message import Response
from gatecrash.node.oob import notebook as notes
from gatecrash.node.oob.notebook import KEPT_SECONDS, Notebook, Planted


@pytest.fixture(autouse=True)
def _keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "keys"))


def planted(number: int = 1, at: float | None = None, **changed: object) -> Planted:
    made = Planted(
        lure=lure(number), run_id="tr_1", generation=2, baseline_id="bl_1", exchange=EXCHANGE, at=at or time.time()
    )
    return msgspec.structs.replace(made, **changed)


def test_payloads_and_hits_survive_a_restart(tmp_path: Path):
    first = Notebook(tmp_path, "sp_1")
    one = planted()
    first.plant(one)
    first.hear(hit(one.lure, asked="first"))
    first.hear(hit(one.lure, asked="second"))
    first.close()
    second = Notebook(tmp_path, "sp_1")
    assert second.planted(one.lure.name) == one
    assert [each.asked for each in second.hits(one.lure.name)] == ["first", "second"]
    assert second.planted(lure(2).name) is None
    second.forget(one.lure.name)
    assert second.planted(one.lure.name) is None
    second.close()


def test_no_credential_lies_open_in_the_file(tmp_path: Path):
    notebook = Notebook(tmp_path, "sp_1")
    notebook.plant(planted())
    notebook.close()
    files = list(tmp_path.glob("oob*"))
    assert files
    assert not any(b"very-secret-token" in file.read_bytes() for file in files)
    assert oct((tmp_path / "oob.sqlite3").stat().st_mode)[-3:] == "600"


def test_without_its_key_a_payload_is_gone_and_nothing_breaks(tmp_path: Path):
    notebook = Notebook(tmp_path, "sp_1")
    notebook.plant(planted())
    notebook.close()
    for key in (tmp_path / "keys").iterdir():
        key.unlink()
    notebook = Notebook(tmp_path, "sp_1")
    assert notebook.planted(lure().name) is None
    notebook.close()


def test_a_day_later_it_is_forgotten_and_the_key_goes_with_the_last(tmp_path: Path):
    notebook = Notebook(tmp_path, "sp_1")
    now = time.time()
    notebook.plant(planted(1, at=now - KEPT_SECONDS - 1))
    notebook.plant(planted(2, at=now))
    notebook.hear(hit(lure(1), at=now - KEPT_SECONDS - 1))
    notebook.prune(now)
    assert notebook.planted(lure(1).name) is None
    assert notebook.hits(lure(1).name) == []
    assert notebook.planted(lure(2).name) is not None
    assert list((tmp_path / "keys").iterdir())
    notebook.prune(now + KEPT_SECONDS + 1)
    assert list((tmp_path / "keys").iterdir()) == []
    notebook.plant(planted(3))
    assert notebook.planted(lure(3).name) is not None
    notebook.close()


def test_of_a_large_answer_a_part_is_kept(tmp_path: Path):
    notebook = Notebook(tmp_path, "sp_1")
    large = msgspec.structs.replace(EXCHANGE, response=Response(200, (), b"x" * 1_000_000))
    notebook.plant(planted(exchange=large))
    kept = notebook.planted(lure().name)
    assert kept is not None
    assert kept.exchange.response is not None
    assert kept.exchange.response.truncated
    assert len(kept.exchange.response.body) < 300_000
    notebook.close()


def test_a_damaged_file_is_begun_anew(tmp_path: Path):
    (tmp_path / "oob.sqlite3").write_bytes(b"no database" * 1000)
    notebook = Notebook(tmp_path, "sp_1")
    notebook.plant(planted())
    assert notebook.planted(lure().name) is not None
    notebook.close()


def test_a_full_disk_takes_no_payload_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(notes, "_SCHEMA", notes._SCHEMA + "PRAGMA max_page_count = 12;")
    notebook = Notebook(tmp_path, "sp_1")
    large = msgspec.structs.replace(EXCHANGE, response=Response(200, (), b"x" * 100_000))
    assert notebook.plant(planted(1))
    assert [notebook.plant(planted(number, exchange=large)) for number in (2, 3)] == [False, False]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert notebook.planted(lure(1).name) is not None
    assert notebook.planted(lure(2).name) is None
    assert notebook.plant(planted(4))
    notebook.close()


def test_a_file_that_cannot_be_written_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    first = Notebook(tmp_path, "sp_1")
    first.plant(planted())
    first.close()
    with monkeypatch.context() as full:
        more = "PRAGMA max_page_count = 9; CREATE TABLE more (a); INSERT INTO more SELECT zeroblob(1000000);"
        full.setattr(notes, "_SCHEMA", more)
        with pytest.raises(UserError, match="free space"):
            Notebook(tmp_path, "sp_1")
    second = Notebook(tmp_path, "sp_1")
    assert second.planted(lure().name) is not None
    second.close()
