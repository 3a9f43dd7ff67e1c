"""For everybody: axe-core finds nothing serious on any page, none is wider than its screen, a keyboard is enough."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from tests.e2e.ui.reading_aloud import serious
from tests.e2e.ui.shop import Shop

Open = Callable[..., Page]
Shot = Callable[[Page, str], None]
MOST_BYTES = 200_000
SHOWN_DARK = ("dashboard", "endpoint", "run", "vulnerability")
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


def addresses(shop: Shop) -> dict[str, str]:
    """Every page by name."""
    run_id = shop.tested()
    found = shop.api("GET", f"/v1/vulns?test_run_id={run_id}")["objects"][0]
    baseline = shop.api("GET", f"/v1/test_run/{run_id}/baselines")["objects"][0]["id"]
    endpoint = shop.endpoint("/health")["id"]
    user = shop.api("GET", "/v1/users")["objects"][0]["id"]
    plain = (
        "inventory",
        "auth-parameters",
        "runs",
        "runs/new",
        "vulnerabilities",
        "policies",
        "policies/new",
        "records",
        "auth-profiles",
        "auth-profiles/new",
    )
    manage = ("nodes", "tokens", "users", "audit", "settings", "account", "account/password")
    return {
        "dashboard": "/",
        "dashboard-30": "/?days=30",
        **{f"{name}-none": f"/{name}/?q=nowhere&path=nowhere" for name in ("inventory", "runs", "records")},
        "vulnerabilities-none": "/vulnerabilities/?q=nowhere",
        "run-errors": f"/runs/{run_id}/?status=error",
        **{name.replace("/", "-"): f"/{name}/" for name in (*plain, *manage[:-1])},
        "endpoint": f"/inventory/{endpoint}/",
        **{f"endpoint-{tab}": f"/inventory/{endpoint}/?tab={tab}" for tab in ("parameters", "results", "history")},
        "run": f"/runs/{run_id}/",
        "run-copy": f"/runs/{run_id}/copy/",
        "baseline": f"/runs/{run_id}/baselines/{baseline}/",
        "compare": f"/runs/{run_id}/compare/?with={run_id}",
        "vulnerability": f"/vulnerabilities/{found['id']}/",
        "policy": "/policies/default/",
        "auth-profile": f"/auth-profiles/{shop.profile()}/",
        "record": f"/records/{shop.run(run_id)['test_record_id']}/",
        "user": f"/users/{user}/",
    }


@pytest.mark.timeout(600)  # forty pages; a loaded machine takes its time
def test_no_page_shuts_anybody_out(window: Open, shop: Shop, shot: Shot) -> None:
    """Each is loaded once and looked at on a desk in the light, then on a phone; some in the dark, whose colours have a test."""
    page = window(**DESK)
    found: dict[str, list[str]] = {}
    for name, address in addresses(shop).items():
        page.set_viewport_size(DESK)
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, name
        problems = [*serious(page), *too_wide(page)]
        shot(page, f"{name}-desk")
        page.set_viewport_size(PHONE)
        problems += too_wide(page)
        if name in SHOWN_DARK:
            page.emulate_media(color_scheme="dark")
            problems += serious(page, "color-contrast")
            shot(page, f"{name}-phone-dark")
            page.emulate_media(color_scheme="light")
        if problems:
            found[name] = problems
    assert found == {}


def too_wide(page: Page) -> list[str]:
    """Whether one has to scroll sideways."""
    wide, width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [f"{wide} px wide"] if wide > width else []


def test_a_name_of_one_long_word_makes_no_list_wider_than_its_screen(window: Open, shop: Shop) -> None:
    page, name = window(**DESK), "x" * 200
    made = {
        "policies": "/v1/policy/" + shop.api("POST", "/v1/policy", json={"name": name, "types": ["xss"]})["id"],
        "tokens": "/v1/tokens/" + shop.api("POST", "/v1/tokens", json={"name": name, "role": "viewer"})["id"],
    }
    for where, own in made.items():
        page.goto(f"/{where}/")
        assert too_wide(page) == [], where
        tables = page.evaluate("[...document.querySelectorAll('.table-wrap')].map(e => e.scrollWidth - e.clientWidth)")
        assert max(tables, default=0) == 0, where
        shop.api("DELETE", own)


def test_the_longest_chip_stays_in_its_cell_on_a_phone(window: Open) -> None:
    page = window(**PHONE)
    page.goto("/auth-parameters/")
    cell = page.locator("td[data-name=From]").first
    cell.evaluate("e => e.innerHTML = '<span class=chip>Cloud-provider signature v4</span>'")
    assert cell.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_the_login_is_open_to_everybody_too(window: Open, shop: Shop, shot: Shot) -> None:
    """And the first page is light, and comes from here."""
    page = window(email="")
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto("/sign-in/", wait_until="networkidle")
    assert all(url.startswith((shop.address, "data:")) for url in sizes), sizes
    assert len(sizes) >= 6
    assert sum(sizes.values()) < MOST_BYTES, sizes
    shot(page, "sign-in")
    assert serious(page) == []


def test_by_keyboard_alone(window: Open, shop: Shop) -> None:
    """The first stop skips to the content, every stop is seen, and a dialog opens, closes and gives the focus back."""
    page = window()
    page.goto(f"/runs/{shop.tested()}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    stops = [stop(page) for _ in range(12)]
    assert [one["name"] for one in stops][:4] == ["Test runs", "Copy", "Repeat", "Report"], "the rail is skipped"
    assert [one for one in stops if one["ring"] == "0px"] == []
    page.get_by_role("button", name="Report").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Download a report")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Report")).to_be_focused()


def test_a_dialog_gives_the_keyboard_back_to_a_button_that_came_anew(window: Open, shop: Shop) -> None:
    page = window()
    run_id = shop.api("POST", "/v1/test_run", json={"name": "held"})["id"]
    page.goto(f"/runs/{run_id}/")
    button = page.get_by_role("button", name="Interrupt testing")
    button.focus()
    page.keyboard.press("Enter")
    seen = page.locator("#live").get_attribute("hx-get") or ""
    expect(page.locator("#live")).not_to_have_attribute("hx-get", seen)  # the button was replaced
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()
    shop.api("POST", f"/v1/test_run/{run_id}/action/interrupt")


def stop(page: Page) -> dict[str, str]:
    """Where the next press of Tab leads, and how wide its ring is."""
    page.keyboard.press("Tab")
    return dict(
        page.evaluate(
            "() => ({name: document.activeElement.innerText.trim(),"
            " ring: getComputedStyle(document.activeElement).outlineWidth})"
        )
    )
