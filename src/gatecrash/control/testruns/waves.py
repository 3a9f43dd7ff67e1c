"""In which wave of its run each check is tested: the first of each kind, then the second of each, as far as the rank allows.

What is wrong with one article of a shop is mostly wrong with all: a run that is ended early should have seen each kind once.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec

from gatecrash.control.testruns import check_rows
from gatecrash.control.testruns.check_rows import CheckRow


def in_waves(run_id: str, rows: Iterable[CheckRow]) -> list[CheckRow]:
    """New rows of a run, in the order of recording, each behind those of its kind that the run has. Needs the run's lock."""
    rows = list(rows)
    seen = Counter(check_rows.of_kinds(run_id, sorted({row.kind for row in rows if row.kind})))
    placed = []
    for row in rows:
        placed.append(msgspec.structs.replace(row, wave=seen[row.kind]) if row.kind else row)
        seen[row.kind] += 1
    return placed
