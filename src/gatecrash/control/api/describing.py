"""What the OpenAPI document says beyond routes and models: every refusal in words, with its headers and an example."""

from typing import Any

from pydantic.json_schema import models_json_schema

from gatecrash.control.api.envelope import SCHEMAS, FieldRefusal, Refusal
from gatecrash.control.api.errors import CODE
from gatecrash.control.api.service_token import JSON

REFUSALS = {
    400: "What was sent is wrong: every faulty field with its code and its value, or one reason for the whole.",
    401: "There is no token, or it is not valid: unknown, expired or revoked.",
    403: "The token's role may not do this.",
    404: "There is nothing at this address; what belongs to another client does not exist either.",
    405: "The address does not take this method.",
    409: "It stands against what is there now; the field says which.",
    413: "The body is too large.",
    415: "The body is of another type.",
    429: "The token asked too often; wait as long as Retry-After says.",
    500: "Something went wrong on the service's side.",
}
HEADERS = {
    405: {"Allow": {"description": "the methods that are taken", "schema": {"type": "string"}}},
    429: {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}},
}
PATHS = {
    "client_id": "the client that the token belongs to (`cl_…`)",
    "managed_client_id": "a client (`cl_…`)",
    "other_test_run_id": "the run to compare with, usually an earlier one (`tr_…`)",
    "action": "`stop` (recording), `pause`, `resume` or `interrupt`; `allowed_actions` of the run says which may be done now",
}


def describe(document: dict[str, Any]) -> dict[str, Any]:
    """The document, with the refusals' models, descriptions, headers and examples written into it."""
    _, models = models_json_schema([(Refusal, "validation"), (FieldRefusal, "validation")], ref_template=SCHEMAS)
    document.setdefault("components", {}).setdefault("schemas", {}).update(models["$defs"])
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path":
                    parameter["description"] = path_parameter(parameter["name"])
            for status, response in operation["responses"].items():
                _describe_answer(int(status), response)
    return document


def path_parameter(name: str) -> str:
    """What a name in a path stands for."""
    thing = name.removesuffix("_id").replace("_", " ")
    return PATHS.get(name) or f"the identifier of {'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def _describe_answer(status: int, response: dict[str, Any]) -> None:
    """Words, headers and, where a refusal is about no field, an example."""
    if status not in REFUSALS:
        if response["description"] == "OK":
            response["description"] = "Done; `body` holds the result."
        return
    response["description"] = REFUSALS[status]
    if status in HEADERS:
        response["headers"] = HEADERS[status]
    if status in CODE:
        example = {"status": status, "body": {"error": CODE[status], "message": REFUSALS[status]}}
        response["content"][JSON].setdefault("example", example)
