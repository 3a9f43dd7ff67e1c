"""Authentication parameters (contract 4.1, 4.2) and the endpoint inventory (contract 2.4, 2.5)."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import ApiError, refuse
from gatecrash.control.api.gate import identifier
from gatecrash.control.api.json_body import is_storable
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.inventory import queries, rules, services, views
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.core.errors import InvalidPoint
from gatecrash.core.point import Point

router = Router(tags=["inventory"])

PARAMETERS = "/clients/{client_id}/apid/config/auth-parameters"
# The values of core.auth.scheme.AuthType; a type checker wants them written out.
TypeName = Literal[
    "api_key", "aws_sigv4", "basic", "bearer", "cookie", "digest", "hawk", "hmac", "negotiate", "ntlm", "scram"
]


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


class ParameterView(BaseModel):
    """A row of the Authentication tab (contract 2.5). key with context: Key; point: Path. coverage: percent."""

    type: str
    coverage: float | None
    key: str
    context: str
    point: list[list[str]]
    seen: int
    valid: int


class EndpointView(BaseModel):
    """An endpoint over the last 7 days. coverage: percent. refused: null from sources that show no answers.

    status: null where the window holds no traffic. undetected_requests: from nodes that are too old to detect
    authentication; undetected_node: the last such node.
    """

    id: str
    protocol: str
    method: str
    host: str
    path: str
    requests: int
    authenticated: int
    refused: int | None
    status: Literal["consistent", "partial", "missing"] | None
    coverage: float | None
    types: list[str]
    parameters: list[ParameterView]
    statuses: dict[str, int]
    first_seen: int
    last_seen: int
    undetected_requests: int
    undetected_node: str | None


class EndpointList(BaseModel):
    """One page of endpoints; `total` counts all that match."""

    objects: list[EndpointView]
    total: int


class EndpointFilters(fields.Page):
    """Which endpoints are wanted."""

    status: queries.Status | None = None
    type: TypeName | None = None
    host: Annotated[str, Field(max_length=300)] | None = None
    method: Annotated[str, Field(max_length=64)] | None = None


@identifier("client_id")
def _client(caller: Caller, value: str) -> str | None:
    """A token sees its own client only."""
    return value if value == caller.client_id else None


@identifier("auth_parameter_id")
def _auth_parameter(_caller: Caller, value: str) -> AuthParameter | str | None:
    """A custom entry's row, or the identifier of a default."""
    return value if value in views.DEFAULT_IDS else AuthParameter.objects.filter(id=value).first()


@identifier("endpoint_id")
def _endpoint(_caller: Caller, value: str) -> dict[str, Any] | None:
    return queries.find_endpoint(value)


@router.get(PARAMETERS, **operation(READ, AuthParameterList, summary="List authentication parameters"))
def list_auth_parameters(request: HttpRequest, client_id: str) -> Answer:
    """Every parameter that the client treats as an authentication signal: the defaults and its own."""
    return ok(views.auth_parameters(queries.custom_parameters()))


@router.post(
    PARAMETERS,
    **operation(EDIT, AuthParameterView, body=True, conflict=True, summary="Add an authentication parameter"),
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
    services.remove_auth_parameter(row)
    return ok(views.auth_parameter(row))


@router.get(
    "/clients/{client_id}/apid/config/auth-rules", **operation(READ, RuleList, summary="List the built-in rules")
)
def list_auth_rules(request: HttpRequest, client_id: str) -> Answer:
    """What is recognised without configuration: schemes by their words, header families by their names."""
    return ok({"rules": rules.BUILT_IN})


@router.get("/endpoints", **operation(READ, EndpointList, query=True, summary="List endpoints"))
def list_endpoints(request: HttpRequest, filters: Query[EndpointFilters]) -> Answer:
    """The inventory with status and coverage of the last 7 days, ordered by host, path and method."""
    wanted = queries.Filters(filters.status, filters.type, filters.host, filters.method)
    objects, total = queries.list_endpoints(wanted, limit=filters.limit, offset=filters.offset)
    return ok({"objects": objects, "total": total})


@router.get("/endpoints/{endpoint_id}", **operation(READ, EndpointView, summary="Read an endpoint"))
def read_endpoint(request: HttpRequest, endpoint_id: str) -> Answer:
    """One endpoint with its authentication parameters: type, coverage, key and path."""
    return ok(found(request, "endpoint_id"))
