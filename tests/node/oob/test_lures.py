"""Who is told of a hit: the dialogue while it lasts, the run later, nobody where it proves nothing."""

import asyncio
import time
from pathlib import Path

import pytest
from tests.node.loop import run, until
from tests.node.oob.lured import EXCHANGE, Told, hit, lure

from gatecrash.core.testing.out_of_band import content_at
from gatecrash.node.oob.lures import MOST_HITS, Lures
from gatecrash.node.oob.notebook import Notebook


@pytest.fixture(autouse=True)
def _keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "keys"))


def plant(lures: Lures, number: int = 1, computed: str = "") -> str:
    made = lure(number, computed)
    lures.plant(made, "tr_1", 3, "bl_1", EXCHANGE)
    return made.name


@run
async def test_a_hit_within_the_dialogue_is_in_its_answer_and_nowhere_else():
    told = Told()
    lures = Lures(told)
    name = plant(lures)
    assert lures.hear(hit(lure())) == content_at(name)
    await lures.wait(name, 0)
    assert [each.protocol for each in lures.hits(name)] == ["http"]
    assert lures.close(name, decided=True) is None
    lures.stop()
    assert told == []


@run
async def test_who_waits_is_woken_by_a_fetch_and_a_look_up_alone_lets_it_wait():
    lures = Lures(Told())
    name = plant(lures)
    lures.hear(hit(lure(), "dns"))
    waiting = asyncio.ensure_future(lures.wait(name, 20))
    await asyncio.sleep(0)
    assert not waiting.done()
    lures.hear(hit(lure()))
    await waiting
    assert [each.protocol for each in lures.hits(name)] == ["dns", "http"]
    other = plant(lures, 2)
    await lures.wait(other, 0.05)
    assert lures.hits(other) == ()


@run
async def test_a_hit_after_the_dialogue_is_a_late_finding_of_its_run():
    told = Told()
    lures = Lures(told)
    name = plant(lures)
    assert lures.close(name, decided=False) is None
    assert lures.hear(hit(lure(), at=time.time() + 12)) == content_at(name)
    ((run_id, generation, result),) = told
    assert (run_id, generation, result.baseline_id, result.final) == ("tr_1", 3, "bl_1", False)
    assert "Late" in result.verdicts[0].proof.verified_by
    assert result.verdicts[0].threat == 70
    lures.hear(hit(lure()))
    assert len(told) == 1


@run
async def test_a_late_look_up_waits_for_the_fetch_that_proves_more():
    told = Told()
    lures = Lures(told)
    lures.close(plant(lures, 1), decided=False)
    lures.close(plant(lures, 2), decided=False)
    lures.hear(hit(lure(1), "dns"))
    lures.hear(hit(lure(2), "dns"))
    lures.hear(hit(lure(1)))
    await until(lambda: len(told) == 2)
    assert [each[2].verdicts[0].threat for each in told] == [70, 30]


@run
async def test_what_settles_when_the_node_ends_is_told_at_once():
    told = Told()
    lures = Lures(told)
    lures.close(plant(lures), decided=False)
    lures.hear(hit(lure(), "dns"))
    lures.stop()
    assert len(told) == 1


@run
async def test_what_computes_nothing_is_no_finding():
    told = Told()
    lures = Lures(told)
    lures.close(plant(lures, computed="391"), decided=False)
    lures.hear(hit(lure(), asked="$((17*23))"))
    assert told == []
    lures.hear(hit(lure(), asked="391"))
    assert len(told) == 1


@run
async def test_a_hit_just_before_the_end_of_a_dialogue_is_its_verdict():
    lures = Lures(Told())
    name = plant(lures)
    lures.hear(hit(lure()))
    came = lures.close(name, decided=False)
    assert came is not None
    assert came[0].lure == lure()


@run
async def test_a_name_that_nobody_planted_is_none_of_ours():
    lures = Lures(Told())
    assert lures.hear(hit(lure())) is None


@run
async def test_nobody_fills_the_memory_with_hits():
    lures = Lures(Told())
    name = plant(lures)
    for _ in range(10 * MOST_HITS):
        lures.hear(hit(lure()))
    assert len(lures.hits(name)) == MOST_HITS


@run
async def test_after_a_restart_a_hit_still_finds_its_run(tmp_path: Path):
    before, told = Lures(Told(), Notebook(tmp_path, "sp_1")), Told()
    name = plant(before)
    before.answered(name, EXCHANGE)
    before.stop()  # the process is killed here: no dialogue concluded
    after = Lures(told, Notebook(tmp_path, "sp_1"))
    after.hear(hit(lure()))
    assert told[0][2].verdicts[0].proof.test == EXCHANGE
    after.stop()


@run
async def test_after_a_restart_a_test_that_is_begun_anew_knows_its_earlier_hits(tmp_path: Path):
    before = Lures(Told(), Notebook(tmp_path, "sp_1"))
    plant(before)
    before.hear(hit(lure()))
    before.stop()
    after = Lures(Told(), Notebook(tmp_path, "sp_1"))
    assert len(after.hits(plant(after))) == 1
    after.stop()


@run
async def test_what_a_full_disk_does_not_take_is_asked_and_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    notebook = Notebook(tmp_path, "sp_1")
    monkeypatch.setattr(notebook, "plant", lambda _: False)
    monkeypatch.setattr("gatecrash.node.oob.lures.MOST_UNNOTED", 2)
    told = Told()
    lures = Lures(told, notebook)
    names = [plant(lures, number) for number in (1, 2, 3)]
    for name in names:
        lures.answered(name, EXCHANGE)
        assert lures.close(name, decided=False) is None
    assert [lures.hear(hit(lure(number))) for number in (1, 2, 3)] == [None, *(content_at(name) for name in names[1:])]
    assert [run_id for run_id, _, _ in told] == ["tr_1", "tr_1"]
    lures.stop()
