"""Pages of the own account, tokens, users, the audit log and settings: what they show, change and refuse."""

from collections.abc import Callable

import pytest
from django.test import Client
from tests.control.browsing import PASSWORD, Person

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts import tokens as token_text
from gatecrash.control.accounts.models import ApiToken, AuditEntry, Membership, User
from gatecrash.control.accounts.models import Client as Tenant
from gatecrash.control.api.roles import Role

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py
NEW = "another quiet river"


def test_a_password_is_changed_by_who_knows_the_present_one(person: Callable[..., Person]) -> None:
    someone = person("viewer")
    elsewhere = Client()
    elsewhere.force_login(someone.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    for given in ({"old": "wrong", "password": NEW}, {"old": PASSWORD, "password": "short"}, {"old": PASSWORD}):
        assert someone.post("/account/password/", **given).status_code == 400, given
    assert User.objects.get(pk=someone.user.pk).check_password(PASSWORD)
    assert someone.post("/account/password/", old=PASSWORD, password=NEW).status_code == 302
    assert User.objects.get(pk=someone.user.pk).check_password(NEW)
    assert someone.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302, "the other sessions are over"


def test_a_visitor_changes_between_its_own_clients_only(
    client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    someone = person("viewer")
    assert someone.post("/account/client/", client=other_id).status_code == 404
    with wall.client(other_id):
        services.add_member(someone.user, Role.ADMIN)
    assert someone.get("/tokens/").status_code == 403
    assert someone.post("/account/client/", client=other_id).status_code == 302
    assert someone.get("/tokens/").status_code == 200


def test_a_token_is_shown_once_and_works_until_it_is_revoked(client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    answer = admin.post("/tokens/", name="nightly", role="viewer", lifetime="30")
    assert answer.status_code == 200
    with wall.client(client_id):
        row = ApiToken.objects.get(name="nightly")
    page = answer.content.decode()
    [text] = [word for word in page.replace("<", " ").replace(">", " ").replace('"', " ").split() if _opens(word, row)][
        :1
    ]
    assert text not in admin.text("/tokens/")
    headers = {"X-Service-API-Token": text}
    assert Client().get("/v1/endpoints", headers=headers).status_code == 200
    assert row.expires_at is not None
    assert admin.post(f"/tokens/{row.id}/revoke/").status_code == 302
    assert Client().get("/v1/endpoints", headers=headers).status_code == 401


def _opens(word: str, row: ApiToken) -> bool:
    return len(word) > 20 and token_text.digest(word) == row.digest


@pytest.mark.parametrize("given", [{"name": ""}, {"role": "owner"}, {"lifetime": "7"}, {"node_id": "no such"}])
def test_a_token_that_cannot_be_is_refused(
    client_id: str, person: Callable[..., Person], given: dict[str, str]
) -> None:
    assert person("admin").post("/tokens/", **{"name": "x", "role": "ci", **given}).status_code == 400
    with wall.client(client_id):
        assert not ApiToken.objects.exists()


def test_a_user_is_added_changed_and_removed(client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    given = {"email": "new@example.com", "name": "New", "role": "viewer", "password": NEW}
    assert admin.post("/users/", **given).status_code == 302
    assert admin.post("/users/", **given).status_code == 400, "twice"
    with wall.client(client_id):
        member = Membership.objects.get(user__email="new@example.com")
    here = f"/users/{member.user_id}/"
    assert "new@example.com" in admin.text("/users/")
    assert admin.post(here, role="analyst", name="Newer", password="").status_code == 302
    with wall.client(client_id):
        member = Membership.objects.get(user__email="new@example.com")
    assert (member.role, User.objects.get(pk=member.user_id).name) == ("analyst", "Newer")
    assert admin.post(f"{here}remove/").status_code == 302
    with wall.client(client_id):
        assert not Membership.objects.filter(user_id=member.user_id).exists()
    assert admin.get(here).status_code == 404


def test_an_account_that_others_share_keeps_its_password(
    client_id: str, other_id: str, person: Callable[..., Person]
) -> None:
    admin, shared = person("admin"), person("viewer")
    with wall.client(other_id):
        services.add_member(shared.user, Role.VIEWER)
    here = f"/users/{shared.user.pk}/"
    admin.post(here, role="analyst", name="Taken", password=NEW)
    kept = User.objects.get(pk=shared.user.pk)
    assert kept.check_password(PASSWORD)
    assert kept.name != "Taken"
    assert admin.post(f"{here}second-factor/").status_code == 403


def test_the_log_names_who_did_what_and_is_filtered(client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    admin.post("/settings/", name="Renamed")
    admin.post("/settings/tests/", stopped="1")
    text = admin.text("/audit/")
    assert admin.email in text
    assert text.count("client.") >= 2
    assert "client." not in admin.text("/audit/?action=token.create").split("<main")[-1].replace("client.js", "")
    assert admin.get("/audit/?actor=%00").status_code == 200
    for who in (admin.email, admin.user.pk):
        assert "client.change" in admin.text(f"/audit/?actor={who}")
    assert "client.change" not in admin.text("/audit/?actor=system")


def test_settings_rename_the_client_and_stop_all_its_tests(client_id: str, person: Callable[..., Person]) -> None:
    admin = person("admin")
    assert admin.post("/settings/", name="").status_code == 400
    assert admin.post("/settings/", name="Renamed", rps_per_host="1001").status_code == 400
    assert admin.post("/settings/", name="Renamed", rps_per_host="40").status_code == 302
    assert Tenant.objects.get(id=client_id).rps_per_host == 40
    assert 'value="40"' in admin.text("/settings/")
    assert admin.post("/settings/", name="Renamed", rps_per_host="").status_code == 302
    assert Tenant.objects.get(id=client_id).rps_per_host is None
    for stopped in ("1", "0"):
        assert admin.post("/settings/tests/", stopped=stopped).status_code == 302
        tenant = Tenant.objects.get(id=client_id)
        assert (tenant.name, tenant.tests_stopped) == ("Renamed", stopped == "1")
    with wall.client(client_id):
        assert AuditEntry.objects.filter(actor=admin.user.pk).count() >= 3


@pytest.mark.parametrize("role", ["viewer", "analyst"])
def test_who_is_no_administrator_opens_none_of_these(person: Callable[..., Person], role: str) -> None:
    someone = person(role)
    for path in ("/tokens/", "/users/", "/audit/", "/settings/"):
        assert someone.get(path).status_code == 403, path
    assert someone.get("/account/").status_code == 200
