"""The expectations speak of the shop and of nothing else."""

from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS, TWINS
from gatecrash.demo.target.routes import ROUTES


def test_every_operation_has_an_expectation_and_nothing_else_has() -> None:
    operations = {(route.method, route.path) for route in ROUTES}
    assert {(one.method, one.path) for one in ENDPOINTS} == operations
    assert {(one.method, one.path) for one in FLAWS} <= operations
    assert {(one.method, one.path) for one in TWINS} <= operations - {(one.method, one.path) for one in FLAWS}
