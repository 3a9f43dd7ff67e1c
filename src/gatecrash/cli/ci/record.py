"""`gatecrash ci record`: what the pipeline's own tests send becomes a test record."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.ci.node import CiNode, ci_node
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.options import with_api
from gatecrash.cli.output import say
from gatecrash.cli.shape import Command
from gatecrash.cli.watch import patiently
from gatecrash.core.reports.plural import plural

# The service's own timer for a record is never shorter than this; ours decides while this process lives.
SERVICE_LEAST = 300
IDLE_LEAST, IDLE_MOST, IDLE_USUAL = 1, 691_200, 600
LOOK_SECONDS = 0.5
READY_SECONDS = 30.0
DRAIN_SECONDS = 120.0


@click.command(
    "record",
    cls=Command,
    epilog="""
    TEST_RECORD_NAME=nightly gatecrash ci record &
    http_proxy=http://127.0.0.1:8080 pytest tests/api; kill %1; wait %1
    """,
)
@click.option(
    "--proxy-listen", default="127.0.0.1:8080", show_default=True, metavar="HOST:PORT", help="Where the proxy listens."
)
@click.option("--upstream", metavar="URL", help="Be a reverse proxy before this origin.")
@with_api
def record(api: Api, proxy_listen: str, upstream: str | None) -> None:
    """Record what goes through the proxy until nothing came for INACTIVITY_TIMEOUT seconds (600), or SIGTERM.

    TEST_RECORD_NAME names the record; BUILD_ID, ALLOWED_HOSTS, WORKERS and PROCESSES are the node's. Prints
    TEST_RECORD_ID=… when the record is being made, and ends with 1 where nothing was recorded.
    """
    variables = Variables()
    idle = variables.number("INACTIVITY_TIMEOUT", IDLE_LEAST, IDLE_MOST) or IDLE_USUAL
    name = variables.text("TEST_RECORD_NAME") or "ci record"
    with _signals() as told, ci_node(api, variables, proxy_listen, upstream) as node:
        wish = {"name": name, "node_id": node.id, "inactivity_timeout": max(idle, SERVICE_LEAST)}
        made = api.post("/v1/test_record", wish)
        path = f"/v1/test_record/{segment(made['id'])}"
        _until_ready(api, path, node)
        click.echo(f"TEST_RECORD_ID={made['id']}")
        sys.stdout.flush()
        say(f"Recording through {node.proxy}; stops after {idle} s without a new request, or at SIGTERM.")
        _until_idle(api, path, node, idle, told)
        made = _closed(api, path, node)
    count = made["baseline_count"]
    say(f"{plural(count, 'baseline request')} recorded into {made['id']}.", colour="green" if count else "red")
    if not count:
        say("NOTHING WAS RECORDED. Did the traffic go through the proxy, to hosts that ALLOWED_HOSTS names?")
    sys.exit(0 if count else 1)


def _until_ready(api: Api, path: str, node: CiNode) -> None:
    """Wait until the node records: what comes before would be lost."""
    deadline = time.monotonic() + READY_SECONDS
    while not patiently(api, path)["ready_for_recording"] and time.monotonic() < deadline:
        node.check()
        time.sleep(LOOK_SECONDS)


def _until_idle(api: Api, path: str, node: CiNode, idle: float, told: list[int]) -> None:
    """Wait until nothing new came for so long, or a signal did, or the service stopped the recording itself."""
    count, since = -1, time.monotonic()
    while not told and time.monotonic() - since < idle:
        node.check()
        body = patiently(api, path)
        if not body["recording"]:
            return
        if body["baseline_count"] != count:
            count, since = body["baseline_count"], time.monotonic()
        time.sleep(LOOK_SECONDS)


def _closed(api: Api, path: str, node: CiNode) -> dict[str, Any]:
    """Stop the recording and wait until the node has handed over all that it holds; the record."""
    body = patiently(api, path)
    if body["recording"]:
        body = api.post(f"{path}/action/stop")
    deadline = time.monotonic() + DRAIN_SECONDS
    while not body["ready_for_cloning"] and time.monotonic() < deadline:
        node.check()
        time.sleep(LOOK_SECONDS)
        body = patiently(api, path)
    return body


@contextmanager
def _signals() -> Iterator[list[int]]:
    """SIGTERM and SIGINT end the recording in good order instead of the process; which came, so far."""
    told: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        if told:
            # Whoever asks twice does not want to wait for good order.
            os._exit(128 + number)
        told.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
