"""The bulk table of what could not be decided: for each such check of a baseline its type, point and reason.

A good result must not hide it (decisions 7): the run counts them, a baseline's page tells each.
"""

import json
from collections.abc import Iterable
from typing import Any

from gatecrash.control import bulk_sql, wall
from gatecrash.core.testing.verdict import Outcome, Verdict

CREATE = (
    """
    CREATE TABLE testruns_undecided (
        client_id varchar(64) NOT NULL,
        run_id varchar(64) NOT NULL,
        baseline_id varchar(64) NOT NULL,
        place integer NOT NULL,
        type varchar(32) NOT NULL,
        reason varchar(32) NOT NULL,
        point text NOT NULL,
        detail varchar(255) NOT NULL,
        PRIMARY KEY (client_id, run_id, baseline_id, place)
    ) {without_rowid}
    """,
)
# Of one baseline; the count beside them is of all.
MOST = 50
MOST_TYPE = 32
MOST_POINT = 4096
MOST_DETAIL = 255


def keep(run_id: str, baseline_id: str, verdicts: Iterable[Verdict], behind: int = 0) -> None:
    """Write down the inconclusive ones of a baseline's last result, in the caller's transaction; again is harmless.

    behind: so many were undecided in an earlier result of the same run.
    """
    undecided = [verdict for verdict in verdicts if verdict.outcome is Outcome.INCONCLUSIVE][: max(0, MOST - behind)]
    client_id = wall.required()
    bulk_sql.insert(
        "INSERT INTO testruns_undecided (client_id, run_id, baseline_id, place, type, reason, point, detail)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        [(client_id, run_id, baseline_id, place, *_plain(verdict)) for place, verdict in enumerate(undecided, behind)],
    )


def forget(run_id: str, baseline_id: str) -> None:
    """Drop those of a baseline that is tested anew."""
    bulk_sql.execute(
        "DELETE FROM testruns_undecided WHERE client_id = %s AND run_id = %s AND baseline_id = %s",
        (wall.required(), run_id, baseline_id),
    )


def of_baseline(run_id: str, baseline_id: str) -> list[dict[str, Any]]:
    """What could not be decided of one baseline, in the order of testing: type, point, reason, detail."""
    rows = bulk_sql.select(
        "SELECT type, point, reason, detail FROM testruns_undecided"
        " WHERE client_id = %s AND run_id = %s AND baseline_id = %s ORDER BY place",
        [wall.required(), run_id, baseline_id],
    )
    return [
        {"type": type_, "point": json.loads(point), "reason": reason, "detail": detail}
        for type_, point, reason, detail in rows
    ]


def _plain(verdict: Verdict) -> tuple[str, str, str, str]:
    """As every database takes it: a node's texts may be long, and hold zero bytes."""
    point = json.dumps(verdict.point)
    return (
        verdict.type[:MOST_TYPE].replace("\x00", ""),
        verdict.reason.value if verdict.reason else "",
        point if len(point) <= MOST_POINT else "[]",
        verdict.detail[:MOST_DETAIL].replace("\x00", ""),
    )
