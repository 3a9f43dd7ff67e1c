"""Single sign-on: set up by the environment alone, and walked with a provider that checks what it is handed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from tests.control.accounts.identity_provider import CLIENT_ID, SECRET, Provider, provider, queried

from gatecrash.control import wall
from gatecrash.control.accounts import services
from gatecrash.control.accounts.models import AuditEntry, User
from gatecrash.control.accounts.single_sign_on import ISSUER, PROVIDER, providers
from gatecrash.control.api.roles import Role

ENVIRONMENT = {ISSUER: "https://idp.example", "GATECRASH_OIDC_CLIENT_ID": "gc", "GATECRASH_OIDC_CLIENT_SECRET": "s1"}


def test_without_an_issuer_there_is_none() -> None:
    assert providers({}) == providers({"GATECRASH_OIDC_CLIENT_ID": "gc", ISSUER: ""}) == {}


def test_one_provider_with_proof_keys() -> None:
    found = providers(ENVIRONMENT)["openid_connect"]
    assert found["OAUTH_PKCE_ENABLED"] is True
    [app] = found["APPS"]
    assert app == {
        "provider_id": PROVIDER,
        "name": "single sign-on",
        "client_id": "gc",
        "secret": "s1",
        "settings": {"server_url": "https://idp.example"},
    }


def test_the_secret_of_a_file_wins_and_loses_its_line_end(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("s2\n")
    given = {**ENVIRONMENT, "GATECRASH_OIDC_CLIENT_SECRET_FILE": str(path), "GATECRASH_OIDC_NAME": "Our IdP"}
    [app] = providers(given)["openid_connect"]["APPS"]
    assert (app["secret"], app["name"]) == ("s2", "Our IdP")


@pytest.fixture
def corporate() -> Iterator[Provider]:
    """A provider that the service is set up for."""
    with provider() as running:
        given = {
            ISSUER: running.address,
            "GATECRASH_OIDC_CLIENT_ID": CLIENT_ID,
            "GATECRASH_OIDC_CLIENT_SECRET": SECRET,
            "GATECRASH_OIDC_NAME": "Corporate",
        }
        with override_settings(SOCIALACCOUNT_PROVIDERS=providers(given)):
            yield running


@pytest.fixture
def ada(client_id: str) -> User:
    """Somebody whom an administrator has added, with no password."""
    with wall.client(client_id):
        user = services.create_user("ada@example.com")
        services.add_member(user, Role.ANALYST)
    return user


def sign_in(browser: Client, corporate: Provider, where: str = "") -> Any:
    """From our login through the provider's and back: the last answer."""
    there = browser.get(f"/sign-in/with/{PROVIDER}/{where}")
    assert there.status_code == 302, there.content
    assert there["Location"].startswith(f"{corporate.address}/authorize?")
    back = corporate.authorize(queried(there["Location"]))
    return browser.get(back.removeprefix("http://testserver"))


@pytest.mark.django_db
def test_who_was_added_gets_in_as_what_it_is(client_id: str, ada: User, corporate: Provider) -> None:
    browser = Client()
    assert "sign in with Corporate" in browser.get("/sign-in/").content.decode()
    answer = sign_in(browser, corporate, "?next=/runs/")
    assert (answer.status_code, answer["Location"]) == (302, "/runs/")
    assert corporate.refusals == []
    text = browser.get("/runs/").content.decode()
    assert "analyst of First" in text
    with wall.client(client_id):
        assert AuditEntry.objects.filter(action="user.sign_in", actor=ada.pk).count() == 1
    again = Client()
    assert sign_in(again, corporate).status_code == 302, "known by its subject from now on"
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("email", "is_verified"), [("eve@example.com", True), ("ada@example.com", False)])
def test_a_stranger_and_an_unproven_address_stay_outside(
    ada: User, corporate: Provider, email: str, is_verified: bool
) -> None:
    corporate.email, corporate.is_verified = email, is_verified
    browser = Client()
    answer = sign_in(browser, corporate)
    assert answer.status_code == 403
    assert "Ask an administrator" in answer.content.decode()
    assert browser.get("/runs/").status_code == 302
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_a_code_of_somebody_else_opens_nothing(ada: User, corporate: Provider) -> None:
    """Neither without the state of this browser nor with a code that another browser began."""
    theirs, mine = Client(), Client()
    begun = queried(theirs.get(f"/sign-in/with/{PROVIDER}/")["Location"])
    stolen = corporate.authorize(begun).removeprefix("http://testserver")
    assert mine.get(stolen).status_code < 500
    assert mine.get("/runs/").status_code == 302
    own = queried(mine.get(f"/sign-in/with/{PROVIDER}/")["Location"])
    code = queried(corporate.authorize(begun))["code"]
    answer = mine.get(f"/sign-in/with/{PROVIDER}/back/?code={code}&state={own['state']}")
    assert answer.status_code < 500
    assert mine.get("/runs/").status_code == 302
    assert corporate.refusals == ["invalid_proof"]


@pytest.mark.django_db
@pytest.mark.parametrize("lacks", ["everything", "token_endpoint"])
def test_a_provider_that_does_not_answer_as_one_is_said(
    corporate: Provider, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    whole = corporate.document()
    del whole["token_endpoint"]
    monkeypatch.setattr(corporate, "document", lambda: whole)
    issuer = corporate.address if lacks != "everything" else "http://127.0.0.1:1"
    with override_settings(SOCIALACCOUNT_PROVIDERS=providers({ISSUER: issuer})):
        answer = Client().get(f"/sign-in/with/{PROVIDER}/")
    assert answer.status_code == 502
    assert "does not answer" in answer.content.decode()
    assert 'name="password"' in answer.content.decode(), "the other way in stays open"
