"""A run's log: in order, with names, and nothing of another client's run."""

from collections.abc import Callable

import pytest
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.testruns import services
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.reads.run_log import log_of

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_it_tells_what_was_done_found_and_how_it_ended(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        before = [entry["text"] for entry in log_of(TestRun.objects.get(id=own.test_run_id))]
        assert sorted(before) == ["Created", "Found S0001: SQL injection"]
        services.act(own.test_run_id, "interrupt")
        entries = log_of(TestRun.objects.get(id=own.test_run_id))
    texts = [entry["text"] for entry in entries]
    assert {"Interrupted by hand", "Interrupted: requested", "Recording over, 1 baseline request"} <= set(texts)
    assert [entry["at"] for entry in entries] == sorted((entry["at"] for entry in entries), reverse=True)
    [found] = [entry for entry in entries if entry["vulnerability_id"]]
    assert found["vulnerability_id"] == own.vulnerability_id


def test_another_clients_run_tells_nothing_here(client_id: str, other_id: str, estate: Callable[[str], Estate]) -> None:
    estate(client_id)
    foreign = estate(other_id)
    with wall.client(other_id):
        row = TestRun.objects.get(id=foreign.test_run_id)
    with wall.client(client_id):
        assert [entry["text"] for entry in log_of(row) if entry["who"] or entry["vulnerability_id"]] == []
