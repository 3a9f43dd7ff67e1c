"""The listener as a testing process sees it: it plants and is told, and never listens itself."""

from tests.node.processes.test_planted import EXCHANGE, HIT, LURE

from gatecrash.core.testing.out_of_band import Listening
from gatecrash.node.processes.lane_lures import LaneListener, LaneLures
from gatecrash.node.processes.messages import Letter, LureAnswered, LureClosed, Planted


def test_every_step_of_a_lure_is_told_to_the_main_process() -> None:
    posted: list[Letter] = []
    lures = LaneLures(lambda *_: None, posted.append)
    listener = LaneListener(Listening(host="127.0.0.1", port=1), 2.0, lures)
    listener.lures.plant(LURE, "tr_1", 3, "bl_1", EXCHANGE)
    listener.lures.answered(LURE.name, EXCHANGE)
    listener.lures.close(LURE.name, decided=True)
    assert posted == [
        Planted(LURE, "tr_1", 3, "bl_1", EXCHANGE),
        LureAnswered(LURE.name, EXCHANGE),
        LureClosed(LURE.name, decided=True),
    ]


def test_who_comes_after_the_dialogue_is_not_told_here() -> None:
    late: list[object] = []
    lures = LaneLures(lambda *told: late.append(told), lambda _: None)
    lures.plant(LURE, "tr_1", 3, "bl_1", EXCHANGE)
    lures.close(LURE.name, decided=False)
    assert lures.hear(HIT) is None
    assert late == []
    assert not lures.awaits, "nothing of a dialogue that is over is kept here"
