"""Every format writes every report, whatever stands in it, and says of what kind it is."""

import pytest
from tests.core.reports.reporting import EMPTY, REPORT

from gatecrash.core.reports.formats import FORMATS
from gatecrash.core.reports.report import Report


@pytest.mark.parametrize("report", [REPORT, EMPTY], ids=["hostile", "empty"])
@pytest.mark.parametrize("name", list(FORMATS))
def test_any_report_is_written_as_utf_8(name: str, report: Report) -> None:
    assert FORMATS[name].render(report).decode("utf-8")


def test_the_names_of_the_command_line() -> None:
    assert list(FORMATS) == ["sarif", "junit", "html", "json", "txt", "csv", "md"]
    assert len({one.suffix for one in FORMATS.values()}) == len(FORMATS)
