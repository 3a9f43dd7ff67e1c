"""What tells that a host has banned whoever tests it: it answers in the ban's way what it answered well before.

Firewalls, limiters and log watchers ban an address for some minutes after many requests, or after some that look like
attacks. From then on everything is answered alike: 403, 401, a page with a captcha, a closed connection. One such answer may as
well be the application's own word on one request, so a request that was answered well is asked again: the witness.

Pure: who asks, waits and sends again is `node/test/health/bans.py`.
"""

import re
from functools import lru_cache

import msgspec

from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR
from gatecrash.core.testing.addresses.page_paths import steps_in_common
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.remembering import remembered

CLOSED = "closed"
"""The failure of a connection that was taken, and closed without an answer."""

FIRST_WORTH, MOST_WORTH = 2, 4
"""So many answers of one face in a row are worth a question to the witness: twice as many after each in vain."""

OF_ONE_ADDRESS = 12
"""The same where all of them came from one address, which has reasons of its own to refuse."""

MOST_FACES = 100
"""Of a target that refuses everything, each time in other words, no more are remembered: a ban says the same."""

MOST_FACELESS = 16
"""Answers that no ban gave, of which it is known: so many baselines are tested at once, and each is answered much the same."""

_STATUSES = frozenset({401, 403, 406, 418, 423, 444, 451, 493, 999})
# Where those are sent who are to go away, or to show that they are people.
_TO_BAN = re.compile(rb"block|\bban|captcha|challenge|denied|forbidden|abuse|limit|verify|human|sorry", re.IGNORECASE)
# Said under a good status. A form that everybody is shown may say it as well: the witness tells.
_SAID = re.compile(
    rb"captcha|unusual traffic|too many (?:requests|attempts)|(?:are|you're|not) (?:you )?(?:a )?(?:human|robot)|(?:been|are|is|temporarily) "
    rb"(?:blocked|banned|suspended)|suspicious (?:activity|traffic)|checking your browser|just a moment"
)
# One of these is in whatever the expression finds; a plain look is many times as fast.
_HINTS = (
    b"captcha",
    b"traffic",
    b"too many",
    b"human",
    b"robot",
    b"blocked",
    b"banned",
    b"suspend",
    b"suspicious",
    b"your browser",
    b"a moment",
)
_LOOKED_AT = 3000
# An incident's number, a time, the caller's address: what moves in a ban's answers.
_MOVES = re.compile(rb"[0-9a-f]{6,}|\d+", re.IGNORECASE)
_DRESSED = re.compile(rb"cookie|auth|token|key|session|secret|signature", re.IGNORECASE)
_BETWEEN = re.compile(rb"[&;=]")
_SHORT = 16
# A witness holds no payload: it is asked again and again.
_PLAIN = re.compile(rb"[\w/.,:@?=&~+-]*")
_STATIC = re.compile(rb"\.(?:js|css|png|jpe?g|gif|svg|ico|woff2?|map|txt|json|xml)$", re.IGNORECASE)

Face = tuple[int, bytes]
"""What all answers of one ban have in common."""

CUT: Face = (0, b"")
"""That of closed connections."""


def face_of(response: Response | None, failure: str = "") -> Face | None:
    """The face of an answer that a ban may have given; None of every other."""
    if response is None:
        return CUT if failure == CLOSED else None
    status = response.status
    if status >= FIRST_ERROR:
        return (status, _settled(response.body)) if status in _STATUSES else None
    if status >= FIRST_REDIRECT:
        path = (response.first(b"Location") or b"").partition(b"?")[0]
        return (status, _settled(path)) if _TO_BAN.search(path) else None
    return (status, _settled(response.body)) if _says_so(response) else None


@remembered
def _says_so(response: Response) -> bool:
    said = response.body[:_LOOKED_AT].lower()
    return any(hint in said for hint in _HINTS) and _SAID.search(said) is not None


def _settled(text: bytes) -> bytes:
    return _MOVES.sub(b"", text[:_LOOKED_AT])


def is_dressed(request: Request) -> bool:
    """Whether a request may carry credentials, so that being refused may be its session's end."""
    if _are_dressed(request.headers) or _DRESSED.search(request.target) is not None:
        return True
    # A session under another name, as `?sid=…`, is known by its look.
    query = request.query or b""
    return len(query) > _SHORT and any(looks_random(part) for part in _BETWEEN.split(query))


@lru_cache(64)  # asked of every answer, about the headers of a few baselines
def _are_dressed(headers: Headers) -> bool:
    return any(_DRESSED.search(name) for name, _ in headers)


def undressed(request: Request) -> Request:
    """The request without headers that may hold credentials."""
    headers = tuple((name, value) for name, value in request.headers if not _DRESSED.search(name))
    return msgspec.structs.replace(request, headers=headers)


class _Row(msgspec.Struct):
    """Answers of one face in a row. first: the address of the first of them; several: whether any came from another."""

    first: bytes
    count: int = 0
    several: bool = False

    def note(self, path: bytes) -> None:
        """One more."""
        self.count += 1
        self.several = self.several or path != self.first


class Suspicion:
    """What one host's answers tell. known: its answers by now. public, dressed: the witnesses, without credentials and with some.

    seconds: by whether it is dressed, another witness, whose path has less in common with the first's than any
    other. A thing that was locked or withdrawn in the meantime is refused to everybody, with all below it; a ban refuses both.

    face = suspicion.note(exchange, failure)  of an answer that is worth a question to the witness
    suspicion.clear(face)                               the witness was answered well
    suspicion.change_dressed()                          another is asked with credentials next
    """

    def __init__(self) -> None:
        """Nothing was answered yet."""
        self.known = 0
        self.public: Request | None = None
        self.dressed: Request | None = None
        self.seconds: dict[bool, Request] = {}
        self._spared: set[bytes] = set()
        # By face: those that came without an ordinary answer between them; so many are worth a question.
        self._in_a_row: dict[Face, _Row] = {}
        self._worth: dict[Face, int] = {}
        # How many answers were known when the last of them came.
        self._last = 0
        # The latest answers without a face, each held, so that no other has its identity: they come again and again.
        self._faceless: dict[int, Response] = {}

    @property
    def has_witness(self) -> bool:
        """Whether anything was answered well before."""
        return self.public is not None or self.dressed is not None

    @property
    def is_open(self) -> bool:
        """Whether answers came that a ban may have given, and nothing since then that says otherwise."""
        return bool(self._in_a_row)

    def spare(self, request: Request) -> None:
        """Never take this request for a witness."""
        if is_safe(request):
            self._spared.add(request.path)

    def note(self, exchange: Exchange, failure: str = "", asked: int | None = None) -> Face | None:
        """One answer; its face, where the witness is to be asked now. asked: how many were known when its request was sent."""
        self.known += 1
        request, response = exchange.request, exchange.response
        face = None if id(response) in self._faceless else self._face(response, failure)
        if face is None:
            if response is not None and response.status < FIRST_SERVER_ERROR:
                self._ordinary(request, response, self.known if asked is None else asked)
            return None
        self._last = self.known
        if face not in self._in_a_row and len(self._in_a_row) == MOST_FACES:
            self._in_a_row.clear()
        row = self._in_a_row.setdefault(face, _Row(request.path))
        row.note(request.path)
        return face if self.has_witness and row.count >= self._needed(face, row) else None

    def _face(self, response: Response | None, failure: str) -> Face | None:
        face = face_of(response, failure)
        if face is None and response is not None:
            if len(self._faceless) >= MOST_FACELESS:
                self._faceless.clear()
            self._faceless[id(response)] = response
        return face

    def _needed(self, face: Face, row: _Row) -> int:
        worth = self._worth.get(face, FIRST_WORTH)
        return worth if row.several else max(worth, OF_ONE_ADDRESS)

    def pending(self) -> Face | None:
        """The face of what came last in a row, though it was not worth a question yet.

        Where the witness has a session, only that of several addresses: one has reasons of its own.
        """
        if not self.has_witness:
            return None
        rows = self._in_a_row.items()
        return next((face for face, row in rows if self.public is not None or row.several), None)

    def clear(self, face: Face) -> None:
        """The witness says that this face is no ban's: more of it are needed for the next question."""
        self._worth[face] = min(MOST_WORTH, 2 * self._worth.get(face, FIRST_WORTH))
        self._in_a_row.clear()

    def over(self) -> None:
        """A ban is over: what comes next is looked at closely."""
        self._worth.clear()
        self._in_a_row.clear()

    def change_dressed(self) -> None:
        """The witness with credentials and its second change places, where there is one."""
        if self.dressed is not None and (second := self.seconds.get(True)) is not None:
            self.dressed, self.seconds[True] = second, self.dressed

    def _ordinary(self, request: Request, response: Response, asked: int) -> None:
        if self._in_a_row and asked >= self._last:  # what was asked before says nothing of what holds since
            self._in_a_row.clear()
        if response.status >= FIRST_REDIRECT:
            return
        # Asked of every answer: where there are such witnesses already, the cheapest questions come first.
        if self.public is not None and not self._is_wanted(request, dressed=False):
            return
        if _are_dressed(request.headers) and not self._is_wanted(request, dressed=True):
            return
        dressed = is_dressed(request)
        if not self._is_wanted(request, dressed=dressed):
            return
        if not _PLAIN.fullmatch(request.target) or _STATIC.search(request.path) or request.path in self._spared:
            return
        if not is_safe(request) or destroys(request) is not None:
            return
        if (self.dressed if dressed else self.public) is not None:
            self.seconds[dressed] = request
        elif dressed:
            self.dressed = request
        else:
            self.public = request

    def _is_wanted(self, request: Request, *, dressed: bool) -> bool:
        """Whether a request would be a better witness of its kind: the first, or a second that has less in common with it."""
        if dressed and self.public is not None:
            return False
        first = self.dressed if dressed else self.public
        if first is None:
            return True
        second = self.seconds.get(dressed)
        shared = steps_in_common(request.path, first.path)
        return request.path != first.path if second is None else shared < steps_in_common(second.path, first.path)
