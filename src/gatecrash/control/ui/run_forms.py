"""The forms that create and copy runs: every field of the contract, with the web limits of its section 8."""

import time
from collections.abc import Iterable
from typing import Any

from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import by_presence, is_connected
from gatecrash.control.policies import queries as policy_queries
from gatecrash.control.profiles import queries as profile_queries
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.forms import Choices, Field

RPS = 1000
RPS_PER_BASELINE = 500
SHORTEST, LONGEST, USUAL = 300, 86_400, 1800

_NAME = Field("name", "Name", required=True)
_RECORD = Field(
    "test_record_name", "Name of the test record", help="record", hint="The run's name where this is empty."
)
_ABOUT = (
    Field("desc", "Description", "long"),
    Field("tags", "Tags", "tags", hint="Separated by commas."),
)
_SPEED = (
    Field("rps", "Requests per second, whole run", "range", required=True, help="rps", low=1, high=RPS, initial=RPS),
    Field(
        "rps_per_baseline",
        "Requests per second, each baseline",
        "range",
        required=True,
        help="rps_per_baseline",
        low=1,
        high=RPS_PER_BASELINE,
        initial=RPS_PER_BASELINE,
    ),
    Field(
        "inactivity_timeout",
        "Stop recording after",
        "range",
        required=True,
        help="inactivity_timeout",
        low=SHORTEST,
        high=LONGEST,
        step=300,
        initial=USUAL,
        unit="seconds",
    ),
)
_ADVANCED = (
    Field(
        "skip_duplicated_baselines",
        "Skip duplicated baselines",
        "check",
        help="skip_duplicated_baselines",
        initial=True,
        advanced=True,
    ),
    Field("stop_on_first_fail", "Stop on the first vulnerability", "check", help="stop_on_first_fail", advanced=True),
    Field(
        "file_extensions_to_exclude",
        "Skip files with these extensions",
        help="file_extensions_to_exclude",
        hint="For example: css, js, png|jpe?g",
        nullable=False,
        advanced=True,
    ),
    Field(
        "target_url",
        "Send to another origin",
        hint="http://host or https://host:port. The recorded one where this is empty.",
        advanced=True,
    ),
)


def create() -> tuple[Field, ...]:
    """The fields of a new run."""
    return (_NAME, *_choosers(), _RECORD, *_ABOUT, *_SPEED, *_ADVANCED)


def copy() -> tuple[Field, ...]:
    """The fields of a copy: its record is given."""
    return (_NAME, *_choosers(), *_ABOUT, *_SPEED, *_ADVANCED)


def of_run(row: TestRun) -> dict[str, Any]:
    """What a copy of this run begins with."""
    return {
        "name": f"{row.name} (copy)"[:255],
        "policy_id": row.policy_id,
        "node_id": row.node_id,
        "auth_profile_id": row.auth_profile_id or "",
        "desc": row.desc,
        "tags": row.tags,
        "rps": row.rps or RPS,
        "rps_per_baseline": row.rps_per_baseline or RPS_PER_BASELINE,
        "inactivity_timeout": row.inactivity_timeout,
        "skip_duplicated_baselines": row.skip_duplicated_baselines,
        "stop_on_first_fail": row.stop_on_first_fail,
        "file_extensions_to_exclude": row.file_extensions_to_exclude,
        "target_url": row.target_url or "",
    }


def _choosers() -> Iterable[Field]:
    yield Field(
        "policy_id", "Test policy", "choice", help="policy", choices=policies(), initial="default", required=True
    )
    yield Field("node_id", "Test node", "choice", choices=nodes())
    yield Field(
        "auth_profile_id",
        "Signs in by",
        "choice",
        help="auth_profile",
        choices=[("", "the credentials that were recorded"), *((row.id, row.name) for row in profile_queries.rows())],
    )


def policies() -> Choices:
    """The policies to choose from."""
    return [(item["id"], item["name"]) for item in policy_queries.listed()]


def nodes() -> Choices:
    """The nodes to choose from."""
    now = time.time()
    named = [(node.id, f"{node.name}{_beside(node, now)}") for node in by_presence(now)]
    return [("", "the default node"), *named]


def _beside(node: Node, now: float) -> str:
    words = ["default"] * node.is_default + ["silent"] * (not is_connected(node, now))
    return f" ({', '.join(words)})" if words else ""
