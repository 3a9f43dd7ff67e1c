"""An uploaded OpenAPI document is read down to servers and operations; what cannot be read is refused with its place."""

import json
from typing import Any

import pytest

from gatecrash.control.inventory.reading import (
    MOST_OPERATIONS,
    MOST_SERVERS,
    Read,
    UnreadableDocument,
    read,
)


def document(**more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "Shop", "version": "7"}, "paths": {}, **more}


def of(given: dict[str, Any], host: str | None = None) -> Read:
    return read(json.dumps(given).encode(), host)


YAML = b"""
openapi: 3.0.3
info: {title: Shop, version: "7"}
servers:
  - url: https://{region}.api.example.com:8443/v1/
    variables: {region: {default: eu}}
paths:
  /users/{id}:
    parameters: []
    get: {responses: {"200": {description: fine}}}
    delete: {}
  x-note: ignored
"""


def test_yaml_and_json_are_read_alike() -> None:
    operations = (("GET", "/users/{id}"), ("DELETE", "/users/{id}"))
    servers = (("eu.api.example.com:8443", "/v1"),)
    assert read(YAML) == Read("Shop", "7", "3.0.3", servers, operations)
    given = document(servers=[{"url": "https://eu.api.example.com:8443/v1"}])
    given["paths"] = {"/users/{id}": {"get": {}, "delete": {}, "parameters": [], "summary": "s"}}
    assert of(given) == Read("Shop", "7", "3.1.0", servers, operations)
    assert read(b"\xef\xbb\xbf" + json.dumps(given).encode()) == of(given)


@pytest.mark.parametrize(
    ("servers", "expected"),
    [
        (None, ("", "")),
        ([], ("", "")),
        ([{"url": "/v2/"}], ("", "/v2")),
        ([{"url": "//api.example.com"}], ("api.example.com", "")),
        ([{"url": "http://API.example.com:80/a"}], ("api.example.com", "/a")),
        ([{"url": "https://api.example.com:443"}], ("api.example.com", "")),
        ([{"url": "http://[::1]:9000/"}], ("[::1]:9000", "")),
        ([{"url": "https://api.example.com:80"}], ("api.example.com:80", "")),
    ],
)
def test_a_servers_host_and_base_path(servers: Any, expected: tuple[str, str]) -> None:
    assert of(document(servers=servers)).servers == (expected,)


def test_a_given_host_takes_the_place_of_those_named() -> None:
    servers = [{"url": "https://a.example/v1"}, {"url": "https://b.example/v1"}, {"url": "https://b.example/v2"}]
    assert of(document(servers=servers), "Stage.example").servers == (
        ("stage.example", "/v1"),
        ("stage.example", "/v2"),
    )


def test_a_path_item_may_refer_to_another_within() -> None:
    given = document(paths={"/a": {"$ref": "#/components/pathItems/a~1b", "post": {}}})
    given["components"] = {"pathItems": {"a/b": {"get": {}}}}
    assert of(given).operations == (("GET", "/a"), ("POST", "/a"))


def test_nothing_else_of_it_is_kept() -> None:
    secret = "do-not-keep-9f8a"
    given = document(paths={"/a": {"get": {"example": secret, "description": secret}}}, tags=[{"name": secret}])
    assert secret not in repr(of(given))


CIRCLE = {"components": {"pathItems": {"a": {"$ref": "#/components/pathItems/a"}}}}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the document: must be an object, not NoneType"),
        (b"[]", "the document: must be an object, not list"),
        (b"\xff\xfe", "byte 0: the document is no UTF-8"),
        (b'{"openapi": }', "line 1, column 13: no JSON"),
        (b"a: [1,\nb: ]: 2", "no YAML"),
        (b"!!python/object/apply:os.system [id]", "no YAML"),
        (b'{"swagger": "2.0"}', "swagger 2.0; convert it"),
        (b'{"openapi": "3.2.0"}', "must be 3.0 or 3.1"),
        (b'{"openapi": 3.1}', "must be 3.0 or 3.1"),
        (document(paths=[]), None),
        (document(paths={"a": {}}), "/paths/a: a path must begin with a slash"),
        (document(paths={"/a/b": 1}), "/paths/~1a~1b: must be an object, not int"),
        (document(paths={"/" + "a" * 3000: {}}), "over 2048 characters"),
        (document(paths={"/a\x00": {}}), "that no path holds"),
        (document(paths={"/a": {"$ref": "other.yaml#/a"}}), "only references within the document"),
        (document(paths={"/a": {"$ref": "#/nowhere"}}), "nothing is at '#/nowhere'"),
        (document(paths={"/a": {"$ref": "#/components/pathItems/a"}}, **CIRCLE), "references go in a circle"),
        (document(servers={}), None),
        (document(servers=[{}]), "/servers/0/url: must be a text"),
        (document(servers=[{"url": "http://a:99999/"}]), "is no address"),
        (document(servers=[{"url": f"http://{'a' * 400}/"}]), "/servers/0/url: too long"),
        (document(servers=[{"url": "/"}] * (MOST_SERVERS + 1)), f"/servers: more than {MOST_SERVERS}"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(data: Any, words: str | None) -> None:
    given = data if isinstance(data, bytes) else json.dumps(data).encode()
    if words is None:  # an empty list is as good as none
        assert read(given).operations == ()
        return
    with pytest.raises(UnreadableDocument) as caught:
        read(given)
    assert words in str(caught.value)


def test_it_has_no_more_operations_than_we_keep() -> None:
    given = document(paths={f"/{place}": {"get": {}} for place in range(MOST_OPERATIONS + 1)})
    with pytest.raises(UnreadableDocument, match="more than 20000 operations"):
        of(given)


@pytest.mark.parametrize("depth", [10_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_and_aliases_do_no_harm(opening: str, depth: int) -> None:
    with pytest.raises(UnreadableDocument):
        read((opening * depth).encode())
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 30)]
    with pytest.raises(UnreadableDocument, match=r"must be 3\.0 or 3\.1"):
        read("\n".join(lines).encode())
