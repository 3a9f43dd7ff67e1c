"""Reads of vulnerabilities."""

from collections.abc import Callable
from typing import Any

import pytest

from gatecrash.control import wall
from gatecrash.control.findings import queries, services, triage
from gatecrash.control.findings.models import Vulnerability
from gatecrash.fakes.fake_node import baseline, vulnerable


def test_identifiers_are_grouped_by_baseline(client_id: str) -> None:
    one, two = baseline("/a"), baseline("/b")
    with wall.client(client_id):
        first = services.keep("tr_1", one, [vulnerable(one), vulnerable(one, "xss")], 1)
        services.keep("tr_2", two, [vulnerable(two)], 1)
        found = queries.ids_by_baseline("tr_1", [one.id, two.id])
    assert {name: sorted(ids) for name, ids in found.items()} == {one.id: sorted(item["id"] for item in first)}


def test_a_code_is_told_once_by_its_newest_and_counted(client_id: str) -> None:
    one, other = baseline("/a"), baseline("/b")
    with wall.client(client_id):
        services.keep("tr_1", one, [vulnerable(one), vulnerable(one, "xss")], 1)
        (again,) = services.keep("tr_2", one, [vulnerable(one)], 2)
        services.keep("tr_2", other, [vulnerable(other)], 2)
        rows = queries.vulnerabilities(None, None, None)
        told = {row.code: row.id for row in queries.once(rows)}
        assert len(told) == 3
        assert told[again["code"]] == again["id"]
        assert queries.times_found(list(told))[again["code"]] == 2
        assert sorted(queries.times_found(list(told)).values()) == [1, 1, 2]
        assert len(queries.once(queries.vulnerabilities("tr_1", None, None))) == 2


def test_a_type_that_no_probe_of_this_version_knows_is_shown_all_the_same(client_id: str) -> None:
    item = baseline("/a")
    with wall.client(client_id):
        services.keep("tr_1", item, [vulnerable(item, "of the future")], 1)
        shown = queries.with_evidence(Vulnerability.objects.get(type="of the future"))
    assert (shown["type"], shown["title"]) == ("of the future", "SQL injection")


def test_lost_evidence_is_null_and_no_error(client_id: str) -> None:
    item = baseline("/a")
    with wall.client(client_id):
        (found,) = services.keep("tr_1", item, [vulnerable(item)], 1)
        row = Vulnerability.objects.get(id=found["id"])
        from gatecrash.control import bulk_sql

        bulk_sql.execute("DELETE FROM findings_evidence WHERE client_id = %s", [client_id])
        shown = queries.with_evidence(row)
    assert (shown["curl"], shown["test_request"], shown["test_response"]) == (None, None, None)


def test_many_are_told_as_each_alone_in_a_few_queries(
    client_id: str, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    monkeypatch.setattr(queries, "AT_ONCE", 3)
    items = [baseline(f"/{name}") for name in "abcdefg"]
    with wall.client(client_id):
        for number, item in enumerate(items):
            services.keep("tr_1", item, [vulnerable(item)], number)
        rows = list(queries.vulnerabilities("tr_1", None, None))
        triage.decide(rows[1], "accepted", "known")
        rows = list(queries.vulnerabilities("tr_1", None, None))
        alone = [queries.with_evidence(row) for row in rows]
        with django_assert_max_num_queries(4 + 2 * 3):
            together = list(queries.all_with_evidence(rows))
    assert together == alone
    assert [len(one["history"]) for one in together] == [0, 1, 0, 0, 0, 0, 0]
    assert all(one["curl"] for one in together)
