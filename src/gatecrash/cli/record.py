"""`gatecrash record`: test records and the baseline requests in them."""

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, facts, moment, table
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash record list")
def command() -> None:
    """Look at test records."""


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
    facts((name, moment(value) if name.endswith("_at") else value) for name, value in body.items())
