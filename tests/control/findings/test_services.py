"""A vulnerability is kept once in a run, and its code belongs to what was found, not to when."""

import msgspec
import pytest

from gatecrash.control import news, wall
from gatecrash.control.findings import evidence_rows, services, triage
from gatecrash.control.findings.models import Fingerprint, Vulnerability
from gatecrash.fakes.fake_node import baseline, vulnerable


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def test_a_finding_is_kept_once_per_run_baseline_point_and_type() -> None:
    item = baseline("/items/5?q=1")
    assert len(services.keep("tr_1", item, [vulnerable(item)], 1)) == 1
    assert services.keep("tr_1", item, [vulnerable(item)], 2) == []
    assert len(services.keep("tr_1", item, [vulnerable(item, "xss")], 3)) == 1
    assert len(services.keep("tr_1", item, [vulnerable(item, point=("get", "p"))], 3)) == 1
    assert len(services.keep("tr_2", item, [vulnerable(item)], 4)) == 1


def test_a_code_is_stable_across_runs_and_values_in_the_path() -> None:
    first, again = baseline("/items/5?q=1"), baseline("/items/7?q=2")
    (one,) = services.keep("tr_1", first, [vulnerable(first)], 1)
    (two,) = services.keep("tr_2", again, [vulnerable(again)], 2)
    assert one["code"] == two["code"] == "S0001"


def test_another_type_endpoint_or_point_has_another_code() -> None:
    item, other = baseline("/items/5?q=1"), baseline("/orders/5?q=1")
    codes = [
        services.keep("tr_1", item, [vulnerable(item)], 1)[0]["code"],
        services.keep("tr_1", item, [vulnerable(item, "xss")], 1)[0]["code"],
        services.keep("tr_1", item, [vulnerable(item, point=("get", "p"))], 1)[0]["code"],
        services.keep("tr_1", other, [vulnerable(other)], 1)[0]["code"],
    ]
    assert codes == ["S0001", "S0002", "S0003", "S0004"]


def test_each_client_counts_for_itself(other_id: str) -> None:
    item = baseline("/items/5?q=1")
    services.keep("tr_1", item, [vulnerable(item)], 1)
    with wall.client(other_id):
        assert services.keep("tr_9", baseline("/x"), [vulnerable(item)], 1)[0]["code"] == "S0001"


def test_only_what_is_new_or_found_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[news.News] = []
    monkeypatch.setattr(news, "_hearers", [lambda _kind, about: heard.extend(one for one in [about()] if one)])
    item = baseline("/items/5?q=hidden-value")
    (first,) = services.keep("tr_1", item, [vulnerable(item)], 1)
    services.keep("tr_2", item, [vulnerable(item)], 2)
    assert [(one.data["code"], one.data["again"], one.path) for one in heard] == [
        ("S0001", False, f"/vulnerabilities/{first['id']}/")
    ]
    assert "hidden-value" not in repr(heard)
    Fingerprint.objects.update(state="fixed")
    services.keep("tr_3", item, [vulnerable(item)], 3)
    assert heard[1].data["again"]
    assert heard[1].text.startswith("Found again though it was called fixed:")
    Fingerprint.objects.update(state="fixed")
    triage.suppress("S0001", "known", None)
    services.keep("tr_4", item, [vulnerable(item)], 4)
    assert len(heard) == 2


def test_threat_stays_within_its_limits() -> None:
    item = baseline("/a")
    low = msgspec.structs.replace(vulnerable(item), threat=0)
    high = msgspec.structs.replace(vulnerable(item, "xss"), threat=1000)
    assert [found["threat"] for found in services.keep("tr_1", item, [low, high], 1)] == [1, 100]


def test_the_stored_address_holds_no_credential_and_the_evidence_holds_all() -> None:
    item = baseline("/a?api_key=supersecretvalue")
    (found,) = services.keep("tr_1", item, [vulnerable(item)], 1)
    assert "supersecretvalue" not in Vulnerability.objects.get(id=found["id"]).url
    evidence = evidence_rows.read(found["id"])
    assert evidence is not None
    assert evidence.baseline == item.exchange


def test_what_is_found_elsewhere_is_kept_at_its_own_address() -> None:
    item, beside = baseline("/start.html"), [baseline("/.env"), baseline("/ftp/")]
    found = [msgspec.structs.replace(vulnerable(each, "info", point=()), elsewhere=True) for each in beside]
    kept = services.keep("tr_1", item, [*found, found[0]], 1)
    assert [one["code"] for one in kept] == ["S0001", "S0002"]
    rows = Vulnerability.objects.order_by("code")
    assert [(row.endpoint, row.baseline_id) for row in rows] == [("GET /.env", item.id), ("GET /ftp/", item.id)]
    assert [row.url.partition("://")[2].partition("/")[2] for row in rows] == [".env", "ftp/"]
