"""The words of a run's events."""

import pytest

from gatecrash.core.testing.run_events import Status, effective_status


@pytest.mark.parametrize(
    ("stored", "found", "expected"),
    [
        (Status.WAITING, False, Status.INTERRUPTED),
        (Status.IN_PROGRESS, True, Status.FAILED),
        (Status.PASSED, False, Status.PASSED),
        (Status.SKIPPED, False, Status.SKIPPED),
    ],
)
def test_open_baselines_of_an_ended_run_are_read_as_over(stored: Status, found: bool, expected: Status) -> None:
    assert effective_status(stored, found=found, run_ended=True) is expected
    assert effective_status(stored, found=found, run_ended=False) is stored
