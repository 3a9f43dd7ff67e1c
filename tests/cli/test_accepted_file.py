"""Lists of accepted findings: written by people in YAML, or an earlier report; a mistake is told with its entry."""

import json
from pathlib import Path

import pytest
from tests.core.reports.reporting import REPORT, SUPPRESSED

from gatecrash.cli.accepted_file import accepted_from
from gatecrash.core.errors import UserError
from gatecrash.core.reports.accepted import Accepted
from gatecrash.core.reports.json import document
from gatecrash.core.reports.report import Report


def file(folder: Path, text: str) -> Path:
    path = folder / "accepted.yaml"
    path.write_text(text)
    return path


def test_a_list_is_read_with_its_days(tmp_path: Path) -> None:
    text = """
    - {type: auth, endpoint: GET  /export, reason: public on purpose}
    - type: idor
      endpoint: GET /invoices/{invoice_id}
      point: path/2
      reason: agreed until the release
      until: 2030-01-31
    - {type: sqli, endpoint: GET /a, reason: r, until: 2030-01-31T12:00:00Z}
    """
    public, until, moment = accepted_from(file(tmp_path, text))
    assert public == Accepted(type="auth", endpoint="GET /export", reason="public on purpose")
    assert (until.point, until.until) == ("path/2", 1_896_134_399)
    assert moment.until == 1_896_091_200


@pytest.mark.parametrize(("report", "reason"), [(REPORT, "known from old.json"), (SUPPRESSED, "until spring")])
def test_a_report_accepts_all_that_it_holds(tmp_path: Path, report: Report, reason: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps(document(report.run, report.vulnerabilities, report.baselines)))
    assert accepted_from(path) == [Accepted(type="sqli", endpoint="GET /a", point="get/q", reason=reason)]


def test_a_report_without_findings_accepts_nothing(tmp_path: Path) -> None:
    assert accepted_from(file(tmp_path, '{"vulnerabilities": []}')) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}", "neither a list"),
        ("auth", "neither a list"),
        ("", "neither a list"),
        ("- [", "neither YAML nor JSON: line"),
        ("- auth", "entry 1 is no set of fields"),
        ("- {type: auth, endpoint: GET /a, reason: r}\n- {type: auth, endpoint: GET /a}", "entry 2 has no reason"),
        ("- {type: auth, reason: r}", "has no endpoint"),
        ("- {type: auth, endpoint: GET /a, reason: 7}", "has no reason"),
        ("- {type: aut, endpoint: GET /a, reason: r}", "no type 'aut'; choose out of auth"),
        ("- {type: auth, endpoint: GET /a, reason: r, why: s}", "has why; an entry has type"),
        ("- {type: auth, endpoint: GET /a, reason: r, until: soon}", "until: 'soon' is no day"),
        ("- {type: auth, endpoint: GET /a, reason: r, until: 2030-02-31}", "neither YAML nor JSON"),
        ('{"vulnerabilities": [{"type": "auth"}]}', "no JSON report"),
        ('{"vulnerabilities": [7]}', "no JSON report"),
        ('{"vulnerabilities": [{"type": "auth", "endpoint": "GET /a", "point": 7}]}', "no JSON report"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, wanted: str) -> None:
    with pytest.raises(UserError) as refused:
        accepted_from(file(tmp_path, text))
    assert wanted in str(refused.value)
    assert str(tmp_path) in str(refused.value)


def test_a_long_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="far more than a list"):
        accepted_from(file(tmp_path, "- " * 600_000))
