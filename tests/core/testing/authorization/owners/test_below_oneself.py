"""What somebody made below his own address is his, and nobody else is given it there."""

import json
from random import Random

import pytest
from tests.core.testing.driving import answer_of, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, dressed, identities

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome, Verdict

JSON = (b"Content-Type", b"application/json")
TOKEN = (b"Authorization", OPAQUE["ann"].encode())


class Clips:
    """Clips of each caller below `/me`, or of all. guarded: each is given to its owner alone; listed: to all by the list."""

    def __init__(self, above: str, *, guarded: bool = False, listed: bool = False) -> None:
        self.above, self.guarded, self.listed, self.made = above, guarded, listed, dict[str, str]()

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        last = request.path.decode().rpartition("/")[2]
        if not caller:
            return Response(401)
        if request.method == "POST":
            self.made["84117"] = caller
            return shown({"id": 84117, "title": "night.mp4"}, 201)
        if last == "clips":
            return shown([{"id": int(each)} for each in self.made]) if self.listed else Response(405)
        is_given = last in self.made and (self.made[last] == caller or not self.guarded)
        return (
            shown({"id": int(last), "title": "night.mp4", "codec": "h264", "size": 812}) if is_given else Response(404)
        )


def shown(document: object, status: int = 200) -> Response:
    return Response(status, (JSON,), json.dumps(document).encode())


def verdict(clips: Clips) -> Verdict:
    pages = Pages()
    made = record(clips, Request("POST", clips.above.encode(), (JSON, TOKEN), b'{"title": "night.mp4"}', host="a"))
    pages.meet(made.exchange, visited=False)
    request = Request("GET", f"{clips.above}/84117".encode(), (TOKEN,), host="a")
    (check,) = plan(
        record(clips, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), makers=pages.makers_of(request),
    )  # fmt: skip
    dialogue = check.probe.run(check.situation(Random(1)))
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(answer_of(clips, dressed(asked, request)))
    except StopIteration as end:
        found: Verdict = end.value
        return found


@pytest.mark.parametrize(
    ("clips", "outcome"),
    [
        (Clips("/me/clips"), Outcome.VULNERABLE),
        (Clips("/me/clips", guarded=True), Outcome.SAFE),
        (Clips("/me/clips", listed=True), Outcome.SAFE),
        (Clips("/clips"), Outcome.SAFE),
        (Clips("/me/teams/clips"), Outcome.SAFE),
    ],
    ids=["given to anybody", "kept", "listed to all", "of everybody", "of a team"],
)
def test_what_was_made_below_ones_own_address_is_ones_own(clips: Clips, outcome: Outcome) -> None:
    found = verdict(clips)
    assert found.outcome is outcome, found.detail
    if outcome is Outcome.VULNERABLE:
        assert "below the caller's own address" in found.proof.verified_by
