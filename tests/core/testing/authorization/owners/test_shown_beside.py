"""Identifiers of others in pages that show the caller's own, and what they lead to, asked by one identity alone."""

import pytest
from tests.core.testing.probes.as_tenants import runs_as
from tests.range.place import PLACES, Place, answer
from tests.range.tenants_shown import CARS, eva

from gatecrash.core.testing.authorization.owners.shown_beside import Shown, is_kept, tells_whereabouts
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

HERE = [place for place in PLACES if place.path.startswith("/tenants-shown/")]


@pytest.mark.parametrize("place", HERE, ids=str)
def test_place(place: Place):
    (run,) = runs_as(place.requests[0], PROBE, alone=True)
    assert run.verdict.outcome is (Outcome.VULNERABLE if place.flaw else Outcome.SAFE), run.verdict.detail


def test_a_finding_says_which_page_shows_them_and_asks_for_no_more_than_four():
    (run,) = runs_as(eva("/notes/diary-eva")("/tenants-shown/secrets-behind-a-list"), PROBE, alone=True)
    assert "Identifiers that /tenants-shown/secrets-behind-a-list/notes shows" in run.verdict.proof.verified_by
    assert run.verdict.proof.test.request.path.rpartition(b"/")[2] in (b"diary-ben", b"diary-max")
    own = next(car for car, name in CARS.items() if name == "eva").encode()
    (refused,) = runs_as(eva(f"/cars/{own.decode()}/location")("/tenants-shown/leaked-and-guarded"), PROBE, alone=True)
    others = [asked for asked in refused.sent if b"/location" in asked.request.path and own not in asked.request.path]
    assert 1 <= len(others) <= 4


def test_whereabouts_are_somebodys_where_he_is_named():
    assert tells_whereabouts(answer({"latitude": 52.1, "email": "ann@x.example"}))
    assert not tells_whereabouts(answer({"latitude": 52.1, "city": "Ulm"}))
    assert not tells_whereabouts(answer({"full_name": "Ann Marsh", "email": "ann@x.example"}))


def test_what_its_own_list_shows_must_be_a_secret():
    there = answer({"latitude": 52.1, "email": "ann@x.example"})
    assert is_kept(there, frozenset(), Shown("7", "/posts", spoken_of=True))
    assert not is_kept(there, frozenset(), Shown("7", "/cars", spoken_of=False))
    assert is_kept(answer({"balance": 5}), frozenset(), Shown("7", "/accounts", spoken_of=False))
