import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import queries, services
from gatecrash.control.inventory.filters import Filters
from gatecrash.core.point import Point
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]
NOW = 1_800_000_000


def test_the_configuration_holds_custom_parameters_in_the_order_they_were_added(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        for name in ("b", "a", "c"):
            services.add_auth_parameter(Point.of("get", name), None)
    found = queries.client_config(client_id)
    assert found.parameters == (("get", "b"), ("get", "a"), ("get", "c"))
    assert found.version == queries.config_version(client_id) == 4
    assert queries.client_config(other_id).parameters == ()


def test_a_type_counts_for_the_filter_only_where_a_value_was_valid(client_id: str) -> None:
    parameters = (ParameterCount("bearer", ("header", "A"), 5, 0), ParameterCount("basic", ("header", "A"), 5, 1))
    count = EndpointCount(NOW // 3600, "rest", "GET", "h", "/a", 5, 1, 0, NOW, NOW, parameters)
    services.apply_counts(client_id, "n", Counts("n", "s", "p", 1, (count,)), at=NOW)
    with wall.client(client_id):
        assert queries.list_endpoints(Filters(type="bearer"), limit=9) == ([], 0, None)
        (found,), total, _ = queries.list_endpoints(Filters(type="basic"), limit=9)
        assert (total, found["types"]) == (1, ["basic"])
        assert [one["type"] for one in found["parameters"]] == ["basic", "bearer"]
        assert queries.find_endpoint(found["id"]) == found
        assert queries.find_endpoint("ep_none") is None
