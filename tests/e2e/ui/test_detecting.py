"""Detection in the browser: inventory, filters that can be shared, the Authentication tab, parameters."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.ui.shop import Shop

Open = Callable[..., Page]
Shot = Callable[[Page, str], None]


@pytest.fixture(scope="module", autouse=True)
def traffic(shop: Shop) -> None:
    """Some endpoints without authentication, and one that half of its requests prove."""
    shop.visit("/health", "/teas", times=3)
    shop.visit("/teas", token="a-token-of-sixteen", times=3)
    shop.until(lambda: shop.endpoint("/teas")["authenticated"], "the proven requests are counted")


def test_the_list_filters_by_authentication_and_its_address_can_be_shared(window: Open, shot: Shot) -> None:
    page = window()
    page.goto("/inventory/")
    expect(page.get_by_role("link", name="/teas", exact=True)).to_be_visible()
    shot(page, "inventory")
    page.get_by_role("combobox", name="Authentication").select_option(label="No authentication")
    page.wait_for_url(re.compile("type=none"))
    assert urlsplit(page.url).query == "type=none", "what was left empty is not in the address"
    expect(page.get_by_role("link", name="/health", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="/teas", exact=True)).to_have_count(0)
    shared = window()
    shared.goto(page.url)
    expect(shared.get_by_role("combobox", name="Authentication")).to_have_value("none")


def test_search_sorting_and_the_empty_answer(window: Open) -> None:
    page = window()
    page.goto("/inventory/")
    page.keyboard.press("/")
    page.keyboard.type("tea")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("path=tea"))
    expect(page.get_by_role("link", name="/health", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Requests").click()
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    assert "path=tea" in page.url, "sorting keeps the filters"
    page.goto("/inventory/?path=nowhere")
    expect(page.get_by_role("heading", name="No endpoint matches")).to_be_visible()


def test_what_the_filters_leave_leaves_as_a_file(window: Open) -> None:
    page = window()
    page.goto("/inventory/?path=tea")
    with page.expect_download() as csv:
        page.get_by_role("link", name="CSV").click()
    lines = Path(csv.value.path()).read_text().splitlines()
    assert [",/teas," in line for line in lines[1:]] == [True]
    with page.expect_download() as openapi:
        page.get_by_role("link", name="OpenAPI").click()
    document = json.loads(Path(openapi.value.path()).read_text())
    assert document["openapi"].startswith("3.1")
    assert list(document["paths"]) == ["/teas"]


def test_the_authentication_tab_shows_what_the_api_says(window: Open, shop: Shop, shot: Shot) -> None:
    one = shop.endpoint("/teas")
    page = window()
    page.goto("/inventory/")
    page.get_by_role("link", name="/teas", exact=True).click()
    expect(page.locator(".status-card")).to_contain_text("Partial")
    expect(page.locator(".status-card")).to_contain_text(f"{one['coverage']}".removesuffix(".0") + "%")
    row = page.get_by_role("region", name="Authentication parameters").locator("tbody tr")
    expect(row).to_have_count(1)
    for text in ("Bearer", "AUTHORIZATION", "header"):
        expect(row).to_contain_text(text)
    expect(page.locator(".chart")).to_have_attribute("aria-label", re.compile("requests in 7 days"))
    expect(page.get_by_role("heading", name="Who comes without")).to_be_visible()
    shot(page, "endpoint")


def test_an_endpoint_is_marked_as_public_and_leaves_the_alarms(window: Open, shop: Shop) -> None:
    page = window()
    page.goto(f"/inventory/{shop.endpoint('/health')['id']}/")
    page.get_by_text("Everybody may call this endpoint").click()
    page.get_by_label("Why may everybody call it?").fill("The load balancer asks")
    page.get_by_label("Who answers for it?").fill("Operations")
    page.get_by_role("button", name="Mark as public").click()
    expect(page.get_by_text("Marked as intentionally public")).to_be_visible()
    page.goto("/inventory/?type=none")
    expect(page.get_by_role("link", name="/health", exact=True)).to_have_count(0)
    page.goto(f"/inventory/{shop.endpoint('/health')['id']}/")
    page.get_by_role("button", name="Take the mark off").click()
    expect(page.get_by_text("The mark is taken off")).to_be_visible()


def test_a_parameter_shows_its_point_while_it_is_written_and_counts_at_once(
    window: Open, shop: Shop, shot: Shot
) -> None:
    page = window(refused=400)
    page.goto("/auth-parameters/")
    page.get_by_label("Where").select_option(label="HTTP header")
    page.get_by_role("textbox", name="Name").fill("x-shop-key")
    expect(page.locator("#preview code")).to_have_text('["header", "X-SHOP-KEY"]')
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("X-SHOP-KEY is added")).to_be_visible()
    shot(page, "auth-parameters")
    points = [item["point"] for item in shop.api("GET", parameters(shop))["parameters"]]
    assert [["header", "X-SHOP-KEY"]] in points
    page.get_by_role("textbox", name="Name").fill("X-Shop-Key")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("exists already")
    page.get_by_role("button", name="Remove X-SHOP-KEY").click()
    expect(page.get_by_text("X-SHOP-KEY is removed")).to_be_visible()


def parameters(shop: Shop) -> str:
    return f"/v1/clients/{shop.service.client_id}/apid/config/auth-parameters"
