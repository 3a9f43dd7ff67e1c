"""What a scan is given is read, and what is wrong with it told."""

from pathlib import Path

import click
import pytest

from gatecrash.cli.scan.arguments import first_of, hosts_of, policy_of, target_of
from gatecrash.core.errors import UserError
from gatecrash.core.testing.policy import BUILT_IN

LOOPBACK = hosts_of("--allow-host", ())


def test_a_policy_is_narrowed_to_the_types_that_are_wanted() -> None:
    assert policy_of("default", None) == BUILT_IN["default"]
    assert policy_of("default", " sqli,auth,sqli,").types == ("sqli", "auth")


@pytest.mark.parametrize(("name", "types"), [("nothing", None), ("default", "sqli,nothing"), ("default", " , ")])
def test_an_unknown_policy_or_type_is_a_mistake(name: str, types: str | None, tmp_path: Path) -> None:
    with pytest.raises(click.UsageError):
        policy_of(name if name in BUILT_IN else str(tmp_path / name), types)


def test_standard_input_is_read_once_and_addresses_beside_files() -> None:
    assert first_of(("ann.har", "-")) == "ann.har"
    assert first_of(("http://127.0.0.1/", "openapi.json")) == "http://127.0.0.1/"
    with pytest.raises(click.UsageError):
        first_of(("-", "-"))


def test_a_target_must_be_one_that_may_be_tested() -> None:
    assert target_of(None, LOOPBACK) is None
    origin = target_of("http://127.0.0.1:3000", LOOPBACK)
    assert origin is not None
    assert (origin.host, origin.port) == ("127.0.0.1", 3000)
    with pytest.raises(UserError, match=r"--allow-host shop\.example"):
        target_of("http://shop.example", LOOPBACK)


def test_a_mistake_in_a_host_is_told_by_the_options_name() -> None:
    with pytest.raises(UserError, match="--from-host"):
        hosts_of("--from-host", ["http://shop.example/path"])
