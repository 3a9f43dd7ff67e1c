"""Clients, tokens and callers for the control plane's tests."""

from collections.abc import Callable, Iterator

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """No token outlives the test that made it."""
    from gatecrash.control.accounts import callers

    callers.forget()
    yield
    callers.forget()


@pytest.fixture
def client_id(db: None) -> str:
    """A client."""
    from gatecrash.control.accounts import services

    return services.create_client("First").id


@pytest.fixture
def other_id(db: None) -> str:
    """Another client, whose rows nobody else may see."""
    from gatecrash.control.accounts import services

    return services.create_client("Second").id


@pytest.fixture
def caller(db: None) -> Callable[..., Api]:
    """Make a caller with a fresh token: `caller(client_id, "viewer")`."""
    from gatecrash.control import wall
    from gatecrash.control.accounts import services
    from gatecrash.control.api.roles import Role

    def make(client: str, role: str = "admin", **options: object) -> Api:
        with wall.client(client):
            _, text = services.create_token(role, Role(role), **options)
        return Api(client, text)

    return make


@pytest.fixture
def api(client_id: str, caller: Callable[..., Api]) -> Api:
    """A caller with all rights in its client."""
    return caller(client_id)


@pytest.fixture
def person(client_id: str) -> Iterator[Callable[..., Person]]:
    """Sign somebody in: `person("viewer")`, of another client with `person("admin", other_id)`."""
    from django.test import override_settings

    def make(role: str = "admin", client: str = "", **options: object) -> Person:
        return Person(client or client_id, role, **options)

    # A good hash takes a quarter of a second, which says nothing of pages; test_sign_in has the real one.
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield make
