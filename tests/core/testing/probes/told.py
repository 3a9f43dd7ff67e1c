"""A check's verdict in the words of the case files."""

from tests.core.testing.driving import Run


def told(run: Run) -> str:
    reason = [run.verdict.reason.value] if run.verdict.reason else []
    return " ".join([run.verdict.outcome.value, *reason, str(run.check.point)])
