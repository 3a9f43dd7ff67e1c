"""Bodies and answers of records and imports, for checking and for the OpenAPI document."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import starting
from gatecrash.control.testruns.bodies import MAX_URL, OnNode
from gatecrash.formats.draft import server_of


class NewRecord(OnNode):
    """A record without a run; a pipeline's recording may wait for 8 days, which no run does. With `start_url` its node makes it:
    nothing is recorded into it, and it closes itself.
    """

    inactivity_timeout: Annotated[int, Field(ge=300, le=691_200)] = Field(
        default=1800, description="seconds that the node waits for a new baseline request before it stops recording"
    )
    start_url: Annotated[str, Field(max_length=MAX_URL)] | None = Field(
        default=None,
        description="where a site begins, whose pages and forms become the record, or the address of a description of an API; "
        "each form is sent once",
    )
    pages: Annotated[int, Field(ge=1, le=starting.MOST_PAGES)] = Field(
        default=starting.USUAL_PAGES, description="with `start_url`: the most pages that are read by each caller"
    )
    auth_profile_id: str | None = Field(
        default=None,
        description="with `start_url`: who reads the pages, besides a visitor; runs that test them want it as well",
    )

    @field_validator("start_url")
    @classmethod
    def start_is_an_address(cls, value: str | None) -> str | None:
        """Take an address of HTTP without credentials in it."""
        if value is None:
            return None
        try:
            server = server_of(value)
        except ValueError as error:
            raise refuse("invalid_value", message=str(error)) from error
        if not server.host or "@" in urlsplit(value).netloc or any(each <= " " for each in value):
            raise refuse("invalid_value", message="an address is needed, as http://host/path, without a user in it")
        return value

    @field_validator("auth_profile_id")
    @classmethod
    def reader_exists(cls, value: str | None) -> str | None:
        """Refuse a profile that the client does not have."""
        if value is not None and profiles.find(value) is None:
            raise refuse("not_found")
        return value


class StartView(BaseModel):
    """The address that a record is made from, and how far its node is. state: `closing` while it hands over what it has read when
    it was stopped. trouble: why nothing could be read.
    """

    url: str
    pages: int
    auth_profile_id: str | None
    state: starting.State
    pages_read: int
    trouble: str
    notes: list[str]


class RecordView(BaseModel):
    """A test record. test_run_id: the run that records it; null for a record made without one. start: null where it was recorded.

    ready_for_recording: its node said that it records; of a record that a run records, the run says so.
    """

    id: str
    name: str
    baseline_count: int
    domains: list[str]
    recording: bool
    ready_for_recording: bool
    ready_for_cloning: bool
    node_id: str | None
    test_run_id: str | None
    inactivity_timeout: int
    created_at: int
    start: StartView | None


class RecordList(BaseModel):
    """A part of the client's records."""

    objects: list[RecordView]
    total: int


class RecordFilter(fields.Page):
    """Which records are wanted."""

    name: fields.Part | None = Field(default=None, description="a part of the name, without case")


class ImportWanted(fields.Query):
    """Where a description's requests are sent: an origin. Captured traffic keeps its own."""

    target_url: Annotated[str, Field(max_length=MAX_URL)] | None = None

    @field_validator("target_url")
    @classmethod
    def is_an_origin(cls, value: str | None) -> str | None:
        """Refuse what has no host, or a path."""
        try:
            server = server_of(value) if value is not None else None
        except ValueError:
            raise refuse("invalid_value") from None
        if server is not None and (not server.host or server.path):
            raise refuse("invalid_value")
        return value


class Skipped(BaseModel):
    """Exchanges that became no baselines. duplicate: the record holds an identical one. The others cannot be sent again."""

    malformed: int
    duplicate: int
    preflight: int
    unanswered: int
    incomplete: int
    no_http: int


class Problem(BaseModel):
    """What of a file was not taken. place: the line or the entry in the file, counted from 1. reason: a member of skipped."""

    place: int
    reason: str
    why: str


class Imported(BaseModel):
    """What came of an import. problems: the first of what was skipped, duplicates apart."""

    imported: int
    skipped: Skipped
    problems: list[Problem]
