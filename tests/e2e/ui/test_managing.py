"""Managing in the browser: sign-in and lockout, the second factor, tokens, users, settings, records, nodes."""

import base64
import hmac
import re
import struct
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.e2e.ui.shop import OWNER, PASSWORD, Shop

Open = Callable[..., Page]
Shot = Callable[[Page, str], None]


def test_a_token_is_shown_once_and_works_until_it_is_revoked(window: Open, shop: Shop, shot: Shot) -> None:
    page = window()
    page.goto("/tokens/")
    page.get_by_label("Name", exact=True).fill("pipeline")
    page.get_by_role("button", name="Issue").click()
    text = page.locator("#new-token").inner_text()
    assert text.startswith("gck_")
    shot(page, "tokens")
    page.goto("/tokens/")
    expect(page.get_by_text(text)).to_have_count(0)
    page.get_by_role("button", name="Revoke pipeline").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
    expect(page.get_by_text("is revoked")).to_be_visible()


def test_a_user_is_added_and_gets_in_with_its_role(window: Open, shop: Shop, shot: Shot) -> None:
    page = window()
    page.goto("/users/")
    page.get_by_label("E-mail address").fill("viewer@example.com")
    page.get_by_label("Role").select_option("viewer")
    page.get_by_label("Password").fill("a quiet river bend")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("viewer@example.com is added")).to_be_visible()
    shot(page, "users")
    seen = window(email="viewer@example.com", password="a quiet river bend")
    seen.goto("/runs/")
    expect(seen.get_by_role("link", name="New test run")).to_have_count(0)
    expect(seen.get_by_role("link", name="Users")).to_have_count(0)


def test_all_tests_stop_by_one_switch(window: Open, shop: Shop) -> None:
    page = window()
    page.goto("/settings/")
    page.get_by_role("button", name="Stop all tests").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop all tests").click()
    expect(page.get_by_text("All tests of this client are stopped.")).to_be_visible()
    page.get_by_role("button", name="Allow tests again").click()
    expect(page.get_by_text("Tests are allowed again.")).to_be_visible()


def test_a_second_factor_is_set_up_asked_for_and_turned_off(window: Open, shop: Shop) -> None:
    page = window()
    page.goto("/users/")
    page.get_by_label("E-mail address").fill("careful@example.com")
    page.get_by_label("Password").fill("a quiet river bend")
    page.get_by_role("button", name="Add").click()
    mine = window(email="careful@example.com", password="a quiet river bend")
    mine.goto("/account/")
    mine.get_by_role("link", name="Set up").click()
    mine.get_by_label("Password").fill("a quiet river bend")
    mine.get_by_role("button", name="Confirm").click()
    secret = mine.locator("#totp-secret").inner_text()
    mine.get_by_label("Code").fill(code(secret))
    mine.get_by_role("button", name="Turn on").click()
    expect(mine.get_by_role("heading", name="Recovery codes")).to_be_visible()
    recovery = mine.locator("ul.secret li").first.inner_text()
    again = window(email="")
    again.goto("/sign-in/")
    again.get_by_label("E-mail address").fill("careful@example.com")
    again.get_by_label("Password").fill("a quiet river bend")
    again.get_by_role("button", name="Sign in").click()
    expect(again.get_by_role("heading", name="Your code")).to_be_visible()
    again.goto("/inventory/")
    expect(again.get_by_role("heading", name="Sign in")).to_be_visible()
    again.goto("/sign-in/code/")
    again.get_by_label("Code of your authenticator app").fill(recovery)
    again.get_by_role("button", name="Go on").click()
    expect(again.get_by_role("heading", name="Dashboard")).to_be_visible()
    again.goto("/account/")
    again.get_by_role("link", name="Turn off").click()
    again.get_by_label("Password").fill("a quiet river bend")
    again.get_by_role("button", name="Confirm").click()
    again.get_by_role("button", name="Turn off").click()
    expect(again.get_by_role("link", name="Set up")).to_be_visible()


def code(secret: str) -> str:
    """The code that an authenticator app shows (RFC 6238), at a moment when it holds for as long as a busy machine needs."""
    left = 30 - time.time() % 30
    if left < 15:
        time.sleep(left)
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def test_records_and_nodes_are_there(window: Open, shop: Shop, shot: Shot) -> None:
    shop.tested()
    page = window()
    page.goto("/records/")
    page.get_by_role("link", name="made for reading").first.click()
    expect(page.get_by_text("Ready to be tested again")).to_be_visible()
    page.goto("/nodes/")
    expect(page.get_by_text("Connected")).to_be_visible()
    shot(page, "nodes")
    page.goto("/audit/")
    expect(page.get_by_text("user.sign_in").first).to_be_visible()
    shot(page, "audit")


def test_the_menu_of_a_phone_and_the_chosen_colours(window: Open, shot: Shot) -> None:
    page = window(width=390, height=844)
    page.goto("/")
    expect(page.get_by_role("link", name="API inventory")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="API inventory").click()
    page.wait_for_url(re.compile("/inventory/"))
    shot(page, "inventory-phone")
    page.goto("/account/")
    page.get_by_label("Light or dark").select_option("dark")
    page.reload()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_signing_out_ends_the_session(window: Open) -> None:
    page = window(email=OWNER, password=PASSWORD)
    page.get_by_role("button", name="Sign out").click()
    page.goto("/runs/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "next=/runs/" in page.url
