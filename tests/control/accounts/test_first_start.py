import pytest
from django.contrib.auth.hashers import check_password

from gatecrash.control import wall
from gatecrash.control.accounts import callers
from gatecrash.control.accounts.first_start import first_start
from gatecrash.control.accounts.models import ApiToken, AuditEntry, Client, User
from gatecrash.control.accounts.services import InvalidAccount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GATECRASH_CLIENT_ID", "GATECRASH_API_TOKEN", "GATECRASH_OWNER_PASSWORD"):
        monkeypatch.delenv(name, raising=False)


def test_the_first_start_makes_one_client_one_owner_and_one_token_and_the_second_nothing() -> None:
    made = first_start()
    assert made is not None
    assert made.token is not None
    assert made.password is not None
    caller = callers.authenticate(made.token)
    assert (caller.client_id, caller.role, caller.deployment) == (made.client_id, "admin", True)
    owner = User.objects.get()
    assert (owner.email, owner.is_owner) == (made.owner, True)
    assert check_password(made.password, owner.password)
    assert first_start() is None
    assert (Client.objects.count(), User.objects.count()) == (1, 1)


def test_credentials_come_from_the_environment_and_are_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATECRASH_CLIENT_ID", "acme")
    monkeypatch.setenv("GATECRASH_API_TOKEN", "given-" + "t" * 30)
    monkeypatch.setenv("GATECRASH_OWNER_PASSWORD", "a good password")
    made = first_start()
    assert made is not None
    assert (made.client_id, made.token, made.password) == ("acme", None, None)
    assert callers.authenticate("given-" + "t" * 30).client_id == "acme"
    assert check_password("a good password", User.objects.get().password)


@pytest.mark.parametrize(
    ("name", "value"),
    [("GATECRASH_API_TOKEN", "short"), ("GATECRASH_CLIENT_ID", "no such/id"), ("GATECRASH_CLIENT_ID", "x" * 65)],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_made(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidAccount):
        first_start()
    assert (Client.objects.count(), User.objects.count()) == (0, 0)


def test_no_secret_is_stored_or_logged() -> None:
    made = first_start()
    assert made is not None
    with wall.client(made.client_id):
        stored = [*ApiToken.objects.values(), *AuditEntry.objects.values(), *User.objects.values()]
    for secret in (made.token, made.password):
        assert str(secret) not in str(stored)
