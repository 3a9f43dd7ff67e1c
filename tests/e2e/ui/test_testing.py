"""Testing in the browser: create, record, stop, watch to the end, read, copy, interrupt, retest, compare, decide."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.e2e.ui.shop import Shop

Open = Callable[..., Page]
Shot = Callable[[Page, str], None]


def test_a_run_is_made_recorded_and_followed_to_its_end_without_reloading(window: Open, shop: Shop, shot: Shot) -> None:
    page = window()
    page.goto("/runs/")
    page.get_by_role("link", name="New test run").first.click()
    page.get_by_label("Name", exact=True).fill("from the browser")
    page.get_by_label("Test policy").select_option(label="Quick")
    page.get_by_text("Advanced settings").click()
    page.get_by_label("Skip files with these extensions").fill("css, js")
    shot(page, "run-new")
    page.get_by_role("button", name="Start recording").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_url(re.compile(r"/runs/tr_\w+/$"))
    run_id = page.url.rstrip("/").rsplit("/", 1)[1]
    made = [one["id"] for one in shop.api("GET", "/v1/test_run?name=from the browser")["objects"]]
    assert made == [run_id], "a form that is sent twice makes one run"
    run = shop.run(run_id)
    assert (run["rps"], run["rps_per_baseline"], run["inactivity_timeout"]) == (1000, 500, 1800), "the web limits"
    assert (run["policy_id"], run["file_extensions_to_exclude"]) == ("quick", "css, js")
    expect(page.locator("#live")).to_contain_text("Waiting for traffic")
    page.locator("#live .help").first.focus()
    seen = page.locator("#live").get_attribute("hx-get") or ""
    expect(page.locator("#live")).not_to_have_attribute("hx-get", seen)
    expect(page.locator("#live .help").first).to_be_focused()  # what comes anew leaves the keyboard where it was
    shop.until(lambda: shop.run(run_id)["ready_for_recording"], "the node records")
    shop.visit("/teas/by-origin?origin=India", token=shop.customer())
    shop.visit("/health", "/style.css")
    expect(page.locator("#baselines tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Stop recording").click()
    shop.until(lambda: shop.run(run_id)["end_time"], "the run ends")
    expect(page.locator("#live .badge").first).to_have_text("Failed")
    expect(page.locator("#live")).to_contain_text("of 3 baseline requests")
    page.reload()
    expect(page.get_by_role("heading", name="Vulnerabilities", exact=True)).to_be_visible()
    shot(page, "run")


def test_a_running_run_is_paused_resumed_and_interrupted(window: Open, shop: Shop) -> None:
    page = window()
    run_id = shop.api("POST", "/v1/test_run", json={"name": "steered", "rps": 1})["id"]
    page.goto(f"/runs/{run_id}/")
    for action, state in (("Pause", "Paused"), ("Resume", "Running"), ("Interrupt testing", "Interrupted")):
        page.get_by_role("button", name=action).click()
        if state == "Interrupted":  # cannot be taken back, so it is asked first
            page.get_by_role("button", name="Let it run").click()
            page.get_by_role("button", name=action).click()
            page.get_by_role("button", name="Interrupt", exact=True).click()
        expect(page.locator("#live .badge").first).to_have_text(state)
    expect(page.locator("#live")).to_contain_text("Somebody interrupted it")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def test_what_happens_elsewhere_is_seen_without_a_reload(window: Open, shop: Shop) -> None:
    """How soon is measured by `python -m bench live`."""
    page = window()
    run_id = shop.api("POST", "/v1/test_run", json={"name": "watched"})["id"]
    page.goto(f"/runs/{run_id}/")
    expect(page.locator("#live .badge").first).to_have_text("Running")
    shop.api("POST", f"/v1/test_run/{run_id}/action/interrupt")
    expect(page.locator("#live .badge").first).to_have_text("Interrupted")


def test_a_finding_is_proven_repeated_decided_and_retested(window: Open, shop: Shop, shot: Shot) -> None:
    run_id = shop.tested()
    found = shop.api("GET", f"/v1/vulns?test_run_id={run_id}&type=sqli")["objects"][0]
    page = window()
    page.goto(f"/vulnerabilities/?run={run_id}")
    page.get_by_role("combobox", name="Type").select_option("sqli")
    page.wait_for_url(re.compile("type=sqli"))
    shot(page, "vulnerabilities")
    page.get_by_role("link", name=found["title"]).first.click()
    expect(page.locator("mark")).not_to_be_empty()
    expect(page.locator("ins").first).not_to_be_empty()
    expect(page.locator("#curl")).to_contain_text("curl")
    expect(page.get_by_text(found["verified_by"])).to_be_visible()
    shot(page, "vulnerability")
    page.get_by_role("combobox", name="State").select_option(label="Accepted")
    page.get_by_label("Comment").fill("Known since spring")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Known since spring")).to_be_visible()
    assert shop.api("GET", f"/v1/vulns/{found['id']}")["state"] == "accepted"
    page.get_by_role("button", name="Retest").click()
    expect(page.get_by_role("heading", name=f"Retest of {found['code']}")).to_be_visible()
    retest = page.url.rstrip("/").rsplit("/", 1)[1]
    shop.until(lambda: shop.run(retest)["state"] == "failed", "the retest finds it again")


def test_a_copy_tests_the_same_record_and_both_are_compared(window: Open, shop: Shop, shot: Shot) -> None:
    run_id = shop.tested()
    page = window()
    page.goto(f"/runs/{run_id}/")
    page.get_by_role("link", name="Copy").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("made for reading (copy)")
    page.get_by_role("button", name="Copy and test").click()
    page.wait_for_url(re.compile(r"/runs/tr_\w+/$"))
    copy_id = page.url.rstrip("/").rsplit("/", 1)[1]
    shop.until(lambda: shop.run(copy_id)["end_time"], "the copy ends")
    page.reload()
    page.get_by_label("with another run over the same record").select_option(run_id)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Still there")).to_be_visible()
    shot(page, "compare")


def test_a_baseline_opens_and_reports_download(window: Open, shop: Shop, shot: Shot) -> None:
    page = window()
    page.goto(f"/runs/{shop.tested()}/?status=failed")
    page.locator("#baselines tbody a.title").first.click()
    expect(page.get_by_role("heading", name="Recorded request")).to_be_visible()
    shot(page, "baseline")
    page.go_back()
    page.get_by_role("button", name="Report").click()
    with page.expect_download() as sarif:
        page.get_by_role("link", name="SARIF").click()
    assert sarif.value.suggested_filename.endswith(".sarif")


def test_one_click_on_an_unprotected_endpoint_tests_it(window: Open, shop: Shop) -> None:
    shop.tested()
    page = window()
    page.goto(f"/inventory/{shop.endpoint('/health')['id']}/")
    page.get_by_role("button", name="Test this endpoint").click()
    expect(page.get_by_text(re.compile(r"Testing \d+ recorded request"))).to_be_visible()
    run_id = page.url.rstrip("/").rsplit("/", 1)[1]
    shop.until(lambda: shop.run(run_id)["end_time"], "the run ends")
    assert shop.run(run_id)["baseline_count"] >= 1


def test_a_policy_is_made_from_another_and_chosen(window: Open, shop: Shop, shot: Shot) -> None:
    page = window()
    page.goto("/policies/default/")
    page.get_by_role("link", name="Make one like it").click()
    page.get_by_label("Name", exact=True).fill("Only queries")
    page.get_by_role("group", name="Only these points").get_by_label("Name of point 1").fill("q")
    page.get_by_role("button", name="Make policy").click()
    expect(page.get_by_role("heading", name="Only queries")).to_be_visible()
    shot(page, "policy")
    page.goto("/runs/new/")
    expect(page.get_by_role("combobox", name="Test policy").get_by_role("option", name="Only queries")).to_have_count(1)
