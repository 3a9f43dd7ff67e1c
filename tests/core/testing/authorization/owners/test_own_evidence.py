"""Whose a card of a board is to change, driven as two who write cards."""

import msgspec
import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range import tenants_boards
from tests.range.place import PLACES, Place, respond

from gatecrash.core.testing.authorization.callers.oneself import WROTE
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

BOARDS = [each for each in PLACES if each.handler.__module__ == tenants_boards.__name__]


@pytest.mark.parametrize("place", BOARDS, ids=str)
def test_what_both_work_at_on_one_board_is_no_ones_alone(place: Place) -> None:
    pages = Pages()
    for each in place.beside:
        pages.add(record(respond, each).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    assert (drive_as(check, respond).verdict.outcome is Outcome.VULNERABLE) is place.flaw


@pytest.mark.parametrize("wrote", ["PATCH /tenants-boards/of-another-board/cards/83131", "PATCH /cards"])
def test_who_did_the_same_to_it_in_the_record_may_do_so(wrote: str) -> None:
    (place,) = [each for each in BOARDS if each.path.endswith("of-another-board")]
    pages = Pages()
    pages.add(record(respond, place.beside[0]).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    own, ben, *others = check.planned.identities
    known = msgspec.structs.replace(ben, known=(*ben.known, f"{WROTE}{wrote}"))
    check = msgspec.structs.replace(
        check, planned=msgspec.structs.replace(check.planned, identities=(own, known, *others))
    )
    assert (drive_as(check, respond).verdict.outcome is Outcome.SAFE) is wrote.endswith("83131")
