"""Pages of test runs: the list, the forms by the web's limits, one run live, its baselines, reports and comparison."""

import re
import time
from collections.abc import Callable

import msgspec
import pytest
from django.db.models import F
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.findings import services
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.reports.formats import FORMATS
from gatecrash.core.testing.catalogue import entry_of
from gatecrash.fakes.fake_node import baseline, vulnerable

pytestmark = [pytest.mark.database, pytest.mark.django_db]
FORM = {
    "name": "mine",
    "policy_id": "quick",
    "rps": "7",
    "rps_per_baseline": "3",
    "inactivity_timeout": "600",
    "skip_duplicated_baselines": "on",
}


@pytest.fixture
def own(client_id: str) -> Estate:
    return made(client_id)


def run_of(client_id: str, name: str) -> TestRun:
    with wall.client(client_id):
        row: TestRun = TestRun.objects.get(name=name)
    return row


def test_the_list_is_searched_and_filtered(person: Callable[..., Person], own: Estate) -> None:
    someone = person("viewer")
    for query, is_there in (
        ("", True),
        ("?q=ESTATE", True),
        ("?q=nothing", False),
        ("?state=passed", False),
        ("?state=odd", True),
    ):
        assert (own.test_run_id in someone.text(f"/runs/{query}")) is is_there, query
    live = someone.get("/runs/", headers={"HX-Request": "true"}).content.decode()
    assert own.test_run_id in live
    assert "policy default" in live
    assert "<html" not in live


def test_a_long_description_is_folded_and_whole(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone = person("viewer")
    for desc, folded in (("Short & <b>", False), ("a line\n" * 60 + "the end", True)):
        with wall.client(client_id):
            TestRun.objects.filter(id=own.test_run_id).update(desc=desc)
        page = someone.text(f"/runs/{own.test_run_id}/")
        assert ('<details class="description">' in page) is folded
        assert ("the end</p>" if folded else "<p>Short &amp; &lt;b&gt;</p>") in page


def test_a_form_makes_a_run_with_what_it_says(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone = person("analyst")
    assert "the run of the estate" in someone.text("/runs/new/"), "the run that a new one would interrupt"
    answer = someone.post("/runs/new/", **FORM)
    row = run_of(client_id, "mine")
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{row.id}/")
    assert (row.rps, row.rps_per_baseline, row.inactivity_timeout, row.policy_id) == (7, 3, 600, "quick")
    assert (row.skip_duplicated_baselines, row.stop_on_first_fail, row.target_url) == (True, False, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("rps", "1001"),
        ("rps", "many"),
        ("rps_per_baseline", "0"),
        ("inactivity_timeout", "299"),
        ("policy_id", "pol_none"),
    ],
)
def test_what_the_contract_refuses_is_told_beside_its_field(
    client_id: str, person: Callable[..., Person], field: str, value: str
) -> None:
    answer = person("analyst").post("/runs/new/", **{**FORM, field: value})
    assert answer.status_code == 400
    assert f'id="{field}-error"' in answer.content.decode()
    with wall.client(client_id):
        assert not TestRun.objects.exists()


def test_a_copy_reuses_the_record_once_it_is_recorded(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone, here = person("analyst"), f"/runs/{own.test_run_id}/copy/"
    assert "Stop the recording first" in someone.text(here)
    assert someone.post(here, **FORM).status_code == 400
    someone.post(f"/runs/{own.test_run_id}/action/interrupt/")
    with wall.client(client_id):
        TestRecord.objects.update(recording=False, draining=False)
    assert someone.post(here, **FORM).status_code == 302
    copy = run_of(client_id, "mine")
    assert (copy.record_id, copy.state) == (own.test_record_id, "cloning")


def test_a_record_is_tested_from_its_page_once_it_is_recorded(
    client_id: str, other_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone, reader, here = person("analyst"), person("viewer"), f"/records/{own.test_record_id}/"
    assert f"{here}test/" not in someone.text(here)
    assert someone.post(f"{here}test/", **FORM).status_code == 400
    someone.post(f"/runs/{own.test_run_id}/action/interrupt/")
    with wall.client(client_id):
        TestRecord.objects.update(recording=False, draining=False)
    assert f"{here}test/" in someone.text(here)
    assert f"{here}test/" not in reader.text(here)
    assert "Start testing" in someone.text(f"{here}test/")
    assert someone.post(f"{here}test/", **FORM).status_code == 302
    run = run_of(client_id, "mine")
    assert (run.record_id, run.state, run.policy_id) == (own.test_record_id, "cloning", "quick")
    assert reader.get(f"{here}test/").status_code == 403
    assert person("admin", other_id).get(f"{here}test/").status_code == 404


def test_a_live_page_asks_only_for_what_is_new(person: Callable[..., Person], own: Estate) -> None:
    someone, here = person("viewer"), f"/runs/{own.test_run_id}/"
    text = someone.text(here)
    assert "the run of the estate" in text
    assert "SQL injection" in text
    part = someone.get(here, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert b"<html" not in part.content
    revision = run_of(someone.client_id, "the run of the estate").revision
    assert someone.get(f"{here}baselines/?seen={revision}").status_code == 204
    assert someone.get(f"{here}baselines/?seen=0").status_code == 200


def test_a_live_page_is_told_of_findings_and_of_the_end(
    client_id: str, other_id: str, person: Callable[..., Person], own: Estate
) -> None:
    """Who watches a run to its end sees what was found, the log and the button to copy without loading the page again."""
    someone, here = person("analyst"), f"/runs/{own.test_run_id}/"
    seen = re.search(r"seen=([^\"]+)", someone.text(here))
    assert seen
    revision, _, told = seen[1].split(".", 2)
    old = {"HX-Request": "true"}
    assert "run-told" not in someone.get(f"{here}?seen={revision}.0.{told}", headers=old).headers.get("HX-Trigger", "")
    assert "run-told" in someone.get(f"{here}?seen={revision}.0.9.running.1", headers=old).headers["HX-Trigger"]
    assert "run-told" in someone.get(f"{here}?seen=nonsense", headers=old).headers["HX-Trigger"]
    parts = someone.text(f"{here}told/")
    assert "SQL injection" in parts
    assert f"{here}copy/" not in parts
    someone.post(f"{here}action/interrupt/")
    with wall.client(client_id):
        TestRecord.objects.update(recording=False, draining=False)
    parts = someone.text(f"{here}told/")
    assert f"{here}copy/" in parts
    assert "Interrupted" in parts
    assert "run-told" not in parts, "what is over asks no more"
    assert person("admin", other_id).get(f"{here}told/").status_code == 404


def test_an_action_is_done_once_and_then_said_to_be_over(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone = person("analyst")
    for _ in range(2):
        assert someone.post(f"/runs/{own.test_run_id}/action/interrupt/").status_code == 302
    assert run_of(client_id, "the run of the estate").state == "interrupted"
    assert "is not possible any more" in someone.text(f"/runs/{own.test_run_id}/")
    assert someone.post(f"/runs/{own.test_run_id}/action/explode/").status_code == 404


@pytest.mark.parametrize(
    ("passed", "untested", "told"),
    [(3, 3, "Nothing was tested."), (3, 2, "2 of the passed baseline requests had nothing to test"), (3, 0, "")],
)
def test_a_pass_with_nothing_to_test_is_said_aloud(
    client_id: str, person: Callable[..., Person], own: Estate, passed: int, untested: int, told: str
) -> None:
    with wall.client(client_id):
        counted = {
            "passed": passed,
            "failed": 0,
            "baseline_untested_count": untested,
            "state": "passed",
            "end_time": 2.0,
        }
        TestRun.objects.filter(id=own.test_run_id).update(recording=False, draining=False, **counted)
    someone = person("viewer")
    for page in ("/", "/runs/"):
        assert ("nothing tested" in someone.text(page)) == (untested == 3), "a list does not say passed only"
    shown = someone.text(f"/runs/{own.test_run_id}/")
    assert told in shown
    assert ("Nothing was tested" in shown, "had nothing to test" in shown) == (untested == 3, untested == 2)


def test_what_the_run_waits_for_and_what_it_did_not_look_for_is_said(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone = person("viewer")
    idle = {"state": "running", "recording": False, "draining": False, "waiting": 0, "running": 0}
    with wall.client(client_id):
        TestRun.objects.filter(id=own.test_run_id).update(**idle, listening_until=time.time() + 300)
    page = someone.text(f"/runs/{own.test_run_id}/")
    assert "Everything is tested. The run stays" in page
    assert "Not looked for" not in page, "it is not over"
    with wall.client(client_id):
        TestRun.objects.filter(id=own.test_run_id).update(notes=["Nobody is signed in: <b>"])
    assert "Nobody is signed in: &lt;b&gt;" in someone.text(f"/runs/{own.test_run_id}/")
    with wall.client(client_id):
        TestRun.objects.filter(id=own.test_run_id).update(state="passed", policy_id="default", policy=None)
    page = someone.text(f"/runs/{own.test_run_id}/")
    assert "Nobody is signed in" in page
    assert "Everything is tested" not in page
    assert "Not looked for under the policy default" in page


def test_a_baseline_is_opened_without_its_credentials(person: Callable[..., Person], own: Estate) -> None:
    someone = person("viewer")
    text = someone.text(f"/runs/{own.test_run_id}/baselines/{own.baseline_id}/")
    assert "/items?q=1" in text
    assert "a-token-of-sixteen" not in text
    assert someone.get(f"/runs/{own.test_run_id}/baselines/bl_none/").status_code == 404


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_report_is_a_file_without_credentials(person: Callable[..., Person], own: Estate, name: str) -> None:
    answer = person("viewer").get(f"/runs/{own.test_run_id}/report/{name}/")
    content = answer.getvalue() if answer.streaming else answer.content
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    assert b"sqli" in content or b"SQL" in content
    assert b"a-token-of-sixteen" not in content


def test_a_report_of_no_format_and_a_comparison_with_no_run_are_not_there(
    person: Callable[..., Person], own: Estate
) -> None:
    someone, here = person("viewer"), f"/runs/{own.test_run_id}/"
    assert someone.get(f"{here}report/docx/").status_code == 404
    for query in ("", "?with=tr_none", "?with=%00"):
        assert someone.get(f"{here}compare/{query}").status_code == 404
    assert someone.get(f"{here}compare/?with={own.test_run_id}").status_code == 200


def test_a_flaw_at_two_recorded_requests_is_one_of_a_run_and_leads_to_both(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    again = baseline("/items/8")
    with wall.client(client_id):
        first = Vulnerability.objects.get()
        (kept,) = services.keep(own.test_run_id, again, [vulnerable(again)], first.found_at + 1)
        Vulnerability.objects.filter(id=kept["id"]).update(code=first.code, fingerprint=first.fingerprint)
        row = TestRun.objects.get(id=own.test_run_id)
        row.vulns = [services.summary(first)] * 2
        row.save()
    someone, here = person("viewer"), f"/runs/{own.test_run_id}/"
    page = someone.text(here).partition("<h2>Log</h2>")[0]
    assert kept["id"] in page
    assert first.id not in page
    assert '<p class="value bad">1</p>' in page
    assert f'?run={own.test_run_id}&amp;code={first.code}&amp;show=all">found 2 times</a>' in page
    assert "All 2 findings with filters" in page
    compared = someone.text(f"{here}compare/?with={own.test_run_id}")
    assert (first.id in compared) != (kept["id"] in compared)


def test_a_comparison_of_many_findings_shows_the_gravest_and_says_where_all_are(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    with wall.client(client_id):
        rows = [Vulnerability.objects.get() for _ in range(201)]
        for place, row in enumerate(rows):
            row.id, row.code, row.point_digest, row.threat = (
                f"vuln_{place}",
                f"S{place + 1000}",
                str(place),
                1 + (place > 0),
            )
        Vulnerability.objects.bulk_create(rows)
    page = person("viewer").text(f"/runs/{own.test_run_id}/compare/?with={own.test_run_id}")
    assert page.count('href="/vulnerabilities/vuln_') == 200
    assert "S1000" not in page, "the least grave"
    assert f"gatecrash run compare {own.test_run_id} {own.test_run_id}" in page


def test_a_comparison_says_which_run_goes_on(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone, path = person("viewer"), f"/runs/{own.test_run_id}/compare/?with={own.test_run_id}"
    assert "has not ended yet" in someone.text(path)
    with wall.client(client_id):
        open_run = TestRun.objects.get(id=own.test_run_id)
        TestRun.objects.filter(id=open_run.id).update(state="failed", end_time=open_run.start_time + 60)
    assert "has not ended yet" not in someone.text(path)


def test_one_cause_at_several_endpoints_is_one_line_of_a_run_and_another_host_has_its_own(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    with wall.client(client_id):
        for path in ("/items", "/orders", "/loans"):
            again = baseline(path)
            policy = msgspec.structs.replace(vulnerable(again), type="cors", title=entry_of("cors").title, point=())
            services.keep(own.test_run_id, again, [policy], 1_700_000_000)
        elsewhere = Vulnerability.objects.filter(type="cors").order_by("code").last()
        assert elsewhere is not None
        Vulnerability.objects.filter(id=elsewhere.id).update(url="http://b.example/loans")
    page = person("viewer").text(f"/runs/{own.test_run_id}/").partition('<h2 class="section-title">Baseline')[0]
    assert page.count(f"{entry_of('cors').title}</a>") == 2
    assert page.count("and 1 more</td>") == 1


def test_a_finding_is_tested_again(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone, here = person("analyst"), f"/vulnerabilities/{own.vulnerability_id}/retest/"
    assert someone.post(here).status_code == 400, "its record is still being recorded"
    someone.post(f"/runs/{own.test_run_id}/action/interrupt/")
    with wall.client(client_id):
        TestRecord.objects.update(recording=False, draining=False)
    answer = someone.post(here)
    assert answer.status_code == 302
    with wall.client(client_id):
        assert TestRun.objects.filter(id=answer["Location"].split("/")[2]).exclude(id=own.test_run_id).exists()
    assert person("viewer").post(here).status_code == 403


def test_a_run_whose_node_is_silent_says_so(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone, here, words = person("viewer"), f"/runs/{own.test_run_id}/", "was last heard"
    for seconds, told in ((0, False), (600, True)):
        with wall.client(client_id):
            Node.objects.update(last_seen=time.time() - seconds)
            TestRun.objects.update(revision=F("revision") + 1)  # what is rendered is handed to all others of the same
        assert (words in someone.text(here)) is told
        assert (words in someone.get(f"{here}?seen=", headers={"HX-Request": "true"}).content.decode()) is told
    with wall.client(client_id):
        TestRun.objects.update(state="interrupted")
    assert words not in someone.text(here)


def test_how_much_is_sent_is_told_while_a_run_is_at_work(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone, here = person("viewer"), f"/runs/{own.test_run_id}/"
    at_work = {"state": "running", "recording": False, "waiting": 3, "sent_before": 60, "sent_reported": 0}
    with wall.client(client_id):
        TestRun.objects.filter(id=own.test_run_id).update(
            **at_work, sent_checked=0, planned_waiting=180, planned_running=0
        )
    assert "25% of the test requests sent" in someone.text(here)
    for over in ({"recording": True}, {"recording": False, "state": "passed"}):
        with wall.client(client_id):
            TestRun.objects.filter(id=own.test_run_id).update(**over)
        assert "of the test requests sent" not in someone.text(here)
