"""Which program is the browser."""

from pathlib import Path

import pytest

from gatecrash.core.errors import UserError
from gatecrash.node.browser.finding import browser_at


def test_one_that_is_installed_is_found_and_none_where_none_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser_at("auto") is None
    program = tmp_path / "google-chrome"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert browser_at("auto") == str(program)
    assert browser_at("google-chrome") == str(program)
    assert browser_at("off") is None


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no-such-program is no program.*`off`"):
        browser_at("no-such-program")
