"""A real browser, where there is one."""

import pytest
from tests.absent import require

from gatecrash.node.browser.finding import browser_at


@pytest.fixture
def program() -> str:
    """Its program."""
    found = browser_at("auto")
    require(found, "Chromium was not found")
    assert found is not None
    return found
