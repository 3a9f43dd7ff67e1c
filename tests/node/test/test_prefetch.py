"""What is at hand is begun in its order, told of soon, and as much as the speed needs."""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.parts import Todo
from gatecrash.node.test.prefetch import MOST, SECONDS, TELL_SECONDS, AtHand, Store, of_work
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
    told = Work(public=("bl_1",), belated=(("bl_2", 7), ("bl_3", 5)), resumed=(("bl_3", 5), ("bl_4", 9)))
    given = of_work(told, baselines(5))
    assert [one.is_public for one in given] == [False, True, False, False, False]
    assert [(one.todo, one.spent, one.in_parts) for one in given] == [
        (Todo.ALL, 0, True),
        (Todo.ALL, 0, True),
        (Todo.OTHERS, 7, False),
        (Todo.OTHERS_AND_LATE, 5, True),
        (Todo.LATE, 9, False),
    ]


def test_nothing_is_put_off_where_the_control_plane_knows_no_parts() -> None:
    assert not any(one.in_parts for one in of_work(Work(), baselines(2)))


def test_what_was_put_off_of_a_baseline_is_named_apart() -> None:
    store = Store(2)
    store.put(of_work(Work(resumed=(("bl_1", 3),)), baselines(2)))
    assert (store.names, store.resumed) == (("bl_0", "bl_1"), ("bl_1",))
