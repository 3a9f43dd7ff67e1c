"""Everything sealed is found and sealed with the first key; what does not open is counted and left as it is."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt

import gatecrash.control
from gatecrash.control import bulk_sql, resealing, vault, wall
from gatecrash.control.accounts import services as accounts
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.accounts.two_factor import Adapter
from gatecrash.control.findings import evidence_rows
from gatecrash.control.keys import new_key
from gatecrash.control.nodes.models import Node
from gatecrash.control.notifications import services as webhooks
from gatecrash.control.notifications.mapping import unseal
from gatecrash.control.notifications.models import Webhook
from gatecrash.control.profiles import queries
from gatecrash.control.profiles import services as profiles
from gatecrash.control.resealing import Outcome, reseal
from gatecrash.control.testruns import baseline_rows, surveying
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.vault import Vault
from gatecrash.fakes.fake_node import baseline
from gatecrash.wire.work import Evidence

OLD, NEW = new_key(), new_key()
DOCUMENT = {"name": "p", "values": [{"point": ["header", "X-KEY"], "value": "hunter2"}]}
Use = Callable[..., None]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Let the installation have these keys."""

    def keys(*given: str) -> None:
        made = Vault(list(given))
        monkeypatch.setattr(vault, "vault", lambda: made)

    return keys


@pytest.fixture
def filled(use: Use, client_id: str, other_id: str) -> list[str]:
    """Two clients with a baseline, evidence, a profile and a webhook each, and a user with a second factor, under the old key."""
    use(OLD)
    items = [baseline("/a"), baseline("/b")]
    for client, item in zip((client_id, other_id), items, strict=True):
        with wall.client(client):
            baseline_rows.store("rec_1", 1, [baseline_rows.seal("rec_1", item, "http://h/", "d", 5)])
            evidence_rows.store("vuln_1", Evidence(item.exchange, item.exchange))
            profiles.create(DOCUMENT)
            profiles.delete(profiles.create(DOCUMENT))
            webhooks.create({"name": "w", "url": "http://127.0.0.1:9/", "events": [], "enabled": True})
    user = accounts.create_user("a@example.com", password="a quiet river bend")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": encrypt("totp-secret")})
    return [item.id for item in items]


def test_everything_is_under_the_first_key_and_reads_as_before(
    use: Use, filled: list[str], client_id: str, other_id: str
) -> None:
    use(NEW, OLD)
    # Exchange, head, evidence, profile and webhook of each client, and the second factor.
    assert reseal() == Outcome(11, 0)
    assert reseal() == Outcome(0, 0)
    with wall.client(client_id):
        assert [entry.detail for entry in AuditEntry.objects.filter(action="key.reseal")] == [{"values": 5}]
    use(NEW)
    for client, name in zip((client_id, other_id), filled, strict=True):
        with wall.client(client):
            assert set(baseline_rows.read("rec_1", [name])) == {name}
            assert baseline_rows.heads("rec_1", [name])[name].method == "GET"
            assert evidence_rows.read("vuln_1") is not None
            (row,) = queries.rows()
            assert queries.profile(row.id) is not None
            assert unseal(Webhook.objects.get()).url == "http://127.0.0.1:9/"
    assert Adapter().decrypt(Authenticator.objects.get().data["secret"]) == "totp-secret"


def test_what_cannot_be_opened_is_counted_and_left(use: Use, filled: list[str], client_id: str) -> None:
    use(NEW, OLD)
    with wall.client(client_id):
        bulk_sql.execute(
            "UPDATE findings_evidence SET evidence = %s WHERE client_id = %s", [b"\x01" + b"12345678" * 4, client_id]
        )
    assert reseal() == Outcome(10, 1)
    use(NEW)
    assert reseal() == Outcome(0, 1)


def test_many_rows_are_done_in_parts(use: Use, client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resealing, "ROWS", 2)
    use(OLD)
    items = [baseline("/a") for _ in range(5)]
    with wall.client(client_id):
        sealed = [baseline_rows.seal("rec_1", item, "http://h/", "d", 5) for item in items]
        baseline_rows.store("rec_1", 1, sealed)
    use(NEW, OLD)
    assert reseal() == Outcome(10, 0)
    use(NEW)
    with wall.client(client_id):
        assert baseline_rows.read("rec_1", [item.id for item in items]) == {item.id: item for item in items}


def test_the_users_that_a_run_keeps_are_sealed_again(use: Use, client_id: str) -> None:
    use(OLD)
    with wall.client(client_id):
        node = Node.objects.create(id="node_1", name="n", identity="n", created_at=1)
        record = TestRecord.objects.create(id="rec_1", name="r", node=node, heard_at=1.0, created_at=1)
        sealed = vault.seal(b"users", client_id=client_id, row=surveying.named("tr_1"))
        facts = {"name": "r", "test_record_name": "r", "policy_id": "quick", "state": "running", "recorded": sealed}
        TestRun.objects.create(
            id="tr_1", record=record, node=node, created_at=1, updated_at=1.0, start_time=1.0, **facts
        )
    use(NEW, OLD)
    assert reseal() == Outcome(1, 0)
    use(NEW)
    with wall.client(client_id):
        kept = bytes(TestRun.objects.get(id="tr_1").recorded)
        assert vault.unseal(kept, client_id=client_id, row=surveying.named("tr_1")) == b"users"


def test_every_module_that_seals_is_known_here() -> None:
    folder = Path(gatecrash.control.__file__).parent
    sealing = {
        str(path.relative_to(folder).parent)
        for path in folder.rglob("*.py")
        if re.search(r"vault\.seal\(", path.read_text()) and path.parent != folder
    }
    known = {column.table.partition("_")[0] for column in resealing.COLUMNS}
    assert sealing == known | {"accounts"}
