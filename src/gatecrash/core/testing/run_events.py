"""What happens to a test run: the events that its state machine takes, and the words they use.

`run.py` says what follows from each.
"""

from enum import StrEnum

import msgspec


class Status(StrEnum):
    """The statuses of one baseline (contract 2.10), and `skipped` for those that are recorded and never checked."""

    WAITING = "waiting"
    IN_PROGRESS = "in_progress"
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    INTERRUPTED = "interrupted"
    SKIPPED = "skipped"


OPEN = frozenset({Status.WAITING, Status.IN_PROGRESS})


class Reason(StrEnum):
    """Why a run was interrupted."""

    REQUESTED = "requested"
    ANOTHER_RUN = "another_test_run"
    NODE_LOST = "node_lost"


def effective_status(stored: Status, *, found: bool, run_ended: bool) -> Status:
    """A baseline's status as it is to be read: what was open when its run ended is over."""
    if run_ended and stored in OPEN:
        return Status.FAILED if found else Status.INTERRUPTED
    return stored


class Command(StrEnum):
    """What follows from an event: what the memory has to do in the same transaction."""

    START_CLONE = "start_clone"
    RETURN_RUNNING_TO_WAITING = "return_running_to_waiting"
    CLOSE_RECORD = "close_record"  # recording is over; the record waits for the node's last baselines
    RELEASE_RECORD = "release_record"  # the record may be copied
    SURVEY_RECORD = "survey_record"  # look who was recorded, before the run may end


class Check(msgspec.Struct, frozen=True):
    """One baseline's check before an event. status: the effective one. found: it has a finding.

    forecast: test requests it costs from its beginning. remaining: how many of them are still to be sent.
    """

    status: Status
    found: bool = False
    forecast: int = 0
    remaining: int = 0


class Stored(msgspec.Struct, frozen=True):
    """Baselines came in, recorded or cloned: so many to check, so many skipped, so many test requests forecast.

    users: they do not all come with the same credentials, or one names its user, so that the record may show who they are.
    """

    to_check: int
    skipped: int = 0
    planned: int = 0
    users: bool = False


class CloneFinished(msgspec.Struct, frozen=True):
    """A copy's checks all exist."""


class StopRecording(msgspec.Struct, frozen=True):
    """The stop action, or the inactivity timeout: the node is to take no more baselines."""


class UsersKnown(msgspec.Struct, frozen=True):
    """The record shows more than one user: what is in flight begins again, signed in as them."""


class SessionsOver(msgspec.Struct, frozen=True):
    """A recorded session is over at the target: before the run ends, the record is asked how its user signs in again."""


class LookAgain(msgspec.Struct, frozen=True):
    """More is known of credentials than when the record was looked at: before the run ends, it is asked again who was recorded."""


class Reopened(msgspec.Struct, frozen=True):
    """Baselines that were over before the users were known are to be tested as the others, too, or at all.

    passed, failed, technical: how many that were so until now. planned: test requests that they still cost.
    """

    passed: int
    failed: int = 0
    planned: int = 0
    technical: int = 0


class Surveyed(msgspec.Struct, frozen=True):
    """The record was looked at as a whole, and what its users make necessary waits."""


class Listens(msgspec.Struct, frozen=True):
    """Payloads are out that the target may still answer at the node's listener, until then (UNIX seconds)."""

    until: float


class Listened(msgspec.Struct, frozen=True):
    """Time has passed. early: it has not, but all that was listened for has come."""

    early: bool = False


class Drained(msgspec.Struct, frozen=True):
    """The node has handed over its last baseline, or is gone for longer than the grace."""


class Pause(msgspec.Struct, frozen=True):
    """The pause action."""


class Resume(msgspec.Struct, frozen=True):
    """The resume action."""


class Interrupt(msgspec.Struct, frozen=True):
    """The interrupt action, another run on the same node, or a node that is lost."""

    reason: Reason = Reason.REQUESTED


class Takeover(msgspec.Struct, frozen=True):
    """Another start of the node holds the run from now on."""


class Claimed(msgspec.Struct, frozen=True):
    """The node took waiting baselines. found: how many of them have a finding. forecast: their sum."""

    count: int
    found: int = 0
    forecast: int = 0


class Found(msgspec.Struct, frozen=True):
    """New vulnerabilities on one baseline, under whichever lease."""

    check: Check
    vulnerabilities: int = 1


class Checked(msgspec.Struct, frozen=True):
    """A baseline's check is over under the present lease."""

    check: Check
    status: Status


class PutOff(msgspec.Struct, frozen=True):
    """A part of a baseline's check was made, and the rest waits again. left: test requests that it still costs."""

    check: Check
    left: int


class Progress(msgspec.Struct, frozen=True):
    """How far the node is under the present lease: its total of sent requests, and the change of what remains."""

    sent: int = 0
    checked: int = 0
    remaining: int = 0


Event = (
    Stored
    | CloneFinished
    | StopRecording
    | Drained
    | UsersKnown
    | Reopened
    | Surveyed
    | SessionsOver
    | LookAgain
    | Listens
    | Listened
    | Pause
    | Resume
    | Interrupt
    | Takeover
    | Claimed
    | Found
    | Checked
    | PutOff
    | Progress
)
