"""The door: headers and forms of pages are guarded, and the API's addresses pass it untouched."""

from collections.abc import Callable

import pytest
from django.test import Client
from tests.control.browsing import BACKEND, Person

from gatecrash.control.ui.doorway import HEADERS, is_machine_path

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py


@pytest.mark.parametrize(
    ("path", "machine"),
    [
        ("/v1", True),
        ("/v1/endpoints", True),
        ("/healthz", True),
        ("/readyz", True),
        ("/metrics", True),
        ("/", False),
        ("/v1x", False),
        ("/V1/endpoints", False),
        ("/inventory/", False),
    ],
)
def test_which_addresses_are_the_apis(path: str, machine: bool) -> None:
    assert is_machine_path(path) is machine


@pytest.mark.parametrize("path", ["/sign-in/", "/", "/nowhere", "/static/gatecrash/frame.css"])
def test_every_answer_to_a_browser_is_told_what_it_may(path: str) -> None:
    answer = Client().get(path)
    answer.close()
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in answer.headers, "this installation is not known to be behind TLS"


def test_pages_are_kept_nowhere(client_id: str, person: Callable[..., Person]) -> None:
    assert person("viewer").get("/inventory/")["Cache-Control"] == "private, no-store"


def test_behind_tls_browsers_are_told_to_stay_there(settings: object) -> None:
    settings.PUBLIC_URL = "https://gatecrash.example"  # type: ignore[attr-defined]
    assert Client().get("/sign-in/")["Strict-Transport-Security"].startswith("max-age=")


def test_a_form_needs_the_token_of_our_own_page(client_id: str, person: Callable[..., Person]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("analyst").user, backend=BACKEND)
    given = {"location": "get", "name": "tea"}
    assert strict.post("/auth-parameters/", given).status_code == 403
    strict.get("/auth-parameters/")
    token = strict.cookies["gatecrash_csrf"].value
    assert strict.post("/auth-parameters/", {**given, "csrfmiddlewaretoken": token}).status_code == 302


def test_a_session_says_nothing_to_the_api(client_id: str, person: Callable[..., Person]) -> None:
    someone = person("admin")
    answer = someone.get("/v1/endpoints")
    assert (answer.status_code, answer.json()["body"]["error"]) == (401, "unauthorized")
    assert "Content-Security-Policy" not in answer.headers
    assert not answer.cookies
