"""Safe requests that answered well in the sessions of a run: whoever may not ask his own again asks one of them.

A page that everybody is shown tells nothing of a session, so those that were found to answer nobody otherwise are taken first.
"""

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.point import Point

MOST_SESSIONS = 200
"""Recorded credentials may be as many as baselines: a signature is a new one for each."""
MOST_OF_ONE = 4


class Known(msgspec.Struct, frozen=True):
    """One of them. credentials: where it holds what it was recorded with. tells: nobody was answered otherwise."""

    exchange: Exchange
    credentials: tuple[Point, ...] = ()
    tells: bool = False


class KnownGood:
    """By whose session they answered in."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._known: dict[object, tuple[Known, ...]] = {}

    def remember(self, whose: object, exchange: Exchange, credentials: tuple[Point, ...] = ()) -> None:
        """The last ones of the last sessions."""
        kept = self._known.get(whose, ())
        if kept and any(one.exchange is exchange for one in kept):
            return
        # One that tells stays, whatever comes.
        telling = [one for one in kept if one.tells][: MOST_OF_ONE - 1]
        others = [one for one in kept if not one.tells]
        room = MOST_OF_ONE - len(telling) - 1
        self._known[whose] = (*telling, Known(exchange, credentials), *others[:room])
        if len(self._known) > MOST_SESSIONS:
            del self._known[next(iter(self._known))]

    def of(self, whose: object) -> tuple[Known, ...]:
        """Those that tell, then the latest."""
        return self._known.get(whose, ())

    def note(self, whose: object, known: Known) -> None:
        """Nobody is answered otherwise than this session was."""
        rest = tuple(one for one in self.of(whose) if one.exchange is not known.exchange)
        self._known[whose] = (msgspec.structs.replace(known, tells=True), *rest)

    def forget(self, whose: object, known: Known) -> None:
        """A living session is answered as nobody is."""
        self._known[whose] = tuple(one for one in self.of(whose) if one.exchange is not known.exchange)

    def all(self) -> tuple[Known, ...]:
        """Whosever."""
        return tuple(one for each in self._known.values() for one in each)
