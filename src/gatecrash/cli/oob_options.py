"""The options of the out-of-band listener, which `node`, `up` and `scan` share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gatecrash.node.oob.settings import GRACE_SECONDS, OobSettings, settings_of

F = TypeVar("F", bound=Callable[..., Any])

THIS_MACHINE = "127.0.0.1:0"
"""Any free port of loopback: what runs here is proven by a real callback, and nobody else can come."""

NAMES = ("oob_listen", "oob_address", "oob_zone", "oob_dns_listen", "oob_grace")


_OPTIONS = (
    click.option(
        "--oob-listen",
        default=THIS_MACHINE,
        metavar="HOST:PORT",
        help='Address of the out-of-band listener, which payloads make targets call; "" for none. [default: any free port of this machine, for targets on it]',
    ),
    click.option(
        "--oob-address",
        metavar="HOST[:PORT]",
        help="Address by which targets reach the listener, where it is another.",
    ),
    click.option("--oob-zone", metavar="ZONE", help="DNS zone that is delegated to the listener."),
    click.option("--oob-dns-listen", metavar="HOST:PORT", help="Where the zone's names are answered (port 53)."),
    click.option(
        "--oob-grace",
        type=click.FloatRange(0, 600),
        metavar="SECONDS",
        help="How long the end of a run waits for late calls (30; a scan without --oob-listen: 2).",
    ),
)


def oob_options(function: F) -> F:
    """Add the options."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def with_a_services_grace(given: dict[str, Any]) -> dict[str, Any]:
    """The same options; where no grace was given, with the time that a service has and a command at a terminal has not."""
    return given if given["oob_grace"] is not None else {**given, "oob_grace": GRACE_SECONDS}


def oob_settings(given: dict[str, Any]) -> OobSettings | None:
    """The settings out of these options, which are taken out of `given`. Raises UserError."""
    listen, address, zone, dns_listen, grace = (given.pop(name) for name in NAMES)
    return settings_of(listen, address, zone, dns_listen, grace)


def oob_arguments(given: dict[str, Any]) -> list[str]:
    """The same options as words for another process; those that were not given are left out."""
    words: list[str] = []
    for name in NAMES:
        value = given[name]
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words
