"""What stands in a token that is refused with another signature is asked for nothing else; in one that nobody checks, it is."""

import base64
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from tests.core.testing.driving import Run, runs

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome


def written(part: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


SIGNATURE = "sAmmsd-YT-u-nqC7gz5yA9U-gQByg4cVUFSna3njxyz"
SIGNED = f"{written({'alg': 'HS256', 'kid': 'main'})}.{written({'iss': 'shop', 'city': 'Bern'})}"
LINK = Request("GET", f"/welcome?token={SIGNED}.{SIGNATURE}".encode())
Welcoming = Callable[[str, str], bool]


def made_of(lets_in: Welcoming) -> dict[str, Run]:
    """The tests by the last steps of their points. lets_in: whether a signed text goes with a signature."""

    def application(request: Request) -> Response:
        signed, _, signature = request.target.decode().partition("token=")[2].rpartition(".")
        if not lets_in(signed, signature):
            return Response(401, (), b"sign in")
        try:
            claims = json.loads(base64.urlsafe_b64decode(signed.partition(".")[2] + "=="))
            with closing(sqlite3.connect(":memory:")) as database:
                rows = database.execute(f"SELECT 'Bern' WHERE 'Bern' = '{claims['city']}'").fetchall()
        except (sqlite3.Error, ValueError, KeyError, TypeError):
            return Response(500, (), b"failed")
        return Response(200, (), f"Welcome: {rows}".encode())

    made = runs(application, LINK, (PROBE,))
    return {"/".join(run.check.point[3:]): run for run in made if "jwt" in run.check.point}


def test_a_token_that_is_refused_with_another_signature_is_asked_about_once() -> None:
    made = made_of(lambda signed, signature: (signed, signature) == (SIGNED, SIGNATURE))
    claim = "jwt_payload/json_doc/json_obj/"
    sealed = [name for name in made if not name.endswith(("/kid", "/iss"))]
    assert claim + "city" in sealed
    assert all(made[name].verdict.outcome is Outcome.SAFE for name in sealed)
    assert sum(each.request != LINK for name in sealed for each in made[name].sent) == 1
    assert len(made[claim + "iss"].sent) > 5, "an issuer's key may be looked for before"


@pytest.mark.parametrize("looks", [lambda _, signature: True, lambda _, signature: len(signature) == len(SIGNATURE)])
def test_a_claim_of_a_token_that_nobody_checks_is_found(looks: Welcoming) -> None:
    city = made_of(looks)["jwt_payload/json_doc/json_obj/city"]
    assert city.verdict.outcome is Outcome.VULNERABLE


def test_a_call_that_fails_under_a_good_status_is_refused_as_well() -> None:
    call = {"jsonrpc": "2.0", "method": "order.place", "params": {"token": f"{SIGNED}.{SIGNATURE}"}, "id": 1}
    headers = ((b"Content-Type", b"application/json"),)

    def application(request: Request) -> Response:
        known = request.body == json.dumps(call).encode()
        told = {"result": {"placed": True}} if known else {"error": {"code": -32001, "message": "who is that?"}}
        return Response(200, headers, json.dumps({"jsonrpc": "2.0", "id": 1, **told}).encode())

    placed = Request("POST", b"/rpc", headers, json.dumps(call).encode())
    made = [run for run in runs(application, placed, (PROBE,)) if "jwt" in run.check.point]
    sealed = [run for run in made if run.check.point[-1] not in ("kid", "iss")]
    assert len(sealed) > 1
    assert sum(each.request != placed for run in sealed for each in run.sent) == 1
