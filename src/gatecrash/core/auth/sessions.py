"""Session cookies: which of them stand for a user, learned from what each host hands to whom.

A framework's cookie (families/session_cookies.py) begins as `counting`; one whose name holds an application's own word
(`tea_session`) only with a value that looks random, since a banner's state is called so, too. Handed to a request
without credentials that was no login, its name becomes `unproven` on that host: listed, not counted. A login that
issues or rotates it makes it `proven`, for good; the values that visitors were handed stay unproven one by one, so that
a shop's visitors are not taken for its users. Any other cookie counts only where a login issued it, HttpOnly and
random-looking; at most 50 such names are learned on a host. Names in families/ignored_cookies.py are never learned.
What is learned of a cookie with a Domain holds for all hosts below it; a name that only a login taught holds at every
port of its host.

Tests take more for credentials than is counted (`likely`): the value that a visitor brought to a login which leads on,
or tells a script that it is done, and keeps it, for many applications never rotate theirs, and a JSON Web Token in a
cookie that scripts may read, where a login issued it or a request sends the same one as Bearer.

Values are remembered as keyed hashes only (memory.py); names and states can be shared between a client's nodes.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, StrEnum
from itertools import islice
from urllib.parse import unquote_to_bytes

import msgspec

from gatecrash.core.auth.cookie_scopes import scope_of, scopes_of
from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.families.session_cookies import LISTED, OPEN, listed_name
from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.auth.logins import brings_along, is_attempt, is_login, leads_on, says_done
from gatecrash.core.auth.memory import Memory
from gatecrash.core.auth.parameters import COOKIE_STEPS, COOKIES, is_identity_cookie
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType, Kind
from gatecrash.core.auth.set_cookie import Issued, issued
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import MAX_NAME, Point

MOST_LEARNED = 50
_MOST_HOSTS = 1000
_REMEMBERED = 32_768
_MOST_COOKIES = 200
_MOST_NEWS = 10_000
_IDENTIFIER_DIGITS = 5
_NUMBER = re.compile(r"[0-9]+")
# MD5, SHA-1 or SHA-256 at the end of a name: of the installation's address or secret, so that several may live on one host.
_HASH = re.compile(r"(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})$")


class State(StrEnum):
    """What is known of a cookie's name on a host; a listed name of which nothing is known counts."""

    UNPROVEN = "unproven"
    PROVEN = "proven"


class LearnedCookie(msgspec.Struct, frozen=True, array_like=True):
    """One cookie's state on one host, as nodes share it. name: the listed one, or the cookie's own.

    likely: an unproven one that tests take for a credential all the same, though it is not counted.
    """

    host: str
    name: str
    state: State
    likely: bool = False


class _Whose(Enum):
    """Who got a value: a visitor, a user from a login, or a visitor whose login kept it."""

    VISITOR = 1
    USER = 2
    KEPT = 3


class _Host:
    """The cookies of one host: states by name, the names that no table lists, those of them that are only likely, those that
    the host was seen to need, the numbers in its own name, whether visitors got values, and how much of what others taught it
    has taken over.
    """

    __slots__ = ("inherited", "learned", "likely", "needed", "numbers", "states", "visitors")

    def __init__(self, host: str) -> None:
        self.numbers = frozenset(_NUMBER.findall(host))
        self.states: dict[str, State] = {}
        self.learned: set[str] = set()
        self.likely: set[str] = set()
        self.needed: set[str] = set()
        self.visitors = False
        self.inherited = 0


class Sessions:
    """Learns the session cookies of hosts. Pure, bounded, not shared between threads.

    What changed here since it was told is given by news; what another node told is no news.
    """

    def __init__(self, most_hosts: int = _MOST_HOSTS) -> None:
        """Know at most so many hosts; the one seen longest ago is forgotten first."""
        self._news: dict[tuple[str, str], LearnedCookie] = {}
        self._most_hosts = most_hosts
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        # By scope (cookie_scopes.py) what other hosts learned, and how often that changed.
        self._shared: dict[str, dict[str, State]] = {}
        self._changes = 0
        self._values: Memory[_Whose] = Memory(_REMEMBERED)

    def follow(
        self, host: str, exchange: Exchange, found: tuple[Recognised, ...], *, likely: bool = False
    ) -> tuple[Recognised, ...]:
        """What was recognised, as the host's cookies are known; then learn from what the answer issues.

        likely: take for credentials what is not counted but likely is one, as tests do.
        """
        if any(credential.type is AuthType.BEARER for credential in found):
            self._see_doubled(host, exchange.request)
        known = self._inherit(host) if self._shared else self._hosts.get(host)
        if known is not None:
            found = self._judged(known, exchange.request, found, likely=likely)
        if not likely and any(credential.valid and credential.point[-1] in OPEN for credential in found):
            found = _told_from_states(known.states if known else {}, exchange.request, found)
        if exchange.response is not None:
            if known is not None and known.visitors:
                self._keep(host, exchange, found)
            cookies = [cookie for cookie in issued(exchange.response) if not is_ignored(cookie.name)]
            if cookies:
                self._learn(host, exchange, found, cookies)
        return found

    def snapshot(self) -> tuple[LearnedCookie, ...]:
        """All states, to be shared or kept: names only."""
        return tuple(
            LearnedCookie(host, name, state, name in known.likely)
            for host, known in self._hosts.items()
            for name, state in known.states.items()
        )

    def news(self, most: int) -> tuple[LearnedCookie, ...]:
        """States that changed here and were not told yet, the oldest first; names only."""
        return tuple(islice(self._news.values(), most))

    def told(self, cookies: Iterable[LearnedCookie]) -> None:
        """These reached the others; a state that changed meanwhile stays news."""
        for cookie in cookies:
            if self._news.get((cookie.host, cookie.name)) == cookie:
                del self._news[cookie.host, cookie.name]

    def adopt(self, cookies: Iterable[LearnedCookie]) -> None:
        """Take over what another node learned; a login seen by one node is proof for all."""
        for cookie in cookies:
            known = self._host(cookie.host)
            listed = cookie.name in LISTED
            if listed or self._may_learn(known, cookie.name):
                self._set(known, cookie, listed=listed)

    def let_in(self, host: str, name: str) -> None:
        """The host refuses whoever comes without this cookie. That shows more than its name (`app_8f3c01d27b` is an
        installation's) and than who was handed its values (a login may keep a visitor's session and add a cookie).
        """
        known = self._host(host)
        if name in LISTED or self._has_room(known, name):
            self._set(known, LearnedCookie(host, name, State.PROVEN), listed=name in LISTED)
            known.needed.add(name)

    def _judged(
        self, known: _Host, request: Request, found: tuple[Recognised, ...], *, likely: bool
    ) -> tuple[Recognised, ...]:
        """Session cookies marked unproven where they are, and learned cookies added."""
        sessions = any(credential.kind is Kind.SESSION for credential in found)
        if not known.learned and not sessions:
            return found
        values = _values(request) if known.learned or known.visitors else {}
        judged = [
            self._one(known, credential, values, likely=likely) if credential.kind is Kind.SESSION else credential
            for credential in found
        ]
        taken = {credential.point for credential in found}
        for name in (known.learned if likely else known.learned - known.likely) & values.keys():
            point = Point((*COOKIE_STEPS, name))
            if point not in taken:
                well_formed = not all(is_placeholder(value) for value in values[name])
                learned = Recognised(AuthType.COOKIE, point, well_formed, Kind.SESSION)
                judged.append(self._one(known, learned, values, likely=likely))
        return tuple(judged)

    def _one(self, known: _Host, credential: Recognised, values: dict[str, list[bytes]], *, likely: bool) -> Recognised:
        if not credential.valid:
            return credential
        name = credential.point[-1]
        if likely and name in known.needed:
            return credential
        unproven = known.states.get(name) is State.UNPROVEN and not (likely and name in known.likely)
        if known.visitors and values.get(name):
            whose = {self._values.recall(_key(name, value)) for value in values[name]}
            users = {_Whose.USER, _Whose.KEPT} if likely else {_Whose.USER}
            unproven = not whose & users if unproven else whose <= {_Whose.VISITOR, _Whose.KEPT} - users
        return credential._replace(valid=False, unproven=True) if unproven else credential

    def _learn(self, host: str, exchange: Exchange, found: tuple[Recognised, ...], cookies: list[Issued]) -> None:
        if is_login(exchange, found):
            for cookie in cookies:
                self._prove(host, self._host(host), cookie)
        elif not any(one.valid for one in found) and not is_attempt(exchange.request):
            for cookie in cookies:
                self._hand_out(host, cookie)

    def _see_doubled(self, host: str, request: Request) -> None:
        """A page's script keeps its token in a cookie as well, which goes along where no script sets a header."""
        token = (request.first(b"Authorization") or b"").rpartition(b" ")[2]
        if not is_jwt(token):
            return
        for raw, value in _cookies(request):
            name = _text(raw)
            if value == token and name is not None and listed_name(raw) is None:
                self._take_for_likely(host, name)

    def _keep(self, host: str, exchange: Exchange, found: tuple[Recognised, ...]) -> None:
        """A login that leads on, or says that it is done, and issues nothing in its place makes a visitor's session a user's."""
        if not ((leads_on(exchange) or says_done(exchange)) and is_login(exchange, found)):
            return
        issues = {cookie.name for cookie in issued(exchange.response)} if exchange.response is not None else set()
        for written, value in _cookies(exchange.request):
            listed = listed_name(written)
            name = listed or _text(written)
            # What the form brings along as well guards against forged requests: no site tells a page its session.
            if name is None or written in issues or (listed is None and brings_along(exchange.request, value)):
                continue
            if self._values.recall(_key(name, value)) is _Whose.VISITOR:
                if listed is None:
                    self._take_for_likely(host, name)
                self._values.remember(_key(name, value), _Whose.KEPT)

    def _take_for_likely(self, host: str, name: str) -> None:
        known = self._host(host)
        if self._may_learn(known, name):
            self._learned(known, LearnedCookie(host, name, State.UNPROVEN, likely=True), listed=False)

    def _prove(self, host: str, known: _Host, cookie: Issued) -> None:
        """A login issued the cookie."""
        listed = listed_name(cookie.name)
        name = listed or _text(cookie.name)
        if name is None:
            return
        if listed is None and not (_is_session_like(cookie) and self._may_learn(known, name)):
            if is_jwt(cookie.value):
                self._take_for_likely(host, name)
            return
        self._learned(known, LearnedCookie(host, name, State.PROVEN), listed=listed is not None)
        self._share(host, name, State.PROVEN, cookie)
        if known.visitors:
            # Where a login keeps a visitor's value and issues it once more, it is a user's from now on.
            self._values.remember(_key(name, cookie.value), _Whose.USER)

    def _hand_out(self, host: str, cookie: Issued) -> None:
        """A visitor got the cookie."""
        listed = listed_name(cookie.name)
        name = listed or _text(cookie.name)
        if name is None or (listed is None and not (_is_session_like(cookie) or is_jwt(cookie.value))):
            return
        known = self._host(host)
        if listed is not None and listed not in known.states:
            self._learned(known, LearnedCookie(host, listed, State.UNPROVEN), listed=True)
            self._share(host, listed, State.UNPROVEN, cookie)
        known.visitors = True
        self._values.remember(_key(name, cookie.value), _Whose.VISITOR)

    def _share(self, host: str, name: str, state: State, cookie: Issued) -> None:
        """Let the cookie's other hosts know. Of a listed name its ports do not: other applications may live there."""
        scope = scope_of(host, cookie.domain)
        if scope is None or (name in LISTED and not scope.startswith(".")):
            return
        states = self._shared.setdefault(scope, {})
        if states.get(name) in (state, State.PROVEN) or len(states) >= MOST_LEARNED:
            return
        states[name] = state
        self._changes += 1
        if len(self._shared) > self._most_hosts:
            del self._shared[next(iter(self._shared))]

    def _inherit(self, host: str) -> _Host | None:
        """The host, with what others learned of the cookies that it gets, too."""
        known = self._hosts.get(host)
        if known is not None and known.inherited == self._changes:
            return known
        for scope in scopes_of(host):
            for name, state in self._shared.get(scope, {}).items():
                known = known or self._host(host)
                listed = name in LISTED
                if listed or self._may_learn(known, name):
                    self._learned(known, LearnedCookie(host, name, state), listed=listed)
                    known.visitors = True
        if known is not None:
            known.inherited = self._changes
        return known

    def _may_learn(self, known: _Host, name: str) -> bool:
        return name in known.learned or (self._has_room(known, name) and not _is_own(name, known.numbers))

    def _has_room(self, known: _Host, name: str) -> bool:
        if name in known.learned:
            return True
        raw = name.encode()
        default = name in COOKIES or is_identity_cookie(raw)
        return not default and not is_ignored(raw) and len(known.learned) < MOST_LEARNED

    def _learned(self, known: _Host, cookie: LearnedCookie, *, listed: bool) -> None:
        """A state that the own traffic showed."""
        if self._set(known, cookie, listed=listed) and len(self._news) < _MOST_NEWS:
            self._news[cookie.host, cookie.name] = cookie

    def _set(self, known: _Host, cookie: LearnedCookie, *, listed: bool) -> bool:
        """Whether that was new."""
        if not listed:
            known.learned.add(cookie.name)
        # Proven is for good: later visitors do not unmake a login.
        if known.states.get(cookie.name) in (cookie.state, State.PROVEN):
            return False
        (known.likely.add if cookie.likely else known.likely.discard)(cookie.name)
        known.states[cookie.name] = cookie.state
        return True

    def _host(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _Host(host)
            if len(self._hosts) > self._most_hosts:
                self._hosts.popitem(last=False)
        self._hosts.move_to_end(host)
        return known


def _told_from_states(
    states: Mapping[str, State], request: Request, found: tuple[Recognised, ...]
) -> tuple[Recognised, ...]:
    """Cookies that only sound like an application's session (`promo_session=seen`) marked unproven: none of their values can be
    one, and no login issued such a cookie.
    """
    values = _values(request)
    return tuple(
        credential._replace(valid=False, unproven=True)
        if credential.valid
        and credential.kind is Kind.SESSION
        and (name := credential.point[-1]) in OPEN
        and states.get(name) is not State.PROVEN
        and not any(looks_random(unquote_to_bytes(value)) for value in values.get(name, ()))
        else credential
        for credential in found
    )


def _is_own(name: str, numbers: frozenset[str]) -> bool:
    """Whether a cookie's name is one user's or one session's own, as with an identifier in it: such a name is no name.

    numbers: of the host's name and port, which applications put into a name so that several may live on one machine.
    """
    named = _HASH.sub("", name)
    return sum(len(digits) for digits in _NUMBER.findall(named) if digits not in numbers) >= _IDENTIFIER_DIGITS


def _is_session_like(cookie: Issued) -> bool:
    return cookie.http_only and looks_random(cookie.value)


def _values(request: Request) -> dict[str, list[bytes]]:
    """The request's cookies: values by listed name, or by their own."""
    values: dict[str, list[bytes]] = {}
    for name, value in _cookies(request):
        known = listed_name(name) or _text(name)
        if known is not None:
            values.setdefault(known, []).append(value)
    return values


def _cookies(request: Request) -> Iterator[tuple[bytes, bytes]]:
    for header in request.all(b"Cookie"):
        for pair in header.split(b";", _MOST_COOKIES)[:_MOST_COOKIES]:
            name, equals, value = pair.partition(b"=")
            if equals:
                yield name.strip(), value.strip().strip(b'"')


def _text(name: bytes) -> str | None:
    """A cookie's name as a point has it; None for one that no point can have."""
    if len(name) > MAX_NAME or not name.isascii():
        return None
    text = name.decode("ascii")
    return text if text.isprintable() and " " not in text else None


def _key(name: str, value: bytes) -> int:
    """The keyed hash of a value, on all hosts: escapes undone, since some clients send a value back in other ones."""
    return hash((name, unquote_to_bytes(value)))
