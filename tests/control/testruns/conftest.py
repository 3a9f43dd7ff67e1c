"""A service in this process, and a node that speaks to it through its WSGI application."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from tests.control.calling import Api

from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def http(db: None) -> Iterator[httpx.Client]:
    """HTTP into the real WSGI application, without a socket, inside the test's transaction."""
    with httpx.Client(transport=httpx.WSGITransport(app=inside_transaction), base_url="http://service") as client:
        yield client


def inside_transaction(environ: dict, start_response: Callable[..., object]) -> list[bytes]:
    """The application on the connection that holds the test's transaction, as Django's own test client runs it."""
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections

    from gatecrash.control.wsgi import application

    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        answer = application(environ, start_response)
        content = list(answer)
        answer.close()  # type: ignore[attr-defined]  # Django's answers have it
        return content
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@pytest.fixture
def new_node(api: Api, http: httpx.Client) -> Callable[..., FakeNode]:
    """Start a node with the client's token."""

    def start(**options: str) -> FakeNode:
        assert api.token is not None
        node = FakeNode(http, api.token, **options)
        node.hello()
        return node

    return start


@pytest.fixture
def node(new_node: Callable[..., FakeNode]) -> FakeNode:
    """The client's first node, which is its default."""
    return new_node()


@pytest.fixture
def create(api: Api) -> Callable[..., dict]:
    """Create a run and answer its object."""

    def make(**fields: object) -> dict:
        status, body = api.post("/v1/test_run", {"name": "a run", **fields})
        assert status == 200, body
        return body

    return make


@pytest.fixture
def show(api: Api) -> Callable[[str], dict]:
    """Read a run."""

    def read(run_id: str) -> dict:
        status, body = api.get(f"/v1/test_run/{run_id}")
        assert status == 200, body
        assert_sums(body)
        return body

    return read


@pytest.fixture
def act(api: Api) -> Callable[[str, str], dict]:
    """Act on a run, where that is allowed."""

    def do(run_id: str, action: str) -> dict:
        status, body = api.call("POST", f"/v1/test_run/{run_id}/action/{action}")
        assert status == 200, body
        assert_sums(body)
        return body

    return do


def assert_sums(run: dict) -> None:
    """The counter equation of decisions 7."""
    count = {name.removeprefix("baseline_check_").removesuffix("_count"): value for name, value in run.items()}
    assert count["all_terminated"] == count["passed"] + count["fail"] + count["tech_fail"] + count["interrupted"]
    assert run["baseline_count"] == (
        count["all_terminated"] + count["running"] + count["waiting"] + run["baseline_skipped_count"]
    )
