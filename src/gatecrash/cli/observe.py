"""`gatecrash observe`: authentication detection over captured traffic, with no service."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from gatecrash.cli import observe_diff
from gatecrash.cli.capture_file import opened_file
from gatecrash.cli.observation import Observation, custom_points
from gatecrash.cli.observe_report import as_document, as_object, show, warn_of
from gatecrash.cli.options import json_option, with_service
from gatecrash.cli.output import document, say, warn
from gatecrash.cli.reading_progress import watched
from gatecrash.cli.settings import Settings
from gatecrash.cli.shape import Command
from gatecrash.core.point import Point

# The status that fails, and those that are worse.
WORSE = {None: frozenset[str](), "missing": frozenset({"missing"}), "partial": frozenset({"missing", "partial"})}


@click.command(
    cls=Command,
    epilog="""
    gatecrash observe session.har
    gatecrash observe /var/log/nginx/gatecrash.log /var/log/nginx/gatecrash.log.1.gz
    zcat traffic.jsonl.gz | gatecrash observe --json -
    gatecrash observe capture.har --param '["header","X-SESSION"]' --fail-on missing
    gatecrash observe --diff main.har branch.har --fail-on partial
    gatecrash observe --send capture.har
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="POINT",
    help="Another parameter that counts as authentication: header:X-NAME, or as JSON.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["missing", "partial"]),
    help="Exit with 1 where an endpoint has this status or a worse one; with --diff, one that is new or changed.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Compare two files, OLD and NEW: endpoints that are new, gone, or changed status or type.",
)
@click.option("--send", is_flag=True, help="Feed the service with the counts instead; the options below say which.")
@json_option
@with_service
@click.pass_context
def command(
    ctx: click.Context,
    service: Callable[[], Settings],
    files: tuple[str, ...],
    parameters: tuple[str, ...],
    fail_on: str | None,
    diff: bool,
    send: bool,
    as_json: bool,
) -> None:
    """Show how the endpoints of captured traffic authenticate.

    Reads HAR, JSON lines, the XML of intercepting proxies, and JSON access logs of nginx and Envoy, gzipped or not; '-'
    is standard input. With --diff, OLD and NEW may also be documents that --json wrote.
    """
    if diff and (send or len(files) != 2):
        raise click.UsageError("--diff compares two files, OLD and NEW, and sends nothing.")
    if send and parameters:
        raise click.UsageError(
            "--send counts by the service's own parameters: add them with `gatecrash auth-params add`."
        )
    if send and fail_on:
        raise click.UsageError("--send judges nothing: leave out --fail-on, or run once more without --send.")
    custom = custom_points(parameters)
    if send:
        _send(service(), files, as_json=as_json)
        return
    if diff:
        ctx.exit(_compare(files, custom, WORSE[fail_on], as_json=as_json))
    observation = Observation(custom)
    _read(observation, files)
    endpoints = observation.endpoints()
    warn_of(observation)
    if as_json:
        document(as_document(endpoints, observation))
    else:
        show(endpoints, observation)
    if observation.silent:
        ctx.exit(2)
    if fail_on and not endpoints:
        say("NOTHING WAS OBSERVED: there is no endpoint to judge.", colour="red")
        ctx.exit(1)
    ctx.exit(1 if any(endpoint.status in WORSE[fail_on] for endpoint in endpoints) else 0)


def _read(observation: Observation, files: Iterable[str]) -> list[bytes]:
    """Fold the files; gives the digest of each."""
    digests = []
    for name in files:
        with opened_file(name) as stream, watched(name, stream) as (reading, seen):
            observation.read(name, reading)
            digests.append(seen.digest())
    return digests


def _compare(files: Sequence[str], custom: Iterable[Point], bad: frozenset[str], *, as_json: bool) -> int:
    """Show what changed; gives the exit code."""
    sides: list[list[Any]] = []
    malformed, silent = 0, False
    for name in files:
        with opened_file(name) as stream, watched(name, stream) as (reading, _):
            saved = observe_diff.saved_endpoints(name, reading)
            if saved is not None:
                sides.append(saved)
                continue
            observation = Observation(custom)
            observation.read(name, reading)
        endpoints = observation.endpoints()
        warn_of(observation)
        malformed += observation.malformed
        silent = silent or observation.silent
        sides.append([as_object(one, stripped=observation.silent) for one in endpoints])
    found = observe_diff.difference(*sides)
    if as_json:
        stripped = {"credentials_stripped": True} if silent else {}
        document({**found, "skipped": {"malformed": malformed}, **stripped})
    else:
        observe_diff.show(found)
    return 2 if silent else int(any(status in bad for status in observe_diff.statuses(found)))


def _send(settings: Settings, files: Iterable[str], *, as_json: bool) -> None:
    from gatecrash.cli.observe_send import Service

    with Service(settings) as service:
        observation = service.begin()
        digests = _read(observation, files)
        warn_of(observation)
        sent = service.send(observation, digests)
    if sent.late:
        warn(f"{sent.late} hourly counts are older than the service's window of 7 days and were left out.")
    if as_json:
        document({"requests": sent.requests, "counted": sent.counted, "rows": sent.rows, "late": sent.late})
        return
    say(f"Sent: {sent.counted} of {sent.requests} requests as {sent.rows} hourly counts. See: gatecrash endpoints")
    if sent.counted < sent.requests and not sent.late:
        say(
            "The others are of paths that were called fewer than 3 times or whose answers were only 400, 404 or 405 (such "
            "names do not leave this machine), or legs of a handshake."
        )
