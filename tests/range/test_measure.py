"""The measurement itself: bounds, what counts as found and as false, and a few places tested as a node does."""

import pytest

from gatecrash.core.message import Request, Response
from tests.range.__main__ import enough
from tests.range.measure import Line, Trial, measure, places, tally, upper_bound
from tests.range.place import Place

ASKED = Request("GET", b"/x")


def place(type_: str, *, flaw: bool, also: tuple[str, ...] = ()) -> Place:
    return Place(type_, flaw, "/x", lambda _: Response(200), (ASKED,), also)


def trial(where: Place, *claimed: str) -> Trial:
    return Trial(where, ASKED, frozenset(claimed), True, {"sqli": 3})


@pytest.mark.parametrize(
    ("seen", "of", "bound"),
    # Clopper and Pearson's one-sided limits at 95%: 1 - 0.05 ** (1 / n) for none, tables for the others.
    [(0, 1, 0.95), (0, 10, 0.2589), (0, 300, 0.00994), (1, 10, 0.3942), (2, 100, 0.0616), (5, 5, 1.0), (0, 0, 1.0)],
)
def test_the_bound_beside_what_was_seen(seen, of, bound):
    assert upper_bound(seen, of) == pytest.approx(bound, abs=0.0005)


def test_a_claim_of_another_class_is_false_even_at_a_flaw():
    lines = tally(
        [
            trial(place("sqli", flaw=True), "sqli", "xss"),
            trial(place("sqli", flaw=True)),
            trial(place("sqli", flaw=False), "sqli"),
            trial(place("xss", flaw=False, also=("sqli",)), "sqli"),
            trial(place("xss", flaw=True), "xss"),
        ]
    )
    assert (lines["sqli"].found, lines["sqli"].flaws, lines["sqli"].false, lines["sqli"].sound) == (1, 2, 1, 2)
    assert (lines["xss"].found, lines["xss"].false, lines["xss"].sound) == (1, 1, 4)
    assert lines["sqli"].requests == 15


def test_what_is_replayed_is_counted_apart():
    replayed = Place("sqli", True, "/x", lambda _: Response(200), (ASKED,), replayed=True)
    line = tally([trial(replayed, "sqli"), trial(replayed), trial(place("sqli", flaw=True), "sqli")])["sqli"]
    assert (line.found, line.flaws, line.replayed_found, line.replayed) == (1, 1, 1, 2)
    assert enough(Line(flaws=20, found=19))
    assert not enough(Line(flaws=20, found=18))
    assert not enough(Line(flaws=20, found=20, replayed=3, replayed_found=2))


def test_places_are_measured_over_real_connections_by_the_nodes_own_trials():
    chosen = [each for each in places() if each.path.startswith("/redirects/") and not each.missed]
    line: Line = tally(measure(chosen, first_only=True))["redir"]
    assert (line.found, line.false) == (line.flaws, 0)
    assert line.flaws > 5
    assert line.sound > 5


def test_every_flaw_has_twins():
    for type_ in {each.type for each in places() if each.flaw}:
        twins = sum(len(each.requests) for each in places() if each.type == type_ and not each.flaw)
        assert twins >= 2, type_


@pytest.mark.soak
def test_the_whole_range_is_found_and_nothing_else_is_claimed():
    lines = tally(measure(places()))
    wrong = [text for line in lines.values() for text in line.wrong]
    assert not wrong, "\n".join(wrong)
