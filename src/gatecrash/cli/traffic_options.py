"""The options of what a node does with traffic, which `node` and `up` share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gatecrash.cli.browser_option import browser_option

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--follow-log",
        "follow_logs",
        multiple=True,
        metavar="[FORMAT=]FILE",
        help="Follow this access log: nginx, envoy or jsonl. May be repeated.",
    ),
    click.option("--upstream", metavar="URL", help="Make the proxy a reverse proxy before this origin."),
    click.option(
        "--allowed-hosts",
        metavar="PATTERN",
        help="Hosts that may be tested; unset: this machine only. [env: ALLOWED_HOSTS]",
    ),
    click.option(
        "--upstream-insecure",
        "--no-verify-tls",
        "upstream_insecure",
        is_flag=True,
        help="Do not check the certificates of applications.",
    ),
    click.option(
        "--no-interception", is_flag=True, help="Tunnel TLS blindly, to allowed hosts too: it is not observed."
    ),
    browser_option,
)


def traffic_options(function: F) -> F:
    """Add the options."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
