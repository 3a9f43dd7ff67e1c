"""Single sign-on is set up by the environment alone, and its secret may lie in a file."""

from pathlib import Path

from gatecrash.control.accounts.single_sign_on import ISSUER, PROVIDER, providers

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
