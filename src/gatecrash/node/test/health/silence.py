"""Hears, among the answers to one baseline's tests, that its session may have ended without a word.

A payload may be answered by an error or by nothing, too, so one answer of another form than the recorded one says
little; the same again and again says that the session is to be looked after. What is known to be the target's answer to
nobody says so at once.
"""

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.health.nobody import Face, face_of, has_changed

FIRST_ALARM = 4
"""So many of one face in a row, where it is not known to be nobody's."""
MOST_FACES = 20
MOST_DOUBLED = 8
MOST_LATEST = 6


class Faces:
    """What nobody is answered at the origins of one run."""

    def __init__(self) -> None:
        """Nobody was asked for yet."""
        self._known: dict[str, set[Face]] = {}

    def of(self, request: Request) -> set[Face]:
        """At the request's origin."""
        return self._known.get(request.origin, set())

    def learn(self, request: Request, face: Face) -> None:
        """Whoever's session is over is answered so there."""
        known = self._known.setdefault(request.origin, set())
        if len(known) < MOST_FACES:
            known.add(face)


class Silence:
    """One baseline's. missed: whether answers of a dead session went to the tests."""

    def __init__(self, faces: Faces) -> None:
        """Nothing was answered yet."""
        self.missed = False
        self._faces = faces
        self._alarms = 0
        self._row = 0
        self._last: Face | None = None
        # The latest answers, each with its face, None where it has the form of the recorded one; and that.
        self._latest: dict[int, tuple[Response, Face | None]] = {}
        self._good: Response | None = None
        self._passed: set[Face] = set()

    @property
    def suspects(self) -> bool:
        """Whether tests were answered in another form, since the session was last seen alive."""
        return bool(self._passed)

    def hears(self, good: Response | None, request: Request, response: Response) -> bool:
        """Whether it is time to ask whether the session lives. good: what the recorded request was answered."""
        # Most answers came before, and have the form of the recorded one.
        known = self._latest.get(id(response)) if good is self._good else None
        face = known[1] if known is not None else self._face(good, request, response)
        if face is None:
            self._row, self._last = 0, None
            return False
        self._row = self._row + 1 if face == self._last else 1
        self._last = face
        is_nobodys = face in self._faces.of(request)
        if self._row >= (1 if is_nobodys else FIRST_ALARM) << self._alarms:
            return True
        if len(self._passed) < MOST_FACES:
            self._passed.add(face)
        return False

    def _face(self, good: Response | None, request: Request, response: Response) -> Face | None:
        """The face of an answer in another form than the recorded one; None of every other.

        One that is the same to the byte is the same object: it repeats nothing of what it was asked with.
        """
        if good is not self._good or len(self._latest) >= MOST_LATEST:
            self._good = good
            self._latest.clear()
        face = face_of(request, response) if has_changed(good, response) else None
        self._latest[id(response)] = (response, face)
        return face

    def was_alive(self) -> None:
        """It was asked for in vain; the next time later."""
        self._alarms = min(self._alarms + 1, MOST_DOUBLED)
        self._row = 0
        self._passed.clear()

    def was_dead(self, request: Request) -> None:
        """It was not; what had passed as the target's opinion may be nobody's. request: the baseline's."""
        self.missed = self.missed or not self._passed.isdisjoint(self._faces.of(request))
        self._alarms = self._row = 0
        self._passed.clear()

    def begin(self) -> None:
        """Tests are made again."""
        self.missed = False
        self._passed.clear()
