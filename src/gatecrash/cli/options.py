"""Options that many sub-commands share, and the API client made from them."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from gatecrash.cli.api import Api
from gatecrash.cli.output import warn
from gatecrash.cli.secret import read_secret
from gatecrash.cli.settings import Settings, resolve

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")

_SERVICE: tuple[Callable[[Any], Any], ...] = (
    click.option("--api", metavar="URL", help="Address of the service. [env: GATECRASH_API]"),
    click.option(
        "--token", metavar="TOKEN", help="API token; others on this machine can see it. [env: GATECRASH_TOKEN]"
    ),
    click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="File with the API token ('-': standard input).",
    ),
    click.option("--client", metavar="ID", help="Client to look at. [env: GATECRASH_CLIENT]"),
    click.option("--insecure", is_flag=True, help="Send the token over plain HTTP to another machine."),
)

_NAMES = ("api", "token", "token_file", "client", "insecure")


def service_options(function: F) -> F:
    """Add the options that say which service to talk to."""
    for option in reversed(_SERVICE):
        function = option(function)
    return function


def with_api(function: Callable[..., R]) -> Callable[..., R]:
    """Give the command an open `Api` as its first argument, made from the service options."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:
        given: dict[str, Any] = {
            name: kwargs.pop(name) for name in ("api", "token", "token_file", "client", "insecure")
        }
        with Api(settings_from(**given)) as opened:
            return function(opened, *args, **kwargs)

    return service_options(command)


def with_service(function: Callable[..., R]) -> Callable[..., R]:
    """Give the command, as its first argument, a function that puts the settings together when they are needed."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:
        given: dict[str, Any] = {name: kwargs.pop(name) for name in _NAMES}
        return function(lambda: settings_from(**given), *args, **kwargs)

    return service_options(command)


def settings_from(
    api: str | None, token: str | None, token_file: Path | None, client: str | None, insecure: bool
) -> Settings:
    """The settings from the service options, warnings said."""
    if token and token_file:
        raise click.UsageError("Give --token or --token-file, not both.")
    if token_file is not None:
        token = read_secret(token_file, "token")
    settings = resolve(api, token, client, insecure=insecure)
    for note in settings.notes:
        warn(note)
    return settings
