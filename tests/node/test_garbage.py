"""What was there before is not searched again, and what is made later still is."""

import gc

from gatecrash.node.garbage import collect_seldom
from gatecrash.node.test.collection import RARELY


class Ring:
    """Something in a cycle with itself."""

    def __init__(self) -> None:
        self.me = self


def test_garbage_is_looked_for_seldom_and_still_found() -> None:
    before = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_threshold() == RARELY
        assert gc.get_freeze_count() > 1000
        for _ in range(RARELY[0] * 3):
            Ring()
        # Python 3.12 and later look at the next safe point, so that a few more have been made by then.
        assert sum(isinstance(each, Ring) for each in gc.get_objects()) <= RARELY[0] + 10
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
