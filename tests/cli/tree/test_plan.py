"""What was asked for becomes children, without a secret in their arguments."""

from dataclasses import replace
from pathlib import Path

import pytest

from gatecrash.cli.tree.lock import DataLock
from gatecrash.cli.tree.plan import Plan, bracketed, children_of, guarded, reachable

PLAN = Plan(
    data_dir=Path("/d"),
    host="127.0.0.1",
    port=8000,
    proxy_host="127.0.0.1",
    proxy_port=8080,
    with_node=True,
    upstream=None,
    allowed_hosts=None,
    environment={"GATECRASH_API_TOKEN": "secret", "GATECRASH_OWNER_PASSWORD": "secret", "KEPT": "1"},
)


def test_browsers_are_sent_to_what_stands_in_front_of_the_service() -> None:
    assert PLAN.web == PLAN.api == "http://127.0.0.1:8000"
    behind = {"GATECRASH_PUBLIC_URL": "https://gatecrash.example/"}
    assert replace(PLAN, environment=behind).web == "https://gatecrash.example"


@pytest.fixture
def lock(tmp_path: Path) -> DataLock:
    made = DataLock(tmp_path)
    made.acquire()
    return made


def test_the_node_is_stopped_first_and_the_service_last(lock: DataLock) -> None:
    assert [child.name for child in children_of(PLAN, lock)] == ["node", "worker", "web server"]
    assert [child.name for child in children_of(replace(PLAN, with_node=False), lock)] == ["worker", "web server"]
    assert replace(PLAN, with_node=False).proxy is None
    lock.release()


def test_first_start_settings_stay_with_the_preparation(lock: DataLock) -> None:
    for child in children_of(PLAN, lock):
        assert child.environment == {
            "KEPT": "1",
            "GATECRASH_OWN_ADDRESSES": "http://127.0.0.1:8000,http://127.0.0.1:8080,http://127.0.0.1:8081",
        }
        assert "secret" not in " ".join(child.arguments)
    lock.release()


def test_upstream_and_hosts_reach_the_node(lock: DataLock) -> None:
    plan = replace(PLAN, upstream="http://127.0.0.1:3000", allowed_hosts="127.0.0.1:3000")
    arguments = list(children_of(plan, lock)[0].arguments)
    assert arguments[arguments.index("--upstream") + 1] == "http://127.0.0.1:3000"
    assert arguments[arguments.index("--allowed-hosts") + 1] == "127.0.0.1:3000"
    lock.release()


def test_flags_reach_the_node(lock: DataLock) -> None:
    plan = replace(PLAN, node_flags=("--upstream-insecure",))
    assert "--upstream-insecure" in children_of(plan, lock)[0].arguments
    assert "--upstream-insecure" not in children_of(PLAN, lock)[0].arguments
    lock.release()


def test_collector_and_logs_reach_the_node(lock: DataLock) -> None:
    plan = replace(PLAN, collector_host="::1", collector_port=7, follow_logs=("nginx=/a.log", "/b.log"))
    arguments = list(children_of(plan, lock)[0].arguments)
    assert arguments[arguments.index("--collector-listen") + 1] == "[::1]:7"
    assert arguments[-4:] == ["--follow-log", "nginx=/a.log", "--follow-log", "/b.log"]
    assert (plan.collector, replace(plan, with_node=False).collector) == ("http://[::1]:7", None)
    lock.release()


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("10.0.0.7", "10.0.0.7")],
)
def test_what_listens_everywhere_is_reached_on_this_machine(host: str, address: str) -> None:
    assert reachable(host) == address


def test_only_a_guarded_proxy_leaves_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATECRASH_PROXY_CREDENTIALS", raising=False)
    assert guarded("127.0.0.1", None)
    assert not guarded("0.0.0.0", None)
    assert guarded("0.0.0.0", "http://10.0.0.7")
    monkeypatch.setenv("GATECRASH_PROXY_CREDENTIALS", "user:password")
    assert guarded("0.0.0.0", None)


def test_only_version_6_addresses_get_brackets() -> None:
    assert (bracketed("::1"), bracketed("127.0.0.1")) == ("[::1]", "127.0.0.1")
