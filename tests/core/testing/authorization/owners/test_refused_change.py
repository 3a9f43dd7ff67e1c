"""Whose an object is, told by another change of it, which is refused to whoever is not its owner."""

import json

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import Run, check_of, drive_as
from tests.range.place import answer
from tests.range.tenants_store import BY_TOKEN, SIGNED, asked, written

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

PLACE, NAME = b"/boats/70331", b'{"name": "Albatross"}'


class Harbour:
    """A boat that all who are signed in read. renames: who may change its name; its berth is changed by anybody."""

    def __init__(self, renames: tuple[str, ...]) -> None:
        self.renames = renames
        self.boat: dict[str, object] = {"id": 70331, "name": "Albatross", "berth": "North pier"}
        self.renamed: list[str] = []

    def __call__(self, request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not name:
            return answer({"error": "please sign in"}, 401)
        if request.method == "PUT" and name not in self.renames:
            return answer({"error": "not your boat"}, 403)
        if request.path not in (PLACE, PLACE + b"/berth"):
            return answer({"error": "nothing here"}, 404)
        if request.method != "GET":
            self.boat |= json.loads(request.body)
            self.renamed += [name] if request.method == "PUT" else []
        return answer(self.boat)


def run(harbour: Harbour) -> Run:
    """The probe that writes as ben, at the berth of ann's boat, whose change of its name was recorded."""
    request = written("PATCH", "/boats/70331/berth", b'{"berth": "North pier"}', tokens=SIGNED)("")
    pages = Pages()
    for each in (asked(PLACE.decode(), tokens=SIGNED)(""), written("PUT", PLACE.decode(), NAME, tokens=SIGNED)("")):
        pages.meet(record(harbour, each).exchange, visited=False)
    check = check_of(request, harbour, probe=PROBE, beside=pages)
    assert check is not None
    return drive_as(check, harbour)


def test_what_one_change_says_of_the_owner_holds_for_another() -> None:
    harbour = Harbour(("ann",))
    verdict = run(harbour).verdict
    assert verdict.outcome is Outcome.VULNERABLE
    assert verdict.proof is not None
    assert "PUT /boats/70331, another change of it" in verdict.proof.verified_by
    assert harbour.boat == {"id": 70331, "name": "Albatross", "berth": "North pier"}


@pytest.mark.parametrize("renames", [("ann", "ben", "ida"), ()])
def test_what_all_change_or_nobody_any_more_says_nothing(renames: tuple[str, ...]) -> None:
    harbour = Harbour(renames)
    assert run(harbour).verdict.outcome is Outcome.SAFE
    assert harbour.boat == {"id": 70331, "name": "Albatross", "berth": "North pier"}
