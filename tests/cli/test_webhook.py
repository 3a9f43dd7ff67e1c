"""Webhooks from the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke
from tests.webhook_receiver import Receiver, receiving

from gatecrash.cli import webhook
from gatecrash.cli.webhook import EVENTS

Document = Callable[..., Any]


def test_a_webhook_is_added_tested_and_removed(invoke: Invoke, document: Document) -> None:
    with receiving() as receiver:
        made = document("webhook", "add", "chat", receiver.url, "--event", "endpoint.status")
        assert (made["events"], made["secret"][:6]) == (["endpoint.status"], "whsec_")
        tested = invoke("webhook", "test", made["id"])
        assert (tested.exit_code, tested.stdout) == (0, ""), tested.stderr
        assert "Taken with 204." in tested.stderr
        assert [one["type"] for one in receiver.documents] == ["webhook.test"]
        assert document("webhook", "test", made["id"])["state"] == "delivered"
    listed = next(line for line in invoke("webhook", "list").stdout.splitlines() if made["id"] in line)
    assert "chat" in listed
    assert "team=a" not in listed, "no more of an address than its origin is shown"
    shown = invoke("webhook", "show", made["id"]).stdout
    assert shown.count("webhook.test") == 2
    assert made["secret"] not in shown
    assert document("webhook", "show", made["id"], "--limit", "1")["deliveries"]["total"] == 2
    assert invoke("webhook", "remove", made["id"]).exit_code == 0
    assert made["id"] not in invoke("webhook", "list").stdout


def test_a_test_that_nobody_takes_is_told(invoke: Invoke, document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(Receiver([500])) as receiver:
        made = document("webhook", "add", "broken", receiver.url)
        assert made["events"] == sorted(EVENTS)
        refused = invoke("webhook", "test", made["id"])
        assert (refused.exit_code, "500" in refused.stderr) == (3, True), refused.stderr
        assert ".." not in refused.stderr
    monkeypatch.setattr(webhook, "PATIENCE", -1.0)
    assert invoke("webhook", "test", made["id"]).exit_code == 3
    assert invoke("webhook", "remove", made["id"]).exit_code == 0


def test_a_paused_webhook_is_sent_no_test(invoke: Invoke, document: Document) -> None:
    made = document("webhook", "add", "quiet", "http://127.0.0.1:9/x")
    assert invoke("webhook", "pause", made["id"]).exit_code == 0
    assert "paused" in next(line for line in invoke("webhook", "list").stdout.splitlines() if made["id"] in line)
    refused = invoke("webhook", "test", made["id"])
    assert (refused.exit_code, "turn it on first" in refused.stderr) == (4, True)
    assert invoke("webhook", "resume", made["id"]).exit_code == 0
    assert document("webhook", "show", made["id"])["enabled"] is True
    assert invoke("webhook", "remove", made["id"]).exit_code == 0


def test_the_secret_is_alone_on_standard_output(invoke: Invoke, document: Document, tmp_path: Path) -> None:
    (tmp_path / "address").write_text("http://127.0.0.1:9/token-in-it\n")
    added = invoke("webhook", "add", "filed", "--url-file", str(tmp_path / "address"))
    assert added.stdout.startswith("whsec_")
    found = next(one for one in document("webhook", "list")["objects"] if one["name"] == "filed")
    assert found["id"] in added.stderr
    other = invoke("webhook", "secret", found["id"])
    assert other.stdout.startswith("whsec_")
    assert other.stdout != added.stdout
    assert invoke("webhook", "remove", found["id"]).exit_code == 0


def test_what_is_named_of_a_webhook_changes_and_all_else_stays(
    invoke: Invoke, document: Document, tmp_path: Path
) -> None:
    with receiving() as receiver:
        made = document("webhook", "add", "chat", "http://127.0.0.1:9/x", "--event", "endpoint.status")
        changed = document("webhook", "change", made["id"], "--name", "tickets")
        assert (changed["name"], changed["events"]) == ("tickets", ["endpoint.status"])
        (tmp_path / "address").write_text(f"{receiver.url}\n")
        told = invoke("webhook", "change", made["id"], "--url-file", str(tmp_path / "address"), "--event", EVENTS[0])
        assert "tickets" in told.stderr
        assert "team=a" not in told.stderr, "no more of an address than its origin is shown"
        assert invoke("webhook", "test", made["id"]).exit_code == 0
        shown = document("webhook", "show", made["id"])
        assert (shown["name"], shown["events"]) == ("tickets", [EVENTS[0]])
    for wrong in ((), ("--url", "http://127.0.0.1:9/", "--url-file", "-"), ("--event", "everything")):
        assert invoke("webhook", "change", made["id"], *wrong).exit_code == 2
    refused = invoke("webhook", "change", made["id"], "--url", "http://192.0.2.1/secret-path")
    assert (refused.exit_code, "url" in refused.stderr, "secret-path" in refused.stderr) == (4, True, False)
    assert invoke("webhook", "change", "wh_unknown", "--name", "x").exit_code == 4
    assert invoke("webhook", "remove", made["id"]).exit_code == 0


def test_what_cannot_be_registered_is_refused(invoke: Invoke) -> None:
    assert invoke("webhook", "add", "none").exit_code == 2
    assert invoke("webhook", "add", "both", "http://127.0.0.1:9/", "--url-file", "-").exit_code == 2
    assert invoke("webhook", "add", "odd", "http://127.0.0.1:9/", "--event", "everything").exit_code == 2
    refused = invoke("webhook", "add", "plain", "http://192.0.2.1/secret-path")
    assert (refused.exit_code, "url" in refused.stderr, "secret-path" in refused.stderr) == (4, True, False)
    assert invoke("webhook", "remove", "wh_unknown").exit_code == 4
