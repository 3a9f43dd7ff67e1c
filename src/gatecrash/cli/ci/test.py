"""`gatecrash ci test`: a test record is tested to its end, and the exit code says whether to go on."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.api import Api, Refused, segment
from gatecrash.cli.ci.node import NodeFailed, ci_node
from gatecrash.cli.ci.report import write_reports
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.interruption import term_interrupts, undisturbed
from gatecrash.cli.options import with_api
from gatecrash.cli.outcome import conclude, judge
from gatecrash.cli.output import say, warn
from gatecrash.cli.run import vulnerabilities
from gatecrash.cli.shape import Command
from gatecrash.cli.vuln_triage import shown_in, suppressed_in
from gatecrash.cli.watch import watch
from gatecrash.core.errors import UserError

# What the service calls what the variables say, for its refusals.
_VARIABLES = {
    "name": "TEST_RUN_NAME",
    "desc": "TEST_RUN_DESC",
    "test_record_id": "TEST_RECORD_ID",
    "policy_id": "TEST_RUN_POLICY_ID",
    "target_url": "TEST_RUN_URI",
    "file_extensions_to_exclude": "FILE_EXTENSIONS_TO_EXCLUDE",
}


@click.command("test", cls=Command, epilog="TEST_RECORD_ID=rec_71b04d TEST_RUN_RPS=50 gatecrash ci test")
@with_api
def test(api: Api) -> None:
    """Test a record (TEST_RECORD_ID, or the newest of the name TEST_RECORD_NAME) and wait for the end.

    TEST_RUN_NAME, TEST_RUN_DESC, TEST_RUN_POLICY_ID, TEST_RUN_RPS, TEST_RUN_STOP_ON_FIRST_FAIL, TEST_RUN_URI (send to
    this origin instead of the recorded one) and FILE_EXTENSIONS_TO_EXCLUDE say how; BUILD_ID, ALLOWED_HOSTS, WORKERS
    and PROCESSES are the node's. Prints TEST_RUN_ID=…; with REPORT_DIR every report is written there. Ends with 0 only
    where checks were made, could decide, and found nothing that is not suppressed.
    """
    variables = Variables()
    wish = wanted(api, variables)
    folder = variables.folder("REPORT_DIR")
    with term_interrupts(), ci_node(api, variables, "127.0.0.1:0") as node:
        made = _created(api, {**wish, "node_id": node.id})
        try:
            click.echo(f"TEST_RUN_ID={made['id']}")
            sys.stdout.flush()
            run = watch(api, str(made["id"]), check=node.check)
        except (KeyboardInterrupt, NodeFailed):
            with undisturbed():
                _give_up(api, str(made["id"]), folder)
            raise
    if run["vulns"]:
        with redirect_stdout(sys.stderr):  # pipelines append standard output to their variables
            vulnerabilities(api, str(run["id"]))
    if folder is not None:
        write_reports(api, str(run["id"]), folder)
    conclude(run, judge(run, suppressed=suppressed_in(api, run), shown=shown_in(api, run)))


def _created(api: Api, wish: dict[str, Any]) -> dict[str, Any]:
    """The run. An empty record is no refusal to a pipeline but a test of nothing, which ends with 1."""
    try:
        return api.post("/v1/test_run", wish)
    except Refused as error:
        fault = error.body.get("test_record_id")
        if not isinstance(fault, dict) or fault.get("error") != "empty_test_record":
            raise Refused(
                error.status, {_VARIABLES.get(name, name): told for name, told in error.body.items()}
            ) from error
        say(f"NOTHING WAS TESTED: {wish['test_record_id']} holds no baseline request.", colour="red")
        sys.exit(1)


def _give_up(api: Api, run_id: str, folder: Path | None) -> None:
    """Interrupt the run, which would wait for this step's node in vain, and report what it has found so far."""
    try:
        api.post(f"/v1/test_run/{segment(run_id)}/action/interrupt")
        if folder is not None:
            write_reports(api, run_id, folder)
    except (click.ClickException, UserError) as error:  # the service is away too, or the run over: the exit code stays
        warn(str(error))


def wanted(api: Api, variables: Variables) -> dict[str, Any]:
    """The run that the variables ask for. Raises UsageError where they name no record."""
    record_id = variables.text("TEST_RECORD_ID") or _newest(api, variables)
    given = {
        "name": variables.text("TEST_RUN_NAME") or variables.text("BUILD_ID") or "ci test",
        "desc": variables.text("TEST_RUN_DESC"),
        "test_record_id": record_id,
        "policy_id": variables.text("TEST_RUN_POLICY_ID"),
        "rps": variables.number("TEST_RUN_RPS", 1, 1000),
        "stop_on_first_fail": variables.flag("TEST_RUN_STOP_ON_FIRST_FAIL"),
        "target_url": variables.text("TEST_RUN_URI"),
        "file_extensions_to_exclude": variables.text("FILE_EXTENSIONS_TO_EXCLUDE"),
    }
    return {name: value for name, value in given.items() if value is not None}


def _newest(api: Api, variables: Variables) -> str:
    """The newest record of exactly the given name that can be tested."""
    name = variables.required("TEST_RECORD_NAME", "set it, or TEST_RECORD_ID, to say which test record is tested")
    records = api.pages("/v1/test_record", name=name)["objects"]
    same = [one for one in records if one["name"] == name]
    ready = [one for one in same if one["ready_for_cloning"] and one["baseline_count"]]
    if not same:
        raise click.UsageError(
            f"TEST_RECORD_NAME={name}: there is no such test record. `gatecrash record list` shows what there is."
        )
    if not ready:
        say(f"NOTHING WAS TESTED: no test record {name!r} is complete and not empty.", colour="red")
        sys.exit(1)
    return str(ready[0]["id"])
