"""The probe info_fields, driven against people of its own whose fields are chosen by the caller."""

import json
from urllib.parse import parse_qs

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, record, runs

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.info_fields import PROBE

JSON = (b"Content-Type", b"application/json")
CASES = [case for case in cases_of("probes") if case.file == "info_fields"]
ROW = {"id": 7, "name": "Lea", "email": "lea@example.com", "password_hash": "5f4dcc3b5aa765d61d8327deb882cf99"}
SHOWN = ("id", "name", "email")


def people(request: Request) -> Response:
    asked = {name: values[0].split(",") for name, values in parse_qs((request.query or b"").decode()).items()}
    place, document = request.path.decode().strip("/"), {"id": 3, "name": "Inn", "owner_id": 7, "menu": ["soup"]}
    fields = asked.get("fields", [])
    if place == "any-column":
        document = {name: ROW[name] for name in fields if name in ROW}
    elif place == "listed-columns":
        document = {name: ROW[name] for name in fields if name in SHOWN}
    elif place == "masked":
        document = {name: ROW[name] if name in SHOWN else "********" for name in fields}
    elif place == "always":
        document = {"id": 7, "name": "Lea", "password_hash": ROW["password_hash"]}
    elif place == "formless":
        document = {name: {**ROW, "secret": "the blue door"}.get(name) for name in fields if name != "password_hash"}
    elif "owner" in asked.get("expand", []):
        document["owner"] = ROW if place == "whole-owner" else {"name": "Lea"}
    return Response(200, (JSON,), json.dumps(document).encode())


def own(made: list[Run]) -> list[Run]:
    """Those of the probe itself: parameters that nobody sends are looked for beside it."""
    return [run for run in made if run.check.probe is PROBE]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (run,) = own(runs(people, case.request, (PROBE,), THOROUGH))
    assert case.expected == (f"{run.verdict.outcome.value} {'/'.join(run.verdict.point)}",)


def test_a_finding_names_the_field_and_never_shows_the_secret_in_words():
    (run,) = own(runs(people, CASES[0].request, (PROBE,), THOROUGH))
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("info", (200, 213), 70)
    assert "'password_hash' added" in verdict.proof.verified_by
    assert ROW["password_hash"] not in verdict.proof.verified_by


@pytest.mark.parametrize(
    "target",
    [
        b"/any-column?fields=id,colour",
        b"/any-column?sort=id,name",
        b"/any-column?fields=",
        b"/whole-owner?include=%27x",
    ],
    ids=["of what is not in the answer", "named otherwise", "empty", "no list of words"],
)
def test_what_is_no_list_of_fields_is_asked_nothing(target):
    baseline = record(people, Request("GET", target, host="h.example"))
    assert [check.point for check in plan(baseline, THOROUGH, (), (PROBE,)) if check.probe is PROBE] == []
