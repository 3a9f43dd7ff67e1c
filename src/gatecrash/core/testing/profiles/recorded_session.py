"""One login of a record, and what came with its session: what its requests carried, what it read, and how it went on."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.objects.named import asks
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.profiles.entrance import token_in
from gatecrash.core.testing.profiles.mailed_links import Way
from gatecrash.core.testing.profiles.profile import Placed, Take
from gatecrash.core.testing.profiles.recorded_guards import is_guard
from gatecrash.core.testing.profiles.token_places import lets_in, places_of
from gatecrash.core.testing.profiles.token_renewals import renewed_by

_MOST_VALUES: Final = 20
_MOST_HOSTS: Final = 10
_MOST_OFFERED: Final = 30
# Shorter values are states and languages.
LEAST_SESSION: Final = 12
AUTHORIZATION: Final = ("header", "AUTHORIZATION")
_MOST_CHECKS: Final = 4
# What pages are made of is nobody's own.
_DECORATION: Final = (b"javascript", b"ecmascript", b"css", b"image/", b"font", b"manifest+json", b"audio/", b"video/")

Values = dict[tuple[str, ...], str]
LoginAddress = tuple[str, bytes]
"""Where sessions begin: the host, and the path of its login."""


class RecordedSession(msgspec.Struct):
    """One login and what came with its session. page: the form it was sent from. first: the step before it, whose
    answer gave something that it carries. guard: what handed out the tokens that guard the login; guards: where it has
    them, by where the login has them. choice: what was chosen before, as a tenant. mailed: how the link or the code was
    got that lets in without a password.
    registration: what made the account. token: what its answer gave, and where. renewal: the step behind it that gave
    that token in the place of the login's own, which served for nothing else, or that of the second step, as of a
    code; before: that one. renewal_guard: the page that handed out what guards that step, and where it has it.
    offered: what else answers gave that may turn out to be the token, by being carried where one is.

    placed: how requests carried that token, by place, and along with it what guards against forged ones. along: how
    the login's answer gives those, by their texts. elsewhere: other hosts that were sent it. used: how many
    requests it had. worked: how many of them may have changed something that is no part of a login. ended: whether
    its user signed out. asked: some of what it read, by how little it says of its life. password_set: what its user
    changed his password to; empty where he did not.
    """

    host: str
    name: str
    login: Exchange
    page: Exchange | None
    first: Exchange | None
    token: tuple[Take, str] | None
    values: set[tuple[tuple[str, ...], str]]
    choice: Exchange | None = None
    mailed: Way | None = None
    guard: Exchange | None = None
    guards: dict[tuple[str, ...], Take] = msgspec.field(default_factory=dict)
    registration: Exchange | None = None
    renewal: Exchange | None = None
    renewal_guard: tuple[Exchange, dict[tuple[str, ...], Take]] | None = None
    before: tuple[Take, str] | None = None
    offered: list[tuple[Exchange, Take, str]] = msgspec.field(default_factory=list)
    placed: dict[tuple[str, ...], Placed] = msgspec.field(default_factory=dict)
    along: dict[str, Take] = msgspec.field(default_factory=dict)
    elsewhere: set[str] = msgspec.field(default_factory=set)
    used: int = 0
    worked: int = 0
    ended: bool = False
    asked: list[tuple[int, Exchange]] = msgspec.field(default_factory=list)
    password_set: bytes = b""

    @property
    def checks(self) -> list[Exchange]:
        """What it read, by which it may be told to be alive, the likeliest first."""
        return [exchange for _, exchange in self.asked]

    @property
    def address(self) -> LoginAddress:
        """The host and the path at which it was begun."""
        return self.host, self.login.request.path

    @property
    def tokens(self) -> set[str]:
        """All that it was given in the place of a password."""
        return {value for point, value in self.values if point == AUTHORIZATION and " " not in value}

    def owns(self, host: str, request: Request, carried: set[tuple[tuple[str, ...], str]]) -> bool:
        """Whether a request belongs to it. carried: the cookies and the token that it brings. Cookies are the login's
        own host's; its token lets in elsewhere, too, where a service apart hands it out.
        """
        here = self.host == host and bool(self.values & carried)
        return here or any(places_of(request, self.tokens))

    def taken_up(self, request: Request) -> tuple[Exchange, Take, str] | None:
        """What was offered and is carried by a request as tokens are, while none is known that is; what stands where
        tokens do first: a tenant's key goes along with them. Who brings the session's cookie as well is let in by that:
        a link's token is for the link.
        """
        known = bool(self.placed) or (self.token is not None and lets_in(request, self.token[1]))
        carried = [each for each in ([] if known else self.offered) if lets_in(request, each[2])]
        bearer = (request.first(b"Authorization") or b"").decode("latin-1")
        if carried and not self.values.isdisjoint(carried_by(request).items()):
            carried = [each for each in carried if each[0] is self.login or _is_in_a_header(request, each[2])]
        return min(carried, key=lambda each: not bearer.endswith(each[2]), default=None)


def _is_in_a_header(request: Request, token: str) -> bool:
    return any(point[0] == "header" for point, _, _ in places_of(request, (token,)))


def note(session: RecordedSession, request: Request, values: Values, there: str) -> None:
    """What this request of the session carried, and what its answer gave. there: the host that it was sent to."""
    _take_up(session, request)
    session.used += 1
    if len(session.values) < _MOST_VALUES:
        session.values |= set(values.items())
    given = given_by(session.login.response) if session.login.response is not None else {}
    session.elsewhere |= {there} - {session.host} if len(session.elsewhere) < _MOST_HOSTS else set()
    for point, token, word in places_of(request, session.tokens):
        session.values.add((point, word + token))
        # A cookie that the login set comes back by itself.
        if session.token is not None and token == session.token[1] and point not in given:
            _place(session, point, word, session.token[0])
    _take_along(session, request)


def _place(session: RecordedSession, point: tuple[str, ...], word: str, take: Take) -> None:
    session.placed[point] = Placed(point, f"{word.replace('${', '$${')}${{{take.variable}}}")


def _take_along(session: RecordedSession, request: Request) -> None:
    """What the login's answer gave beside the token, and requests carry in a header called as guards against forged ones are."""
    given = {text: take for each, take, text in session.offered if each is session.login}
    if session.token is None or session.token[0] in session.along.values():
        return
    for point, text, word in places_of(request, given.keys() - {session.token[1]}):
        if point[0] == "header" and len(point) == 2 and is_guard(point[-1]):
            take = session.along.setdefault(
                text, msgspec.structs.replace(given[text], variable=f"along{len(session.along)}")
            )
            _place(session, point, word, take)


def _take_up(session: RecordedSession, request: Request) -> None:
    """The token that turns out to be one: the login's own, or that of a step behind it."""
    found = session.taken_up(request)
    if found is None:
        return
    given, take, text = found
    if given is not session.login:
        session.renewal, session.before = given, session.token
    session.token = take, text
    session.values.add((AUTHORIZATION, text))


def offer(session: RecordedSession, given: Exchange) -> None:
    """What an answer within the session gave that may be carried from then on."""
    found = token_in(given.response) if given.response is not None else None
    if found is not None and len(found[1]) >= LEAST_SESSION and len(session.offered) < _MOST_OFFERED:
        session.offered.append((given, *found))


def tell_apart(session: RecordedSession, others: Iterable[RecordedSession]) -> None:
    """What the logins of others gave, too, is the application's own key and lets in none of them, where each was given
    a cookie or a token beside.
    """
    given = {text for *_, text in session.offered}
    for other in others:
        common = given & {text for *_, text in other.offered}
        for each in (session, other) if common else ():
            _forget(each, common)


def _forget(session: RecordedSession, texts: AbstractSet[str]) -> None:
    has_token = session.token is not None and session.token[1] not in texts
    if session.login.response is None or not (has_token or given_by(session.login.response)):
        return
    session.offered = [each for each in session.offered if each[2] not in texts]
    if session.token is not None and session.token[1] in texts and session.renewal is None:
        session.token, session.placed = None, {}
    session.values = {(point, value) for point, value in session.values if value.rpartition(" ")[2] not in texts}


def note_second_step(session: RecordedSession, exchange: Exchange) -> None:
    """A code behind the password: what its answer gives is the session."""
    if session.renewal is not None or exchange.response is None or refusal(exchange.response) is not None:
        return
    session.renewal, fresh = exchange, renewed_by(exchange.response)
    if fresh is not None:
        session.before, session.token = session.token, fresh
        session.values.add((AUTHORIZATION, fresh[1]))


def note_renewal(session: RecordedSession, exchange: Exchange) -> None:
    """The token that a session goes on with; a step of its sign-in where the login's own was never used."""
    fresh = renewed_by(exchange.response) if exchange.response is not None else None
    if fresh is None:
        return
    session.values |= {(AUTHORIZATION, fresh[1]), (AUTHORIZATION, f"Bearer {fresh[1]}")}
    if session.placed:
        return
    if session.renewal is None:
        session.renewal, session.before = exchange, session.token
    session.token = fresh


def note_check(session: RecordedSession, exchange: Exchange, *, public: bool = False) -> None:
    """What the session read and was not refused: of different paths, and where one address is all, of its different questions.

    What its user was told about himself goes first, and last what everybody reads, which no end of a session
    refuses. public: whether a visitor was answered there.
    """
    request, response = exchange.request, exchange.response
    if response is None or not _only_asks(request) or destroys(request) or refusal(response) is not None:
        return
    begun = session.login.request
    others = {_question(each.request, begun) for _, each in session.asked} | {_question(begun, begun), begun.target}
    if _question(request, begun) in others:
        return
    weight = 0 if asks_about_oneself(request) else 2 if public or _is_decoration(response) else 1
    session.asked = sorted([*session.asked, (weight, exchange)], key=lambda one: one[0])[:_MOST_CHECKS]


def _only_asks(request: Request) -> bool:
    """Whether a request only reads: a page, or what GraphQL and functions called by name are asked by POST."""
    return is_safe(request) or (request.method.upper() == "POST" and bool(words_of(request)) and asks(request))


def _is_decoration(response: Response) -> bool:
    kind = (response.first(b"Content-Type") or b"").lower()
    return any(word in kind for word in _DECORATION)


def _question(request: Request, login: Request) -> bytes:
    asked = request.target if is_safe(request) and request.path == login.path else request.path
    return asked if is_safe(request) else asked + b" " + " ".join(words_of(request)).encode()


def carried_by(request: Request) -> Values:
    """The cookies and the token that a request carries, as far as they may be a session's."""
    points = walk(request).points if request.first(b"Cookie") else ()
    values: Values = {
        tuple(each.point): each.value.decode("latin-1")
        for each in points
        if tuple(each.point[:3]) == COOKIE
        and len(each.point) == 4
        and len(each.value) >= LEAST_SESSION
        # A browser's number for those who count its visits is the same for all who sign in there.
        and not is_ignored(each.point[3].encode())
    }
    token = (request.first(b"Authorization") or b"").rpartition(b" ")[2]
    return {**values, AUTHORIZATION: token.decode("latin-1")} if len(token) >= LEAST_SESSION else values


def given_by(response: Response) -> Values:
    """The cookies that an answer sets, as far as they may be a session's, as they are read where they come back."""
    return {
        (*COOKIE, cookie.name.decode("latin-1")): unquote(cookie.value).decode("latin-1")
        for cookie in issued(response)
        if len(cookie.value) >= LEAST_SESSION
    }
