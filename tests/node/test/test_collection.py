"""Collections are rare for as long as one run is tested, and as before when none is."""

import gc

from gatecrash.node.test.collection import RARELY, rarely_collected


def test_the_last_one_out_restores_what_was() -> None:
    before = gc.get_threshold()
    first, second = rarely_collected(), rarely_collected()
    with first:
        assert gc.get_threshold() == RARELY
        second.__enter__()
    # The one who came second is still at work.
    assert gc.get_threshold() == RARELY
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before != RARELY


def test_an_error_restores_it_too() -> None:
    before = gc.get_threshold()
    try:
        with rarely_collected():
            int("x")
    except ValueError:
        pass
    assert gc.get_threshold() == before
