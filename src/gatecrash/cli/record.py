"""`gatecrash record`: test records and the baseline requests in them."""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from gatecrash.cli.api import Api, segment
from gatecrash.cli.capture_file import opened_file, whole_file
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import coloured, document, facts, moment, say, table, warn
from gatecrash.cli.record_read import read
from gatecrash.cli.shape import Group
from gatecrash.cli.written import save
from gatecrash.core.errors import UserError
from gatecrash.core.reports.plural import plural

# A name with a dot in it is a file's.
_RECORD = re.compile(r"rec_\w*")
_LONGEST_NAME = 255


@click.group(cls=Group, epilog="gatecrash record list")
def command() -> None:
    """Look at test records, and fill them from captured traffic or from an address."""


command.add_command(read)


@command.command("list", epilog="gatecrash record list --json")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@click.option("--offset", type=click.IntRange(0), help="Leave out the first ones.")
@json_option
@with_api
def list_records(api: Api, limit: int | None, offset: int | None, as_json: bool) -> None:
    """List the test records, the newest first."""
    body = api.pages("/v1/test_record", limit=limit, offset=offset)
    if as_json:
        document(body)
        return
    columns = ("id", "name", "baselines", "recording", "created")
    rows = (
        (one["id"], one["name"], one["baseline_count"], one["recording"], moment(one["created_at"]))
        for one in body["objects"]
    )
    table(columns, rows, empty="There are no test records. `gatecrash run create NAME` makes one.")


@command.command("show", epilog="gatecrash record show rec_71b04d")
@click.argument("record_id", metavar="RECORD")
@json_option
@with_api
def show(api: Api, record_id: str, as_json: bool) -> None:
    """Show one test record."""
    body = api.get(f"/v1/test_record/{segment(record_id)}")
    if as_json:
        document(body)
        return
    start = body.pop("start", None) or {}
    known = {**body, **{f"read: {name}": value for name, value in start.items() if value not in (None, "", [])}}
    facts((name, moment(value) if name.endswith("_at") else value) for name, value in known.items())


@command.command(
    "import",
    epilog="""
    gatecrash record import session.har
    gatecrash record import --name "from the browser" session.har
    gatecrash record import anna.har bert.har
    gatecrash record import rec_71b04d traffic.jsonl.gz
    gatecrash record import --name "as described" --target http://127.0.0.1:3000 openapi.yaml
    """,
)
@click.argument("words", metavar="[RECORD] FILE…", nargs=-1, required=True)
@click.option(
    "--name", help="Name of the new record (the files' names); it is closed afterwards, so that it can be tested."
)
@click.option("--target", metavar="URL", help="Where the API of a description is: an origin.")
@json_option
@with_api
def import_file(api: Api, words: tuple[str, ...], name: str | None, target: str | None, as_json: bool) -> None:
    """Import captured traffic (HAR, JSON lines, a proxy's XML), a description (OpenAPI, Swagger, GraphQL, WSDL, OData,
    Postman) or requests as text (.http, curl) into a new record, or into one that is named (rec_…).

    Gzipped or not, '-' for standard input; several files, of one user each for example, become one record. A record
    that is named must still be recorded. What it holds already is skipped, so a file may be sent again. The requests of
    a description have no answers yet: the run that tests them sends each once first, those that change something too.
    """
    known = words[0] if _RECORD.fullmatch(words[0]) else None
    files = words if known is None else words[1:]
    if not files or (known is not None and name is not None):
        raise click.UsageError("Name a record and files, or files alone for a new record, with --name if you like.")
    if files.count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    with ExitStack() as opened:
        sources = [
            (file, opened.enter_context(opened_file(file) if file == "-" else whole_file(file))) for file in files
        ]
        record_id = known or str(api.post("/v1/test_record", {"name": name or _named(files)})["id"])
        path = f"/v1/test_record/{segment(record_id)}"
        bodies: list[dict[str, Any]] = []
        try:
            place = f"{path}/import" + (f"?target_url={quote(target, safe='')}" if target else "")
            bodies += [api.upload(place, _shown(stream, file)) for file, stream in sources]
        finally:
            if known is None:
                api.post(f"{path}/action/stop")
                if not any(body["imported"] for body in bodies):  # a record of nothing would only be in the way
                    api.delete(path)
    is_record = known is not None or any(body["imported"] for body in bodies)
    if as_json and is_record:
        document({"test_record_id": record_id, **_as_one(files, bodies)})
        return
    if is_record:
        click.echo(record_id)
    for file, body in zip(files, bodies, strict=True):
        _tell(body, f"{file}: " if len(files) > 1 else "")
    if not is_record:
        raise UserError("Nothing was imported, so no record was made.")
    if known is None:
        say(f"  gatecrash run copy NAME --record {record_id}    tests it")


def _named(files: Sequence[str]) -> str:
    names = ("standard input" if file == "-" else Path(file).name for file in files)
    return ", ".join(names)[:_LONGEST_NAME]


def _as_one(files: Sequence[str], bodies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What became of several files; of one, as the service says it."""
    if len(bodies) == 1:
        return bodies[0]
    skipped: Counter[str] = Counter()
    for body in bodies:
        skipped.update(body["skipped"])
    problems = [{"file": file, **one} for file, body in zip(files, bodies, strict=True) for one in body["problems"]]
    return {"imported": sum(body["imported"] for body in bodies), "skipped": dict(skipped), "problems": problems}


def _tell(body: dict[str, Any], of: str) -> None:
    skipped = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in body["skipped"].items() if count)
    say(f"{of}{plural(body['imported'], 'exchange')} imported" + (f"; skipped: {skipped}." if skipped else "."))
    for one in body.get("problems", ()):
        warn(f"{of}entry {one['place']} was passed over: {one['why']}.")


@command.command("export", epilog="gatecrash record export rec_71b04d --output traffic.har")
@click.argument("record_id", metavar="RECORD")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Where to; standard output without.")
@with_api
def export(api: Api, record_id: str, output: Path | None) -> None:
    """Write a record as a HAR file, every credential in it masked."""
    content = api.download(f"/v1/test_record/{segment(record_id)}/export")
    if output is None:
        click.echo(content, nl=False)
        return
    save(output, content)
    say(f"{output}: {plural(len(content), 'byte')} written; credentials are masked.")


@command.command("delete", epilog="gatecrash record delete rec_71b04d")
@click.argument("record_id", metavar="RECORD")
@with_api
def delete(api: Api, record_id: str) -> None:
    """Delete a record's baselines; its runs and their findings stay. One that is recorded or tested is not deleted."""
    api.delete(f"/v1/test_record/{segment(record_id)}")
    say(f"{record_id} is deleted.")


def _shown(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The file in pieces, its progress shown on a terminal."""
    total = None
    if name != "-":
        total = stream.seek(0, os.SEEK_END)
        stream.seek(0)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not coloured(sys.stderr)) as progress:
        task = progress.add_task("Importing", total=total)
        while piece := stream.read(256 * 1024):
            yield piece
            progress.advance(task, len(piece))
