"""Test runs from the command line: created, steered, ended, and refused field by field."""

from collections.abc import Callable
from typing import Any

import httpx
from tests.cli.conftest import Invoke
from tests.cli.running import Up

Document = Callable[..., Any]


def test_a_run_can_be_created_steered_and_ended(invoke: Invoke, document: Document) -> None:
    created = document("run", "create", "--no-wait", "first", "--rps", "50", "--tag", "a", "--tag", "b")
    assert (created["name"], created["state"], created["rps"], created["tags"]) == ("first", "running", 50, ["a", "b"])
    run = created["id"]
    assert document("run", "pause", run)["state"] == "paused"
    assert document("run", "resume", run)["state"] == "running"
    refused = invoke("run", "resume", run)
    assert refused.exit_code == 4
    assert "is not allowed in the run's state" in refused.stderr
    assert invoke("run", "interrupt", run).exit_code == 0
    shown = document("run", "show", run)
    assert shown["state"] == "interrupted"
    assert "INTERRUPTED" in (told := invoke("run", "show", run).stdout)
    assert "Not looked for under the policy default" in told, "what the run did not look for"
    listed = document("run", "list", "--name", "first")
    assert run in [one["id"] for one in listed["objects"]]
    waited = invoke("run", "wait", run)
    assert (waited.exit_code, waited.stdout) == (1, "")
    assert "INTERRUPTED" in waited.stderr
    assert document("record", "show", created["test_record_id"])["name"] == "first"
    assert created["test_record_id"] in invoke("record", "list").stdout


def test_a_run_s_identifier_is_alone_on_standard_output(invoke: Invoke) -> None:
    created = invoke("run", "create", "--no-wait", "second")
    run = created.stdout.strip()
    assert run.startswith("tr_")
    waited = invoke("run", "wait", run, "--timeout", "0")
    assert (waited.exit_code, "it goes on" in waited.stderr) == (1, True)
    assert invoke("run", "interrupt", run).exit_code == 0


def test_every_faulty_field_is_told(invoke: Invoke) -> None:
    refused = invoke(
        "run", "create", "--no-wait", "third", "--rps", "1001", "--rps-per-baseline", "0", "--policy", "fast"
    )
    assert (refused.exit_code, refused.stdout) == (4, "")
    assert "rps: is out of range (given: 1001); 1 to 1000 is allowed" in refused.stderr
    assert "rps_per_baseline: is out of range (given: 0); 1 to 500 is allowed" in refused.stderr
    assert "policy_id: does not exist (given: fast)" in refused.stderr


def test_copying_a_record_that_still_records_leads_to_stop(invoke: Invoke, document: Document) -> None:
    created = document("run", "create", "--no-wait", "fourth")
    refused = invoke("run", "copy", "fifth", "--record", created["test_record_id"])
    assert refused.exit_code == 4
    assert "gatecrash run stop" in refused.stderr
    invoke("run", "interrupt", created["id"])


def test_a_node_is_named_by_its_name_too(invoke: Invoke, document: Document, up: Up) -> None:
    token = {"X-Service-API-Token": up.known()["token"]}
    node = httpx.get(f"{up.known()['api']}/v1/nodes", headers=token, timeout=60).json()["body"]["objects"][0]
    created = document("run", "create", "named", "--no-wait", "--node", node["name"])
    assert created["node_id"] == node["id"]
    refused = invoke("run", "create", "lost", "--no-wait", "--node", "nowhere")
    assert (refused.exit_code, "node_id" in refused.stderr) == (4, True)
    assert invoke("run", "interrupt", created["id"]).exit_code == 0
