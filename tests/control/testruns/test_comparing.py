"""Two runs beside each other: the codes in the one, in the other, in both."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api

from gatecrash.control.testruns.bodies import ComparisonView
from gatecrash.fakes.fake_node import FakeNode, baseline

Tested = Callable[[str], dict[str, Any]]


@pytest.fixture
def tested(api: Api, node: FakeNode, create: Callable[..., dict]) -> Tested:
    """A run over one baseline that ends in the given status."""

    def make(status: str) -> dict[str, Any]:
        run = create()
        node.beat()
        node.record(run["id"], 1)
        node.hand_over(run["id"])
        node.claim(run["id"], 1)
        node.finish(run["id"], status)
        api.post(f"/v1/test_run/{run['id']}/action/stop", {})
        node.beat()
        node.beat()
        return run

    return make


def codes(api: Api, later: dict[str, Any], earlier: dict[str, Any]) -> dict[str, list[str]]:
    status, body = api.get(f"/v1/test_run/{later['id']}/compare/{earlier['id']}")
    assert status == 200, body
    ComparisonView.model_validate(body, strict=True)
    return {name: [one["code"] for one in part] for name, part in body.items() if isinstance(part, list)}


def test_new_persisting_and_fixed(api: Api, tested: Tested) -> None:
    vulnerable, sound, again = tested("failed"), tested("passed"), tested("failed")
    empty: dict[str, list[str]] = {"new": [], "persisting": [], "fixed": [], "not_tested": []}
    assert codes(api, sound, vulnerable) == {**empty, "fixed": ["S0001"]}
    assert codes(api, again, sound) == {**empty, "new": ["S0001"]}
    assert codes(api, again, vulnerable) == {**empty, "persisting": ["S0001"]}


def test_an_endpoint_that_ended_in_an_error_was_not_tested(api: Api, tested: Tested) -> None:
    vulnerable, broken = tested("failed"), tested("error")
    assert codes(api, broken, vulnerable)["not_tested"] == ["S0001"]
    assert codes(api, broken, vulnerable)["fixed"] == []


def test_another_client_s_run_is_none(api: Api, other_id: str, caller: Callable[..., Api], tested: Tested) -> None:
    run = tested("passed")
    other = caller(other_id)
    theirs = other.post("/v1/test_run", {"name": "theirs"})[1]
    assert other.get(f"/v1/test_run/{theirs['id']}/compare/{run['id']}")[0] == 404
    assert other.get(f"/v1/test_run/{run['id']}/compare/{theirs['id']}")[0] == 404


def test_another_operation_of_the_same_path_was_not_the_one_that_was_tested(
    api: Api, node: FakeNode, create: Callable[..., dict]
) -> None:
    def run(operation: str, status: str) -> dict[str, Any]:
        made = create()
        node.beat()
        node.record(made["id"], baselines=[baseline(f"/graphql?query=query%20{operation}%7Ba%7D")])
        node.hand_over(made["id"])
        node.claim(made["id"], 1)
        node.finish(made["id"], status)
        api.post(f"/v1/test_run/{made['id']}/action/stop", {})
        node.beat()
        node.beat()
        return made

    vulnerable = run("A", "failed")
    assert codes(api, run("B", "passed"), vulnerable)["not_tested"] == ["S0001"]
    assert codes(api, run("A", "passed"), vulnerable)["fixed"] == ["S0001"]
    assert codes(api, run("B", "failed"), vulnerable)["new"] == ["S0002"]
