"""Regions are the same for all who name them, and the lock lets one process in at a time, also after a kill."""

import subprocess
import sys
import threading
import time
from pathlib import Path

from gatecrash.node.processes.board import CELLS, Board


def test_a_region_is_one_for_all_who_ask_for_its_name(tmp_path: Path) -> None:
    one, other = Board(tmp_path, 0), Board(tmp_path, 1)
    cells = one.region("limit", "a/../b").cells
    assert len(cells) == CELLS
    assert not any(cells), "zeros are the beginning"
    cells[7] = 2.5
    assert other.region("limit", "a/../b").cells[7] == 2.5
    assert other.region("limit", "another").cells[7] == 0
    assert [region.cells[7] for region in other.regions("host")] == []
    assert sorted(region.cells[7] for region in one.regions("limit")) == [0.0, 2.5]


def test_what_is_forgotten_begins_anew(tmp_path: Path) -> None:
    board = Board(tmp_path)
    kept = board.region("sent", "run")
    kept.cells[0] = 1.0
    board.forget("sent", "run")
    board.forget("sent", "run")
    assert board.region("sent", "run").cells[0] == 0
    assert kept.cells[0] == 1.0


def test_the_lock_is_taken_again_by_who_has_it_and_lost_by_who_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from gatecrash.node.processes.board import Board\n"
        f"board = Board(Path({str(tmp_path)!r}), 1)\n"
        "with board, board:\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    board = Board(tmp_path)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        killer = threading.Timer(0.2, holder.kill)
        begun = time.monotonic()
        killer.start()
        with board:
            assert time.monotonic() - begun > 0.1, "it was held until the kill"
        killer.join()
