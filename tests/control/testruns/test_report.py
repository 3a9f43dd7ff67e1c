"""A run's report holds all that the API shows of it, in every format, and belongs to its client."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from tests.control.calling import Api
from tests.core.reports.validating import junit, sarif

from gatecrash.control import wall
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.report import report
from gatecrash.core.reports.formats import FORMATS
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def run(node: FakeNode, create: Callable[..., dict]) -> dict:
    """A run that found something in one of its two baselines."""
    made = create(name="nightly / <b>")
    node.beat()
    node.record(made["id"], 2)
    node.hand_over(made["id"])
    node.claim(made["id"], 2)
    node.finish(made["id"], "failed")
    return made


def download(api: Api, path: str) -> tuple[int, dict[str, str], bytes]:
    answer = Client().get(path, headers={"X-Service-API-Token": api.token or ""})
    return answer.status_code, dict(answer.headers), answer.content


def test_the_report_holds_what_the_api_shows(api: Api, client_id: str, run: dict) -> None:
    with wall.client(client_id):
        whole = report(TestRun.objects.get(id=run["id"]))
    assert [one["id"] for one in whole.baselines] == [
        one["id"] for one in api.get(f"/v1/test_run/{run['id']}/baselines")[1]["objects"]
    ]
    shown = [api.get(f"/v1/vulns/{one['id']}")[1] for one in api.get("/v1/vulns")[1]["objects"]]
    assert shown
    assert sorted(whole.vulnerabilities, key=lambda one: one["id"]) == sorted(shown, key=lambda one: one["id"])


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_is_a_raw_file(api: Api, run: dict, name: str) -> None:
    status, headers, content = download(api, f"/v1/test_run/{run['id']}/report?format={name}")
    assert status == 200
    assert headers["Content-Type"] == FORMATS[name].media_type
    assert headers["Content-Disposition"] == f'attachment; filename="nightly-b-{run["id"]}.{FORMATS[name].suffix}"'
    assert b"S0001" in content
    assert b"abcdefghijkl" not in content


def test_formats_are_read_by_their_readers(api: Api, run: dict) -> None:
    assert sarif(download(api, f"/v1/test_run/{run['id']}/report?format=sarif")[2])["runs"][0]["results"]
    assert junit(download(api, f"/v1/test_run/{run['id']}/report?format=junit")[2]).get("tests") == "2"
    whole = json.loads(download(api, f"/v1/test_run/{run['id']}/report")[2])
    assert whole["test_run"]["id"] == run["id"]


def test_refusals_are_enveloped(api: Api, other_id: str, caller: Callable[..., Api], run: dict) -> None:
    status, _, content = download(api, f"/v1/test_run/{run['id']}/report?format=pdf")
    assert (status, json.loads(content)["body"]["format"]["error"]) == (400, "invalid_value")
    assert download(caller(other_id), f"/v1/test_run/{run['id']}/report")[0] == 404
