"""The demo's processes: up when they say so, explained when they do not come, gone afterwards."""

import os
from pathlib import Path

import httpx
import pytest
from tests.cli.running import CLEAN
from tests.plain_http import PLAIN

from gatecrash.demo import launch


def test_the_target_answers_while_it_is_needed() -> None:
    with launch.target() as address:
        assert httpx.get(f"{address}/health", **PLAIN).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health", **PLAIN)


def test_the_service_is_ready_with_its_node(tmp_path: Path) -> None:
    with launch.service(tmp_path, {**CLEAN, "HOME": str(tmp_path)}) as service, launch.target() as target:
        assert httpx.get(f"{service.api}/readyz", **PLAIN).status_code == 200
        with httpx.Client(proxy=service.proxy, **PLAIN) as client:
            assert client.get(f"{target}/health").json() == {"healthy": True}
        assert sorted(one.name for one in tmp_path.iterdir()) == ["data", "keys", "ready.json", "up.log"]
    assert not (tmp_path / "ready.json").exists()


def test_a_service_that_does_not_start_is_explained(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a directory should be")
    with pytest.raises(launch.NotStarted, match="data directory"), launch.service(tmp_path, dict(os.environ)):
        raise AssertionError("it must not start")
