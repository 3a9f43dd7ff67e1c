"""`gatecrash observe`: authentication detection over captured traffic, with no service."""

from collections.abc import Iterable
from typing import Any, BinaryIO

import click
import orjson

from gatecrash.cli.capture_file import STRIPPED_WORDS, has_credentials, opened_file
from gatecrash.cli.output import document, table, warn
from gatecrash.cli.shape import Command
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import DISPLAY_NAMES
from gatecrash.core.errors import UserError
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.observed import Observed, ObservedParameter, summarise
from gatecrash.core.inventory.templates import TemplateLearner
from gatecrash.core.point import Point, context, key
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.opening import opened


class Observation:
    """What was read of all files: the fold, what was passed over, and whether credentials can have been in there."""

    def __init__(self, custom: Iterable[Point]) -> None:
        # The names of a user's own file may be shown to its user after one request.
        self._folder = Folder(compile_recogniser(custom), TemplateLearner(seen_to_leave=1))
        self.malformed: list[tuple[str, Malformed]] = []
        self.stripped = False

    def read(self, name: str, stream: BinaryIO) -> None:
        """Fold one file; raises UnreadableCapture with the file's name."""
        requests, credentials = 0, False
        try:
            capture = opened(stream)
            for item in capture.items:
                if isinstance(item, Malformed):
                    self.malformed.append((name, item))
                    continue
                requests += 1
                credentials = credentials or has_credentials(item)
                self._folder.add(item)
        except UnreadableCapture as error:
            raise UnreadableCapture(f"{name}: {error}") from error
        self.stripped = self.stripped or (capture.kind == "har" and requests > 0 and not credentials)

    def endpoints(self) -> tuple[Observed, ...]:
        """The endpoints of everything that was read."""
        return summarise(self._folder.take())


@click.command(
    cls=Command,
    epilog="""
    gatecrash observe session.har
    zcat traffic.jsonl.gz | gatecrash observe --json -
    gatecrash observe capture.har --param '["header","X-SESSION"]' --fail-on missing
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="POINT",
    help="Another parameter that counts as authentication, as JSON.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["missing", "partial"]),
    help="Exit with 1 where an endpoint has this status or a worse one.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], parameters: tuple[str, ...], fail_on: str | None, as_json: bool
) -> None:
    """Say how the endpoints of captured traffic authenticate: HAR or JSON lines, gzipped or not, '-' for standard input."""
    observation = Observation(custom_points(parameters))
    for name in files:
        with opened_file(name) as stream:
            observation.read(name, stream)
    endpoints = observation.endpoints()
    _warn(observation)
    if as_json:
        document(as_document(endpoints, observation))
    else:
        _show(endpoints, observation.stripped)
    if observation.stripped:
        ctx.exit(2)
    bad = {"missing"} if fail_on == "missing" else {"missing", "partial"} if fail_on else set()
    ctx.exit(1 if any(endpoint.status in bad for endpoint in endpoints) else 0)


def custom_points(written: Iterable[str]) -> list[Point]:
    """The points of `--param`; raises UserError with the one that is wrong."""
    points = []
    for text in written:
        try:
            point = Point.parse_configured(orjson.loads(text))
        except (ValueError, UserError) as error:
            raise UserError(f'--param {text}: {error}. Write it as \'["header","X-NAME"]\'.') from error
        if point not in DEFAULTS:
            points.append(point)
    return points


def as_document(endpoints: Iterable[Observed], observation: Observation) -> dict[str, Any]:
    """The document of cli.md."""
    body: dict[str, Any] = {
        "endpoints": [_endpoint(endpoint, stripped=observation.stripped) for endpoint in endpoints],
        "skipped": {"malformed": len(observation.malformed)},
    }
    if observation.stripped:
        body["credentials_stripped"] = True
    return body


def _endpoint(endpoint: Observed, *, stripped: bool) -> dict[str, Any]:
    """One endpoint; a status is not claimed where the credentials were taken out of the file."""
    return {
        "protocol": endpoint.key.protocol,
        "method": endpoint.key.method,
        "host": endpoint.key.host,
        "path": endpoint.key.path,
        "requests": endpoint.requests,
        "authenticated": endpoint.authenticated,
        "refused": endpoint.refused,
        "status": None if stripped else endpoint.status,
        "coverage": endpoint.coverage,
        "types": list(endpoint.types),
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
    }


def _parameter(parameter: ObservedParameter) -> dict[str, Any]:
    """One parameter; one that is listed and not counted says so."""
    told: dict[str, Any] = {
        "type": parameter.type,
        "coverage": parameter.coverage,
        "key": key(parameter.point),
        "context": context(parameter.point),
        "point": parameter.point.nested(),
        "seen": parameter.seen,
        "valid": parameter.valid,
    }
    return {**told, "unproven": True} if parameter.unproven else told


def _show(endpoints: tuple[Observed, ...], stripped: bool) -> None:
    """The table for people."""
    rows = [
        (
            endpoint.key.method,
            endpoint.key.host,
            endpoint.key.path,
            endpoint.requests,
            "-" if stripped else endpoint.status,
            f"{endpoint.coverage}%",
            ", ".join(DISPLAY_NAMES[kind] for kind in endpoint.types) or "-",
            ", ".join(key(parameter.point) for parameter in endpoint.parameters if parameter.valid) or "-",
        )
        for endpoint in endpoints
    ]
    columns = ("method", "host", "path", "requests", "status", "coverage", "types", "keys")
    table(
        columns, rows, empty="No endpoint was seen: an endpoint appears with its first answer other than 400, 404, 405."
    )


def _warn(observation: Observation) -> None:
    """What the reader of the table must know."""
    for name, item in observation.malformed[:5]:
        warn(f"{name}: entry {item.place} was passed over: {item.why}.")
    if len(observation.malformed) > 5:
        warn(f"{len(observation.malformed) - 5} more entries were passed over.")
    if observation.stripped:
        warn(STRIPPED_WORDS.format(what=", so nothing can be said of its authentication"))
