"""Every route, every method, every role, and a foreign object each: who may see, who may change, and who sees nothing."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate

from gatecrash.control.api.roles import READ, Role
from gatecrash.control.ui import words

pytestmark = pytest.mark.django_db
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PEOPLE = (Role.ADMIN, Role.ANALYST, Role.VIEWER)


def pages() -> Iterator[URLPattern]:
    from gatecrash.control.ui.addresses import PAGES

    yield from PAGES


def names(pattern: URLPattern) -> list[str]:
    return list(pattern.pattern.converters)


def address(pattern: URLPattern, estate: Estate) -> str:
    return reverse(pattern.name, kwargs={name: getattr(estate, name) for name in names(pattern)})


def asked(person: Person, pattern: URLPattern, method: str, estate: Estate) -> Any:
    path = address(pattern, estate)
    if pattern.name == "compare_runs":
        path += f"?with={estate.test_run_id}"
    return person.http.generic(method, path)


def test_every_page_says_who_may_see_it_and_which_methods_it_takes() -> None:
    for pattern in pages():
        assert pattern.callback.roles <= READ | {Role.CI}, pattern.name
        assert pattern.callback.methods <= {"GET", "POST"}, pattern.name


def test_without_signing_in_every_page_leads_to_the_login(estate: Callable[[str], Estate], client_id: str) -> None:
    own = estate(client_id)
    for pattern in pages():
        for method in METHODS:
            answer = Client().generic(method, address(pattern, own))
            assert answer.status_code == 302, (pattern.name, method)
            assert answer["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("role", PEOPLE)
def test_a_role_may_what_its_pages_say_and_nothing_else(
    role: Role, estate: Callable[[str], Estate], client_id: str, person: Callable[..., Person]
) -> None:
    own, somebody = estate(client_id), person(role)
    for pattern in pages():
        for method in METHODS:
            if method in pattern.callback.methods and role in pattern.callback.roles:
                continue
            answer = asked(somebody, pattern, method, own)
            wanted = 405 if method not in pattern.callback.methods else 403
            assert answer.status_code == wanted, (pattern.name, method, answer.status_code)


@pytest.mark.database
@pytest.mark.parametrize("role", PEOPLE)
def test_every_page_of_a_role_can_be_read(
    role: Role, estate: Callable[[str], Estate], client_id: str, person: Callable[..., Person]
) -> None:
    own, somebody = estate(client_id), person(role)
    for pattern in pages():
        if "GET" in pattern.callback.methods and role in pattern.callback.roles:
            assert asked(somebody, pattern, "GET", own).status_code == 200, pattern.name


def test_a_viewer_changes_nothing_by_any_method(
    estate: Callable[[str], Estate], client_id: str, person: Callable[..., Person]
) -> None:
    own, viewer = estate(client_id), person("viewer")
    before = rows(client_id)
    for pattern in pages():
        if pattern.name in ("account_password", "choose_client"):  # the own account, of which the session is a part
            continue
        for method in METHODS:
            asked(viewer, pattern, method, own)
    assert rows(client_id) == before


@pytest.mark.database
@pytest.mark.parametrize("role", PEOPLE)
def test_what_is_another_clients_does_not_exist(
    role: Role, estate: Callable[[str], Estate], client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    theirs, somebody = estate(other_id), person(role)
    before = rows(other_id)
    for pattern in pages():
        if not set(names(pattern)) - {"form"}:  # a form of export belongs to nobody
            continue
        for method in METHODS:
            status = asked(somebody, pattern, method, theirs).status_code
            allowed = method in pattern.callback.methods and role in pattern.callback.roles
            assert status == (404 if allowed else 405 if method not in pattern.callback.methods else 403), (
                pattern.name,
                method,
                status,
            )
    assert rows(other_id) == before


@pytest.mark.database
def test_no_list_shows_what_is_another_clients(
    estate: Callable[[str], Estate], client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    theirs, admin = estate(other_id), person("admin")
    for pattern in pages():
        if "GET" in pattern.callback.methods and not names(pattern):
            shown = admin.text(reverse(pattern.name))
            for identifier in vars(theirs).values():
                if "_" in identifier:
                    assert identifier not in shown, (pattern.name, identifier)


# Where the query of a page may name something, and with what of the estate.
QUERIES = (
    ("/runs/{test_run_id}/compare/?with=", "test_run_id", 404),
    ("/vulnerabilities/?run=", "test_run_id", 200),
    ("/policies/new/?from=", "policy_id", 200),
    ("/runs/new/?auth_profile_id=", "auth_profile_id", 200),
    ("/schedules/new/?run=", "test_run_id", 200),
    ("/audit/?target=", "test_run_id", 200),
    ("/audit/?actor=", "user_id", 200),
    ("/auth-profiles/?q=", "auth_profile_id", 200),
    ("/records/?q=", "test_record_id", 200),
)


@pytest.mark.database
def test_what_is_another_clients_is_not_found_by_a_query_either(
    estate: Callable[[str], Estate],
    client_id: str,
    other_id: str,
    person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The two pages may be made a second apart.
    monkeypatch.setattr(words, "ago", lambda then, now: "some time ago")
    own, theirs, admin = estate(client_id), estate(other_id), person("admin")
    for form, name, status in QUERIES:
        shown = []
        for foreign in (getattr(theirs, name), getattr(theirs, name)[:-4] + "0000"):
            answer = admin.get(form.format(**vars(own)) + foreign)
            assert answer.status_code == status, form
            shown.append(re.sub(r"name=.csrf.*?>", "", answer.content.decode()).replace(foreign, "…"))
        assert shown[0] == shown[1], f"{form} tells the foreign from the absent"


FILTERS = {
    "/": ("days",),
    "/inventory/": ("path", "host", "type", "status", "sort", "page", "badge", "method"),
    "/runs/": ("q", "state", "page"),
    "/vulnerabilities/": ("q", "run", "code", "type", "threat", "state", "sort", "show", "page"),
    "/records/": ("q", "page"),
    "/audit/": ("actor", "action", "target", "page"),
    "/policies/new/": ("from",),
    "/runs/new/": ("name", "auth_profile_id"),
    "/schedules/new/": ("run",),
}


@pytest.mark.database
@pytest.mark.parametrize("value", ["%00", "%27--", "%F0%9F%8D%B5%FF", "-1", "9" * 30, "x" * 5000])
def test_no_query_brings_a_page_down(value: str, client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    for path, filters in FILTERS.items():
        query = "&".join(f"{name}={value}" for name in filters)
        assert admin.get(f"{path}?{query}").status_code == 200, path


# Fields of forms that name something.
CHOICES = ("policy_id", "auth_profile_id", "node_id")


@pytest.mark.database
def test_what_is_another_clients_cannot_be_chosen_in_a_form(
    estate: Callable[[str], Estate], client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    own, theirs, admin = estate(client_id), estate(other_id), person("admin")
    foreign = vars(theirs) | {"node_id": node_of(other_id)}
    fields = {"name": "a", "policy_id": "quick", "rps": "5", "rps_per_baseline": "5", "inactivity_timeout": "600"}
    before = rows(client_id), rows(other_id)
    for field in CHOICES:
        answer = admin.post("/runs/new/", **{**fields, field: foreign[field]})
        assert answer.status_code == 400, field
        assert f'id="{field}-error"' in answer.content.decode(), field
    assert admin.post("/account/client/", client=other_id).status_code in {302, 404}
    assert admin.http.session.get("client") != other_id
    assert own.test_run_id in admin.text("/runs/")
    assert (rows(client_id), rows(other_id)) == before


def node_of(client_id: str) -> str:
    from gatecrash.control import wall
    from gatecrash.control.nodes.models import Node

    with wall.client(client_id):
        return str(Node.objects.values_list("id", flat=True).first())


def test_a_form_without_its_token_is_refused(client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    for pattern in pages():
        if "POST" in pattern.callback.methods and not names(pattern):
            assert strict.post(reverse(pattern.name)).status_code == 403, pattern.name


def test_a_live_part_of_a_page_leads_the_whole_page_to_the_login_and_back() -> None:
    answer = Client().get("/runs/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, "/sign-in/")
    told = {"HX-Request": "true", "HX-Current-URL": "http://testserver/runs/?state=running"}
    login = Client().get("/runs/", headers=told)["HX-Redirect"]
    assert login == "/sign-in/?next=/runs/%3Fstate%3Drunning"


def test_a_form_that_was_sent_too_late_leads_back_to_its_page_and_says_so() -> None:
    browser = Client()
    login = browser.post("/runs/new/", {"name": "a"}, headers={"Referer": "http://testserver/runs/new/?name=a"})[
        "Location"
    ]
    assert login == "/sign-in/?next=/runs/new/%3Fname%3Da&ended=1"
    text = browser.get(login).content.decode()
    assert "what you sent was not done" in text
    assert 'name="next" value="/runs/new/?name=a"' in text


def test_an_address_that_only_takes_forms_says_so(
    client_id: str, person: Callable[..., Person], estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    answer = person("analyst").get(f"/runs/{own.test_run_id}/action/pause/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Not this way" in answer.content.decode()


def rows(client_id: str) -> dict[str, list[Any]]:
    """Every tenant row of the client but the audit log's sign-ins."""
    from django.db import connection

    from gatecrash.control import wall

    with wall.client(client_id), connection.cursor() as cursor:
        found = {}
        for table in sorted(wall.tables()):
            cursor.execute(f'SELECT * FROM "{table}" WHERE client_id = %s', [client_id])
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found
