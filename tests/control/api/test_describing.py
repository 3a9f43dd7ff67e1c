"""Words for the document: identifiers, refusals, headers."""

from gatecrash.control.api.describing import REFUSALS, describe, path_parameter
from gatecrash.control.api.errors import CODE


def test_a_name_in_a_path_says_what_it_stands_for() -> None:
    assert path_parameter("test_run_id") == "the identifier of a test run"
    assert path_parameter("endpoint_id") == "the identifier of an endpoint"
    assert "token belongs to" in path_parameter("client_id")


def test_every_status_with_a_code_of_its_own_is_described() -> None:
    assert set(CODE) <= set(REFUSALS)


def test_a_refusal_gets_words_headers_and_an_example_and_one_that_has_an_example_keeps_it() -> None:
    own = {"status": 404, "body": {"error": "not_found", "message": "There is no such run."}}
    responses = {
        200: {"description": "OK", "content": {}},
        404: {"description": "Not Found", "content": {"application/json": {"example": own}}},
        429: {"description": "Too Many Requests", "content": {"application/json": {}}},
    }
    operation = {
        "parameters": [{"in": "path", "name": "action"}, {"in": "query", "name": "wait"}],
        "responses": responses,
    }
    describe({"paths": {"/x": {"get": operation}}})
    assert responses[200]["description"] != "OK"
    assert responses[404]["content"]["application/json"]["example"] == own
    assert responses[429]["content"]["application/json"]["example"]["body"]["error"] == "rate_limited"
    assert set(responses[429]["headers"]) == {"Retry-After"}
    assert "pause" in operation["parameters"][0]["description"]
    assert "description" not in operation["parameters"][1]
