"""All probes of the default policy together: what a sound endpoint costs, and that no twin of one is another's finding."""

import json

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.board import ESCAPED, Board
from tests.core.testing.probes.toolbox import Toolbox
from tests.core.testing.shop import Shop

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes import ssti
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer 3f9a0c77de114b02"))
BODY = json.dumps({"name": "desk lamp", "count": 5, "file": "lamp.png", "note": "for ann", "gift": True}).encode()
# What /escaped/link and its kin show is no safe twin: they run.
RUNS = {"/escaped/bare", "/escaped/link", "/escaped/handler", "/escaped/frame", "/escaped/link-that-runs"}


def guarded(request: Request) -> Response:
    """Two path, two query and five JSON points behind a checked token; nothing here is worth a finding."""
    if request.first(b"Authorization") != b"Bearer 3f9a0c77de114b02":
        return Response(401, (), b'{"error": "unauthorized"}')
    return Response(200, ((b"Content-Type", b"application/json"),), b'{"stored": true, "id": 7}')


def echoing(request: Request) -> Response:
    """Shows whatever it is asked, escaped as JSON."""
    return Response(
        200, JSON[:1], json.dumps([request.target.decode("latin-1"), request.body.decode("latin-1")]).encode()
    )


def strict(status: int):
    """Knows its own request, and answers any other with this status."""

    def application(request: Request) -> Response:
        known = request.target == NINE and request.body == BODY
        return Response(200 if known else status, JSON[:1], b'{"items": [1, 2, 3], "kind": "tea"}' if known else b"{}")

    return application


def behind_token(application):
    def guarding(request: Request) -> Response:
        good = request.first(b"Authorization") == JSON[1][1]
        return application(request) if good else Response(401, (), b'{"error": "unauthorized"}')

    return guarding


NINE = b"/users/7/orders/31?sort=name&page=2"
SOUND = {
    "same for anything": guarded,
    "echo": behind_token(echoing),
    "404 for anything else": behind_token(strict(404)),
    "500 for anything else": behind_token(strict(500)),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", list(SOUND))
def test_a_sound_endpoint_of_nine_points_costs_250_requests_at_most_and_is_forecast(name, method):
    """Two path, two query, five JSON points, the default policy; at half of it the forecast is within 30% of the end."""
    made = runs(SOUND[name], Request(method, NINE, JSON, BODY))
    assert [run.verdict for run in made if run.verdict.outcome is Outcome.VULNERABLE] == []
    spent = sum(len(run.sent) for run in made)
    assert spent <= 250
    assert abs(told_at_half(made, spent) - spent) <= 0.3 * spent


def test_templates_are_forecast_where_all_is_asked_for_too():
    made = runs(guarded, Request("GET", NINE, JSON), (ssti.PROBE,), THOROUGH)
    spent, forecast = sum(len(run.sent) for run in made), sum(run.check.forecast for run in made)
    assert abs(forecast - spent) <= 0.3 * spent


def told_at_half(made, spent: int) -> int:
    """The total that a run would tell when half of it is sent, by the node's own reckoning."""
    sent, remaining = 0, sum(run.check.forecast for run in made)
    for run in made:
        for asked in range(len(run.sent)):
            sent += 1
            remaining -= asked < run.check.forecast
            if sent * 2 >= spent:
                return sent + remaining
        remaining -= max(0, run.check.forecast - len(run.sent))
    return sent


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
