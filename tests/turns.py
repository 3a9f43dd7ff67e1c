"""Where each process of a run begins to collect: each in another place, so that they share what only the first must do.

On fresh source the first that imports a file writes down its compiled form, for a file of tests with its assertions
rewritten, which costs twice what all else of collecting does. Processes that walk the same way at the same pace would each
do all of it. All of them must end with the same list, so it is put in the order of the paths once each has its own.
"""

from collections.abc import Generator

import pytest


class Turns:
    """A plugin of the process with that number, of so many."""

    def __init__(self, number: int, processes: int) -> None:
        self.number = number
        self.processes = processes

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Turn what is in a folder, so that this process begins elsewhere."""
        report = yield
        if isinstance(collector, pytest.Directory) and report.result:
            begin = len(report.result) * self.number // self.processes
            report.result = report.result[begin:] + report.result[:begin]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Forget where this process began."""
        items.sort(key=lambda item: item.path.parts)
