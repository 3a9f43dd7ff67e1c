from collections.abc import Callable

import pytest
from tests.control.testruns.driving import Create

from gatecrash.control import wall
from gatecrash.control.schedules import queries
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns.models import TestRecord, TestRun

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_only_a_run_that_is_over_and_whole_can_be_repeated(client_id: str, over: str, create: Create) -> None:
    running = create()["id"]
    with wall.client(client_id):
        assert queries.source(over)[1] == ""
        assert [row.id for row in queries.offered()] == [over]
        assert "not over" in queries.source(running)[1]
        assert queries.source("tr_none")[0] is None
        assert queries.source("no identifier")[0] is None
        TestRun.objects.filter(id=over).update(clone_only=[1])
        assert "a part" in queries.source(over)[1]
        assert list(queries.offered()) == []
        TestRun.objects.filter(id=over).update(clone_only=None)
        TestRecord.objects.update(deleted_at=1)
        assert "deleted" in queries.source(over)[1]
        assert list(queries.offered()) == []


def test_schedules_are_by_name_and_the_own_clients(
    client_id: str, other_id: str, over: str, make: Callable[..., Schedule]
) -> None:
    b, a = make(name="b"), make(name="a")
    with wall.client(client_id):
        assert list(queries.rows()) == [a, b]
        assert queries.find(b.id) == b
        assert queries.find("no identifier") is None
    with wall.client(other_id):
        assert list(queries.rows()) == []
        assert queries.find(b.id) is None
        assert queries.source(over)[0] is None
