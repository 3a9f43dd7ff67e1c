"""Rows of extensions mean what is sent, and their mistakes are told by line and field."""

from gatecrash.control.policies.extension_form import ExtensionRow, document, kept, sent, told
from gatecrash.core.testing.extension_source import MOST


def test_empty_rows_are_left_out_and_lines_end_as_in_a_file() -> None:
    rows = sent([" a.yaml ", "", ""], ["x: 1\r\ny: 2", "  ", "z: 3"])
    assert rows == [ExtensionRow("a.yaml", "x: 1\ny: 2"), ExtensionRow("", "z: 3")]
    assert document(rows[:1]) == [{"name": "a.yaml", "text": "x: 1\ny: 2"}]
    assert kept(document(rows)) == rows
    assert len(sent(["a"] * 99, ["b"] * 99)) == MOST


def test_mistakes_are_told_by_line_and_field() -> None:
    mistakes = [{"line": 3, "field": "detect", "message": "is missing"}, {"line": 1, "field": "", "message": "no"}]
    assert told({"mistakes": mistakes}) == "Line 3, detect: is missing. Line 1: no."
    assert told({"error": "too_long"}) == ""
