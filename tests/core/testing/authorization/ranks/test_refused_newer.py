"""What a newer version of an API refuses to the lower identity, at an application that is a function."""

import orjson
import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_function import PROBE
from gatecrash.core.testing.verdict import Outcome

MASTER, CLERK = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
WORDS = ("masters", "halls", "nobodys", "strange")
HALLS = [{"hall": 4, "seats": 12}, {"hall": 5, "seats": 30}]


def ferry(request: Request) -> Response:
    """Whom the newest version lets in, the last word of its path says."""
    who, (version, word, *_) = request.first(b"Authorization"), [*request.path.decode().strip("/").split("/"), ""]
    if who not in (MASTER, CLERK):
        return answered(401, {"error": "sign in"})
    if version == "v2" and (word == "nobodys" or (word == "masters" and who != MASTER)):
        return answered(403, {"error": "not for you"})
    if version == "v2" and word == "strange" and who != MASTER:
        return answered(401, {"error": "an unknown session"})
    return (
        answered(200, HALLS) if version in ("v1", "v2") and word in WORDS else answered(404, {"error": "nothing there"})
    )


def answered(status: int, content: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(content))


def run_at(path: str, *newer: str) -> Run:
    request = Request("GET", path.encode(), headers=((b"Authorization", MASTER),), host="a")
    known = (Identity("ida", 9, ("ida",)), Identity("ann", 1, ("ann",)))
    targets = tuple(each.encode() for each in newer)
    (check,) = plan(record(ferry, request), DEFAULT, credentials_of(request), (PROBE,), identities=known, newer=targets)
    return drive_as(check, ferry)


@pytest.mark.parametrize(
    ("word", "found"), [("masters", True), ("halls", False), ("nobodys", False), ("strange", False)]
)
def test_a_function_is_for_whom_its_newer_version_lets_in(word: str, found: bool):
    run = run_at(f"/v1/{word}", f"/v2/{word}")
    assert (run.verdict.outcome is Outcome.VULNERABLE) is found
    assert not found or f"The newer version /v2/{word} is given to the higher one" in run.verdict.proof.verified_by


def test_without_a_newer_version_nothing_is_asked_of_one():
    run = run_at("/v1/masters")
    assert run.verdict.outcome is Outcome.SAFE
    assert not any(each.request.path.startswith(b"/v2/") for each in run.sent)
