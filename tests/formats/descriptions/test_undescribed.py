"""What lets somebody in is known by its path where nothing describes what it asks for."""

import pytest

from gatecrash.formats.descriptions.undescribed import entering


@pytest.mark.parametrize("path", ["/api/register", "/auth/login", "/v1/users", "/auth/token", "/sign-up"])
def test_entrances_ask_for_a_name_an_address_and_a_password(path: str) -> None:
    asked = entering("post", path)
    assert asked.keys() == {"username", "email", "password"}
    assert all(asked.values())


@pytest.mark.parametrize(
    ("method", "path"),
    [("get", "/login"), ("put", "/users"), ("post", "/logout"), ("post", "/forgot-password"), ("post", "/orders"), ("post", "/users/7")],
)  # fmt: skip
def test_others_ask_for_nothing_that_is_known(method: str, path: str) -> None:
    assert entering(method, path) == {}
