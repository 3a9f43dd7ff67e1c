"""Pages that say no, in words; the API's addresses keep their envelope."""

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.test import Client, RequestFactory
from tests.control.browsing import Person

from gatecrash.control import database_trouble
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.ui import refusals

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py


@pytest.mark.parametrize("status", [*refusals.TITLES, 418])
def test_a_refusal_is_a_page_with_its_status_and_words(status: int) -> None:
    answer = refusals.refused(RequestFactory().get("/"), status, "Because <of> this.")
    text = answer.content.decode()
    assert answer.status_code == status
    assert "Because &lt;of&gt; this." in text
    assert refusals.TITLES.get(status, "This cannot be done") in text


def test_a_live_part_gets_a_short_text() -> None:
    answer = refusals.refused(RequestFactory().get("/", headers={"HX-Request": "true"}), 409, "Not <now>.")
    assert (answer.status_code, answer.content) == (409, b"Not <now>.")
    assert answer["Content-Type"].startswith("text/plain")


def test_every_faulty_field_is_in_the_sentence() -> None:
    error = FieldErrors({"name": problem("required", None), "rps": problem("out_of_range", 0, min=1, max=5)})
    assert refusals.sentence(error) == "Fill this in. Must be from 1 to 5."


def test_what_is_not_there_is_told_to_browsers_and_to_programs_in_their_own_way() -> None:
    page, program = Client().get("/nowhere"), Client().get("/v1/nowhere")
    assert (page.status_code, page["Content-Type"].partition(";")[0]) == (404, "text/html")
    assert (program.status_code, program["Content-Type"].partition(";")[0]) in {
        (404, "application/json"),
        (401, "application/json"),
    }


@pytest.mark.parametrize(("path", "media"), [("/runs/", "text/html"), ("/v1/test_run", "application/json")])
def test_a_crash_is_told_without_what_crashed(path: str, media: str) -> None:
    answer = refusals.crashed(RequestFactory().get(path))
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (500, media)
    assert b"Traceback" not in answer.content


def test_a_database_that_is_away_is_told_as_such(client_id: str, person: Callable[..., Person]) -> None:
    """The session is asked first, so that neither frame nor view can be had; the page comes with its headers all the same."""
    someone = person("viewer")
    with connection.cursor() as cursor:  # rolled back with the test
        cursor.execute("ALTER TABLE django_session RENAME TO away")
    answer = someone.get("/runs/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "The database does not answer" in answer.content.decode()
    assert "frame-ancestors" in answer["Content-Security-Policy"]


def test_a_full_disk_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.exc_info", lambda: (None, OperationalError("database or disk is full"), None))
    answer = refusals.crashed(RequestFactory().get("/runs/"))
    monkeypatch.undo()
    assert answer.status_code == 500
    assert database_trouble.FULL in answer.content.decode()


@pytest.mark.parametrize(
    ("headers", "path"),
    [
        ({"Referer": "http://testserver/runs/new/?name=a"}, "/runs/new/?name=a"),
        ({"HX-Current-URL": "http://testserver/runs/", "Referer": "http://testserver/"}, "/runs/"),
        ({"Referer": "http://elsewhere.example/runs/"}, ""),
        ({"Referer": "//[broken"}, ""),
        ({}, ""),
    ],
)
def test_only_a_page_of_ours_is_gone_back_to(headers: dict[str, str], path: str) -> None:
    assert refusals.came_from(RequestFactory().post("/", headers=headers)) == path


def test_a_form_that_is_too_old_says_what_to_do() -> None:
    answer = refusals.csrf_failed(RequestFactory().post("/"), "no cookie")
    assert answer.status_code == 403
    assert b"Load its page again" in answer.content
    assert b"no cookie" not in answer.content


@pytest.mark.parametrize(
    ("public", "own"), [("", "http://testserver"), ("https://gate.example", "https://gate.example")]
)
def test_a_form_that_came_through_an_address_that_nobody_named_says_how_to_name_it(
    public: str, own: str, settings: object
) -> None:
    settings.PUBLIC_URL = public  # type: ignore[attr-defined]
    sent = RequestFactory().post("/sign-in/", {"email": "a"}, headers={"Origin": "https://<outer>.example"})
    sent.COOKIES["gatecrash_csrf"] = "a" * 32
    view = CsrfViewMiddleware(lambda request: HttpResponse())
    answer = view.process_view(sent, lambda request: HttpResponse(), (), {})
    assert answer is not None
    assert answer.status_code == 403
    text = answer.content.decode()
    assert f"came from https://&lt;outer&gt;.example; forms are taken from {own} only" in text
    assert "GATECRASH_PUBLIC_URL" in text
