"""For everybody: axe-core finds nothing serious on any page, none is wider than a phone, and the first one is light."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tests.e2e.ui.shop import Shop

Open = Callable[..., Page]
Shot = Callable[[Page, str], None]
MOST_BYTES = 200_000
SHOWN_DARK = ("dashboard", "inventory", "endpoint", "run", "vulnerability")
SERIOUS = ("serious", "critical")


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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_page_shuts_anybody_out(scheme: str, width: int, window: Open, shop: Shop, shot: Shot) -> None:
    page = window(scheme=scheme, width=width)
    axe = Axe()
    found: dict[str, list[str]] = {}
    for name, address in addresses(shop).items():
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, name
        violations = [one for one in axe.run(page).response["violations"] if one["impact"] in SERIOUS]
        wide = page.evaluate("document.documentElement.scrollWidth")
        problems = [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in violations]
        if problems or wide > width:
            found[name] = [*problems, *([f"{wide} px wide"] if wide > width else [])]
        if scheme == "light" or name in SHOWN_DARK:
            shot(page, f"{name}-{scheme}")
    assert found == {}


def test_the_door_is_open_to_everybody_too(window: Open, shot: Shot) -> None:
    page = window(email="")
    page.goto("/sign-in/")
    shot(page, "sign-in")
    assert [one["id"] for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS] == []


def test_the_first_page_is_light_and_comes_from_here(window: Open, shop: Shop) -> None:
    page = window(email="")
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto("/sign-in/", wait_until="networkidle")
    assert all(url.startswith((shop.address, "data:")) for url in sizes), sizes
    assert len(sizes) >= 6
    assert sum(sizes.values()) < MOST_BYTES, sizes
