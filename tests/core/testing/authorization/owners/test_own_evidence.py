"""Whose a card of a board is to change, driven as two who write cards."""

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range import tenants_boards
from tests.range.place import PLACES, Place, respond

from gatecrash.core.testing.pages import Pages
from gatecrash.core.testing.probes.idor_write import PROBE
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
