"""What an operation says of itself: roles, answer, refusals. It guards the operation and fills the OpenAPI document.

    @router.post("/things", **operation(EDIT, Thing, body=True, conflict=True, examples={"a thing": {"name": "x"}}))
    def create(request: HttpRequest, body: NewThing) -> Answer:
        return ok(…)

The view answers an `envelope.Answer` itself: validating each answer against its model again would double the cost of a
poll. That answers and models agree is checked by the tests that read the OpenAPI document.
"""

from collections.abc import Mapping
from typing import Any

from gatecrash.control.api.envelope import SCHEMAS, Envelope, FieldRefusal, Refusal
from gatecrash.control.api.roles import Roles
from gatecrash.control.api.service_token import JSON, ServiceToken

ALWAYS = (401, 403, 404, 405, 429, 500)
REFUSAL = {"$ref": SCHEMAS.format(model=Refusal.__name__)}
FIELD_REFUSAL = {"$ref": SCHEMAS.format(model=FieldRefusal.__name__)}
EITHER_REFUSAL = {"anyOf": [FIELD_REFUSAL, REFUSAL], "title": "Response"}


def operation(
    roles: Roles,
    answer: Any,
    *,
    body: bool = False,
    query: bool = False,
    conflict: bool = False,
    deployment: bool = False,
    examples: Mapping[str, Any] | None = None,
    refused: Mapping[int, Mapping[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Arguments of a ninja route. answer: the model of the envelope's body. body: takes a JSON object.

    query: has query parameters that may be refused. conflict: may answer 409. deployment: for the deployment's owner.
    examples: bodies by their names, for the document. refused: bodies of refusals, by status and name.
    """
    refusals: dict[int, Any] = dict.fromkeys(ALWAYS, REFUSAL)
    if body:
        refusals |= {413: REFUSAL, 415: REFUSAL, 400: EITHER_REFUSAL}
    if query:
        refusals[400] = EITHER_REFUSAL
    if conflict:
        refusals[409] = FIELD_REFUSAL
    arguments = {
        "auth": ServiceToken(roles, deployment=deployment, media_type=JSON if body else None),
        "response": {200: Envelope[answer]},
        "openapi_extra": {"x-roles": sorted(roles), "x-deployment-owner": deployment, **_shown(examples, refused)},
        **more,
    }
    refusing(arguments, refusals)
    return arguments


def refusing(arguments: dict[str, Any], refusals: Mapping[int, Mapping[str, Any]]) -> None:
    """Tell in a route's arguments what it may refuse with. refusals: the schema of each status.

    They are named in the document only. Ninja would make a model of each of them anew, five hundred of three kinds: a tenth
    of what the service takes to start.
    """
    told = arguments["openapi_extra"].setdefault("responses", {})
    for status, schema in refusals.items():
        arguments["response"][status] = None
        told.setdefault(status, {"content": {JSON: {}}})["content"][JSON]["schema"] = schema


def _shown(examples: Mapping[str, Any] | None, refused: Mapping[int, Mapping[str, Any]] | None) -> dict[str, Any]:
    """The examples where the document has them."""
    extra: dict[str, Any] = {}
    if examples:
        extra["requestBody"] = _content(examples)
    if refused:
        extra["responses"] = {
            status: _content({name: {"status": status, "body": body} for name, body in bodies.items()})
            for status, bodies in refused.items()
        }
    return extra


def _content(examples: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": {JSON: {"examples": {name: {"value": value} for name, value in examples.items()}}}}
