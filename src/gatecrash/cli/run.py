"""`gatecrash run`: test runs (contract 4.3 to 4.5 and the actions of decisions 7)."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.outcome import ENDED, TOLERABLE, conclude, judge
from gatecrash.cli.output import document, facts, moment, say, table, warn
from gatecrash.cli.run_compare import compare
from gatecrash.cli.run_report import report
from gatecrash.cli.shape import Command, Group
from gatecrash.cli.vuln import FOUND_COLUMNS, once
from gatecrash.cli.vuln_triage import shown_in, suppressed_in
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.report import by_code

F = TypeVar("F", bound=Callable[..., Any])

_LIMITS: tuple[Callable[[Any], Any], ...] = (
    click.option("--desc", help="Description."),
    click.option(
        "--exclude-extensions",
        "file_extensions_to_exclude",
        metavar="PATTERN",
        help="Skip baseline requests for such files, like 'js|css|png'.",
    ),
    click.option(
        "--policy", "policy_id", metavar="POLICY", help="Test policy: default, quick, thorough, or an identifier."
    ),
    click.option("--stop-on-first-fail", is_flag=True, default=None, help="End at the first vulnerability."),
    click.option(
        "--skip-duplicates/--no-skip-duplicates",
        "skip_duplicated_baselines",
        default=None,
        help="Test only the first of identical baseline requests (the default).",
    ),
    click.option("--rps", type=int, metavar="N", help="Test requests a second for the run, 1 to 1000."),
    click.option("--rps-per-baseline", type=int, metavar="N", help="Test requests a second and baseline, 1 to 500."),
    click.option("--node", "node_id", metavar="NODE", help="The node that runs it: its identifier or its name."),
    click.option("--auth-profile", "auth_profile_id", metavar="PROFILE", help="How the tests sign in."),
    click.option("--target-url", metavar="URL", help="Send to this origin instead of the recorded one."),
    click.option("--tag", "tags", multiple=True, help="A tag; may be given several times."),
)


def limits(function: F) -> F:
    """Add the options that create and copy share."""
    for option in reversed(_LIMITS):
        function = option(function)
    return function


@click.group(
    cls=Group,
    epilog="""
    gatecrash run create nightly --rps 50
    gatecrash run wait tr_9f2c41
    """,
)
def command() -> None:
    """Create, watch and steer test runs."""


@command.command("create", epilog="gatecrash run create nightly --rps 50 --policy quick")
@click.argument("name")
@click.option("--record-name", "test_record_name", metavar="NAME", help="Name of the new test record (the run's).")
@click.option(
    "--inactivity-timeout", type=int, metavar="SECONDS", help="Stop recording after such a silence, 300 to 86400."
)
@click.option(
    "--no-wait", is_flag=True, help="Do not wait until the node records; traffic before that is not recorded."
)
@limits
@json_option
@with_api
def create(api: Api, no_wait: bool, as_json: bool, **fields: Any) -> None:
    """Create a test run that records a new test record, and wait some seconds until its node records."""
    from gatecrash.cli.watch import until_recording

    body = api.post("/v1/test_run", placed(api, given(fields)))
    if not no_wait:
        body = until_recording(api, body)
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    if not body["ready_for_recording"]:
        warn("the node does not record yet: gatecrash run show RUN says when (ready_for_recording).")
    say(f"Recording into {body['test_record_id']}. Send traffic through the node's proxy, then:")
    say(f"  gatecrash run stop {body['id']}    stops the recording; the tests go on")
    say(f"  gatecrash run wait {body['id']}    watches it to its end")


@command.command("copy", epilog="gatecrash run copy again --record rec_71b04d --policy thorough")
@click.argument("name")
@click.option("--record", "test_record_id", required=True, metavar="RECORD", help="The test record to reuse.")
@limits
@json_option
@with_api
def copy(api: Api, as_json: bool, **fields: Any) -> None:
    """Create a test run on the baseline requests of an existing record."""
    body = api.post("/v1/test_run", placed(api, given(fields)))
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    say(f"  gatecrash run wait {body['id']}    watches it to its end")


@command.command("list", epilog="gatecrash run list --state running --json")
@click.option("--state", metavar="STATE", help="Only runs in this state.")
@click.option("--name", help="Only runs whose name holds this text.")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@click.option("--offset", type=click.IntRange(0), help="Leave out the first ones.")
@json_option
@with_api
def list_runs(
    api: Api, state: str | None, name: str | None, limit: int | None, offset: int | None, as_json: bool
) -> None:
    """List test runs, the newest first."""
    body = api.pages("/v1/test_run", state=state, name=name, limit=limit, offset=offset)
    if as_json:
        document(body)
        return
    columns = ("id", "name", "state", "vulns", "baselines", "sent", "started", "record")
    table(
        columns, map(_row, body["objects"]), empty="There are no such test runs. `gatecrash run create NAME` makes one."
    )


@command.command("show", epilog="gatecrash run show tr_9f2c41 --json")
@click.argument("run_id", metavar="RUN")
@json_option
@with_api
def show(api: Api, run_id: str, as_json: bool) -> None:
    """Show one test run with all its counters."""
    body = api.get(f"/v1/test_run/{segment(run_id)}")
    if as_json:
        document(body)
        return
    facts(_facts(body, suppressed_in(api, body)))
    if body["vulns"]:
        click.echo()
        vulnerabilities(api, run_id)


@command.command(
    "wait",
    epilog="""
    gatecrash run wait tr_9f2c41
    gatecrash run wait tr_9f2c41 --timeout 1800 --allow inconclusive
    """,
)
@click.argument("run_id", metavar="RUN")
@click.option(
    "--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Give up waiting after so long; the run goes on."
)
@click.option(
    "--allow", multiple=True, type=click.Choice(TOLERABLE), help="Do not fail for this; may be given several times."
)
@json_option
@with_api
def wait(api: Api, run_id: str, timeout: float | None, allow: tuple[str, ...], as_json: bool) -> None:
    """Watch a test run to its end; the exit code says whether to trust it.

    Ends with 1 when vulnerabilities were found that are not suppressed (gatecrash vuln suppressions), the run was
    interrupted, checks failed for technical reasons or could not decide, or nothing was tested at all.
    """
    from gatecrash.cli.watch import watch

    try:
        run = watch(api, run_id, timeout)
    except KeyboardInterrupt:
        say(f"\n{run_id} goes on. To stop it: gatecrash run interrupt {run_id}")
        raise
    if as_json:
        document(run)
    elif run["vulns"]:
        vulnerabilities(api, run_id)
    conclude(run, judge(run, allow, suppressed_in(api, run), shown_in(api, run)))


def _action(name: str, help_: str, done: str) -> click.Command:
    @click.command(name, cls=Command, help=help_, epilog=f"gatecrash run {name} tr_9f2c41")
    @click.argument("run_id", metavar="RUN")
    @json_option
    @with_api
    def act(api: Api, run_id: str, as_json: bool) -> None:
        body = api.post(f"/v1/test_run/{segment(run_id)}/action/{name}")
        if as_json:
            document(body)
        else:
            say(f"{done} {run_id} is {body['state']}.")

    return act


for _name, _help, _done in (
    ("stop", "Stop recording; what was recorded is tested to the end.", "Recording is over."),
    ("pause", "Pause: nothing is sent until it is resumed.", "Paused."),
    ("resume", "Go on with a paused run.", "It goes on."),
    ("interrupt", "End the run now; what was found stays.", "Interrupted."),
):
    command.add_command(_action(_name, _help, _done))


command.add_command(compare)
command.add_command(report)


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Only what was given: the rest is the service's to decide."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in fields.items()
        if value is not None and value != ()
    }


def placed(api: Api, fields: dict[str, Any]) -> dict[str, Any]:
    """With the node's identifier in the place of its name, where one node alone has it; else the service says what is wrong."""
    wanted = fields.get("node_id")
    if wanted is None or wanted.startswith("node_"):
        return fields
    named = [node["id"] for node in api.pages("/v1/nodes")["objects"] if node["name"] == wanted]
    if len(named) > 1:
        raise click.UsageError(
            f"{len(named)} nodes are called {wanted!r}; give the identifier of one: {', '.join(named)}."
        )
    return {**fields, "node_id": named[0]} if named else fields


def vulnerabilities(api: Api, run_id: str) -> None:
    """Write a run's vulnerabilities as a table, each once."""
    found = api.pages("/v1/vulns", test_run_id=run_id)["objects"]
    table(FOUND_COLUMNS, once(found), empty="")


def _row(run: Mapping[str, Any]) -> tuple[object, ...]:
    return (
        run["id"],
        run["name"],
        run["state"],
        len(by_code(run["vulns"])),
        run["baseline_count"],
        run["sended_requests_count"],
        moment(run["start_time"]),
        run["test_record_id"],
    )


def _facts(run: Mapping[str, Any], suppressed: Collection[str]) -> Iterator[tuple[str, object]]:
    for name, value in run.items():
        if name == "notes":
            continue  # among the remarks
        if name == "vulns":
            yield name, len(by_code(value))
        elif name.endswith(("_time", "_at")):
            yield name, moment(value)
        else:
            yield name, value
    if run["state"] in ENDED:
        yield "outcome", "\n".join(judge(run, suppressed=suppressed).statements)
    told = remarks(run) if run["state"] in ENDED else run.get("notes")
    if told:
        yield "notes", "\n".join(told)
