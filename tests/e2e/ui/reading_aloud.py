"""What axe-core finds on a page that shuts somebody out."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def serious(page: Page, *rules: str) -> list[str]:
    """Every serious or critical violation with the element that has it; of these rules only where some are named."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # No page has frames, and its styles are its own: axe need not fetch anything.
    options: dict[str, Any] = {"resultTypes": ["violations"], "iframes": False, "preload": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = page.evaluate("(options) => axe.run(document, options).then((result) => result.violations)", options)
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found if one["impact"] in SERIOUS]
