from typing import Any

import pytest

from gatecrash.core.reports.inventory_openapi import document


def parameter(type_: str, context: str, key: str, valid: int = 5) -> dict[str, Any]:
    return {
        "type": type_,
        "coverage": 50.0,
        "context": context,
        "key": key,
        "point": [[context, key]],
        "seen": 5,
        "valid": valid,
    }


def endpoint(**changes: Any) -> dict[str, Any]:
    given = {
        "id": "ep_1",
        "protocol": "rest",
        "method": "GET",
        "host": "api.example",
        "path": "/users/{user_id}",
        "operation": None,
        "status": "consistent",
        "coverage": 100.0,
        "types": ["bearer"],
        "parameters": [parameter("bearer", "header", "AUTHORIZATION")],
        "requests": 5,
        "authenticated": 5,
        "refused": 0,
        "statuses": {"2xx": 4, "4xx": 1, "5xx": 0},
        "first_seen": 1,
        "last_seen": 2,
        "document": None,
        "public": False,
    }
    return {**given, **changes}


def operation(**changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found = document([endpoint(**changes)])
    return found["paths"]["/users/{user_id}"]["get"], found["components"]["securitySchemes"]


def test_a_consistent_endpoint_wants_its_scheme() -> None:
    shown, schemes = operation()
    assert shown["security"] == [{"bearer": []}]
    assert schemes == {"bearer": {"type": "http", "scheme": "bearer"}}
    assert set(shown["responses"]) == {"2XX", "4XX"}


def test_partial_lets_requests_without_pass_and_missing_wants_nothing() -> None:
    assert operation(status="partial")[0]["security"] == [{"bearer": []}, {}]
    assert operation(status="missing", parameters=[])[0]["security"] == [{}]
    assert operation(parameters=[parameter("bearer", "header", "AUTHORIZATION", valid=0)])[1] == {}


@pytest.mark.parametrize(
    ("type_", "context", "key", "scheme"),
    [
        ("basic", "header", "AUTHORIZATION", {"type": "http", "scheme": "basic"}),
        ("ntlm", "header", "AUTHORIZATION", {"type": "http", "scheme": "ntlm"}),
        ("api_key", "header", "X-API-KEY", {"type": "apiKey", "in": "header", "name": "X-API-KEY"}),
        ("api_key", "query", "api_key", {"type": "apiKey", "in": "query", "name": "api_key"}),
        ("cookie", "cookie", "sid", {"type": "apiKey", "in": "cookie", "name": "sid"}),
        ("bearer", "header", "X-JWT", {"type": "apiKey", "in": "header", "name": "X-JWT"}),
    ],
)
def test_each_place_has_the_scheme_that_openapi_knows(
    type_: str, context: str, key: str, scheme: dict[str, str]
) -> None:
    _, schemes = operation(parameters=[parameter(type_, context, key)])
    [found] = schemes.values()
    assert {name: found[name] for name in scheme} == scheme


def test_a_credential_in_a_body_stands_in_the_extension_alone() -> None:
    shown, schemes = operation(parameters=[parameter("api_key", "form field", "api_key")])
    assert (schemes, shown["security"]) == ({}, [{}])
    assert shown["x-gatecrash"][0]["parameters"][0]["type"] == "api_key"


def test_the_document_is_openapi_3_1_with_paths_and_their_parameters() -> None:
    found = document([endpoint(), endpoint(method="POST", host="b.example"), endpoint(method="PROPFIND")])
    assert found["openapi"] == "3.1.0"
    item = found["paths"]["/users/{user_id}"]
    assert set(item) == {"get", "post", "parameters"}
    assert item["parameters"] == [{"name": "user_id", "in": "path", "required": True, "schema": {"type": "string"}}]
    assert [one["url"] for one in found["servers"]] == ["//api.example", "//b.example"]


def test_what_openapi_takes_for_one_operation_is_told_apart_in_the_extension() -> None:
    other = endpoint(id="ep_2", host="b.example", status="missing", parameters=[], operation="query A")
    shown = document([endpoint(), other])["paths"]["/users/{user_id}"]["get"]
    assert shown["security"] == [{"bearer": []}, {}]
    assert [one["id"] for one in shown["x-gatecrash"]] == ["ep_1", "ep_2"]
    assert len(shown["servers"]) == 2


def test_names_of_schemes_hold_only_what_openapi_allows_and_stay_apart() -> None:
    keys = ("a b", "a_b", "a/b", "ä")
    _, schemes = operation(parameters=[parameter("api_key", "query", key) for key in keys])
    assert len(schemes) == len(keys)
    assert all(name.replace(".", "").replace("_", "").replace("-", "").isascii() for name in schemes)
