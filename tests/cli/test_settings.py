"""Options before environment before config.toml before what `up` left; and no token goes where it does not belong."""

import json
from pathlib import Path

import pytest

from gatecrash.cli.settings import CREDENTIALS, Unusable, normalise, resolve


class Home:
    """A user's files and environment."""

    def __init__(self, folder: Path) -> None:
        self.environ = {"XDG_CONFIG_HOME": str(folder / "config"), "GATECRASH_DATA_DIR": str(folder / "data")}
        self._config = folder / "config" / "gatecrash" / "config.toml"
        self._credentials = folder / "data" / CREDENTIALS

    def config(self, text: str, mode: int = 0o600) -> None:
        self._config.parent.mkdir(parents=True)
        self._config.write_text(text)
        self._config.chmod(mode)

    def left_by_up(self, **known: str) -> None:
        self._credentials.parent.mkdir(parents=True)
        self._credentials.write_text(json.dumps(known))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_each_source_yields_to_the_one_before_it(home: Home) -> None:
    api = "http://127.0.0.1:9000"
    home.left_by_up(api=api, token="left", client_id="cl_left")
    found = resolve(environ=home.environ)
    assert (found.api, found.token, found.client) == (api, "left", "cl_left")
    home.config(f'api = "{api}"\ntoken = "config"\nclient = "cl_config"')
    assert resolve(environ=home.environ).token == "config"
    environ = {**home.environ, "GATECRASH_TOKEN": "env", "GATECRASH_CLIENT": "cl_env", "GATECRASH_API": api}
    assert (resolve(environ=environ).token, resolve(environ=environ).client) == ("env", "cl_env")
    assert resolve(api, "option", "cl_option", environ=environ).token == "option"
    assert resolve(api, "option", "cl_option", environ=environ).client == "cl_option"


def test_a_file_s_token_goes_to_that_file_s_address_only(home: Home) -> None:
    home.left_by_up(api="http://127.0.0.1:9000", token="left", client_id="cl_left")
    with pytest.raises(Unusable, match=r"No API token for https://elsewhere\.example"):
        resolve("https://elsewhere.example", environ=home.environ)


def test_a_client_of_another_token_is_not_assumed(home: Home) -> None:
    home.left_by_up(api="http://127.0.0.1:9000", token="left", client_id="cl_left")
    assert resolve(token="other", environ=home.environ).client is None


def test_plain_http_to_another_machine_must_be_asked_for(home: Home) -> None:
    with pytest.raises(Unusable, match="--insecure"):
        resolve("http://gatecrash.example", "t", environ=home.environ)
    assert resolve("http://gatecrash.example", "t", insecure=True, environ=home.environ).insecure
    assert resolve("https://gatecrash.example/", "t", environ=home.environ).api == "https://gatecrash.example"


def test_a_readable_token_file_is_warned_of(home: Home) -> None:
    home.config('token = "config"', mode=0o644)
    assert "chmod 600" in resolve(environ=home.environ).notes[0]


def test_a_broken_config_names_its_file_and_fault(home: Home) -> None:
    home.config("tokn = 'x'")
    with pytest.raises(Unusable, match=r"config\.toml has the unknown key 'tokn'"):
        resolve(environ=home.environ)


@pytest.mark.parametrize("text", ["token = 5", "token = "])
def test_a_config_that_cannot_be_read_is_refused(home: Home, text: str) -> None:
    home.config(text)
    with pytest.raises(Unusable, match=r"config\.toml"):
        resolve(environ=home.environ)


def test_another_user_s_or_broken_credentials_are_passed_over(home: Home) -> None:
    home.left_by_up()
    (Path(home.environ["GATECRASH_DATA_DIR"]) / CREDENTIALS).write_text("{")
    with pytest.raises(Unusable, match="No API token"):
        resolve(environ=home.environ)


@pytest.mark.parametrize(
    "bad", ["127.0.0.1:8000", "ftp://x", "http://", "http://u:p@x", "http://x?y", "http://x:99999", ""]
)
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(Unusable):
        normalise(bad)


@pytest.mark.parametrize("token", ["tokén", "to ken", "to\\nken"])
def test_what_no_header_can_carry_is_no_token(home: Home, token: str) -> None:
    home.config(f'token = "{token}"')
    with pytest.raises(Unusable, match="holds characters"):
        resolve(environ=home.environ)
