"""`gatecrash record read`: a record made from an address by a test node, watched to its end."""

import time
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, say, warn
from gatecrash.cli.run import given, placed
from gatecrash.cli.shape import Command
from gatecrash.cli.watch import patiently
from gatecrash.core.errors import UserError
from gatecrash.core.reports.plural import plural

POLL_SECONDS = 1.0
UNHEARD_SECONDS = 20.0
"""After so long a node that has not begun is told of: a silent one does so when it is heard again."""
_LONGEST_NAME = 255
_OPEN = ("waiting", "reading", "closing")


@click.command(
    "read",
    cls=Command,
    epilog="""
    gatecrash record read http://127.0.0.1:3000/
    gatecrash record read --auth-profile prof_51c2 --pages 100 https://shop.example.com/
    gatecrash record read http://127.0.0.1:3000/openapi.json
    """,
)
@click.argument("url", metavar="ADDRESS")
@click.option("--name", help="Name of the new record (the address).")
@click.option("--pages", type=int, metavar="N", help="At most so many pages for each who reads (500).")
@click.option("--auth-profile", "auth_profile_id", metavar="PROFILE", help="Who reads them, besides a visitor.")
@click.option("--node", "node_id", metavar="NODE", help="The node that reads: its identifier or its name.")
@click.option("--no-wait", is_flag=True, help="Do not wait for the end.")
@json_option
@with_api
def read(api: Api, url: str, name: str | None, no_wait: bool, as_json: bool, **fields: Any) -> None:
    """Have a test node read a site from its start address, or a description of an API, into a new record.

    Its pages are read as a browser would, with each form sent once; what signs out, deletes or changes settings is left
    alone. Only hosts that the node may test (ALLOWED_HOSTS) are asked. Ctrl-C ends the reading, and keeps what was read.
    """
    named = name or url.partition("://")[2][:_LONGEST_NAME] or url
    record = api.post("/v1/test_record", placed(api, given({"name": named, "start_url": url, **fields})))
    if not no_wait:
        record = _watched(api, record)
    start = record["start"]
    if start["trouble"]:
        api.delete(_path(record))  # a record of nothing would only be in the way
        raise UserError(f"Nothing was read, so no record was made. {start['trouble']}")
    if as_json:
        document(record)
        return
    click.echo(record["id"])
    if no_wait:
        say(f"  gatecrash record show {record['id']}    says how far it is")
        return
    say(f"{plural(start['pages_read'], 'page')} read; the record holds {plural(record['baseline_count'], 'request')}.")
    for note in start["notes"]:
        say(note)
    profile = f" --auth-profile {start['auth_profile_id']}" if start["auth_profile_id"] else ""
    say(f"  gatecrash run copy NAME --record {record['id']}{profile}    tests it")


def _watched(api: Api, record: dict[str, Any]) -> dict[str, Any]:
    """The record when it is read to its end, or as far as its user let it."""
    unheard = time.monotonic() + UNHEARD_SECONDS
    with term_interrupts():
        try:
            while record["start"]["state"] in _OPEN:
                if record["start"]["state"] == "waiting" and time.monotonic() > unheard:
                    warn("the node has not begun; `gatecrash nodes` says whether it is heard.")
                    unheard = float("inf")
                time.sleep(POLL_SECONDS)
                record = patiently(api, _path(record))
        except KeyboardInterrupt:
            api.post(f"{_path(record)}/action/stop")
            while (record := patiently(api, _path(record)))["start"]["state"] in _OPEN:
                time.sleep(POLL_SECONDS)
    return record


def _path(record: dict[str, Any]) -> str:
    return f"/v1/test_record/{segment(record['id'])}"
