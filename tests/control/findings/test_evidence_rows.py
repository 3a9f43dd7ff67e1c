"""Evidence at rest is encrypted for its row."""

import pytest

from gatecrash.control import bulk_sql, vault, wall
from gatecrash.control.findings import evidence_rows
from gatecrash.fakes.fake_node import baseline
from gatecrash.wire.work import Evidence


def test_what_was_stored_is_read_back_and_unreadable_in_the_table(client_id: str) -> None:
    exchange = baseline("/very-telling-path").exchange
    with wall.client(client_id):
        evidence_rows.store("vuln_1", Evidence(exchange, exchange))
        assert evidence_rows.read("vuln_1") == Evidence(exchange, exchange)
        assert evidence_rows.read("vuln_2") is None
        ((sealed,),) = bulk_sql.select("SELECT evidence FROM findings_evidence WHERE client_id = %s", [client_id])
    assert b"telling" not in bytes(sealed)


def test_evidence_copied_to_another_row_does_not_open(client_id: str) -> None:
    exchange = baseline("/a").exchange
    with wall.client(client_id):
        evidence_rows.store("vuln_1", Evidence(exchange, exchange))
        bulk_sql.execute(
            "UPDATE findings_evidence SET vulnerability_id = %s WHERE client_id = %s", ["vuln_2", client_id]
        )
        with pytest.raises(vault.CannotOpen):
            evidence_rows.read("vuln_2")


def test_another_client_reads_nothing(client_id: str, other_id: str) -> None:
    exchange = baseline("/a").exchange
    with wall.client(client_id):
        evidence_rows.store("vuln_1", Evidence(exchange, exchange))
    with wall.client(other_id):
        assert evidence_rows.read("vuln_1") is None
