"""A row a vulnerability, and no cell that a spreadsheet would run."""

import csv
import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.reports.reporting import EMPTY, REPORT, SUPPRESSED, VULNERABILITY

from gatecrash.core.reports.csv import COLUMNS, cell, render
from gatecrash.core.reports.report import Report


def rows(report: Report = REPORT) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render(report).decode("utf-8"), newline="")))


def test_a_row_has_every_column() -> None:
    (row,) = rows()
    assert tuple(row) == COLUMNS
    assert (row["code"], row["point"], row["severity"], row["weakness"]) == (
        "S0001",
        "get/q",
        "critical",
        "CWE-89, API8:2019, A03:2021",
    )


def test_a_command_that_begins_like_a_formula_is_quoted() -> None:
    assert rows()[0]["curl"].startswith("'=curl")


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\uff1d1", "\uff0b1"])
def test_a_cell_that_begins_like_a_formula_is_text(text: str) -> None:
    assert cell(text) == f"'{text}"


@given(st.text())
def test_no_cell_begins_like_a_formula(text: str) -> None:
    assert not cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_no_finding_leaves_the_head() -> None:
    assert render(EMPTY).decode().splitlines() == [",".join(COLUMNS)]


def test_what_has_one_cause_with_another_names_it() -> None:
    first = {**VULNERABILITY, "type": "cors", "title": "Permissive cross-origin sharing", "point": []}
    second = {**first, "code": "S0002", "url": "http://127.0.0.1:8000/b"}
    told = rows(msgspec.structs.replace(REPORT, vulnerabilities=[first, second]))
    assert [row["cause"] for row in told] == ["", "S0001"]


def test_what_is_suppressed_says_why() -> None:
    assert rows()[0]["suppressed"] == ""
    assert rows(SUPPRESSED)[0]["suppressed"] == "until spring"
