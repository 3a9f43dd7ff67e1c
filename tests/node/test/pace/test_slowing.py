"""Requests go slower to a host that bans who asks too quickly, and as quickly as before where that is no help."""

from gatecrash.node.test.pace.slowing import MOST_SLOWINGS, SLOWEST, Slowing


def banned_after(slowing: Slowing, answers: int, since: float, seconds: float) -> float:
    """A ban that comes after so many answers and seconds; when it is over."""
    for number in range(answers):
        slowing.heard(lambda now=since + seconds * number / answers: now)
    slowing.banned(since + seconds)
    slowing.lifted(since + seconds + 10)
    return since + seconds + 10


def rps(slowing: Slowing) -> int | None:
    """So many requests a second are let through."""
    if slowing.pacer is None:
        return None
    start, count = 1e6, 0
    while slowing.pacer.reserve(start, "") < 1.0:
        count += 1
    return count


def test_each_ban_makes_it_slower_until_that_is_no_help() -> None:
    slowing, now = Slowing(), 0.0
    assert slowing.pacer is None
    rates = []
    for _ in range(MOST_SLOWINGS + 1):
        now = banned_after(slowing, 400, now, 2.0)
        rates.append(rps(slowing))
    assert rates[0] is not None
    assert rates[1] is not None
    assert 200 > rates[0] > rates[1] >= SLOWEST
    assert rates[2] is None


def test_a_ban_that_is_put_off_by_slowness_makes_it_slower_still() -> None:
    slowing = Slowing()
    now = banned_after(slowing, 400, 0.0, 2.0)
    for answers in (1000, 2500, 6000):
        now = banned_after(slowing, answers, now, 100.0)
        assert slowing.pacer is not None


def test_it_is_never_slower_than_most_bans_are_worth() -> None:
    slowing = Slowing()
    banned_after(slowing, 10, 0.0, 10.0)
    assert (rps(slowing) or 0) >= SLOWEST - 1
