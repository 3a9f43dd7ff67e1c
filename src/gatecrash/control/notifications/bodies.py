"""Bodies and answers of webhooks, for checking and for the OpenAPI document."""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.control.notifications import destinations

Event = Literal["test_run.ended", "vulnerability.found", "endpoint.status", "schedule.paused"]
Events = Annotated[list[Event], Field(min_length=1, max_length=10)]
Url = Annotated[str, Field(max_length=destinations.MAX_URL)]
_URL = "where to; shown again as its origin only, as the rest is often a credential"
_WRITE_ONLY: dict[str, Any] = {"writeOnly": True}


class _Fields(fields.Body):
    """What the fields of a webhook must be like. No refusal repeats an address, which may be a credential."""

    secret: ClassVar[frozenset[str]] = frozenset({"url"})

    @field_validator("url", check_fields=False)
    @classmethod
    def address_may_be_called(cls, value: str) -> str:
        """Refuse what is no address, leads nowhere, or to where nothing may be sent."""
        try:
            destinations.resolve(destinations.read(value))
        except (destinations.NotAllowed, destinations.Unresolved) as error:
            raise refuse("invalid_value", message=str(error)) from error
        return value

    @field_validator("events", mode="before", check_fields=False)
    @classmethod
    def one_at_least(cls, value: object) -> object:
        """Refuse a webhook that would never be told anything, in words."""
        if value == []:
            raise refuse("invalid_value", message="choose one at least", choices=list(get_args(Event)))
        return value

    @field_validator("events", check_fields=False)
    @classmethod
    def each_once(cls, value: list[Event]) -> list[Event]:
        """Each kind once, whatever order it came in."""
        return sorted(set(value))


class NewWebhook(_Fields):
    """A webhook to register (docs/notifications.md)."""

    name: fields.Name
    url: Url = Field(description=_URL, json_schema_extra=_WRITE_ONLY)
    events: Events
    enabled: bool = True


class WebhookChange(_Fields):
    """The fields that are to change; the others stay."""

    name: fields.Name = ""
    url: Url = Field(default="", description=_URL, json_schema_extra=_WRITE_ONLY)
    events: Events = []
    enabled: bool = True


class WebhookView(BaseModel):
    """A webhook without its secret. origin: of its address. Times are UNIX seconds.

    waiting: deliveries that are not over. dropped: news that were not kept, as too many waited. last_at, last_status,
    last_error: of the last try; the status is null where no answer came, the error empty where it was taken.
    """

    id: str
    name: str
    origin: str
    events: list[Event]
    enabled: bool
    waiting: int
    dropped: int
    last_at: int | None
    last_status: int | None
    last_error: str
    created_at: int
    updated_at: int


class WebhookSecret(WebhookView):
    """A webhook with the secret that signs from now on, shown this once."""

    secret: str


class WebhookList(BaseModel):
    """A part of the client's webhooks."""

    objects: list[WebhookView]
    total: int


class DeliveryView(BaseModel):
    """One piece of news on its way to a webhook. event_id: the same at every try. status: null where no answer came.

    next_at: of the next try; null once it is delivered or given up.
    """

    id: str
    event_id: str
    type: Event | Literal["webhook.test"]
    state: Literal["waiting", "delivered", "given_up"]
    tries: int
    tried_at: int | None
    status: int | None
    error: str
    next_at: int | None
    created_at: int


class DeliveryList(BaseModel):
    """A part of a webhook's deliveries, the newest first."""

    objects: list[DeliveryView]
    total: int


class Deleted(BaseModel):
    """What was removed."""

    id: str
