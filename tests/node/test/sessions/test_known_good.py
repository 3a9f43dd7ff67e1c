"""What answered well in a session: so many are kept, and those first that tell whether it lives."""

from tests.node.test.answering import get

from gatecrash.core.message import Exchange
from gatecrash.node.test.sessions.known_good import MOST_OF_ONE, MOST_SESSIONS, KnownGood


def test_so_many_sessions_are_remembered_and_no_more() -> None:
    made, exchange = KnownGood(), Exchange(get())
    for number in range(MOST_SESSIONS + 1):
        made.remember(number, exchange)
    assert made.of(0) == ()
    assert [one.exchange for one in made.of(1)] == [exchange]
    assert made.of("nobody") == ()


def test_what_tells_stays_and_comes_first() -> None:
    made = KnownGood()
    for number in range(3):
        made.remember("ann", Exchange(get(f"/{number}")))
    made.note("ann", made.of("ann")[1])
    for number in range(3, 9):
        made.remember("ann", Exchange(get(f"/{number}")))
    assert [one.exchange.request.target for one in made.of("ann")] == [b"/1", b"/8", b"/7", b"/6"]
    assert len(made.of("ann")) == MOST_OF_ONE
    made.forget("ann", made.of("ann")[0])
    assert not any(one.tells for one in made.of("ann"))
    made.remember("ann", made.of("ann")[0].exchange)
    assert len(made.of("ann")) == MOST_OF_ONE - 1, "what is there already is kept once"
