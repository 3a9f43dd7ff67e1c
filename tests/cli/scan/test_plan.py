"""A plan sums up by endpoint, and marks what is tested last."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main
from gatecrash.cli.scan.plan import Pace, plan_document, show_plan
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


def test_operations_of_one_address_are_told_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    headers = ((b"Content-Type", b"application/json"),)
    exchanges = [
        Exchange(Request("POST", b"/graphql", headers, body, host="h"), Response(200, body=b"{}"))
        for body in (b'{"query": "query Cars { cars { id } }"}', b'{"query": "mutation Sell { sell(id: 1) { id } }"}')
    ]
    document = plan_document(Planner(DEFAULT, compile_recogniser()).plan(exchanges), {}, {})
    assert [(one["path"], one["operation"]) for one in document["endpoints"]] == [
        ("/graphql", "query Cars"),
        ("/graphql", "mutation Sell"),
    ]
    show_plan(document)
    assert "/graphql query Cars" in " ".join(capsys.readouterr().out.split())


def test_types_that_look_at_the_same_places_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    both = [{"type": kind, "point": [["get", "q"]], "requests": 1} for kind in ("sqli", "rce")]
    alone = [{"type": "auth", "point": [], "requests": 1}, {"type": "xss", "point": [["get", "r"]], "requests": 1}]
    one = {"method": "GET", "host": "h", "path": "/a", "baselines": 1, "requests": 4, "order": "first", "last": None}
    show_plan({"endpoints": [{**one, "checks": [*both, *alone]}], "asked_first": 0, "seconds": None, "requests": 4})
    assert "sqli, rce at query:q; auth; xss at query:r" in capsys.readouterr().out


def test_the_time_is_told_where_a_rate_says_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    exchange = Exchange(Request("GET", b"/items/1?q=1", host="h"), Response(200, body=b"{}"))
    planned = Planner(DEFAULT, compile_recogniser()).plan([exchange])
    (cost,) = [one.forecast for one in planned]
    document = plan_document(planned, {}, {}, Pace(rps=1))
    assert document["seconds"] == cost == document["requests"]
    show_plan(document)
    assert "at least at the rate" in capsys.readouterr().err
    show_plan(plan_document(planned, {}, {}))
    assert "at the rate" not in capsys.readouterr().err


def test_the_slowest_of_the_limits_says_how_long_it_takes() -> None:
    assert Pace().seconds([10]) is None
    assert Pace(rps=3).seconds([10, 20]) == 10
    assert Pace(rps_per_baseline=2, workers=4).seconds([10, 50]) == 25, "one baseline alone"
    assert Pace(rps_per_baseline=2, workers=1).seconds([10, 50]) == 30, "one after the other"
    assert Pace(rps=1, rps_per_baseline=500).seconds([]) == 0


def test_several_files_are_planned_as_one_and_an_address_is_not_among_them(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("anna.jsonl", "bert.jsonl")]
    for number, file in enumerate(files):
        file.write_text(f'{{"method": "GET", "url": "http://127.0.0.1:9/{file.stem}?q={number}", "status": 200}}\n')
    planned = CliRunner().invoke(main, ["scan", *map(str, files), "--plan", "--json"])
    assert {one["path"] for one in json.loads(planned.stdout)["endpoints"]} == {"/anna", "/bert"}
    mixed = CliRunner().invoke(main, ["scan", str(files[0]), "http://127.0.0.1:9/openapi.json"])
    assert mixed.exit_code == 2
    assert "is an address" in mixed.stderr
    twice = CliRunner().invoke(main, ["scan", "-", "-"])
    assert "can be read once only" in twice.stderr
