"""Identities that a record shows by itself: requests to one host with the credentials of two different users.

Two sets of credentials are two users where a token, a user name or the login that issued them says so, or where they are
used in turns: one that only follows the other may be the same user, signed in anew. Nor are two of different kinds told
apart: a user may have a key and a password. An application's own key, which both carry, tells nobody apart. Signatures
and handshakes are not taken: they fit the one request they came with.
"""

import base64
import binascii
from collections.abc import Iterable
from typing import Final

import msgspec
import orjson

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import read
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import destroys, is_safe
from gatecrash.core.testing.ownership import asks_about_oneself, self_values
from gatecrash.core.testing.profiles.profile import AuthProfile, CheckAddress, Placed, ProfileIdentity
from gatecrash.core.testing.profiles.recorded_logins import RecordedLogins

MOST_IDENTITIES: Final = 5
_MOST_KNOWN: Final = 20
_LASTING: Final = frozenset({AuthType.API_KEY, AuthType.BEARER, AuthType.BASIC, AuthType.COOKIE})
_PERSONAL: Final = frozenset({AuthType.BEARER, AuthType.BASIC, AuthType.COOKIE})
_SUBJECTS: Final = (
    "sub",
    "uid",
    "user_id",
    "userId",
    "id",
    "_id",
    "username",
    "user_name",
    "user",
    "email",
    "login",
    "name",
)
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")


class _User(msgspec.Struct):
    """One user as the record shows them. values: by point; first, last: places in the record of their requests.

    door: the kind of credentials they come with. known: what the application calls them.
    """

    values: dict[tuple[str, ...], str]
    subject: str
    first: int
    last: int
    door: frozenset[AuthType]
    check: CheckAddress | None = None
    known: set[str] = msgspec.field(default_factory=set)


class RecordedIdentities:
    """Sees the record's exchanges in order, and says how a run over it signs in.

    identities = RecordedIdentities(recogniser)
    identities.see(exchange)              for each exchange of the record
    identities.profile()                  the users found
    identities.bare                       whether there were no credentials at all
    identities.complete(profile)          the profile that a user gave, else the users found
    """

    def __init__(self, recogniser: Recognises) -> None:
        """Nothing was seen yet."""
        self._recogniser = recogniser
        self._credentials = False
        self._place = 0
        self._hosts: dict[str, list[_User]] = {}
        self._logins = RecordedLogins()

    def see(self, exchange: Exchange) -> None:
        """One more exchange of the record."""
        self._place += 1
        request = exchange.request
        self._logins.see(exchange)
        found = [one for one in self._recogniser.recognise(request) if one.valid]
        self._credentials = self._credentials or bool(found)
        if not found or any(one.type not in _LASTING for one in found):
            return
        personal = [one for one in found if one.type in _PERSONAL] or found
        values = _values(request, personal)
        if not values or (exchange.response is not None and refusal(exchange.response) is not None):
            return
        host = f"[{request.host}]:{request.port}" if ":" in request.host else f"{request.host}:{request.port}"
        login = self._logins.name_of(values.values())
        subject = _subject(values) or login
        user = self._user(host, values, subject, frozenset(one.type for one in personal))
        user.values |= _values(request, found)
        user.last = self._place
        user.known |= {login} if login else set()
        if exchange.response is not None and len(user.known) < _MOST_KNOWN and asks_about_oneself(request):
            user.known |= self_values(exchange.response)
        if user.check is None and is_safe(request) and not destroys(request) and exchange.response is not None:
            user.check = CheckAddress(url=request.url, method=request.method.upper())

    @property
    def bare(self) -> bool:
        """Whether nothing seen carried a credential; browsers leave them out of what they save."""
        return not self._credentials

    def profile(self) -> AuthProfile | None:
        """The identities of all hosts with more than one; None where there is no such host."""
        identities: list[ProfileIdentity] = []
        for host, users in self._hosts.items():
            for door in dict.fromkeys(user.door for user in users):
                told_apart = _told_apart(user for user in users if user.door == door)
                if len(told_apart) > 1:
                    identities += [
                        _identity(user, host, len(identities) + place) for place, user in enumerate(told_apart, 1)
                    ]
        if not identities:
            return None
        return AuthProfile(id="recorded", name="Recorded identities", identities=tuple(identities), recorded=True)

    def complete(self, given: AuthProfile | None) -> AuthProfile | None:
        """How a run over the record signs in: as a user said, with what the record tells beside; else as its users did."""
        if given is None:
            return self.profile()
        completed: AuthProfile = msgspec.structs.replace(given, bare=self.bare)
        return completed

    def _user(self, host: str, values: dict[tuple[str, ...], str], subject: str, door: frozenset[AuthType]) -> _User:
        """The user who sent one of these values before, or whom they name; else a new one."""
        users = self._hosts.setdefault(host, [])
        for user in users:
            shared = any(user.values.get(point) == value for point, value in values.items())
            if shared or (subject and user.subject == subject):
                return user
        user = _User(dict(values), subject, self._place, self._place, door)
        users.append(user)
        return user


def _told_apart(users: Iterable[_User]) -> list[_User]:
    """Those who are surely different from all before."""
    kept: list[_User] = []
    for user in users:
        if len(kept) < MOST_IDENTITIES and all(_differ(user, other) for other in kept):
            kept.append(user)
    return kept


def _differ(one: _User, other: _User) -> bool:
    if one.subject and other.subject:
        return one.subject != other.subject
    return one.first < other.last and other.first < one.last


def _identity(user: _User, host: str, number: int) -> ProfileIdentity:
    placed = tuple(Placed(point, value.replace("${", "$${")) for point, value in user.values.items())
    known = tuple(sorted(user.known))[:_MOST_KNOWN]
    return ProfileIdentity(
        name=f"recorded {number}", values=placed, hosts=host, cookies=False, check=user.check, known=known
    )


def _values(request: Request, found: Iterable[Recognised]) -> dict[tuple[str, ...], str]:
    values: dict[tuple[str, ...], str] = {}
    for one in found:
        value = read(request, one.point)
        if value is not None and value.isascii():
            values[tuple(one.point)] = value.decode("ascii")
    return values


def _subject(values: dict[tuple[str, ...], str]) -> str:
    """Whom the credentials name: a token's issuer and subject (RFC 7519 section 4.1), the user of Basic (RFC 7617)."""
    for value in values.values():
        word, _, rest = value.partition(" ")
        if word.lower() == "basic":
            return _basic_user(rest)
        token = (rest or word).strip().encode()
        if is_jwt(token):
            return _jwt_subject(token)
    return ""


def _basic_user(encoded: str) -> str:
    try:
        return "basic " + base64.b64decode(encoded).partition(b":")[0].decode("latin-1")
    except (binascii.Error, ValueError):
        return ""


def _jwt_subject(token: bytes) -> str:
    payload = token.split(b".")[1]
    try:
        claims = orjson.loads(binascii.a2b_base64(payload.translate(_URL_SAFE) + b"=" * (-len(payload) % 4)))
    except (binascii.Error, orjson.JSONDecodeError):
        return ""
    subject = _named(claims) if isinstance(claims, dict) else None
    return f"jwt {claims.get('iss')} {subject}" if subject is not None else ""


def _named(claims: dict[str, object]) -> str | int | None:
    """Whom a token's claims name: by `sub`, else by what applications write in its place, one level down too."""
    below = (value for value in claims.values() if isinstance(value, dict))
    for each in (claims, *below):
        for claim in _SUBJECTS:
            value = each.get(claim)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return value
    return None
