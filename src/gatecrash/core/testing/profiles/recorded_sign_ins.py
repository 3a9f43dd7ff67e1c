"""Sessions that a record ends itself, or that are over when it is tested, and how their users sign in again.

Who signed out is out before the first test, and every test in what he left behind would be one as nobody. What let him in
stands in the record: the page with the form and its token, the name and the password. A run over the record signs in as he
did. Where no session was ended, and none was found dead at the target, the recorded ones serve, and nobody signs in.
"""

import re
from collections import deque
from collections.abc import Collection, Iterator
from html import unescape
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.credentials import COOKIE
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.refused import LOGIN_FORM, refusal
from gatecrash.core.testing.ordering import destroys, is_safe, signs_out
from gatecrash.core.testing.profiles.entrance import as_step, handed_on, registers, token_in
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import (
    MANAGER,
    RECORDED,
    AuthProfile,
    Holder,
    Placed,
    ProfileIdentity,
    Step,
    Take,
)
from gatecrash.core.testing.profiles.recorded_logins import lets_in_a_manager, signed_in
from gatecrash.core.testing.profiles.renewals import renewed_by, renews
from gatecrash.core.testing.profiles.token_places import places_of

MOST_IDENTITIES: Final = 5
_MOST_SESSIONS: Final = 100
_MOST_VALUES: Final = 20
# Requests that change something, between the steps of one login.
_MOST_BETWEEN: Final = 5
# Shorter values are states and languages.
_LEAST_SESSION: Final = 12
_LEAST_TOKEN: Final = 8
_FIRST_ERROR: Final = 400
_FORM: Final = b"application/x-www-form-urlencoded"
_AUTHORIZATION: Final = ("header", "AUTHORIZATION")

_MOST_CHECKS: Final = 4

Values = dict[tuple[str, ...], str]
LoginAddress = tuple[str, bytes]
"""Where sessions begin: the host, and the path of its login."""


class _Session(msgspec.Struct):
    """One login and what came with its session. page: the form it was sent from. first: the step before it, whose answer gave
    something that it carries. token: what its answer gave, and where. renewal: the step behind it that gave that token in the place
    of the login's own, which served for nothing else; before: that one.

    placed: how requests carried that token, by place. ended: whether its user signed out. checks: what it read, by which it may be told to be alive.
    """

    host: str
    name: str
    login: Exchange
    page: Exchange | None
    first: Exchange | None
    token: tuple[Take, str] | None
    values: set[tuple[tuple[str, ...], str]]
    renewal: Exchange | None = None
    before: tuple[Take, str] | None = None
    placed: dict[tuple[str, ...], Placed] = msgspec.field(default_factory=dict)
    ended: bool = False
    checks: list[Exchange] = msgspec.field(default_factory=list)

    @property
    def address(self) -> LoginAddress:
        """The host and the path at which it was begun."""
        return self.host, self.login.request.path

    @property
    def tokens(self) -> set[str]:
        """All that it was given in the place of a password."""
        return {value for point, value in self.values if point == _AUTHORIZATION and " " not in value}

    def owns(self, host: str, request: Request, carried: set[tuple[tuple[str, ...], str]]) -> bool:
        """Whether a request belongs to it. carried: the cookies and the token that it brings."""
        return self.host == host and bool(self.values & carried or any(places_of(request, self.tokens)))


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
        self._sessions: list[_Session] = []
        self._pages: dict[str, Exchange] = {}
        self._asked: deque[Exchange] = deque(maxlen=_MOST_BETWEEN)

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        if response is None or response.status >= _FIRST_ERROR:
            return
        host = origin_host(request)
        carried = _carried(request)
        session = self._of(host, request, carried) or self._renewing(host, request)
        if signs_out(request):
            if session is not None:
                session.ended = True
            return
        if session is None or session.ended:
            name = "" if registers(request) else signed_in(request)
            if name and refusal(response) is None and len(self._sessions) < _MOST_SESSIONS:
                self._begin(host, name, exchange, carried)
        elif _tries_again(session, exchange):
            self._sessions.remove(session)
            self._begin(host, signed_in(request), exchange, carried)
        else:
            if renews(request):
                _note_renewal(session, exchange)
            _note(session, request, {**carried, **_given(response)})
            _note_check(session, exchange)
        if is_safe(request) and refusal(response) == LOGIN_FORM:
            self._pages[host] = exchange
        if not is_safe(request):
            self._asked.append(exchange)

    def profile(self) -> AuthProfile | None:
        """The users of those hosts where a session was ended, each with his login and with what his requests carried."""
        # Who has a token of another login beside keeps that one as it was recorded.
        logins = {session.address for session in self._sessions if session.ended or session.address in self._dead}
        latest = {(one.host, one.name): one for one in self._sessions if one.values and one.address in logins}
        chosen = list(latest.items())[:MOST_IDENTITIES]
        if not chosen:
            return None
        names = {key: f"recorded {number}" for number, (key, _) in enumerate(chosen, 1)}
        holders = tuple(
            Holder(names[one.host, one.name], tuple(Placed(point, value) for point, value in sorted(one.values)))
            for one in self._sessions
            if (one.host, one.name) in names and one.values and one.address in logins
        )
        return AuthProfile(
            id=RECORDED,
            name="Recorded logins",
            identities=tuple(_identity(names[key], session) for key, session in chosen),
            holders=holders,
        )

    def open(self) -> list[tuple[LoginAddress, list[Exchange]]]:
        """The sessions that nobody ended: the login at which each began, and what was read in it."""
        ended = {session.address for session in self._sessions if session.ended}
        return [(one.address, one.checks) for one in self._sessions if one.address not in ended and one.checks]

    def end(self, dead: Collection[LoginAddress]) -> None:
        """Sessions of these logins are over at the target, too."""
        self._dead |= set(dead)

    def over(self, exchange: Exchange) -> None:
        """A request that was seen is refused now: who came in by its session's login has to come in anew."""
        session = self._of(origin_host(exchange.request), exchange.request, _carried(exchange.request))
        if session is not None:
            self._dead.add(session.address)

    def _of(self, host: str, request: Request, carried: Values) -> _Session | None:
        """The last session that a request with these values belongs to."""
        pairs = set(carried.items())
        return next((one for one in reversed(self._sessions) if one.owns(host, request, pairs)), None)

    def _renewing(self, host: str, request: Request) -> _Session | None:
        """The session whose login gave what a request brings in its body to be given a fresh token."""
        if not renews(request):
            return None
        for one in reversed(self._sessions):
            steps = (one.login, one.renewal) if one.host == host else ()
            if any(step and step.response and handed_on(step.response, request) for step in steps):
                return one
        return None

    def _begin(self, host: str, name: str, exchange: Exchange, carried: Values) -> None:
        response = exchange.response
        assert response is not None
        values = set({**carried, **_given(response)}.items())
        token = token_in(response)
        if token is not None and len(token[1]) >= _LEAST_SESSION:
            values.add((_AUTHORIZATION, token[1]))
        page, first = self._pages.get(host), self._first(host, exchange.request)
        self._sessions.append(_Session(host, name, exchange, page, first, token, values))

    def _first(self, host: str, login: Request) -> Exchange | None:
        """The request just before a login that gave something it carries: the password's, before that of the code."""
        for one in reversed(self._asked):
            if one.response is not None and origin_host(one.request) == host and handed_on(one.response, login):
                return one
        return None


def _tries_again(session: _Session, exchange: Exchange) -> bool:
    """Whether the login is sent once more before anything was read behind it: the one before, answered by a page, did not let in,
    whatever that page said. A session that visitors are handed, and that a login keeps, is the same for both.
    """
    first, request, response = session.login, exchange.request, exchange.response
    if session.checks or session.token or first.response is None or first.response.first(b"Location") is not None:
        return False
    differs = (request.target, request.body) != (first.request.target, first.request.body)
    again = request.path == first.request.path and differs and signed_in(request) != ""
    return again and response is not None and refusal(response) is None


def _note(session: _Session, request: Request, values: Values) -> None:
    """What this request of the session carried, and what its answer gave."""
    if len(session.values) < _MOST_VALUES:
        session.values |= set(values.items())
    given = _given(session.login.response) if session.login.response is not None else {}
    for point, token, word in places_of(request, session.tokens):
        session.values.add((point, word + token))
        # A cookie that the login set comes back by itself.
        if session.token is not None and token == session.token[1] and point not in given:
            variable = session.token[0].variable
            session.placed[point] = Placed(point, f"{word.replace('${', '$${')}${{{variable}}}")


def _note_renewal(session: _Session, exchange: Exchange) -> None:
    """The token that a session goes on with; a step of its sign-in where the login's own was never used."""
    fresh = renewed_by(exchange.response) if exchange.response is not None else None
    if fresh is None:
        return
    session.values |= {(_AUTHORIZATION, fresh[1]), (_AUTHORIZATION, f"Bearer {fresh[1]}")}
    if session.placed:
        return
    if session.renewal is None:
        session.renewal, session.before = exchange, session.token
    session.token = fresh


def _note_check(session: _Session, exchange: Exchange) -> None:
    """What the session read and was not refused: of different paths, and where one script is all, of its different questions."""
    request, response = exchange.request, exchange.response
    if response is None or not is_safe(request) or destroys(request) or refusal(response) is not None:
        return
    begun = session.login.request
    others = {_question(each.request, begun) for each in session.checks} | {begun.path, begun.target}
    if _question(request, begun) not in others and len(session.checks) < _MOST_CHECKS:
        session.checks.append(exchange)


def _question(request: Request, login: Request) -> bytes:
    return request.target if request.path == login.path else request.path


def _identity(name: str, session: _Session) -> ProfileIdentity:
    take = session.token[0] if session.token is not None and session.placed else None
    return ProfileIdentity(
        name=name,
        rank=MANAGER if lets_in_a_manager(session.name, session.login.response) else 0,
        values=tuple(session.placed.values()),
        login=tuple(_steps(session, take)),
        hosts=session.host,
        known=(session.name,),
    )


def _steps(session: _Session, take: Take | None) -> Iterator[Step]:
    """All that lets in: the login, and the renewal of what it gave where that served for nothing else."""
    if session.renewal is None:
        yield from _entering(session, (take,) if take else ())
        return
    request, given = session.renewal.request, session.login.response
    step = as_step(request, take)
    takes: list[Take] = []
    header = (request.first(b"Authorization") or b"").decode("latin-1")
    if session.before is not None and header.endswith(session.before[1]):
        word = header.removesuffix(session.before[1]).replace("${", "$${")
        takes.append(session.before[0])
        step = msgspec.structs.replace(
            step, headers=(*step.headers, ("Authorization", f"{word}${{{session.before[0].variable}}}"))
        )
    handed = handed_on(given, request) if given is not None else None
    if handed is not None:
        body = (step.body or "").replace(handed[1], "${renewing}")
        takes.append(msgspec.structs.replace(handed[0], variable="renewing"))
        step = msgspec.structs.replace(step, body=body)
    yield from _entering(session, tuple(takes))
    yield step


def _entering(session: _Session, takes: tuple[Take, ...]) -> Iterator[Step]:
    """What gives the login its values, the page of its form or the step before it, and the login itself."""
    login, page = session.login.request, session.page
    step: Step = msgspec.structs.replace(as_step(login, None), take=takes)
    if not (login.first(b"Content-Type") or b"").lower().startswith(_FORM):
        first = session.first
        handed = handed_on(first.response, login) if first is not None and first.response is not None else None
        if first is not None and handed is not None:
            given, text = handed
            yield as_step(first.request, given)
            step = msgspec.structs.replace(step, body=(step.body or "").replace(text, f"${{{given.variable}}}"))
        yield step
        return
    pairs = parse_qsl(login.body.decode("utf-8", "replace"), keep_blank_values=True)
    fields = dict(_tokens(pairs, page)) if page is not None else {}
    browser = tuple(header for header in step.headers if header[0].lower() == "user-agent")
    if page is not None and fields:
        yield Step(
            method="GET", url=page.request.url.replace("${", "$${"), headers=browser, take=tuple(fields.values())
        )
    form = tuple(
        (key, f"${{{fields[key].variable}}}" if key in fields else value.replace("${", "$${")) for key, value in pairs
    )
    yield msgspec.structs.replace(step, body=None, form=form, headers=browser)


def _tokens(pairs: list[tuple[str, str]], page: Exchange) -> Iterator[tuple[str, Take]]:
    """The fields that the page had filled in already, and how their values are read there."""
    text = text_of(page.response)[:MOST_SEARCHED] if page.response is not None else ""
    for number, (key, value) in enumerate(pairs):
        if len(value) < _LEAST_TOKEN:
            continue
        name = re.escape(key)
        for pattern in (
            rf"name=[\"']?{name}[\"']?[^<>]*value=[\"']?([^\"'<> ]+)",
            rf"value=[\"']?([^\"'<> ]+)[\"']?[^<>]*name=[\"']?{name}[\"' />]",
        ):
            if _finds(pattern, text, value):
                yield key, Take(f"field{number}", "pattern", pattern)
                break


def _finds(pattern: str, text: str, value: str) -> bool:
    try:
        found = compile_search(pattern).search(text)
    except InvalidPattern:
        return False
    return found is not None and unescape(found[1]) == value == found[1]


def _carried(request: Request) -> Values:
    """The cookies and the token that a request carries, as far as they may be a session's."""
    points = walk(request).points if request.first(b"Cookie") else ()
    values: Values = {
        tuple(each.point): each.value.decode("latin-1")
        for each in points
        if tuple(each.point[:3]) == COOKIE and len(each.point) == 4 and len(each.value) >= _LEAST_SESSION
    }
    token = (request.first(b"Authorization") or b"").rpartition(b" ")[2]
    return {**values, _AUTHORIZATION: token.decode("latin-1")} if len(token) >= _LEAST_SESSION else values


def _given(response: Response) -> Values:
    """The cookies that an answer sets, as far as they may be a session's, as they are read where they come back."""
    return {
        (*COOKIE, cookie.name.decode("latin-1")): unquote(cookie.value).decode("latin-1")
        for cookie in issued(response)
        if len(cookie.value) >= _LEAST_SESSION
    }


def origin_host(request: Request) -> str:
    """Host and port in the notation of ALLOWED_HOSTS."""
    return f"[{request.host}]:{request.port}" if ":" in request.host else f"{request.host}:{request.port}"
