"""Live parts are rendered once for all who may see the same, and for nobody else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui import fragments, visitor

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py
LIVE = {"HX-Request": "true"}


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were rendered, one entry each time."""
    seen: list[str] = []
    real = render_to_string

    def counted(template: str, *rest: Any) -> str:
        seen.append(template)
        return str(real(template, *rest))

    monkeypatch.setattr(fragments, "render_to_string", counted)
    return seen


@pytest.fixture
def paused(client_id: str, estate: Callable[[str], Estate]) -> Estate:
    """A run that waits: nothing of it depends on the clock."""
    own = estate(client_id)
    with wall.client(client_id):
        TestRun.objects.update(state="paused")
    return own


def test_two_viewers_of_one_state_cost_one_rendering(
    person: Callable[..., Person], paused: Estate, rendered: list[str]
) -> None:
    first, second = (person("viewer", email=f"{name}@example.com") for name in ("ann", "bob"))
    for address in (f"/runs/{paused.test_run_id}/", f"/runs/{paused.test_run_id}/baselines/", "/runs/"):
        rendered.clear()
        texts = {someone.get(address, headers=LIVE).content for someone in (first, second, first)}
        assert (len(texts), len(rendered)) == (1, 1), address


def test_who_may_steer_gets_buttons_and_who_may_not_gets_none(person: Callable[..., Person], paused: Estate) -> None:
    viewer, analyst = person("viewer"), person("analyst")
    for someone, has_buttons in ((viewer, False), (analyst, True), (viewer, False)):
        answer = someone.get(f"/runs/{paused.test_run_id}/", headers=LIVE)
        assert (b"act-interrupt" in answer.content) is has_buttons


def test_a_change_is_shown_at_once(client_id: str, person: Callable[..., Person], paused: Estate) -> None:
    someone, address = person("viewer"), f"/runs/{paused.test_run_id}/"
    before = someone.get(address, headers=LIVE)
    with wall.client(client_id):
        row = TestRun.objects.get()
        row.vulns, row.revision = [], row.revision + 1
        row.save()
    assert someone.get(address, headers=LIVE).content != before.content


def test_another_client_is_never_handed_the_same(
    client_id: str, other_id: str, person: Callable[..., Person], paused: Estate
) -> None:
    mine, theirs = person("viewer"), person("viewer", other_id)
    assert b"the run of the estate" in mine.get("/runs/", headers=LIVE).content
    assert b"the run of the estate" not in theirs.get("/runs/", headers=LIVE).content


def test_an_odd_query_of_one_viewer_reaches_no_other(person: Callable[..., Person], paused: Estate) -> None:
    first, second = (person("viewer", email=f"{name}@example.com") for name in ("ann", "bob"))
    for address in (f"/runs/{paused.test_run_id}/baselines/", "/runs/", f"/runs/{paused.test_run_id}/"):
        first.get(f"{address}?status=odd-word&more=odd-word", headers=LIVE)
        assert b"odd-word" not in second.get(address, headers=LIVE).content


def test_a_template_with_a_sessions_token_is_refused(person: Callable[..., Person]) -> None:
    someone, request = person("admin"), RequestFactory().get("/")
    request.visitor = visitor.find(someone.user, None)  # type: ignore[attr-defined]
    request._messages = []  # type: ignore[attr-defined]
    with pytest.raises(AssertionError, match="token"):
        fragments.fragment(request, "accounts/no_client.html", ("x",), lambda: {"request": request})


def test_old_parts_make_room(person: Callable[..., Person], paused: Estate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragments, "MOST_KEPT", 3)
    someone = person("viewer")
    for page in range(1, 9):
        someone.get(f"/runs/?page={page}", headers=LIVE)
    assert len(fragments._kept) == 3
