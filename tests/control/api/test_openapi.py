"""The document: complete, in OpenAPI 3.1, and true of the answers that the tests see."""

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def document() -> dict:
    return Client().get("/v1/openapi.json").json()


def operations(document: dict) -> list[tuple[str, str, dict]]:
    return [(path, method, one) for path, item in document["paths"].items() for method, one in item.items()]


def test_every_operation_says_who_may_call_it_and_how_it_answers(document: dict) -> None:
    assert document["openapi"] == "3.1.0"
    found = operations(document)
    assert len(found) >= 18
    for path, method, one in found:
        assert one["summary"], (path, method)
        assert one["x-roles"] == sorted(one["x-roles"]), (path, method)
        assert {"200", "401", "403", "404", "405", "429", "500"} <= set(one["responses"]), (path, method)
        if "requestBody" in one:
            assert {"400", "413", "415"} <= set(one["responses"]), (path, method)
    names = [one["operationId"] for _, _, one in found]
    assert len(names) == len(set(names))


def test_the_token_is_the_one_way_in(document: dict) -> None:
    (scheme,) = document["components"]["securitySchemes"].items()
    assert (scheme[1]["type"], scheme[1]["in"], scheme[1]["name"]) == ("apiKey", "header", "X-Service-API-Token")
    assert {tuple(one["security"][0]) for _, _, one in operations(document)} == {(scheme[0],)}


def test_every_reference_leads_somewhere(document: dict) -> None:
    def references(part: object) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [one for value in part.values() for one in references(value)]
        return [one for value in part for one in references(value)] if isinstance(part, list) else []

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= known


def test_request_bodies_refuse_what_they_do_not_know(document: dict) -> None:
    schemas = document["components"]["schemas"]
    for path, method, one in operations(document):
        for media, content in one.get("requestBody", {}).get("content", {}).items():
            if media == "application/json" and content["schema"].get("format") != "binary":
                name = content["schema"]["$ref"].rpartition("/")[2]
                assert schemas[name]["additionalProperties"] is False, (path, method)
