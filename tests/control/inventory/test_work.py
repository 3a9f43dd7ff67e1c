import time

import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import queries, services, work
from gatecrash.control.inventory.filters import Filters
from gatecrash.wire.counts import Counts, EndpointCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_the_window_of_every_client_rolls(client_id: str, other_id: str) -> None:
    then = int(time.time()) - 3600 * 170
    count = EndpointCount(then // 3600, "rest", "GET", "h", "/a", 5, 1, 0, then, then)
    for one in (client_id, other_id):
        services.apply_counts(one, "n", Counts("n", "s", "p", 1, (count,)), at=then)
    with wall.system("a test"):
        work.roll_window("")
    for one in (client_id, other_id):
        with wall.client(one):
            [shown] = queries.list_endpoints(Filters(), limit=1).objects
            assert shown["requests"] == 0
