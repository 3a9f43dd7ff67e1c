"""SIGKILL of service, node or target in the middle of a run: nothing recorded or found is lost, nothing counted twice."""

import sys
from collections.abc import Iterator

import pytest
from tests.e2e.tenant import wait_until
from tests.e2e.town import VISITS, Town, built, check_ended
from tests.migrated import migrated_database

from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT
from gatecrash.core.testing.policy import DEFAULT

pytestmark = [pytest.mark.database, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

BEFORE, AFTER = VISITS[::2], VISITS[1::2]
"""What is recorded before the kill and after it; flaws are in both."""


@pytest.fixture(scope="module")
def town(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """For all victims: who was killed in one run has a further run in his next life."""
    home = tmp_path_factory.mktemp("town")
    with migrated_database(home, request.config.getoption("--database")) as url, built(home, url) as town:
        yield town


def kill(town: Town, victim: str) -> None:
    """Kill it and, a moment later, start it again."""
    [node] = town.nodes
    if victim == "service":
        town.kill_service()
        town.service.start()
    else:
        process = node if victim == "node" else town.shop
        process.kill()
        process.start()


@pytest.mark.parametrize("victim", ["service", "node", "target"])
def test_a_kill_in_the_middle_of_a_run_costs_nothing(town: Town, victim: str) -> None:
    [node] = town.nodes
    run = town.begin(node, rps=60)
    town.visit(node, BEFORE)
    town.until(run, lambda seen: seen["sended_requests_count"] > 30)
    wait_until(lambda: town.run(run)["baseline_count"], lambda count: count == len(BEFORE))
    kill(town, victim)
    town.visit(node, AFTER)
    town.until(run, lambda seen: seen["baseline_count"] - seen["baseline_skipped_count"] == len(VISITS))
    town.act(run, "stop")
    kill(town, victim)
    check_ended(town, run)


@pytest.mark.parametrize("victim", ["service", "node"])
def test_headers_that_wait_outlive_a_kill_and_are_asked_once(town: Town, victim: str) -> None:
    [node] = town.nodes
    wish = {"name": f"headers, {victim}", "types": list(DEFAULT.types), "locations": [*DEFAULT.locations, "header"]}
    policy = town.user.did("POST", "/v1/policy", wish)["id"]
    run = town.begin(node, policy_id=policy)
    town.visit(node)
    town.act(run, "stop")

    def waiting() -> list[str]:
        shown = town.read(f"/v1/test_run/{run}/baselines?limit=1000")["objects"]
        return [one["id"] for one in shown if HEADERS_LEFT in one["detail"]]

    assert wait_until(waiting, bool, 300)
    kill(town, victim)
    ended = check_ended(town, run)
    assert ended["planing_requests_count"] == 0
    assert not waiting()
