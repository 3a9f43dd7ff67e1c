"""Bodies and answers of runs and records, for checking and for the OpenAPI document."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, Field, ValidationInfo, field_validator

from gatecrash.control import wall
from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.control.findings.bodies import VulnerabilityView
from gatecrash.control.nodes.queries import there
from gatecrash.control.policies import queries as policies
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import queries
from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.policy import BUILT_IN
from gatecrash.core.testing.selection.extensions_filter import ExtensionsFilter

Tag = Annotated[str, Field(min_length=1, max_length=255)]
Inactivity = Annotated[int, Field(ge=300, le=86400)]
MAX_URL = 2048
_EXTENSIONS = (
    "baseline requests whose file extension this matches as a whole, without case, are recorded and not tested: "
    "`.` any character, `x*` any number of x, `x?` one x or none, `|` or `,` between several"
)


class OnNode(fields.Body):
    """What runs and records have in common: the node that does it."""

    name: fields.Name
    node_id: str | None = Field(default=None, description="the test node; the client's default node else")
    inactivity_timeout: Inactivity = Field(
        default=1800, description="seconds that the node waits for a new baseline request before it stops recording"
    )

    @field_validator("node_id")
    @classmethod
    def node_exists(cls, value: str | None) -> str | None:
        """Refuse a node that the client does not have."""
        if value is not None and not there().filter(id=value).exists():
            raise refuse("not_found")
        return value


class NewRun(OnNode):
    """Contract 4.3 and 4.4: with `test_record_id` a copy, else a new run with a new record."""

    test_record_id: str | None = Field(
        default=None,
        description="an existing record to reuse: makes a copy; not while it is recorded, not an empty one",
    )
    test_record_name: fields.Name = Field(
        default_factory=str, description="the new record's name; the run's name else; not beside `test_record_id`"
    )
    desc: fields.Description = ""
    file_extensions_to_exclude: Annotated[str, Field(max_length=4096)] = Field(default="", description=_EXTENSIONS)
    policy_id: str = Field(
        default="default", description="`default`, `quick`, `thorough` or a policy of the client's own"
    )
    stop_on_first_fail: bool = Field(default=False, description="whether the run ends at the first vulnerability")
    skip_duplicated_baselines: bool = Field(
        default=True, description="whether only the first of identical baseline requests is tested"
    )
    rps_per_baseline: Annotated[int, Field(ge=1, le=500)] | None = Field(
        default=None, description="test requests a second for one baseline request; null is unlimited"
    )
    rps: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        default=None, description="test requests a second for the whole run; null is unlimited"
    )
    tags: Annotated[list[Tag], Field(max_length=100)] = Field(default_factory=list)
    clientid: str | None = Field(default=None, description="must be the token's client")
    type: Literal["node"] = "node"
    auth_profile_id: str | None = Field(default=None, description="how the run signs in")
    target_url: Annotated[str, Field(max_length=MAX_URL)] | None = Field(
        default=None, description="send to this origin instead of the recorded one"
    )

    @field_validator("test_record_id")
    @classmethod
    def record_can_be_copied(cls, value: str | None) -> str | None:
        """Refuse a record that is unknown, still recorded, or empty."""
        code = queries.why_not_copied(queries.settled_record(value)) if value is not None else ""
        if code:
            raise refuse(code)
        return value

    @field_validator("test_record_name")
    @classmethod
    def one_of_both(cls, value: str, info: ValidationInfo) -> str:
        """Refuse a name beside a record. A faulty `test_record_id` is missing from `info.data`: it was given, too."""
        if info.data.get("test_record_id", "faulty") is not None:
            raise refuse("not_allowed_with_test_record_id")
        return value

    @field_validator("file_extensions_to_exclude")
    @classmethod
    def pattern_is_readable(cls, value: str) -> str:
        """Refuse a pattern that cannot be read, with the reason."""
        try:
            ExtensionsFilter(value)
        except InvalidPattern as error:
            raise refuse("invalid_value", message=str(error)) from error
        return value

    @field_validator("policy_id")
    @classmethod
    def policy_exists(cls, value: str) -> str:
        """Refuse an unknown policy."""
        if policies.find(value) is None:
            raise refuse("not_found", choices=list(BUILT_IN))
        return value

    @field_validator("clientid")
    @classmethod
    def client_is_ours(cls, value: str | None) -> str | None:
        """Another client's identifier is answered as one that does not exist (decisions 1)."""
        if value is not None and value != wall.required():
            raise refuse("not_found")
        return value

    @field_validator("auth_profile_id")
    @classmethod
    def profile_exists(cls, value: str | None) -> str | None:
        """Refuse a profile that the client does not have."""
        if value is not None and profiles.find(value) is None:
            raise refuse("not_found")
        return value

    @field_validator("target_url")
    @classmethod
    def target_is_an_origin(cls, value: str | None) -> str | None:
        """Take `http(s)://host[:port]` and nothing behind it."""
        return None if value is None else origin(value)


def origin(value: str) -> str:
    """The origin that the text is. Raises pydantic's error of `refuse` where it is none."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as error:
        raise refuse("invalid_value", message=str(error)) from error
    has_more = parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in ("http", "https") or not parts.hostname or has_more or port == 0 or " " in value:
        raise refuse(
            "invalid_value", message="an origin is needed: http://host or https://host:port, nothing behind it"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{port}" if port is not None else "")


State = Literal["cloning", "running", "paused", "interrupted", "passed", "failed"]
SimpleState = Literal["running", "paused", "interrupted", "passed", "failed"]
Action = Literal["stop", "pause", "resume", "interrupt"]


class VulnerabilitySummary(BaseModel):
    """A vulnerability (contract 2.7)."""

    id: str
    threat: int = Field(ge=1, le=100, description="higher is more severe")
    code: str = Field(description="of its type, endpoint and point; the same in every run")
    type: str


class RunView(BaseModel):
    """The test run object (contract 2.6, decisions 7). Times are UNIX seconds."""

    id: str
    name: str
    desc: str
    vulns: list[VulnerabilitySummary] = Field(description="found in the target application")
    clientid: str
    type: Literal["node"]
    state: State
    simple_state: SimpleState
    allowed_actions: list[Action]
    baseline_count: int = Field(description="recorded baseline requests: terminated, running, waiting and skipped ones")
    baseline_check_all_terminated_count: int = Field(
        description="passed, failed, technically failed and interrupted ones"
    )
    baseline_check_fail_count: int = Field(description="a vulnerability was found")
    baseline_check_tech_fail_count: int = Field(description="their tests failed for technical reasons")
    baseline_check_passed_count: int = Field(description="all checks passed")
    baseline_check_running_count: int = Field(description="their checks are in progress")
    baseline_check_interrupted_count: int = Field(description="their checks were interrupted")
    baseline_check_waiting_count: int = Field(description="waiting to be checked")
    baseline_skipped_count: int = Field(description="recorded and never tested: duplicates, excluded extensions")
    inconclusive_count: int = Field(description="checks that could not decide")
    baseline_untested_count: int = Field(
        description="passed because no check of the policy fits them, or nothing is there to test"
    )
    sended_requests_count: int = Field(description="test requests sent to the target")
    planing_requests_count: int = Field(description="test requests that remain to be sent")
    start_time: int = Field(description="of execution: the acceptance, on a copy the end of cloning")
    end_time: int | None = Field(description="null until the run has ended")
    domains: list[str] = Field(description="names that the baseline requests were aimed at")
    test_record_id: str
    test_record_name: str
    current_rps: float | None = Field(
        description="test requests of the last 10 seconds, divided by 10; null for the first 10 seconds"
    )
    avg_rps: float | None = Field(
        description="test requests sent by seconds of execution; null for the first 10 seconds"
    )
    estimated_time_to_completion: float | None = Field(
        description="seconds: `planing_requests_count` by `current_rps`; null where nothing is tested"
    )
    recording: bool
    ready_for_recording: bool = Field(description="its node said that it records")
    policy_id: str
    node_id: str
    auth_profile_id: str | None
    target_url: str | None
    tags: list[str]
    file_extensions_to_exclude: str
    skip_duplicated_baselines: bool
    stop_on_first_fail: bool
    rps: int | None
    rps_per_baseline: int | None
    inactivity_timeout: int
    created_at: int
    updated_at: int
    interrupt_reason: str | None
    types_left_out: list[str] = Field(description="vulnerability types that the policy does not look for")
    user_count: int | None = Field(
        description="different users whose credentials the tests have, of the record or of the auth profile; null until they"
        " were looked for. Access to objects of others is tested with two or more"
    )
    notes: list[str] = Field(
        description="what was learned of the record that its reader must know, as sentences: nobody could be signed in, a second"
        " ordinary user is missing, recorded objects are not there"
    )
    authenticated_share: float | None = Field(
        description="share of control requests whose credentials were good; null where none was sent"
    )


class RunList(BaseModel):
    """A part of the client's runs."""

    objects: list[RunView]
    total: int


class BaselineView(BaseModel):
    """A baseline of a run (contract 2.10); `skipped` ones are recorded and never tested, `detail` says why."""

    id: str
    method: str | None
    url: str | None
    status: Literal["passed", "in_progress", "failed", "error", "waiting", "interrupted", "skipped"]
    reason: (
        Literal["connection_failed", "auth_failed", "invalid_policies", "internal_exception", "recording_error"] | None
    )
    detail: str
    sent: int
    remaining: int
    inconclusive: int
    vulnerabilities: list[str]


class BaselineList(BaseModel):
    """A part of a run's baselines."""

    objects: list[BaselineView]
    total: int


class ComparisonView(BaseModel):
    """Two runs beside each other. new, persisting: found by this run. fixed, not_tested: found by the other one only."""

    test_run_id: str
    other_test_run_id: str
    new: list[VulnerabilityView]
    persisting: list[VulnerabilityView]
    fixed: list[VulnerabilityView]
    not_tested: list[VulnerabilityView]


class RunFilter(fields.Page):
    """Which runs are wanted. name: a part of it, without case."""

    state: State | None = None
    name: fields.Part | None = Field(default=None, description="a part of the name, without case")


class ReportWanted(fields.Query):
    """How the report is written."""

    format: Literal["sarif", "junit", "html", "json", "txt", "csv", "md"] = "json"


class Wait(fields.Query):
    """How many seconds the answer may be held until something changes."""

    wait: Annotated[int, Field(ge=0, le=60), BeforeValidator(fields.whole)] = Field(
        default=0, description="seconds that the answer may be held until the run changes"
    )


class Deleted(BaseModel):
    """What was deleted."""

    id: str
