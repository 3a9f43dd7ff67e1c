"""The scripted customers call every operation of the shop, and notice when it does not answer as it should."""

import pytest

from gatecrash.demo import launch
from gatecrash.demo.comparison import shape
from gatecrash.demo.target.expectations import ENDPOINTS
from gatecrash.demo.target.routes import ROUTES
from gatecrash.demo.traffic import NoTraffic, Step, Street, customer, office, reader, visitor, warehouse


def operation(step: Step) -> tuple[str, str]:
    [route] = [route for route in ROUTES if route.method == step.method and route.match(step.path) is not None]
    return route.method, shape(route.path)


def test_one_visit_of_everybody_reaches_every_operation() -> None:
    steps = [*visitor(0), *customer(1, 0), *warehouse(0), *office(0), *reader(1, 0), Step("POST", "/login")]
    assert {operation(step) for step in steps} == {(one.method, shape(one.path)) for one in ENDPOINTS}


def test_a_customer_asks_for_own_orders_only() -> None:
    for number in (1, 2):
        for turn in range(40):
            order = int(next(iter(customer(number, turn))).path.rpartition("/")[2])
            assert 1 <= order <= 40
            assert 1 + order % 2 == number, "the shop gives even orders to the first customer"


def test_a_proxy_that_is_away_is_named() -> None:
    away = pytest.raises(NoTraffic, match=r"through http://127\.0\.0\.1:9 failed")
    with launch.target() as target, Street("http://127.0.0.1:9", target) as street, away:
        street.tour()
