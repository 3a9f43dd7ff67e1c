"""Every page in every state that changes its markup: nothing made, one of everything, and what the moment brings.

A name that is empty, a reference to nothing or a None that shows depends on the moment a page is looked at; here each
moment is made.
"""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate
from tests.control.ui.markup import faults

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.inventory.models import Endpoint
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.models import TestRecord, TestRun

pytestmark = pytest.mark.django_db

LISTS = (
    "/",
    "/?days=30",
    "/inventory/",
    "/inventory/?status=missing&path=nowhere&badge=new",
    "/inventory/?page=9",
    "/auth-parameters/",
    "/runs/",
    "/runs/?state=paused",
    "/runs/?page=9",
    "/runs/new/",
    "/vulnerabilities/",
    "/vulnerabilities/?q=nowhere",
    "/vulnerabilities/?run=tr_x&code=S1",
    "/policies/",
    "/policies/default/",
    "/policies/new/",
    "/policies/new/?from=default",
    "/auth-profiles/",
    "/auth-profiles/new/",
    "/records/",
    "/records/import/",
    "/records/?q=nowhere",
    "/nodes/",
    "/schedules/",
    "/schedules/new/",
    "/webhooks/",
    "/webhooks/new/",
    "/tokens/",
    "/users/",
    "/audit/",
    "/audit/?actor=nobody",
    "/settings/",
    "/account/",
)
ONES = (
    "/inventory/{endpoint_id}/",
    "/inventory/{endpoint_id}/?tab=parameters",
    "/inventory/{endpoint_id}/?tab=results",
    "/inventory/{endpoint_id}/?tab=history",
    "/runs/{test_run_id}/",
    "/runs/{test_run_id}/?status=error",
    "/runs/{test_run_id}/?page=9",
    "/runs/{test_run_id}/baselines/",
    "/runs/{test_run_id}/baselines/{baseline_id}/",
    "/runs/{test_run_id}/copy/",
    "/runs/{test_run_id}/compare/?with={test_run_id}",
    "/vulnerabilities/{vulnerability_id}/",
    "/policies/{policy_id}/",
    "/policies/{policy_id}/change/",
    "/auth-profiles/{auth_profile_id}/",
    "/auth-profiles/{auth_profile_id}/replace/",
    "/records/{test_record_id}/",
    "/schedules/{schedule_id}/change/",
    "/webhooks/{webhook_id}/",
    "/webhooks/{webhook_id}/change/",
    "/users/{user_id}/",
)


def wrong(someone: Person, *addresses: str) -> dict[str, list[str]]:
    """What is wrong, by page."""
    return {address: found for address in addresses if (found := faults(someone.text(address)))}


def test_with_nothing_made_every_page_has_its_words(client_id: str, person: Callable[..., Person]) -> None:
    assert wrong(person("admin"), *LISTS) == {}


@pytest.mark.parametrize("role", ["admin", "viewer"])
def test_with_one_of_everything(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate], role: str
) -> None:
    own = vars(estate(client_id))
    pages = [*LISTS, *(one.format(**own) for one in ONES)]
    closed = (
        "/runs/new/",
        "/records/import/",
        "/policies/new",
        "/auth-profiles/new",
        "/schedules/new",
        "/webhooks/new",
        "/tokens/",
        "/users/",
        "/audit/",
        "/settings/",
    )
    if role == "viewer":
        pages = [
            page
            for page in pages
            if not page.startswith(closed) and not page.endswith(("/copy/", "/change/", "/replace/"))
        ]
    assert wrong(person(role), *pages) == {}


ENDED: dict[str, Any] = {"recording": False, "draining": False, "end_time": 2.0}
NOTHING = {"inconclusive_count": 0, "waiting": 0, "running": 0, "passed": 0, "failed": 0}


@pytest.mark.parametrize(
    "columns",
    [
        NOTHING,
        {**NOTHING, **ENDED, "state": "passed"},
        {**NOTHING, **ENDED, "state": "interrupted", "interrupt_reason": "another_test_run"},
        {**ENDED, "state": "failed"},
        {"state": "paused"},
        {"state": "cloning", "recording": False},
        {"desc": "", "tags": [], "domains": [], "name": "\u202e\u05d0 <b>" + "long " * 50, "target_url": "http://a"},
    ],
    ids=lambda columns: f"{columns.get('state', 'running')}-{columns.get('waiting', 'some')}-{len(columns)}",
)
def test_a_run_in_each_of_its_moments(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate], columns: dict[str, Any]
) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        known = {field.name for field in TestRun._meta.fields}
        TestRun.objects.filter(id=own.test_run_id).update(**{k: v for k, v in columns.items() if k in known})
    pages = ("/", "/runs/", f"/runs/{own.test_run_id}/", f"/records/{own.test_record_id}/")
    assert wrong(person("analyst"), *pages) == {}


def test_what_was_deleted_or_has_no_words_of_its_own(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        TestRecord.objects.update(deleted_at=3, recording=False)
        Vulnerability.objects.update(type="unheard_of", point=[])
        Node.objects.update(proxy_address="", last_seen=None, kind="", version="")
        Endpoint.objects.update(last_seen=0)
        Client.objects.filter(id=client_id).update(tests_stopped=True)
    someone = person("admin")
    pages = [one.format(**vars(own)) for one in ONES if "record" not in one and "copy" not in one]
    assert wrong(someone, *LISTS, *pages) == {}
