"""Who a node is, and which of its starts counts."""

import time
from typing import Any

import pytest

from gatecrash.control import wall
from gatecrash.control.api.errors import ApiError
from gatecrash.control.nodes import services
from gatecrash.control.nodes.models import Node
from gatecrash.wire.session import Hello


def hello(name: str = "n", build_id: str = "", **more: Any) -> Hello:
    return Hello(name, "native", "0.24.0", "spool", build_id, **more)


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def test_the_same_token_and_name_is_the_same_node_with_a_new_session() -> None:
    first = services.hello(hello(), "tok_a", 1.0)
    again = services.hello(hello(), "tok_a", 2.0)
    assert first.id == again.id
    assert first.session != again.session


def test_a_start_whose_place_was_taken_waits_until_the_other_is_silent() -> None:
    services.hello(hello(), "tok_a", 100.0)
    newer = services.hello(hello(), "tok_a", 101.0)
    with pytest.raises(ApiError) as refused:
        services.hello(hello(again=True), "tok_a", 105.0)
    assert refused.value.status == 409
    assert Node.objects.get(id=newer.id).session == newer.session
    assert services.hello(hello(again=True), "tok_a", 112.0).session != newer.session


def test_a_build_splits_one_token_into_several_nodes_whatever_their_names() -> None:
    one = services.hello(hello("a", build_id="1"), "tok_a", 1.0)
    two = services.hello(hello("a", build_id="2"), "tok_a", 1.0)
    same = services.hello(hello("b", build_id="1"), "tok_a", 1.0)
    assert one.id == same.id != two.id


def test_another_token_is_another_node() -> None:
    assert services.hello(hello(), "tok_a", 1.0).id != services.hello(hello(), "tok_b", 1.0).id


def test_the_first_node_without_a_build_is_the_default_and_stays_it() -> None:
    build = services.hello(hello(build_id="1"), "tok_a", 1.0)
    first = services.hello(hello("first"), "tok_a", 1.0)
    second = services.hello(hello("second"), "tok_a", 1.0)
    assert (build.is_default, first.is_default, second.is_default) == (False, True, False)
    assert services.default_place(2.0).id == first.id


def test_a_default_place_made_before_any_node_is_taken_by_the_first_one() -> None:
    place = services.default_place(1.0)
    assert services.default_place(2.0).id == place.id
    assert services.hello(hello(), "tok_a", 3.0).id == place.id
    assert services.hello(hello("other"), "tok_a", 3.0).id != place.id


@pytest.mark.parametrize("message", [hello("n" * 256), hello(build_id="b" * 256), hello("a\x00b")])
def test_texts_that_no_column_takes_are_refused(message: Hello) -> None:
    with pytest.raises(ApiError, match="hello"):
        services.hello(message, "tok_a", 1.0)
    assert not Node.objects.exists()


def test_a_message_of_another_token_finds_no_node() -> None:
    node = services.hello(hello(), "tok_a", 1.0)
    assert services.known(node.id, "tok_a").id == node.id
    for token, node_id in (("tok_b", node.id), ("tok_a", "node_x"), ("tok_a", "'; --")):
        with pytest.raises(ApiError) as refused:
            services.known(node_id, token)
        assert refused.value.status == 404


def test_a_session_that_is_over_is_refused() -> None:
    old = services.hello(hello(), "tok_a", 1.0).session
    node = services.hello(hello(), "tok_a", 2.0)
    services.require_session(node, node.session)
    with pytest.raises(ApiError) as refused:
        services.require_session(node, old)
    assert refused.value.status == 409


def test_a_sign_of_life_is_kept_with_the_clock_s_offset() -> None:
    node = services.hello(hello(), "tok_a", 1.0)
    now = time.time()
    services.heard(node, now - 5, now)
    stored = Node.objects.get(id=node.id)
    assert (stored.last_seen, round(stored.clock_offset, 3)) == (now, 5.0)
