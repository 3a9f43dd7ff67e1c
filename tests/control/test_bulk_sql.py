"""Raw statements in parts that every database takes, behind the tenant wall."""

import pytest

from gatecrash.control import bulk_sql, wall
from gatecrash.control.wall import TenantWallError

INSERT = "INSERT INTO findings_evidence (client_id, vulnerability_id, evidence) VALUES (%s, %s, %s)"
SELECT = "SELECT vulnerability_id FROM findings_evidence WHERE client_id = %s AND vulnerability_id IN ({})"


def test_rows_go_in_together_and_come_out_in_parts(client_id: str) -> None:
    names = [f"vuln_{number}" for number in range(1300)]
    with wall.client(client_id):
        bulk_sql.insert(INSERT, [(client_id, name, b"x") for name in names])
        found = bulk_sql.select_in(SELECT, [client_id], names)
        assert {row[0] for row in found} == set(names)
        assert bulk_sql.execute("DELETE FROM findings_evidence WHERE client_id = %s", [client_id]) == len(names)


def test_values_may_be_the_rows_of_a_table(client_id: str) -> None:
    counted = "SELECT column1, (SELECT COUNT(*) FROM findings_evidence WHERE client_id = %s AND vulnerability_id = column1) FROM (VALUES {}) AS wanted"
    names = [f"vuln_{number}" for number in range(501)]
    with wall.client(client_id):
        bulk_sql.insert(INSERT, [(client_id, name, b"x") for name in names[1:]])
        found = bulk_sql.select_in(counted, [client_id], names, "(%s)")
    assert [row[1] for row in found] == [0, *[1] * 500]


def test_nothing_asked_for_is_no_statement(client_id: str) -> None:
    with wall.client(client_id):
        assert bulk_sql.select_in(SELECT, [client_id], []) == []
        bulk_sql.insert(INSERT, [])


def test_a_statement_outside_a_client_s_context_is_refused(client_id: str) -> None:
    with pytest.raises(TenantWallError):
        bulk_sql.select("SELECT 1 FROM findings_evidence WHERE client_id = %s", [client_id])


def test_a_row_of_another_client_is_refused(client_id: str, other_id: str) -> None:
    with wall.client(client_id), pytest.raises(TenantWallError):
        bulk_sql.insert(INSERT, [(client_id, "vuln_1", b"x"), (other_id, "vuln_2", b"x")])
