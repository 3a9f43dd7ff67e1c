"""The real service with its node and the demo's target, and a browser that forgives nothing.

Every page that a test opens is watched: an error on its console, a refusal of its own security policy or a failed request
of its own assets fails the test.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from tests.absent import require
from tests.e2e.ui.shop import COOKIE, Shop

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Only an end to waiting; a page is slow where other work shares the machine.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
SHOTS = Path(__file__).resolve().parents[3] / "build" / "screenshots"


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """Service, node and target."""
    with Shop.opened(tmp_path_factory.mktemp("shop")) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium; no longer than a module, since no other test may run a loop in this thread meanwhile."""
    require(Path(CHROMIUM).exists(), "Chromium was not found")
    # Playwright's own loop stays this thread's running loop, which Django takes for a reason to refuse the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def window(browser: Browser, shop: Shop) -> Iterator[Callable[..., Page]]:
    """Open a window, signed in as the owner unless told otherwise; at the end nothing may have been complained about.

    The owner's session is one for all windows: signing in costs a slow hash and two pages. An e-mail address signs in by
    the form; an empty one stays outside. A script's error and a refusal of the policy end the test.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def heard(message: ConsoleMessage, refused: int) -> None:
        if refused and f"status of {refused}" in message.text:  # a form that is answered so on purpose
            return
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text} at {message.location.get('url')}")

    def opened(
        *,
        email: str | None = None,
        password: str = "",
        width: int = 1280,
        height: int = 900,
        scripted: bool = True,
        refused: int = 0,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, base_url=shop.address, java_script_enabled=scripted
        )
        contexts.append(context)
        if email is None:
            context.add_cookies([{"name": COOKIE, "value": shop.session(), "url": shop.address}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: heard(message, refused))
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        if email:
            page.goto("/sign-in/")
            page.get_by_label("E-mail address").fill(email)
            page.get_by_label("Password").fill(password)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("/")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def shot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keep a picture of the whole page, where pictures are wanted: they are for people, and cost more than the page."""
    wanted = request.config.getoption("--pictures")

    def keep(page: Page, name: str) -> None:
        if wanted:
            SHOTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(SHOTS / f"{name}.png"), full_page=True)

    return keep
