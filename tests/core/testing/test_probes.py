"""All probes of the default policy together: what a sound endpoint costs, and that no twin of one is another's finding."""

import json

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.board import ESCAPED, Board
from tests.core.testing.probes.toolbox import Toolbox
from tests.core.testing.shop import Shop

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer 3f9a0c77de114b02"))
BODY = json.dumps({"name": "desk lamp", "count": 5, "file": "lamp.png", "note": "for ann", "gift": True}).encode()
# What /escaped/link and its kin show is no safe twin: they run.
RUNS = {"/escaped/bare", "/escaped/link", "/escaped/handler"}


def guarded(request: Request) -> Response:
    """Two path, two query and five JSON points behind a checked token; nothing here is worth a finding."""
    if request.first(b"Authorization") != b"Bearer 3f9a0c77de114b02":
        return Response(401, (), b'{"error": "unauthorized"}')
    return Response(200, ((b"Content-Type", b"application/json"),), b'{"stored": true, "id": 7}')


@pytest.mark.parametrize(("method", "most"), [("GET", 175), ("POST", 150)])
def test_a_sound_endpoint_of_nine_points_leaves_room_for_the_probes_to_come(method, most):
    """At most 300 are allowed for eleven types; these are five of them."""
    request = Request(method, b"/users/7/orders/31?sort=name&page=2", JSON, BODY)
    made = runs(guarded, request)
    assert {run.verdict.outcome for run in made} == {Outcome.SAFE}
    assert sum(len(run.sent) for run in made) <= most
    assert sum(len(run.sent) for run in made) <= sum(run.check.forecast for run in made)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "path",
    [
        *(path for path in ESCAPED if path not in RUNS),
        *("/dumped-safely", "/stripped", "/firewall", "/breaks", "/api", "/not-found", "/static", "/moving-escaped"),
    ],
)
def test_no_probe_finds_anything_on_a_sound_board(path, seed):
    for run in runs(Board(), Request("GET", path.encode() + b"?q=tea.txt"), seed=seed):
        assert run.verdict.outcome is not Outcome.VULNERABLE


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "path",
    [
        "quoted",
        "validated",
        "echo",
        "calculator",
        "slow",
        "jittery",
        "slow-when-long",
        "slow-when-odd",
        "firewall",
        "breaks",
        "soft",
        "moving",
    ],
)
def test_no_probe_finds_anything_on_sound_tools(path, seed, tmp_path):
    for run in runs(Toolbox(tmp_path, seed), Request("GET", f"/{path}?q=10.0.0.1".encode()), seed=seed):
        assert run.verdict.outcome is not Outcome.VULNERABLE


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "path", ["cast", "lenient", "firewall", "polite-firewall", "tautology", "random", "odd", "manual", "full-text"]
)
def test_no_other_probe_finds_anything_in_a_sound_shop(path, seed):
    """bound_search shows a raw link on purpose of sqli's tests, so it is no twin for xss."""
    for run in runs(Shop(), Request("GET", f"/sound/{path}?q=5&id=5".encode()), seed=seed):
        if (path, run.verdict.type) not in {("firewall", "xss"), ("polite-firewall", "xss"), ("odd", "xss")}:
            assert run.verdict.outcome is not Outcome.VULNERABLE, run.verdict
