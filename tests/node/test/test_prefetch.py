"""What is at hand is begun in its order, told of soon, and as much as the speed needs."""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.parts import EVERYTHING, OTHERS, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.node.test.prefetch import MOST, SECONDS, TELL_SECONDS, AtHand, Store, later_parts, of_work
from gatecrash.wire.work import Work


def baselines(count: int) -> list[Baseline]:
    return [Baseline(f"bl_{number}", Exchange(Request("GET", b"/"))) for number in range(count)]


def filled(count: int, places: int = 4) -> Store:
    store = Store(places)
    store.put(map(AtHand, baselines(count)))
    return store


def test_they_come_in_the_order_of_testing_each_once() -> None:
    store = filled(2)
    store.put(map(AtHand, baselines(3)))
    store.began(baselines(2)[1], 0.0)
    taken = [store.take(0.0), store.take(0.0), store.take(0.0)]
    assert [one and one.baseline.id for one in taken] == ["bl_0", "bl_2", None]
    assert len(store) == 0


def test_as_many_are_wanted_as_began_within_a_second_and_one_at_least() -> None:
    store = filled(0)
    assert store.wanted(0.0) == 1
    for each in baselines(9):
        store.began(each, 0.0)
    assert store.wanted(0.5) == 9
    assert store.wanted(SECONDS) == 1
    for each in baselines(2 * MOST):
        store.began(each, 2.0)
    assert store.wanted(2.0) == MOST
    assert filled(0, places=0).wanted(0.0) == 0, "who tests nothing wants nothing"


def test_more_is_asked_for_when_half_is_used() -> None:
    for count, is_low in ((2, False), (1, True)):
        store = filled(count)
        for number in range(4):
            store.began(Baseline(f"bl_begun_{number}", Exchange(Request("GET", b"/"))), 0.0)
        assert store.is_low(0.0) is is_low


def test_what_began_without_asking_is_told_in_time() -> None:
    store = filled(3)
    assert store.untold(0.0) is None
    store.take(1.0)
    store.take(1.1)
    assert store.untold(1.0) == TELL_SECONDS
    store.told(at=0.9)
    assert store.untold(1.0) is not None, "that claim was written before"
    store.told(at=1.2)
    assert store.untold(1.2) is None


def test_what_is_told_of_a_baseline_stays_with_it() -> None:
    parts = (("bl_0", 0, 0, 0), ("bl_1", 0, 3, 0), ("bl_2", 4, 3, 7), ("bl_3", 2, 0, 5), ("bl_4", 3, 3, 9))
    told = Work(public=("bl_1",), belated=(("bl_2", 7), ("bl_3", 5)), parts=parts)
    given = of_work(told, baselines(5))
    assert [one.is_public for one in given] == [False, True, False, False, False]
    assert [(one.todo, one.spent) for one in given] == [
        (Todo(up_to=Pass.TELLING), 0),
        (EVERYTHING, 0),
        (OTHERS, 7),
        (Todo(2, Pass.TELLING, belated=True), 5),
        (Todo(3), 9),
    ]


def test_nothing_is_put_off_where_the_control_plane_knows_no_parts() -> None:
    given = of_work(Work(belated=(("bl_1", 7),)), baselines(2))
    assert [(one.todo, one.spent) for one in given] == [(EVERYTHING, 0), (OTHERS, 7)]


def test_a_claim_names_those_that_are_had_for_a_later_part() -> None:
    store = Store(2)
    store.put(of_work(Work(parts=(("bl_0", 0, 0, 0), ("bl_1", 1, 1, 3))), baselines(2)))
    assert store.parts == {"bl_0": 0, "bl_1": 1}
    assert later_parts(store.parts) == (("bl_1", 1),)
