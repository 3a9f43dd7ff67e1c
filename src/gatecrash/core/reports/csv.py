"""CSV (RFC 4180): a row for each vulnerability, for people who sort in a spreadsheet."""

import csv
import io

from gatecrash.core.reports.report import Report, place, severity, suppression, told_at, weaknesses

COLUMNS = (
    "code",
    "type",
    "threat",
    "severity",
    "title",
    "method",
    "url",
    "endpoint",
    "point",
    "weakness",
    "verified_by",
    "curl",
    "remediation",
    "id",
    "test_run_id",
    "suppressed",
    "cause",
)
# What spreadsheets take for the beginning of a formula, full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def cell(value: object) -> str:
    """A value as a spreadsheet may read it: with an apostrophe before what it would run as a formula (CWE-1236).

    Addresses, payloads and what documents say come from anywhere.
    """
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def render(report: Report) -> bytes:
    """The table as UTF-8, its head first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    causes = told_at(report.vulnerabilities)
    for one, cause in zip(report.vulnerabilities, causes, strict=True):
        told = {
            **one,
            "point": place(one["point"]),
            "severity": severity(one["threat"]),
            "weakness": weaknesses(one),
            "test_run_id": report.run["id"],
            "suppressed": suppression(one) or "",
            "cause": cause,
        }
        writer.writerow([cell(told[name] if told[name] is not None else "") for name in COLUMNS])
    return out.getvalue().encode("utf-8", "backslashreplace")
