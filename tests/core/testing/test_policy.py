"""The built-in policies; `quick` asks one confirming family of payloads of each class, at the points of the default."""

from collections.abc import Callable

import msgspec
import pytest
from tests.cases.case import cases_of
from tests.core.testing.driving import Application, runs
from tests.core.testing.guard import Guard
from tests.core.testing.probes.board import Board
from tests.core.testing.shop import Shop

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.policy import BUILT_IN, DEFAULT, QUICK, THOROUGH, Policy, is_thorough
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Outcome

APPLICATIONS: dict[str, Callable[[], Application]] = {
    "auth": Guard,
    "sqli": Shop,
    "xss": Board,
}
TOKEN = Point.of("header", "AUTHORIZATION")
REQUEST = Request(
    "POST",
    b"/users/7/orders?page=1",
    (
        (b"Host", b"api.example.com"),
        (b"Authorization", b"Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"),
        (b"Content-Type", b"application/json"),
    ),
    b'{"item": "lamp", "url": "http://shop.example/a"}',
)
BASELINE = Baseline("bl_1", Exchange(REQUEST, Response(200)))


def test_the_built_in_policies_are_named_as_users_name_them():
    assert list(BUILT_IN) == ["default", "quick", "thorough"]


def test_the_default_looks_where_and_for_what_the_service_promises():
    assert set(DEFAULT.types) == set("ptrav rce sqli xss xxe ssti ssrf nosqli redir auth idor".split())  # noqa: SIM905
    assert set(DEFAULT.locations) == {"uri", "path", "get", "post"}
    assert QUICK.locations == DEFAULT.locations


def test_thorough_looks_for_every_type_and_in_headers():
    assert len(THOROUGH.types) == len(set(THOROUGH.types)) == 21
    assert "header" in THOROUGH.locations


def test_thorough_is_what_looks_into_headers():
    assert is_thorough(THOROUGH)
    assert not is_thorough(DEFAULT)
    assert not is_thorough(QUICK)


def asked(type_: str, policy: Policy) -> tuple[dict[str, bool], int]:
    """What is found at each case of a class, and how many requests all of them cost."""
    probes = tuple(probe for probe in REGISTRY if probe.type == type_)
    found: dict[str, bool] = {}
    sent = 0
    for case in cases_of("probes"):
        if case.file == type_:
            made = runs(APPLICATIONS[type_](), case.request, probes, policy)
            found[str(case)] = any(run.verdict.outcome is Outcome.VULNERABLE for run in made)
            sent += sum(len(run.sent) for run in made)
    return found, sent


@pytest.mark.parametrize("type_", sorted(APPLICATIONS))
def test_quick_finds_no_less_than_the_half_claims_nothing_else_and_costs_no_more(type_: str) -> None:
    usual, cost = asked(type_, DEFAULT)
    quick, spent = asked(type_, QUICK)
    assert {name for name, found in quick.items() if found} <= {name for name, found in usual.items() if found}
    assert 2 * sum(quick.values()) >= sum(usual.values()) > 0
    assert spent <= cost


def test_in_quick_a_class_has_one_check_at_a_point_and_the_same_points_as_the_default() -> None:
    usual, quick = (plan(BASELINE, policy, [TOKEN]) for policy in (DEFAULT, QUICK))
    places = [(check.probe.type, check.point) for check in quick]
    assert len(places) == len(set(places))
    assert set(places) == {(check.probe.type, check.point) for check in usual}
    assert sum(check.forecast for check in quick) < sum(check.forecast for check in usual)


def test_all_tests_of_the_users_own_are_kept() -> None:
    text = """
meta-info: {title: t, type: sqli}
generate: {into: "GET_.*_value", payload: x}
detect: {response: {status: 500}}
"""
    own = tuple(Source(name=name, text=text) for name in ("one", "other"))
    policy = msgspec.structs.replace(QUICK, types=("sqli",), extensions=own)
    at_page = [check.probe.name for check in plan(BASELINE, policy, [TOKEN]) if check.point[:2] == ("get", "page")]
    assert at_page == ["", "one", "other"]
