"""Pages of auth profiles: what goes into a form never comes out of a page."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.profiles.conftest import SECRETS

from gatecrash.control import wall
from gatecrash.control.profiles import queries, services, usage
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.control.profiles.pages import EXAMPLES
from gatecrash.control.profiles.reading import read_document
from gatecrash.core.testing.profiles.profile_document import read_profile

Sign = Callable[..., Person]


@pytest.fixture
def row(client_id: str, document: dict[str, Any]) -> AuthProfileRow:
    with wall.client(client_id):
        return services.create(document)


def rows(client_id: str) -> list[AuthProfileRow]:
    with wall.client(client_id):
        return list(queries.rows())


def test_no_page_shows_a_secret(person: Sign, row: AuthProfileRow) -> None:
    somebody = person("analyst")
    for path in ("/auth-profiles/", f"/auth-profiles/{row.id}/", f"/auth-profiles/{row.id}/replace/"):
        text = somebody.text(path)
        assert "shop users" in text
        assert not [secret for secret in SECRETS if secret in text]
    shown = somebody.text(f"/auth-profiles/{row.id}/")
    for words in ("alice", "rank 1", "a login", "hawk", "AUTHORIZATION"):
        assert words in shown


def test_a_document_that_is_typed_or_uploaded_makes_a_profile(
    person: Sign, client_id: str, document: dict[str, Any]
) -> None:
    somebody = person("analyst")
    typed = somebody.post("/auth-profiles/new/", name="", document=json.dumps(document))
    (made,) = rows(client_id)
    assert typed.headers["Location"] == f"/auth-profiles/{made.id}/"
    file = BytesIO(b"values: [{point: [header, X-KEY], value: hunter2}]")
    file.name = "other.yaml"
    assert somebody.post("/auth-profiles/new/", name="uploaded", document="", file=file).status_code == 302
    assert [one.name for one in rows(client_id)] == ["shop users", "uploaded"]
    assert "The auth profile" in somebody.text(f"/auth-profiles/{rows(client_id)[1].id}/")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"document": "a: [b"}, "cannot be read"),
        ({"document": "identities: [{name: a}]", "name": "x"}, "Has no credentials"),
        ({"document": "values: [{point: [header, X-K], value: v}]"}, "Fill this in"),
        ({"document": "identites: []", "name": "x"}, "This field does not exist"),
        ({"document": ""}, "no profile"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_kept(
    person: Sign, client_id: str, given: dict[str, str], told: str
) -> None:
    answer = person("admin").post("/auth-profiles/new/", **{"name": "", **given})
    assert answer.status_code == 400
    assert told.lower() in answer.content.decode().lower()
    assert rows(client_id) == []


def test_a_profile_is_replaced_and_deleted_unless_a_run_uses_it(
    person: Sign, client_id: str, row: AuthProfileRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = person("analyst")
    changed = {"name": "renamed", "document": "values: [{point: [header, X-KEY], value: other}]"}
    assert somebody.post(f"/auth-profiles/{row.id}/replace/", **changed).status_code == 302
    assert rows(client_id)[0].name == "renamed"
    with monkeypatch.context() as patched:
        patched.setattr(usage, "_looks", [lambda _: ["tr_1"]])
        assert "A test run signs in by it now" in somebody.text(f"/auth-profiles/{row.id}/")
        assert somebody.post(f"/auth-profiles/{row.id}/delete/").status_code == 409
        patched.setattr(usage, "_looks", [lambda _: ["rec_1"]])
        shown = somebody.text(f"/auth-profiles/{row.id}/")
        assert "A record is read by it now" in shown
        assert 'href="/records/rec_1/"' in shown
        assert somebody.post(f"/auth-profiles/{row.id}/delete/").status_code == 409
    assert somebody.post(f"/auth-profiles/{row.id}/delete/").status_code == 302
    assert somebody.get(f"/auth-profiles/{row.id}/").status_code == 404


def test_a_viewer_reads_and_changes_nothing(person: Sign, client_id: str, row: AuthProfileRow) -> None:
    viewer = person("viewer")
    assert "New auth profile" not in viewer.text("/auth-profiles/")
    assert "Replace" not in viewer.text(f"/auth-profiles/{row.id}/")
    for path in ("new/", f"{row.id}/replace/", f"{row.id}/delete/"):
        assert viewer.post(f"/auth-profiles/{path}", name="x", document="{}").status_code == 403
    assert rows(client_id) == [row]


def test_another_client_s_profile_is_none(person: Sign, other_id: str, row: AuthProfileRow) -> None:
    other = person("admin", other_id)
    assert "shop users" not in other.text("/auth-profiles/")
    for path in ("", "replace/"):
        assert other.get(f"/auth-profiles/{row.id}/{path}").status_code == 404


def test_a_run_is_made_with_it_by_the_form(person: Sign, row: AuthProfileRow) -> None:
    text = person("analyst").text(f"/runs/new/?auth_profile_id={row.id}")
    assert f'<option value="{row.id}" selected>shop users</option>' in text


@pytest.mark.parametrize("text", [text for _, _, text in EXAMPLES])
def test_every_example_is_a_profile(text: str) -> None:
    assert read_profile(read_document(text.encode()), "prof_1").identities
