"""What refuses the other at the object's own address is not his elsewhere."""

import json

import pytest
from tests.core.testing.authorization.owners.test_owner_evidence import run
from tests.range.place import answer
from tests.range.tenants_store import caller, missing, unauthorized, written

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.verdict import Outcome

REEL = {"number": 48211, "material": "hemp rope", "length": "120 fathoms", "shelf": "row 14"}
EXPORT = written("POST", "/reels/export", b'{"reel_ids": [48211]}')("")


class Store:
    """One reel, which is ann's. guarded: its own address refuses others. checked: so does its export. shown: what the export tells."""

    def __init__(self, *, guarded: bool = True, checked: bool = False, shown: tuple[str, ...] = tuple(REEL)) -> None:
        self.guarded, self.checked, self.shown = guarded, checked, shown

    def __call__(self, request: Request) -> Response:
        name = caller(request)
        if not name:
            return unauthorized()
        if request.path.endswith(b"/export"):
            is_asked = json.loads(request.body).get("reel_ids") == [48211]
            is_told = is_asked and (name == "ann" or not self.checked)
            return answer({"rows": [{each: REEL[each] for each in self.shown}] if is_told else []})
        return answer(REEL) if request.path.endswith(b"/48211") and (name == "ann" or not self.guarded) else missing()


def test_what_refuses_him_at_its_own_address_is_not_his_by_its_number() -> None:
    told = run(EXPORT, "/reels/48211", application=Store())
    assert told.verdict.outcome is Outcome.VULNERABLE
    assert "/reels/48211, the address of the very object" in told.verdict.proof.verified_by


@pytest.mark.parametrize(
    ("store", "page"),
    [
        (Store(checked=True), "/reels/48211"),
        (Store(guarded=False), "/reels/48211"),
        (Store(shown=("number", "material")), "/reels/48211"),
        (Store(), "/ropes/48211"),
        (Store(), "/reels/48211/48212"),
    ],
    ids=["checked", "open to all", "little is told", "another kind", "another number"],
)
def test_else_nothing_is_claimed(store: Store, page: str) -> None:
    assert run(EXPORT, page, application=store).verdict.outcome is Outcome.SAFE
