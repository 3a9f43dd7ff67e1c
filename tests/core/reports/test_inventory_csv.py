import csv
from typing import Any

import pytest

from gatecrash.core.reports import inventory_csv

ONE: dict[str, Any] = {
    "id": "ep_1",
    "protocol": "rest",
    "method": "GET",
    "host": "api.example",
    "path": "/a",
    "operation": None,
    "status": "partial",
    "coverage": 94.9,
    "types": ["basic", "bearer"],
    "parameters": [{"type": "bearer", "context": "header", "key": "AUTHORIZATION", "coverage": 94.9}],
    "requests": 1000,
    "authenticated": 949,
    "refused": None,
    "first_seen": 1,
    "last_seen": 2,
    "document": None,
    "public": False,
    "badges": [],
}


def read(**changes: object) -> dict[str, str]:
    lines = list(inventory_csv.rows([ONE | changes]))
    assert all(line.endswith("\r\n") for line in lines)
    [row] = csv.DictReader("".join(lines).splitlines(keepends=True))
    return row


def test_an_endpoint_is_a_row_under_the_names_of_the_api() -> None:
    row = read()
    assert tuple(row) == inventory_csv.COLUMNS
    assert (row["coverage"], row["types"], row["refused"], row["public"]) == ("94.9", "basic; bearer", "", "false")
    assert row["parameters"] == "bearer header AUTHORIZATION 94.9%"


def test_an_empty_inventory_is_its_head() -> None:
    assert list(inventory_csv.rows([])) == [",".join(inventory_csv.COLUMNS) + "\r\n"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\uff1d1"])
def test_a_cell_that_begins_as_a_formula_is_text(text: str) -> None:
    assert read(path=text)["path"] == f"'{text}"
    assert read(operation=text)["operation"] == f"'{text}"
    assert read(host=text)["host"] == f"'{text}"


@pytest.mark.parametrize("text", ["/a=b", "/a,b", '/say "hi"', "/a\nb", "/ü"])
def test_other_texts_come_back_as_they_were(text: str) -> None:
    assert read(path=text)["path"] == text
