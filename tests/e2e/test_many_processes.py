"""Several processes of a node, and several nodes, with the real service: nothing is lost, doubled or sent too fast."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.e2e.counting_target import CountingTarget
from tests.e2e.tenant import wait_until
from tests.e2e.town import Node, Town, built, check_ended, tree
from tests.migrated import migrated_file

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
    pytest.mark.soak,
    pytest.mark.timeout(600),
]

KILLS = 6
LIMIT = 30


def children_of(node: Node) -> set[int]:
    """Those that the node's main process has started."""
    assert node.running is not None
    return tree(node.running.pid) - {node.running.pid}


def test_a_run_outlives_the_deaths_of_its_children_of(tmp_path: Path) -> None:
    with built(tmp_path, f"sqlite:///{migrated_file(tmp_path / 'service.sqlite3')}", processes=2) as town:
        [node] = town.nodes
        run = town.begin(node, rps=150)
        town.visit(node)
        town.act(run, "stop")
        for number in range(KILLS):
            sent = town.run(run)["sended_requests_count"]
            seen = town.until(run, lambda now, sent=sent: now["sended_requests_count"] > sent + 30 or now["end_time"])
            assert seen["sended_requests_count"] >= sent, "what was counted stays counted"
            victims = sorted(children_of(node))
            if victims:
                with suppress(ProcessLookupError):
                    os.kill(victims[number % len(victims)], signal.SIGKILL)
        check_ended(town, run)


def marked(target: CountingTarget, town: Town, node: Node, count: int = 20) -> str:
    """A run of the node with enough to test for a while."""
    run = town.begin(node)
    for number in range(count):
        assert town.asked(node, f"/item?a={number}&b={number}&c=x", of=target.address) == 200
    return run


def test_two_nodes_share_what_a_host_may_be_sent_and_a_second_run_interrupts_the_first(tmp_path: Path) -> None:
    with (
        built(tmp_path, f"sqlite:///{migrated_file(tmp_path / 'service.sqlite3')}", nodes=2, processes=2) as town,
        CountingTarget() as target,
    ):
        town.user.did("PATCH", f"/v1/clients/{town.service.client_id}", {"rps_per_host": LIMIT})
        runs = [marked(target, town, node) for node in town.nodes]
        for run in runs:
            town.until(run, lambda seen: seen["sended_requests_count"] > 20)
        worst = 0
        for _ in range(40):
            worst = max(worst, target.rate())
            time.sleep(0.1)
        # The target reads late what the senders sent in time; the senders' own times are tests of the node.
        assert LIMIT * 0.8 <= worst <= LIMIT + 3, worst
        one, other = town.nodes
        second = marked(target, town, one)
        first = town.run(runs[0])
        assert (first["state"], first["interrupt_reason"]) == ("interrupted", "another_test_run")
        assert town.run(runs[1])["state"] == "running"
        town.act(runs[1], "interrupt")
        town.until(second, lambda seen: seen["sended_requests_count"] > 20)
        # All of it is the other's now.
        wait_until(target.rate, lambda rate: rate > LIMIT * 0.7, 20)
        one.kill()
        held = town.run(second)["sended_requests_count"]
        one.start()
        town.until(second, lambda seen: seen["sended_requests_count"] > held + 20)
        assert other.running is not None
