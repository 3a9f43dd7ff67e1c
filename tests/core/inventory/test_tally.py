"""Numbers that grow: in whatever portions they come, the sum is the same."""

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.agents import FAMILIES
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.notes import NoteKind
from gatecrash.core.inventory.tally import MOST_NOTES, MOST_WITHOUT, Seen, Tally
from gatecrash.core.point import Point

KEY = EndpointKey("rest", "GET", "h", "/")
POINT = Point.of("header", "AUTHORIZATION")


def seen(status=200, *, valid=False, family="curl", second=7200, notes=()):
    found = (Recognised(AuthType.BEARER, POINT, valid),)
    return Seen("GET", "h", b"/", second, status, found, valid, family, notes)


def tallied(stream):
    tally = Tally(stream[0].second)
    for one in stream:
        tally.add(one)
    return tally


many = st.lists(
    st.builds(
        lambda status, valid, family, second, noted: seen(
            status,
            valid=valid,
            family=family,
            second=second,
            notes=((NoteKind.JWT_ALG_NONE, POINT),) if noted else (),
        ),
        st.sampled_from([None, 200, 302, 401, 403, 500, 999]),
        st.booleans(),
        st.sampled_from(FAMILIES),
        st.integers(7200, 10799),
        st.booleans(),
    ),
    min_size=1,
    max_size=60,
)


def test_refused_and_authenticated_are_counted_apart_and_together():
    hour = tallied([seen(401), seen(401, valid=True), seen(403, valid=True), seen(200, valid=True)]).report(2, KEY)
    assert (hour.requests, hour.authenticated, hour.refused, hour.authenticated_refused) == (4, 3, 3, 2)


def test_without_answers_nothing_is_known_of_refusals():
    hour = tallied([seen(None, valid=True), seen(None)]).report(2, KEY)
    assert (hour.refused, hour.authenticated_refused) == (None, None)
    assert [(row.family, row.status, row.requests) for row in hour.without] == [("curl", 0, 1)]


@given(many)
def test_who_is_without_adds_up_in_twenty_rows_at_most(stream):
    hour = tallied(stream).report(2, KEY)
    assert sum(row.requests for row in hour.without) == hour.requests - hour.authenticated
    assert len(hour.without) <= MOST_WITHOUT
    assert len({(row.family, row.status) for row in hour.without}) == len(hour.without)
    assert all(0 <= row.status <= 5 and hour.first_seen <= row.first_seen <= row.last_seen for row in hour.without)


@given(many, many)
def test_merging_two_is_counting_both(first, second):
    merged = tallied(first)
    merged.merge(tallied(second))
    whole = tallied(first + second)
    one, other = merged.report(2, KEY), whole.report(2, KEY)
    assert (one.requests, one.authenticated, one.refused, one.statuses) == (
        other.requests,
        other.authenticated,
        other.refused,
        other.statuses,
    )
    assert one.authenticated_refused == other.authenticated_refused
    assert (one.first_seen, one.last_seen, one.notes) == (other.first_seen, other.last_seen, other.notes)
    assert sum(row.requests for row in one.without) == sum(row.requests for row in other.without)
    assert len(one.without) <= MOST_WITHOUT


def test_notes_are_bounded():
    tally = Tally(7200)
    for number in range(2 * MOST_NOTES):
        tally.add(seen(valid=True, notes=((NoteKind.CREDENTIAL_IN_QUERY, Point.of("get", f"k{number}")),)))
    assert len(tally.report(2, KEY).notes) == MOST_NOTES
