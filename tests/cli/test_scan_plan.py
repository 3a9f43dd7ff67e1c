"""A plan sums up by endpoint, and marks what is tested last."""

import pytest

from gatecrash.cli.scan_plan import plan_document, show_plan
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.node.scan.planned import Planner


def test_baselines_of_one_endpoint_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    exchanges = [
        Exchange(Request(method, target, host="h"), Response(200, body=b"{}"))
        for method, target in (("GET", b"/items/1?q=1"), ("GET", b"/items/2?q=2"), ("DELETE", b"/items/3?q=1"))
    ]
    planned = Planner(DEFAULT, compile_recogniser()).plan(exchanges)
    document = plan_document(planned, {"preflight": 2}, {"other": 1})
    reads, deletes = document["endpoints"]
    assert (reads["path"], reads["baselines"], reads["last"]) == ("/items/{item_id}", 2, None)
    assert (deletes["method"], deletes["last"]) == ("DELETE", "deletes")
    assert document["requests"] == sum(one.forecast for one in planned) == reads["requests"] + deletes["requests"]
    assert document["left_out"] == {"preflight": 2, "host_not_allowed": {"other": 1}}
    show_plan(document)
    told = capsys.readouterr()
    assert "last: deletes" in told.out
    assert "query:q" in told.out
