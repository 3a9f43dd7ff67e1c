"""The worker begins what is due, of every client; one that breaks does not keep the others."""

from collections.abc import Callable

import pytest

from gatecrash.control import wall
from gatecrash.control.clock import now
from gatecrash.control.schedules import running, work
from gatecrash.control.schedules.models import Schedule
from gatecrash.fakes.fake_node import FakeNode

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_what_is_due_is_begun_and_the_rest_left(
    client_id: str, make: Callable[..., Schedule], node: FakeNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, first, later, off = make(), make(), make(), make()
    node.beat()
    with wall.client(client_id):
        Schedule.objects.exclude(id=later.id).update(next_at=now() - 1)
        Schedule.objects.filter(id=off.id).update(enabled=False)
    begun: list[str] = []

    def run_due(schedule_id: str, at: int) -> None:
        if schedule_id == broken.id:
            raise ValueError("broken")
        begun.append(schedule_id)
        assert wall.current() == client_id

    monkeypatch.setattr(running, "run_due", run_due)
    with wall.system("job run_schedules"):
        work.run_schedules("")
    assert begun == [first.id]
