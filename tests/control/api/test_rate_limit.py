import threading

from gatecrash.control.api.rate_limit import RateLimit


def test_no_minute_holds_more_than_the_limit() -> None:
    limit = RateLimit(3)
    times = [0.0, 10.0, 59.0]
    assert [limit.wait("t", now) for now in times] == [0, 0, 0]
    assert limit.wait("t", 59.5) == 1
    assert limit.wait("t", 60.0) == 0
    assert limit.wait("t", 60.0) == 10


def test_each_token_has_a_limit_of_its_own_and_a_refused_request_is_not_counted() -> None:
    limit = RateLimit(1)
    assert limit.wait("a", 0) == 0
    assert [limit.wait("a", now) for now in (1, 30, 59)] == [59, 30, 1]
    assert limit.wait("b", 1) == 0
    assert limit.wait("a", 60) == 0


def test_zero_is_no_limit() -> None:
    assert {RateLimit(0).wait("a", 0) for _ in range(5000)} == {0}


def test_threads_at_once_pass_exactly_as_often_as_allowed() -> None:
    limit = RateLimit(100)
    passed: list[int] = []

    def call() -> None:
        passed.extend(1 for _ in range(100) if limit.wait("t", 5.0) == 0)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 100
