"""What the spool took survives a kill, a torn tail and a damaged file; what was acknowledged is gone."""

import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.node.spool import MOST_FRESH, Spool, SpooledBaseline
from gatecrash.wire.counts import Counts, EndpointCount


def item(identifier: str, run_id: str = "tr_1", body: bytes = b"") -> SpooledBaseline:
    return SpooledBaseline(run_id, "rec_1", Baseline(identifier, Exchange(Request("GET", b"/", body=body))))


def counts(requests: int) -> Counts:
    return Counts("", "", "", 0, (EndpointCount(1, "rest", "GET", "h", "/", requests, 0, None, 0, 0),))


def names(spool: Spool) -> list[str]:
    return [each.baseline.id for each in spool.baselines(100, 10**9)]


def test_baselines_wait_in_order_until_dropped(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.add_baselines([item("bl_1"), item("bl_2", "tr_2"), item("bl_3")]) == 3
    assert names(spool) == ["bl_1", "bl_3"]
    assert (spool.waiting("tr_1"), spool.waiting("tr_2")) == (2, 1)
    spool.drop_baselines(["bl_1", "bl_3"])
    assert names(spool) == ["bl_2"]
    assert spool.waiting("tr_1") == 0
    spool.close()


def test_numbers_of_counts_are_never_used_again(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_counts(counts(1))
    spool.add_counts(counts(2))
    assert [each.sequence for each in spool.counts(10)] == [1, 2]
    spool.drop_counts(1)
    spool.drop_counts(2)
    name = spool.name
    spool.close()
    again = Spool(tmp_path)
    again.add_counts(counts(3))
    assert [(each.sequence, each.spool) for each in again.counts(10)] == [(3, name)]
    again.close()


def test_unsure_baselines_are_handed_out_only_when_they_are_settled(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_baselines([item("bl_1"), item("bl_2", "tr_2")], unsure=True)
    spool.close()
    again = Spool(tmp_path)
    again.add_baselines([item("bl_3")])
    assert names(again) == ["bl_3"]
    assert (again.waiting("tr_1"), again.waiting("tr_2")) == (2, 1)
    assert again.settle({"tr_1"}) == 1
    assert again.settle({"tr_1"}) == 0
    assert names(again) == ["bl_1", "bl_3"]
    assert (again.waiting("tr_1"), again.waiting("tr_2")) == (2, 0)
    again.close()


def test_what_is_kept_is_there_at_the_next_start(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.kept("orders") is None
    spool.keep("orders", b"old")
    spool.keep("orders", b"new")
    spool.close()
    again = Spool(tmp_path)
    assert again.kept("orders") == b"new"
    again.close()


def test_counts_and_what_is_kept_with_them_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_counts(counts(1), counts(2), keep={"log:a": b"7"})
    with pytest.raises(sqlite3.Error):
        spool.add_counts(counts(3), keep={"log:a": ["no bytes"]})  # type: ignore[dict-item]
    assert ([each.sequence for each in spool.counts(10)], spool.kept("log:a")) == ([1, 2], b"7")
    spool.close()


def _one(batches: Iterable[Counts]) -> list[Counts]:
    return [counts(sum(row.requests for batch in batches for row in batch.endpoints))]


def test_what_was_never_handed_out_is_gathered_under_new_numbers_and_nothing_else(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_counts(counts(7))
    assert len(spool.counts(10)) == 1
    for _ in range(MOST_FRESH):
        spool.add_counts(counts(1))
        spool.gather(_one)
    left = [(each.sequence, each.endpoints[0].requests) for each in spool.counts(10)]
    assert left == [(1, 7), (MOST_FRESH + 2, MOST_FRESH)]
    assert spool._counts_size == spool._sum("counts")
    spool.close()
    again = Spool(tmp_path)
    for _ in range(MOST_FRESH):
        again.add_counts(counts(1))
    again.gather(_one)
    requests = [each.endpoints[0].requests for each in again.counts(10)]
    assert requests == [7, MOST_FRESH, MOST_FRESH], "what the process before may have sent keeps its number"
    again.close()


def test_a_copy_of_the_folder_holds_no_recorded_secret_and_a_lost_key_costs_what_it_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "keys"))
    folder = tmp_path / "spool"
    spool = Spool(folder)
    spool.add_baselines([item(f"bl_{number}", body=b"live-credential") for number in range(3)])
    written = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"bl_0" in written
    assert b"live-credential" not in written
    spool.close()
    [key] = (tmp_path / "keys").iterdir()
    key.unlink()
    again = Spool(folder)
    assert names(again) == []
    assert (again.lost_baselines, again.waiting("tr_1")) == (3, 0)
    assert "baseline lost: it cannot be opened" in caplog.messages
    again.add_baselines([item("bl_3")])
    assert names(again) == ["bl_3"]
    again.drop_baselines(["bl_3"])
    again.close()
    assert list((tmp_path / "keys").iterdir()) == []


def test_what_is_kept_goes_where_it_is_kept_no_more(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_counts(keep={"waiting/a": b"1", "waiting/b": b"2", "log:a": b"3"})
    spool.add_counts(keep={"waiting/a": None, "waiting/b": b"4"})
    assert spool.kept_under("waiting/") == {"waiting/b": b"4"}
    spool.close()


def _fill_until_killed(folder: Path, pipe: Connection) -> None:
    spool = Spool(folder)
    number = 0
    while True:
        number += 1
        spool.add_baselines([item(f"bl_{number}", body=os.urandom(2000))])
        spool.add_counts(counts(number))
        pipe.send(number)


@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_kill_loses_nothing_that_was_taken(tmp_path: Path, after: int) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_fill_until_killed, args=(tmp_path, theirs), daemon=True)
    process.start()
    taken = 0
    while taken < after:
        taken = ours.recv()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    while ours.poll():
        try:
            taken = ours.recv()
        except EOFError:
            break
    spool = Spool(tmp_path)
    assert len(names(spool)) >= min(taken, 100)
    assert names(spool)[:after] == [f"bl_{number + 1}" for number in range(after)]
    numbers = [each.sequence for each in spool.counts(10_000)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= taken
    spool.close()


def test_a_torn_tail_costs_the_tail_only(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.add_baselines([item(f"bl_{number}") for number in range(50)])
    name = spool.name
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in ("spool.sqlite3", "spool.sqlite3-wal"):
        (copy / file).write_bytes((tmp_path / file).read_bytes())
    spool.close()
    with (copy / "spool.sqlite3-wal").open("ab") as wal:
        wal.write(os.urandom(3000))
    again = Spool(copy)
    assert again.name == name
    assert len(names(again)) == 50
    again.close()


def test_a_damaged_spool_is_put_aside_and_begun_anew_under_another_name(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    name = spool.name
    spool.close()
    (tmp_path / "spool.sqlite3").write_bytes(b"no database " * 1000)
    again = Spool(tmp_path)
    assert again.name != name
    assert len(list(tmp_path.glob("damaged-*"))) == 1
    again.close()


def test_two_nodes_cannot_share_one(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    with pytest.raises(UserError, match="Another node"):
        Spool(tmp_path, patience=0)
    spool.close()
    Spool(tmp_path, patience=0).close()


def test_a_full_spool_drops_the_oldest_counts_and_takes_no_more_baselines_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path, max_counts=200, max_baselines=500)
    for number in range(20):
        spool.add_counts(counts(number))
    left = [each.endpoints[0].requests for each in spool.counts(100)]
    assert left == list(range(20 - len(left), 20))
    assert spool.lost_counts == 20 - len(left) > 0
    assert spool.add_baselines([item("bl_1"), item("bl_2", body=b"x" * 1000)]) == 1
    assert spool.lost_baselines == 1
    lost = [getattr(one, "requests", 0) for one in caplog.records]
    assert sum(lost) == sum(range(spool.lost_counts)), "how many requests are in no count"
    assert {"spool full: oldest counts dropped", "spool full: baseline not recorded"} <= set(caplog.messages)
    spool.close()


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "deep" / "spool")
    spool.add_baselines([item("bl_1")])
    for path in (tmp_path / "deep" / "spool").iterdir():
        if path.name != "lock":
            assert path.stat().st_mode & 0o077 == 0, path
    assert (tmp_path / "deep" / "spool").stat().st_mode & 0o077 == 0
    spool.close()


@run
async def test_work_goes_on_where_who_asked_is_cancelled(tmp_path: Path) -> None:
    import asyncio
    import threading

    spool = Spool(tmp_path)
    hold = threading.Event()
    first = asyncio.ensure_future(spool.run(hold.wait))
    second = asyncio.ensure_future(spool.run(lambda: spool.add_baselines([item("bl_1")])))
    await asyncio.sleep(0)
    second.cancel()
    hold.set()
    await first
    assert await spool.run(lambda: names(spool)) == ["bl_1"]
    spool.close()
