"""Cookies that do not reach the application whole, and the coding in which they do.

Some parsers drop a cookie with a blank or a quote in it, others end its value at the blank and take what follows for another
cookie. What is seen of that once is asked for a coding that the application reads whole. Where all is answered alike,
what is asked for waits and calls goes as it is and coded.
"""

from collections.abc import Callable, Generator, Sequence
from functools import partial

from gatecrash.core.message import Request
from gatecrash.core.points.rewrite import remove
from gatecrash.core.points.writing import Writer
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.quoted_cookie import (
    CODINGS,
    ODD,
    Coding,
    in_all_ways,
    is_cookie,
    is_written_plain,
    percent_escaped,
)
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.difference import Fact, Reading, read, same_but_for_numbers, stable
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_Asking = Generator[TestRequest, Answer, bool]
# What any parser takes whole or ends at its blank: no word that stands in a statement or a list.
_BEHIND = b" bcdfg"


class CutCookie:
    """What one dialogue knows of how its cookie is read.

    is_usual: whether an answer says what the baseline says. basis: how the baseline was answered.
    """

    def __init__(
        self, situation: Situation, writer: Writer, is_usual: Callable[[Reading], bool], basis: Sequence[Reading]
    ) -> None:
        """Know nothing yet; nothing is asked where the point is no cookie, or is written with percent codes throughout."""
        self._situation = situation
        self._writer = writer
        self._is_usual = is_usual
        self._basis = basis
        # What a page that moves says each time with the cookie, and not without it.
        self._shown = frozenset[Fact]()
        self._coding: Coding | None = None
        self.may_be_cut = is_cookie(situation.point) and is_written_plain(situation.baseline.request, situation.point)

    def write(self, payload: bytes, *, raw: bool) -> Request:
        """The request with the payload as the application reads it whole. Raises as `rewrite` does."""
        if self._coding is not None:
            return self._writer.write(self._coding(payload), raw=True)
        return self._writer.write(payload, raw=raw)

    def is_cut(self, reading: Reading) -> _Asking:
        """Whether the payload answered so did not arrive whole, and one in another coding is: seen to once."""
        self.may_be_cut = False
        if self._is_usual(reading):
            memory, name = self._situation.memory, self._situation.point[-1]
            self._coding = yield from memory.once(f"coding of {name}", self._coding_that_tells)
        elif (yield from self._is_dropped(reading)) or (yield from self._ends_at_a_blank()):
            self._coding = yield from self._coding_that_is_read()
        return self._coding is not None

    def _is_dropped(self, reading: Reading) -> _Asking:
        """Whether the answer is the one to a request without the value: it was dropped on its way."""
        absent = yield from self._reading_of(remove(self._situation.baseline.request, self._situation.point))
        if same_but_for_numbers(absent, reading):
            return True
        shown = (yield from self._staying()) - absent.facts
        if shown and not shown & reading.facts:
            self._shown = shown
        return bool(self._shown)

    def _staying(self) -> Generator[TestRequest, Answer, frozenset[Fact]]:
        """What a page that moves says each time; nothing of one that stays, or that was seen once and may not be asked again."""
        request, known = self._situation.baseline.request, [*self._basis]
        if len(known) == 1 and is_safe(request):
            known.append((yield from self._reading_of(request)))
        staying = stable(known)
        return staying if any(each.facts != staying for each in known) else frozenset()

    def _reading_of(self, request: Request) -> Generator[TestRequest, Answer, Reading]:
        return read(response_of((yield from ask(request, "control"))))

    def _ends_at_a_blank(self) -> _Asking:
        """Whether the value is read as itself with more behind a blank: what stands before the blank is all that arrives."""
        return self._is_usual((yield from self._reading_of(self._writer.write(self._situation.value + _BEHIND))))

    def _coding_that_is_read(self) -> Generator[TestRequest, Answer, Coding | None]:
        for coding in CODINGS:
            if (yield from self._is_usual_in(coding, self._situation.value)):
                return coding
        return None

    def _coding_that_tells(self) -> Generator[TestRequest, Answer, Coding | None]:
        """The coding in which open quotes are answered otherwise than the value, where they are not as they are: all that
        such a cookie does may go well without it, too. All ways at once where percent escapes tell nothing either.
        """
        untold = False
        for coding in CODINGS:
            if (yield from self._is_usual_in(coding, self._situation.value + ODD)):
                untold = untold or coding is percent_escaped
            elif (yield from self._is_usual_in(coding, self._situation.value)):
                return coding
        return partial(in_all_ways, self._situation.point[-1].encode(errors="surrogateescape")) if untold else None

    def _is_usual_in(self, coding: Coding, value: bytes) -> _Asking:
        """Whether the value in this coding is answered as the baseline is."""
        reading = yield from self._reading_of(self._writer.write(coding(value), raw=True))
        return self._is_usual(reading) or (bool(self._shown) and self._shown <= reading.facts)
