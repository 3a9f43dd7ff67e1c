"""What an older version of an API gives to whom the newer one refuses, at an application that is a function."""

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
LOCKS = [{"lock": 4, "code": "8121"}, {"lock": 5, "code": "3340"}]


def quay(request: Request) -> Response:
    """The newer version is for the master; whom the older one lets in, the last word of its path says."""
    who, (version, word, *_) = request.first(b"Authorization"), [*request.path.decode().strip("/").split("/"), ""]
    if who not in (MASTER, CLERK) and word != "open":
        return answered(401, {"error": "sign in"})
    if who != MASTER and (version == "v2" or word == "guarded"):
        return answered(401 if word == "strange" else 403, {"error": "not for you"})
    if version not in ("v1", "v2") or word.startswith("gatecrash") or len(word) > 10:
        return answered(404, {"error": "nothing there"})
    own = [{"lock": 9, "code": "7007"}, {"lock": 10, "code": "2200"}]
    return answered(200, own if word == "own" and who == CLERK else LOCKS)


def answered(status: int, content: object) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(content))


def run_at(path: str) -> Run:
    request = Request("GET", path.encode(), headers=((b"Authorization", MASTER),), host="a")
    known = (Identity("ida", 9, ("ida",)), Identity("ann", 1, ("ann",)))
    (check,) = plan(record(quay, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    return drive_as(check, quay)


@pytest.mark.parametrize(
    ("word", "found"), [("locks", True), ("guarded", False), ("own", False), ("open", False), ("strange", False)]
)
def test_what_is_refused_in_the_newer_version_is_read_in_the_older_one(word: str, found: bool):
    run = run_at(f"/v2/{word}")
    assert (run.verdict.outcome is Outcome.VULNERABLE) is found
    assert not found or f"The newer version, /v2/{word}, refuses the same identity" in run.verdict.proof.verified_by


def test_where_the_path_names_no_newer_version_nothing_is_asked_of_an_older_one():
    assert [each.request.path for each in run_at("/v1/guarded").sent] == [b"/v1/guarded"]
