"""The paths of OpenAPI documents, for each of their servers."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.documents import DocumentPaths, read_paths

PATHS = {"/teas/{tea_id}": {"get": {}, "delete": {}, "parameters": [], "summary": "x"}, "/brew": {"post": {}}}
OPERATIONS = (("GET", "/teas/{tea_id}"), ("DELETE", "/teas/{tea_id}"), ("POST", "/brew"))


def places(**document):
    return [(one.host, one.base_path) for one in read_paths({"paths": PATHS, **document})]


def test_every_operation_is_read():
    assert read_paths({"openapi": "3.1.0", "paths": PATHS}) == (DocumentPaths("", "", OPERATIONS),)


@pytest.mark.parametrize(
    ("servers", "expected"),
    [
        ([{"url": "/"}], [("", "")]),
        ([{"url": "/v1/"}], [("", "/v1")]),
        ([{"url": "https://API.example.com/v1"}], [("api.example.com", "/v1")]),
        ([{"url": "https://api.example.com:443/"}], [("api.example.com", "")]),
        ([{"url": "http://api.example.com:8080"}], [("api.example.com:8080", "")]),
        ([{"url": "http://[::1]:8080/a"}], [("[::1]:8080", "/a")]),
        ([{"url": "https://{region}.example.com/{v}", "variables": {"region": {"default": "eu"}, "v": {"default": "v2"}}}],
         [("eu.example.com", "/v2")]),
        ([{"url": "https://{unknown}.example.com/a"}], [("", "/a")]),
        ([{"url": "https://a.example/v1"}, {"url": "https://b.example/v1"}, {"url": "https://a.example/v1/"}],
         [("a.example", "/v1"), ("b.example", "/v1")]),
        ([{"url": "http://a.example:99999/"}], []),
        ("nonsense", [("", "")]),
    ],
)  # fmt: skip
def test_servers_give_host_and_base_path(servers, expected):
    assert places(servers=servers) == expected


def test_swagger_has_one_host_and_a_base_path():
    assert places(swagger="2.0", host="API.example.com:8443", basePath="/v1/") == [("api.example.com:8443", "/v1")]


@pytest.mark.parametrize("document", [{}, {"paths": []}, {"paths": {"/a": None, 7: {"get": {}}, "b": {"get": {}}}}])
def test_what_is_no_document_has_no_paths(document):
    assert read_paths(document) == ()


nested = st.recursive(
    st.none() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["paths", "servers", "/a", "get", "url", "variables", "swagger", "host"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["paths", "servers", "swagger", "host", "basePath"]), nested))
def test_a_broken_document_costs_only_its_broken_parts(document):
    for paths in read_paths(document):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(paths), type=DocumentPaths) == paths
