"""The options of traffic that a node and a whole service share."""

import click
import pytest
from click.testing import CliRunner

from gatecrash.cli.traffic_options import traffic_options

NOTHING = {
    "follow_logs": (),
    "upstream": None,
    "allowed_hosts": None,
    "upstream_insecure": False,
    "no_interception": False,
    "browser": "off",  # as the environment of tests has it
}


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ([], {}),
        (["--follow-log", "a.log", "--follow-log", "envoy=b.log"], {"follow_logs": ("a.log", "envoy=b.log")}),
        (["--no-verify-tls"], {"upstream_insecure": True}),
        (["--upstream", "http://127.0.0.1:1", "--no-interception"], {"upstream": "http://127.0.0.1:1", "no_interception": True}),
        (["--browser", "chrome"], {"browser": "chrome"}),
        (["--allowed-hosts", "*.test"], {"allowed_hosts": "*.test"}),
    ],
)  # fmt: skip
def test_what_is_given_arrives_and_the_rest_is_as_it_was(words, changed):
    seen = {}

    @click.command()
    @traffic_options
    def command(**given):
        seen.update(given)

    assert CliRunner().invoke(command, words, catch_exceptions=False).exit_code == 0
    assert seen == {**NOTHING, **changed}
