"""The built-in policies."""

from gatecrash.core.testing.policy import BUILT_IN, DEFAULT, QUICK, THOROUGH, is_thorough


def test_the_built_in_policies_are_named_as_users_name_them():
    assert list(BUILT_IN) == ["default", "quick", "thorough"]


def test_the_default_looks_where_and_for_what_the_service_promises():
    assert set(DEFAULT.types) == set("ptrav rce sqli xss xxe ssti ssrf nosqli redir auth idor".split())  # noqa: SIM905
    assert set(DEFAULT.locations) == {"uri", "path", "get", "post"}
    assert QUICK.locations == DEFAULT.locations


def test_thorough_looks_for_every_type_and_in_headers():
    assert len(THOROUGH.types) == len(set(THOROUGH.types)) == 21
    assert "header" in THOROUGH.locations


def test_thorough_is_what_looks_into_headers():
    assert is_thorough(THOROUGH)
    assert not is_thorough(DEFAULT)
    assert not is_thorough(QUICK)
