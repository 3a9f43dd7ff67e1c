"""The forms of runs: the contract's fields, the web limits of its section 8, and a copy that begins as its run was."""

import time
from collections.abc import Callable

import pytest
from django.http import QueryDict
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui import run_forms
from gatecrash.control.ui.forms import Form

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py


def test_the_limits_are_those_of_the_web_interface(client_id: str) -> None:
    with wall.client(client_id):
        fields = {field.name: field for field in run_forms.create()}
    limits = {name: (fields[name].low, fields[name].high, fields[name].initial) for name in ("rps", "rps_per_baseline")}
    assert limits == {"rps": (1, 1000, 1000), "rps_per_baseline": (1, 500, 500)}
    timeout = fields["inactivity_timeout"]
    assert (timeout.low, timeout.high, timeout.initial) == (300, 86_400, 1800)
    assert {name for name, field in fields.items() if field.advanced} >= {
        "skip_duplicated_baselines",
        "stop_on_first_fail",
        "file_extensions_to_exclude",
    }


def test_a_form_as_it_first_stands_makes_a_run(client_id: str) -> None:
    with wall.client(client_id):
        fields = run_forms.create()
        sent = QueryDict(mutable=True)
        for one in Form(fields):
            if one.field.kind == "check" and not one.value:
                continue
            sent[one.field.name] = str(one.value)
        sent["name"] = "mine"
        form = Form(fields, sent)
        order = form.checked(NewRun)
    assert form.problems == {}
    assert (order.name, order.rps, order.rps_per_baseline, order.inactivity_timeout) == ("mine", 1000, 500, 1800)
    assert (order.skip_duplicated_baselines, order.stop_on_first_fail) == (True, False)


def test_a_copy_begins_as_its_run_was_and_names_no_record(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = TestRun.objects.get(id=own.test_run_id)
        row.rps, row.desc, row.tags, row.name = 7, "nightly", ["a"], "n" * 255
        given = run_forms.of_run(row)
        names = {field.name for field in run_forms.copy()}
    assert (given["rps"], given["desc"], given["tags"], len(given["name"])) == (7, "nightly", ["a"], 255)
    assert "test_record_name" not in names
    assert set(given) <= names


def test_policies_and_nodes_to_choose_are_the_clients_own(
    client_id: str, other_id: str, estate: Callable[[str], Estate]
) -> None:
    theirs = estate(other_id)
    with wall.client(client_id):
        choices = {value for field in run_forms.create() for value, _ in field.choices}
        assert {"default", "quick", "thorough", ""} <= choices
        assert theirs.policy_id not in choices
        Node.objects.create(
            id="node_east", name="east", is_default=True, identity="east", created_at=1, last_seen=time.time()
        )
        Node.objects.create(id="node_gone", name="gone", identity="gone", created_at=1, last_seen=1)
        nodes = next(field.choices for field in run_forms.create() if field.name == "node_id")
        assert list(nodes) == [
            ("", "the default node"),
            ("node_east", "east (default)"),
            ("node_gone", "gone (silent)"),
        ]
    with wall.client(other_id):
        assert theirs.policy_id in {value for value, _ in run_forms.policies()}
