"""The style needs nothing from elsewhere and cannot end its own element."""

import re

from tests.core.reports.reporting import REPORT

from gatecrash.core.reports.html import render
from gatecrash.core.reports.html_style import STYLE


def test_it_stays_inside_its_element_and_loads_nothing() -> None:
    assert "</" not in STYLE
    assert "@import" not in STYLE
    assert "url(" not in STYLE


def test_dark_screens_and_paper_are_thought_of() -> None:
    assert "prefers-color-scheme:dark" in STYLE
    assert "@media print" in STYLE


def test_a_table_whose_columns_are_styled_is_there_and_a_title_of_one_long_word_may_break() -> None:
    styled = set(re.findall(r"\.(\w+) td:nth-child", STYLE))
    assert styled == set(re.findall(r'<table class="(\w+)">', render(REPORT).decode()))
    assert ".found td:nth-child(3){overflow-wrap:anywhere" in STYLE
