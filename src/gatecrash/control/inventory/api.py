"""Authentication parameters (contract 4.1, 4.2); the endpoints are in `endpoints_api.py`."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import ApiError, refuse
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.json_body import is_storable
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.inventory import decisions_api, endpoints_api, export_api, queries, rules, services, views
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.control.ui.reads.suggested_parameters import suggested
from gatecrash.core.errors import InvalidPoint
from gatecrash.core.point import Point

router = Router(tags=["inventory"])

PARAMETERS = "/clients/{client_id}/apid/config/auth-parameters"
EXAMPLES = {
    "header": [["header", "X-PARTNER-KEY"]],
    "cookie": [["header", "COOKIE", "cookie", "partnerSession"]],
    "query": [["get", "partnerKey"]],
    "form field": [["post", "form_urlencoded", "partnerKey"]],
    "JSON field": [["post", "json_doc", "json_obj", "partnerKey"]],
}


class AuthParameterView(BaseModel):
    """An authentication parameter. created_at: UNIX seconds; null for a default."""

    id: str
    point: list[list[str]]
    source: Literal["default", "custom"]
    created_at: int | None


class AuthParameterList(BaseModel):
    """The defaults, then the client's own, in a stable order."""

    parameters: list[AuthParameterView]


class NewAuthParameter(fields.Body):
    """A parameter to add; exactly one location. A bare `["header", "X-A"]` is understood too."""

    point: Annotated[
        Any,
        Field(
            json_schema_extra={
                "oneOf": [
                    {
                        "type": "array",
                        "items": {"type": "array", "items": {"type": "string"}},
                        "minItems": 1,
                        "maxItems": 1,
                    },
                    {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4},
                ],
                "examples": [[["header", "X-CUSTOM-TOKEN"]], [["get", "session"]]],
            }
        ),
    ]

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: object) -> object:
        """Refuse NUL and half surrogate pairs as the control characters that decisions 4 calls `invalid_point`."""
        if not is_storable(value):
            raise refuse("invalid_point", reason="a name may not hold control characters")
        return value

    @field_validator("point")
    @classmethod
    def readable(cls, value: object) -> object:
        """Refuse what is no point of contract 2.3."""
        parse(value)
        return value


def parse(value: object) -> Point:
    """The configured point. Raises our field error."""
    try:
        return Point.parse_configured(value)
    except InvalidPoint as error:
        raise refuse("invalid_point", reason=str(error)) from error


class RuleView(BaseModel):
    """A built-in rule: what is recognised without any configuration."""

    type: str
    words: list[str]
    names: list[dict[str, Any]]


class RuleList(BaseModel):
    """The built-in rules, in the order in which they are asked."""

    rules: list[RuleView]


class SuggestionView(BaseModel):
    """A header that a test run found to let in. test_run_id: the newest that did; domains: the hosts of its record."""

    point: list[list[str]]
    test_run_id: str
    domains: list[str]


class SuggestionList(BaseModel):
    """Parameters that the client may want to add, those of the newest run first."""

    suggestions: list[SuggestionView]


@identifier("client_id")
def _client(caller: Caller, value: str) -> str | None:
    """A token sees its own client only."""
    return value if value == caller.client_id else None


@identifier("auth_parameter_id")
def _auth_parameter(_caller: Caller, value: str) -> AuthParameter | str | None:
    """A custom entry's row, or the identifier of a default."""
    return value if value in views.DEFAULT_IDS else AuthParameter.objects.filter(id=value).first()


@router.get(PARAMETERS, **operation(READ, AuthParameterList, summary="List authentication parameters"))
def list_auth_parameters(request: HttpRequest, client_id: str) -> Answer:
    """Every parameter that the client treats as an authentication signal: the defaults and its own."""
    return ok(views.auth_parameters(queries.custom_parameters()))


@router.post(
    PARAMETERS,
    **operation(
        EDIT,
        AuthParameterView,
        body=True,
        conflict=True,
        summary="Add an authentication parameter",
        examples={name: {"point": point} for name, point in EXAMPLES.items()},
        refused={409: {"a default": {"point": {"error": "already_exists", "value": [["header", "X-TOKEN"]]}}}},
    ),
)
def add_auth_parameter(request: HttpRequest, client_id: str, body: NewAuthParameter) -> Answer:
    """Add one parameter; every connected node detects by it within 5 seconds."""
    return ok(views.auth_parameter(services.add_auth_parameter(Point.parse_configured(body.point), body.point)))


@router.delete(
    f"{PARAMETERS}/{{auth_parameter_id}}",
    **operation(EDIT, AuthParameterView, summary="Remove a custom authentication parameter"),
)
def remove_auth_parameter(request: HttpRequest, client_id: str, auth_parameter_id: str) -> Answer:
    """Remove a custom parameter and answer what it was; a default cannot be removed."""
    row = found(request, "auth_parameter_id")
    if isinstance(row, str):
        raise ApiError("forbidden", "A default authentication parameter cannot be removed.")
    still_there(services.remove_auth_parameter(row), "auth_parameter_id")
    return ok(views.auth_parameter(row))


@router.get(
    "/clients/{client_id}/apid/config/auth-suggestions",
    **operation(READ, SuggestionList, summary="List parameters worth adding"),
)
def list_auth_suggestions(request: HttpRequest, client_id: str) -> Answer:
    """Headers without which a target refused a test run, and that do not count as authentication yet; at most 10."""
    return ok({"suggestions": suggested()})


@router.get(
    "/clients/{client_id}/apid/config/auth-rules", **operation(READ, RuleList, summary="List the built-in rules")
)
def list_auth_rules(request: HttpRequest, client_id: str) -> Answer:
    """What is recognised without configuration: schemes by their words, header families by their names."""
    return ok({"rules": rules.BUILT_IN})


router.add_router("", export_api.router)  # before endpoints/{endpoint_id}
router.add_router("", endpoints_api.router)
router.add_router("", decisions_api.router)
