"""Swagger 2.0 is read like OpenAPI 3."""

import io
import json
from typing import Any

import pytest

from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions import swagger

DOCUMENT: dict[str, Any] = {
    "swagger": "2.0",
    "host": "pets.example.com:8080",
    "basePath": "/v1",
    "schemes": ["wss", "https", "http"],
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "securityDefinitions": {"key": {"type": "apiKey"}},
    "security": [{"key": []}],
    "parameters": {"Limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 50, "default": 20}},
    "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string", "example": "Rex"}}}},
    "paths": {
        "/pets/{petId}": {
            "parameters": [{"name": "petId", "in": "path", "required": True, "type": "integer"}],
            "get": {
                "parameters": [
                    {"$ref": "#/parameters/Limit"},
                    {
                        "name": "tags",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "string", "enum": ["a"]},
                        "minItems": 2,
                    },
                    {
                        "name": "many",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "integer"},
                        "collectionFormat": "multi",
                        "minItems": 2,
                    },
                ]
            },
            "put": {"parameters": [{"name": "body", "in": "body", "schema": {"$ref": "#/definitions/Pet"}}]},
            "patch": {"parameters": [{"name": "name", "in": "formData", "type": "string", "required": True}]},
            "post": {"parameters": [{"name": "photo", "in": "formData", "type": "file"}]},
        }
    },
}


def read(document: Any = DOCUMENT) -> list[Any]:
    return list(swagger.read(io.BytesIO(json.dumps(document).encode())))


def test_host_base_path_and_schemes_are_the_server() -> None:
    get = read()[0]
    assert get.request.url == "https://pets.example.com:8080/v1/pets/1?limit=20&tags=a%2Ca&many=1&many=1"
    assert get.wants == ("key",)
    assert [(hole.name, tuple(hole.point)) for hole in get.holes] == [
        ("petId", ("path", "2")),
        ("limit", ("get", "limit")),
    ]
    assert get.request.first(b"Accept") == b"application/json, */*;q=0.5"


def test_body_and_form_parameters_are_the_body() -> None:
    bodies = {one.request.method: one.request for one in read()}
    assert json.loads(bodies["PUT"].body) == {"name": "Rex"}
    assert bodies["PATCH"].body == b"name=example"
    assert bodies["PATCH"].first(b"Content-Type") == b"application/x-www-form-urlencoded"
    assert bodies["POST"].first(b"Content-Type").startswith(b"multipart/form-data")
    assert b'filename="example.txt"' in bodies["POST"].body


def test_a_document_without_a_host_leaves_it_to_the_user() -> None:
    assert {one.request.host for one in read({**DOCUMENT, "host": None})} == {""}


def test_a_broken_reference_is_told_and_costs_no_other_operation() -> None:
    paths = {"/a": {"get": {"parameters": [{"$ref": "#/parameters/None"}]}}, "/b": {"get": {}}}
    broken, good = read({**DOCUMENT, "paths": paths})
    assert isinstance(broken, Malformed)
    assert "#/parameters/None" in broken.why
    assert good.request.target == b"/v1/b"


@pytest.mark.parametrize(
    "document", [{"swagger": "1.2", "paths": {"/a": {}}}, {"swagger": "2.0"}, {"swagger": "2.0", "paths": {}}]
)
def test_what_is_none_is_told(document: Any) -> None:
    with pytest.raises(UnreadableCapture):
        read(document)


def test_an_operation_whose_body_is_nowhere_described_is_sent_with_an_empty_one() -> None:
    body = {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Gone"}}
    (one,) = read({**DOCUMENT, "paths": {"/a": {"put": {"parameters": [body], "consumes": ["application/json"]}}}})
    assert (one.request.method, one.request.body) == ("PUT", b"{}")
