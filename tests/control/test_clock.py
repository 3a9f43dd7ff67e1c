import time

from gatecrash.control.clock import now


def test_now_is_a_whole_second_of_unix_time() -> None:
    before = time.time()
    assert int(before) <= now() <= time.time()
