"""The shapes of the inventory's answers and questions, as the OpenAPI document tells them. Times are UNIX seconds."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from gatecrash.control.api import fields
from gatecrash.control.inventory import filters

# The values of core.auth.scheme.AuthType; a type checker wants them written out.
TypeName = Literal[
    "api_key", "aws_sigv4", "basic", "bearer", "cookie", "digest", "hawk", "hmac", "negotiate", "ntlm", "scram"
]
TypeFilter = Literal[TypeName, "none"]
Status = Literal["consistent", "partial", "missing"]
Protocol = Literal["rest", "graphql", "soap", "grpc"]
ExportFormat = Literal["csv", "json", "openapi"]
Text = Annotated[str, Field(max_length=300)]


class ParameterView(BaseModel):
    """A row of the Authentication tab (contract 2.5). key with context: Key; point: Path. coverage: percent.

    unproven: it last came as a session that nobody proved, so it is listed and not counted.
    """

    type: str
    coverage: float | None
    key: str
    context: str
    point: list[list[str]]
    seen: int
    valid: int
    unproven: bool


class EndpointView(BaseModel):
    """An endpoint over the last 7 days. coverage: percent. refused: null from sources that show no answers.

    status: null where the window holds no traffic. operation: what the protocol calls within the path, such as a GraphQL
    operation. document: null where no uploaded document covers the host. badges: of the last week. public: marked as
    intentionally public. undetected_requests: from nodes that are too old to detect authentication; undetected_node,
    undetected_version: the last such node.
    """

    id: str
    protocol: str
    method: str
    host: str
    path: str
    operation: str | None
    requests: int
    authenticated: int
    refused: int | None
    status: Status | None
    coverage: float | None
    types: list[str]
    parameters: list[ParameterView]
    statuses: dict[str, int]
    first_seen: int | None
    last_seen: int | None
    badges: list[Literal["new", "changed", "unused"]]
    document: Literal["documented", "shadow", "unused"] | None
    public: bool
    undetected_requests: int
    undetected_node: str | None
    undetected_version: str | None


class HourView(BaseModel):
    """One hour of the window. hour: its beginning."""

    hour: int
    requests: int
    authenticated: int
    refused: int


class ChangeView(BaseModel):
    """A change of the status; null is "No traffic"."""

    at: int
    from_: Annotated[Status | None, Field(alias="from")]
    to: Status | None


class UnauthenticatedClients(BaseModel):
    """A kind of clients that came without valid authentication, by its User-Agent."""

    family: str
    requests: int
    since: int
    last_seen: int
    statuses: dict[str, int]


class WithoutView(BaseModel):
    """Who is without: how many requests of the window, since when, with which answers, from which clients."""

    requests: int
    since: int | None
    last_seen: int | None
    statuses: dict[str, int]
    clients: list[UnauthenticatedClients]


class NoteView(BaseModel):
    """A weakness of a credential that traffic showed by itself; never with its value."""

    kind: str
    point: list[list[str]]
    requests: int
    first_seen: int
    last_seen: int


class MarkView(BaseModel):
    """Why the endpoint is public, who answers for it, and until when; expires_at: null for ever."""

    id: str
    reason: str
    owner: str
    expires_at: int | None
    created_at: int


class EndpointDetail(EndpointView):
    """An endpoint with all that is known of it. redirected_from: the old identifier that was asked for.

    series: 168 hours, the oldest first. history: changes of the status, the newest first.
    """

    redirected_from: str | None
    series: list[HourView]
    history: list[ChangeView]
    without: WithoutView
    notes: list[NoteView]
    public_mark: MarkView | None


class EndpointList(BaseModel):
    """One page of endpoints; `total` counts all that match. next_cursor: for the page behind this one; null at the end."""

    objects: list[EndpointView]
    total: int
    next_cursor: str | None


class EndpointChoice(fields.Query):
    """Which endpoints are wanted, in which order.

    type: `none` is "No authentication". path: text within path or operation. seen_since: UNIX seconds. public: by default
    intentionally public endpoints are left out where status is missing or type is none. sort: keys with a comma between,
    a minus before one for downwards.
    """

    status: filters.Status | None = None
    type: TypeFilter | None = None
    host: Text | None = None
    method: Annotated[str, Field(max_length=64)] | None = None
    protocol: Protocol | None = None
    path: Text | None = None
    seen_since: fields.Moment | None = None
    public: filters.Public | None = None
    document: filters.DocumentState | None = None
    badge: filters.Badge | None = None
    sort: Annotated[str, Field(max_length=200, examples=["-requests,host"])] | None = None


class EndpointFilters(EndpointChoice):
    """A page of them. cursor: `next_cursor` of the page before; stable while endpoints come and go, as offset is not."""

    limit: fields.Limit = 50
    offset: fields.Offset = 0
    cursor: Annotated[str, Field(max_length=20_000)] | None = None


class StatusDayChoice(fields.Query):
    """How far back."""

    days: fields.Days = 30


class StatusDayView(BaseModel):
    """Endpoints by status at the end of a day, on the present day as of now. day: its beginning, UTC.

    Endpoints without traffic in the 7 days before are in no count; intentionally public ones count by their status.
    """

    day: int
    missing: int
    partial: int
    consistent: int


class StatusDayList(BaseModel):
    """The days, the oldest first."""

    days: list[StatusDayView]


class EndpointExport(EndpointChoice):
    """Which endpoints, in which format."""

    format: ExportFormat


class SettingsView(BaseModel):
    """How the inventory is read. leave_refused_out: answers 401 and 403 are in no share."""

    leave_refused_out: bool


class SettingsChange(fields.Body):
    """A change of it."""

    leave_refused_out: bool


class NewPublicMark(fields.Body):
    """Mark an endpoint as intentionally public. expires_at: null for ever."""

    endpoint_id: str
    reason: Annotated[str, Field(min_length=1, max_length=fields.MAX_DESCRIPTION)]
    owner: fields.Name
    expires_at: Annotated[int, Field(ge=0, le=2**53)] | None = None


class PublicMarkView(MarkView):
    """A mark with the endpoint that it is on."""

    endpoint_id: str


class PublicMarkList(BaseModel):
    """A part of the marks."""

    objects: list[PublicMarkView]
    total: int


class ServerView(BaseModel):
    """Where a document's paths are. host: empty where the document names none: it is taken for every host."""

    host: str
    base_path: str


class ApiDocumentView(BaseModel):
    """An uploaded OpenAPI document."""

    id: str
    name: str
    title: str
    version: str
    openapi: str
    servers: list[ServerView]
    operation_count: int
    created_at: int
    updated_at: int


class OperationView(BaseModel):
    """One operation of a document."""

    method: str
    path: str


class ApiDocumentWhole(ApiDocumentView):
    """The document with its operations."""

    operations: list[OperationView]


class ApiDocumentList(BaseModel):
    """A part of the documents."""

    objects: list[ApiDocumentView]
    total: int


class NewTemplateRule(fields.Body):
    """A decision on templates: `pin` makes all that matches one endpoint, `split` keeps them apart. host: null for all."""

    kind: Literal["pin", "split"]
    template: Annotated[str, Field(min_length=1, max_length=2048, examples=["/users/{user_id}"])]
    host: Text | None = None


class TemplateRuleView(BaseModel):
    """A pin or a split."""

    id: str
    kind: Literal["pin", "split"]
    host: str | None
    template: str
    created_at: int


class TemplateRuleList(BaseModel):
    """A part of the rules."""

    objects: list[TemplateRuleView]
    total: int
