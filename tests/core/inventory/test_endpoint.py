"""An endpoint's key, and the identifiers derived from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.endpoint import EndpointKey, endpoint_id, host_of, identity
from gatecrash.core.message import Request

texts = st.text(max_size=8)
keys = st.builds(EndpointKey, texts, texts, texts, texts, texts)


def test_it_reads_as_people_write_it():
    assert (
        str(EndpointKey("rest", "GET", "api.example.com", "/users/{user_id}")) == "GET api.example.com /users/{user_id}"
    )
    assert str(EndpointKey("graphql", "POST", "h", "/graphql", "query GetTea")) == "POST h /graphql query GetTea"


def test_the_port_belongs_to_the_host_unless_it_is_the_schemes_own():
    assert host_of(Request("GET", b"/", scheme="https", host="API.example.com", port=443)) == "api.example.com"
    assert host_of(Request("GET", b"/", host="127.0.0.1", port=8001)) == "127.0.0.1:8001"
    assert host_of(Request("GET", b"/", host="::1", port=8001)) == "[::1]:8001"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("2001:DB8:0::1", "[2001:db8::1]"),
        ("2001:db8:0:0:0:0:0:1", "[2001:db8::1]"),
        ("[::1]", "[::1]"),
        ("fe80::1%eth0", "[fe80::1%eth0]"),
        ("not:an:address", "[not:an:address]"),
        ("API.example.com.", "api.example.com"),
        ("", ""),
    ],
)
def test_one_host_is_written_one_way(host: str, expected: str) -> None:
    assert host_of(Request("GET", b"/", host=host, port=80)) == expected


@given(keys, keys)
def test_identities_are_equal_exactly_for_equal_keys(one, other):
    assert (identity(one) == identity(other)) == (one == other)


@given(keys)
def test_identifiers_differ_between_clients_and_secrets(key):
    assert endpoint_id("cl_a", b"s", key) == endpoint_id("cl_a", b"s", key)
    assert len({endpoint_id("cl_a", b"s", key), endpoint_id("cl_b", b"s", key), endpoint_id("cl_a", b"t", key)}) == 3
    assert endpoint_id("cl_a", b"s", key).startswith("ep_")
