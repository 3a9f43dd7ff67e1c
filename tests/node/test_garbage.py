"""What was there before is not searched again, and what is made later still is."""

import gc
import subprocess
import sys

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


def test_a_process_that_ends_soon_looks_for_garbage_seldom_and_not_at_its_end() -> None:
    ring = "class Ring:\n def __init__(self): self.me = self\n def __del__(self): print('found')"
    for asked, found in (("", "found\n"), ("import gatecrash.node.garbage as g; g.collect_hardly()", "")):
        done = subprocess.run(
            [sys.executable, "-c", f"{asked}\n{ring}\nRing()"], capture_output=True, text=True, check=True
        )
        assert done.stdout == found
