"""The style needs nothing from elsewhere and cannot end its own element."""

from gatecrash.core.reports.html_style import STYLE


def test_it_stays_inside_its_element_and_loads_nothing() -> None:
    assert "</" not in STYLE
    assert "@import" not in STYLE
    assert "url(" not in STYLE


def test_dark_screens_and_paper_are_thought_of() -> None:
    assert "prefers-color-scheme:dark" in STYLE
    assert "@media print" in STYLE
