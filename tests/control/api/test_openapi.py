"""The document: complete, in OpenAPI 3.1, and true of the answers that the tests see."""

import pytest
from django.test import Client
from tests.control.calling import Api

from gatecrash.control.api.errors import FIELD_CODES, STATUS

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


def test_every_example_of_a_body_is_taken_but_for_a_record_that_is_made_up(document: dict, api: Api) -> None:
    seen = set()
    for path, method, one in operations(document):
        for name, example in (
            one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {}).items()
        ):
            status, body = api.call(method.upper(), path.format(client_id=api.client_id), example["value"])
            made_up = {"test_record_id": "not_found"} if "test_record_id" in example["value"] else {}
            assert {field: fault["error"] for field, fault in body.items() if made_up} == made_up, (path, name)
            assert status == (400 if made_up else 200), (path, name, body)
            seen.add(path)
    assert {"/v1/test_run", "/v1/clients/{client_id}/apid/config/auth-parameters"} <= seen


def test_every_example_of_a_refusal_has_its_status_and_a_code_of_ours(document: dict) -> None:
    for path, method, one in operations(document):
        for status, answer in one["responses"].items():
            content = answer["content"].get("application/json", {})
            examples = [item["value"] for item in content.get("examples", {}).values()]
            for example in [*examples, *([content["example"]] if "example" in content else [])]:
                assert (example["status"], "body" in example) == (int(status), True), (path, method)
                faults = [example["body"]] if "message" in example["body"] else list(example["body"].values())
                assert {fault["error"] for fault in faults} <= FIELD_CODES | set(STATUS), (path, method)


def test_every_name_in_a_path_and_every_refusal_is_described(document: dict) -> None:
    for path, method, one in operations(document):
        assert all(item["description"] for item in one["parameters"] if item["in"] == "path"), (path, method)
        assert all(
            answer["description"].endswith(".") or status == "200" for status, answer in one["responses"].items()
        )
        assert "Retry-After" in one["responses"]["429"]["headers"]
        assert "Allow" in one["responses"]["405"]["headers"]
