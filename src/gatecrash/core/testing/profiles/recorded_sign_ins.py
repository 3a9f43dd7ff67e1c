"""Sessions that a record ends itself, or that are over when it is tested, and how their users sign in again.

Who signed out is out before the first test, and every test in what he left behind would be one as nobody. What let him in
stands in the record: the page with the form and its token, the name and the password. A run over the record signs in as he
did. Where no session was ended, and none was found dead at the target, the recorded ones serve, and nobody signs in.
"""

from collections import deque
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from gatecrash.core.auth.set_cookie import taken_back
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, refusal
from gatecrash.core.testing.profiles.begun_anew import begun_anew
from gatecrash.core.testing.profiles.entrance import handed_on, opaque_texts, registers, token_in
from gatecrash.core.testing.profiles.known_passwords import password_sent, password_set
from gatecrash.core.testing.profiles.login_choices import chosen_before
from gatecrash.core.testing.profiles.mailed_links import Way, way_of
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, Holder, Placed, Take
from gatecrash.core.testing.profiles.recorded_guards import guards_of, places_of_guards
from gatecrash.core.testing.profiles.recorded_logins import can_be_repeated, signed_in
from gatecrash.core.testing.profiles.recorded_session import (
    AUTHORIZATION,
    LEAST_SESSION,
    LoginAddress,
    RecordedSession,
    Values,
    carried_by,
    given_by,
    note,
    note_check,
    note_renewal,
    note_second_step,
    offer,
    tell_apart,
)
from gatecrash.core.testing.profiles.recorded_steps import identity_of
from gatecrash.core.testing.profiles.recorded_ways import ways_in
from gatecrash.core.testing.profiles.second_steps import gives_code, goes_beyond, leads_to_second_step
from gatecrash.core.testing.profiles.token_renewals import renewed_by, renews

MOST_IDENTITIES: Final = 5
_MOST_SESSIONS: Final = 100
# Requests that change something, between the steps of one login.
_MOST_BETWEEN: Final = 5
# A browser counts its visits and asks for the code by requests that may change something, too.
_MOST_WORKED: Final = 2
# Pages, scripts and pictures that a browser asks for between a page and its form.
_MOST_HANDING: Final = 30
_MOST_MADE: Final = 20
_MOST_TEXTS: Final = 20
_MOST_PUBLIC: Final = 1000


class SignIns:
    """What a record shows of logins and logouts.

    sign_ins.see(exchange)     for each exchange of the record, in order
    sign_ins.profile()         how its users sign in again, where a session of theirs was ended; None where none was
    sign_ins.open()            what the sessions read that nobody ended, with their logins
    sign_ins.over(exchange)    the session that it was recorded in is over at the target
    """

    def __init__(self, dead: Collection[LoginAddress] = ()) -> None:
        """Nobody has signed in yet. dead: logins whose sessions are over at the target, whatever the record shows."""
        self._dead = set(dead)
        self._sessions: list[RecordedSession] = []
        self._pages: dict[str, Exchange] = {}
        self._asked: deque[Exchange] = deque(maxlen=_MOST_BETWEEN)
        # What may be a step of a login: whoever is in changes what is his, whatever a login carries of the answer.
        self._outside: deque[Exchange] = deque(maxlen=_MOST_BETWEEN)
        self._made: deque[Exchange] = deque(maxlen=_MOST_MADE)
        self._handing: deque[Exchange] = deque(maxlen=_MOST_HANDING)
        self._lately: deque[Exchange] = deque(maxlen=_MOST_BETWEEN)
        # What visitors were answered.
        self._public: set[tuple[str, bytes]] = set()

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        if response is None or response.status >= FIRST_ERROR:
            return
        host = origin_host(request)
        carried = carried_by(request)
        session = self._of(host, request, carried) or self._renewing(host, request)
        if session is None and not carried and len(self._public) < _MOST_PUBLIC:
            self._public.add((host, request.path))
        if signs_out(request) or (session is not None and _takes_back(session, exchange)):
            if session is not None:
                session.ended = True
            return
        if session is None or session.ended or _comes_anew(session, exchange):
            self._come_in(host, exchange, carried)
        elif _tries_again(session, exchange):
            self._sessions.remove(session)
            self._begin(host, signed_in(request), exchange, carried)
        else:
            if renews(request):
                note_renewal(session, exchange)
            elif gives_code(request) and session.worked <= _MOST_WORKED:
                self._note_second_step(session, exchange)
            else:
                offer(session, exchange)
            session.password_set = password_set(exchange, session.name) or session.password_set
            note(session, request, {**carried, **given_by(response)}, host)
            session.worked += goes_beyond(request)
            note_check(session, exchange, public=(host, request.path) in self._public)
        if is_safe(request) and refusal(response) == LOGIN_FORM:
            self._pages[host] = exchange
        self._keep(exchange, session)

    def _keep(self, exchange: Exchange, session: RecordedSession | None) -> None:
        """For logins that come behind it. session: the one that it belongs to."""
        if session is None:
            self._lately.append(exchange)
        if is_safe(exchange.request):
            self._handing.append(exchange)
            return
        self._asked.append(exchange)
        if session is None or session.ended:
            self._outside.append(exchange)

    def profile(self) -> AuthProfile | None:
        """The users of those hosts where a session was ended, each with his login and with what his requests carried."""
        again = begun_anew(self._sessions, self._dead)
        ways: dict[tuple[str, str], list[RecordedSession]] = {}
        for one in again:
            ways.setdefault((one.host, one.name), []).append(one)
        chosen = [(key, ways_in(sessions, self._sessions)) for key, sessions in islice(ways.items(), MOST_IDENTITIES)]
        if not chosen:
            return None
        names = {key: f"recorded {number}" for number, (key, _) in enumerate(chosen, 1)}
        holders = tuple(
            Holder(names[one.host, one.name], tuple(Placed(point, value) for point, value in sorted(one.values)))
            for one in again
            if (one.host, one.name) in names
        )
        return AuthProfile(
            id=RECORDED,
            name="Recorded logins",
            identities=tuple(identity_of(names[key], sessions, [*self._passwords(*key)]) for key, sessions in chosen),
            holders=holders,
        )

    def _passwords(self, host: str, name: str) -> Iterator[bytes]:
        """What somebody signed in with, and what he changed it to, in order."""
        for one in self._sessions:
            if (one.host, one.name) == (host, name):
                yield from (password_sent(one.login.request), one.password_set)

    def open(self) -> list[tuple[LoginAddress, list[Exchange]]]:
        """The sessions that nobody ended and that are not known to be over: the login at which each began, and what was read in it."""
        ended = {session.address for session in self._sessions if session.ended} | self._dead
        return [(one.address, one.checks) for one in self._sessions if one.address not in ended and one.checks]

    def end(self, dead: Collection[LoginAddress]) -> None:
        """Sessions of these logins are over at the target, too."""
        self._dead |= set(dead)

    def over(self, exchange: Exchange, *, only_untold: bool = False) -> bool:
        """A request that was seen is refused now: who came in by its session's login has to come in anew. Whether that is news.

        only_untold: unless what the session read can be asked for, and says better whether it is over.
        """
        session = self._of(origin_host(exchange.request), exchange.request, carried_by(exchange.request))
        if session is None or session.address in self._dead or (only_untold and session.checks):
            return False
        self._dead.add(session.address)
        return True

    def _of(self, host: str, request: Request, carried: Values) -> RecordedSession | None:
        """The last session that a request with these values belongs to."""
        pairs, latest = set(carried.items()), self._sessions[::-1]
        owner = next((one for one in latest if one.owns(host, request, pairs)), None)
        return owner or next((one for one in latest if one.taken_up(request) is not None), None)

    def _come_in(self, host: str, exchange: Exchange, carried: Values) -> None:
        """A login, or a registration that hands a token out."""
        request, response = exchange.request, exchange.response
        assert response is not None
        name, makes = signed_in(request) if can_be_repeated(request) else "", registers(request)
        let_in = refusal(response) is None or leads_to_second_step(response)
        if makes and let_in:
            self._made.append(exchange)
        if name and let_in and len(self._sessions) < _MOST_SESSIONS and (not makes or renewed_by(response) is not None):
            self._begin(host, name, exchange, carried)
            self._sessions[-1].mailed = self._mailed(host, request) if not makes else None
        elif not name and let_in and len(self._sessions) < _MOST_SESSIONS:
            self._come_by_mail(host, exchange, carried)

    def _come_by_mail(self, host: str, exchange: Exchange, carried: Values) -> None:
        """Who brings what was mailed to him, and is given a session for that."""
        response = exchange.response
        if response is None or not (given_by(response) or token_in(response)):
            return
        way = self._mailed(host, exchange.request)
        if way is not None:
            self._begin(host, way.name, exchange, carried)
            self._sessions[-1].mailed = way

    def _mailed(self, host: str, request: Request) -> Way | None:
        return way_of(request, [one for one in self._lately if origin_host(one.request) == host])

    def _renewing(self, host: str, request: Request) -> RecordedSession | None:
        """The session whose login gave what a request brings in its body to be given a token, a fresh one or its first."""
        if not renews(request) and not gives_code(request):
            return None
        for one in reversed(self._sessions):
            steps = (one.login, one.renewal) if one.host == host else ()
            if any(step and handed_on(step, request) for step in steps):
                return one
        return None

    def _begin(self, host: str, name: str, exchange: Exchange, carried: Values) -> None:
        response = exchange.response
        assert response is not None
        # What a login brings in Authorization tells which program asks, and all users of it bring the same; and a browser brings
        # the cookies of who used it before.
        others = {pair for one in self._sessions if one.host == host and one.name != name for pair in one.values}
        brought = {point: value for point, value in carried.items() if point != AUTHORIZATION}
        brought = {point: value for point, value in brought.items() if (point, value) not in others}
        values = set({**brought, **given_by(response)}.items())
        token = token_in(response)
        if token is not None and len(token[1]) >= LEAST_SESSION:
            values.add((AUTHORIZATION, token[1]))
        page, first = self._pages.get(host), self._first(host, exchange.request)
        made = self._registration(host, name) if not registers(exchange.request) else None
        session = RecordedSession(
            host=host, name=name, login=exchange, page=page, first=first, token=token, values=values, registration=made
        )
        session.guard, session.guards = self._guard(host, exchange.request)
        session.choice = self._choice(host, exchange.request)
        session.offered += [(exchange, *each) for each in islice(opaque_texts(exchange), _MOST_TEXTS)]
        tell_apart(session, (one for one in self._sessions if one.address == session.address and one.name != name))
        self._sessions.append(session)

    def _note_second_step(self, session: RecordedSession, exchange: Exchange) -> None:
        """A code, with the token of its own form."""
        note_second_step(session, exchange)
        guard, guards = self._guard(session.host, exchange.request)
        if session.renewal is exchange and guard is not None:
            session.renewal_guard = guard, guards

    def _guard(self, host: str, login: Request) -> tuple[Exchange | None, dict[tuple[str, ...], Take]]:
        """What handed out, last before the login, the tokens that guard it; what did for another login there, where this one's
        page is not in the record a second time.
        """
        for one in reversed(self._handing):
            found = places_of_guards(login, one) if origin_host(one.request) == host else {}
            if found:
                return one, found
        wanted = {point for point, _ in guards_of(login)}
        for session in reversed(self._sessions):
            if session.address == (host, login.path) and session.guards and session.guards.keys() <= wanted:
                return session.guard, session.guards
        return None, {}

    def _registration(self, host: str, name: str) -> Exchange | None:
        """The request that made the account of this name."""
        for one in reversed(self._made):
            if origin_host(one.request) == host and any(
                found.value.decode("utf-8", "replace").lower() == name for found in walk(one.request).points
            ):
                return one
        return None

    def _choice(self, host: str, login: Request) -> Exchange | None:
        """What was chosen last before a login that came with it."""
        asked = [one for one in (*self._handing, *self._asked) if origin_host(one.request) == host]
        return next((one for one in reversed(asked) if chosen_before(one, login)), None)

    def _first(self, host: str, login: Request) -> Exchange | None:
        """The request just before a login that gave something it carries: the password's, before that of the code."""
        for one in reversed(self._outside):
            if origin_host(one.request) == host and handed_on(one, login):
                return one
        return None


def _takes_back(session: RecordedSession, exchange: Exchange) -> bool:
    """Whether the answer deletes a cookie that the session's login gave: its user signed out, whatever that is called."""
    first, answer = session.login.response, exchange.response
    if first is None or answer is None or signed_in(exchange.request):
        return False
    given = given_by(first).items() & carried_by(exchange.request).items()
    back = taken_back(answer)
    return any(point[-1].encode() in back for point, _ in given)


def _comes_anew(session: RecordedSession, exchange: Exchange) -> bool:
    """Whether somebody signs in whose browser brings a session all the same: another one, who is given his own, or who
    was let in by making his account and comes in by his password the next time.
    """
    request, answer = exchange.request, exchange.response
    name = "" if registers(request) else signed_in(request)
    if not name or answer is None:
        return False
    if registers(session.login.request):
        return True
    given = renewed_by(answer) is not None or bool(given_by(answer))
    return name != session.name and request.path == session.login.request.path and given and refusal(answer) is None


def _tries_again(session: RecordedSession, exchange: Exchange) -> bool:
    """Whether the login is sent once more before anything was read behind it: the one before, answered by a page, did not let in,
    whatever that page said. A session that visitors are handed, and that a login keeps, is the same for both.
    """
    first, request, response = session.login, exchange.request, exchange.response
    if session.checks or session.token or first.response is None or first.response.first(b"Location") is not None:
        return False
    differs = (request.target, request.body) != (first.request.target, first.request.body)
    again = request.path == first.request.path and differs and signed_in(request) != ""
    return again and response is not None and refusal(response) is None


def origin_host(request: Request) -> str:
    """Host and port in the notation of ALLOWED_HOSTS."""
    return f"[{request.host}]:{request.port}" if ":" in request.host else f"{request.host}:{request.port}"
