"""What an application tells whoever is signed in about himself: his number and his name fill what names an account, and his
tenant's number what names a tenant. Where nothing says who is asking, the registration told the account's number.

An object of his own is what can be asked for as another user; that of a stranger says nothing where it is given to either.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import orjson

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.oneself import TENANT_FIELD, asks_about_oneself
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, Hole

# What changes an account leaves it there: it may be one's own.
_OVERWRITING = frozenset({"PUT", "PATCH"})
_DEEPEST = 2
# Customers, patients and their like are often things of their own beside the account, where no account is made among them.
_ACCOUNT = re.compile(
    r"(?:user|account|profile|owner|author|creator|createdby|reviewer|sender)(id|uuid|uid|number|name)?"
)
# What one's number is called by those who tell it.
_NUMBERS = ("id", "uid", "uuid", "number")
_NAMES = ("username", "login", "handle", "name")
# Digits, a UUID (RFC 9562), or twelve bytes as document stores count by.
_NUMBER = re.compile(r"\d{1,19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}", re.IGNORECASE)
_NUMBER_CLAIMS = ("user_id", "userId", "uid", "account_id", "accountId", "id")
# What stands before it where somebody calls it his own (`{{myId}}`).
_MINE = re.compile(r"(?:my|own|current|loggedin)(?=id$|uid$|uuid$|user|account)")


class Oneself:
    """The one who is signed in, as far as answers have told.

    oneself.learn(request, response)
    oneself.claimed(credentials)             what his token's claims say of him, where nothing else does
    oneself.value_of(hole, draft, "user")    what of him fills it; None where it names no account, or nothing is known
    oneself.filters(draft.holes)             likewise for filters, which need not name anything
    oneself.number                           what he is called by number; empty where nothing tells
    """

    def __init__(
        self, registered: Mapping[str, str] = MappingProxyType({}), accounts: Iterable[Sequence[str]] = ()
    ) -> None:
        """registered: what is known of the account that was made, by `numbers_told`. accounts: the paths where some are made."""
        self._things = frozenset(singular(plain(path[-1])) for path in accounts if path)
        self._told: dict[str, str | int] = {}
        self._registered = registered
        self._claimed: dict[str, str | int] = {}

    def learn(self, request: Request, response: Response) -> None:
        """Take what `me` tells, the first time that it tells anything."""
        if self._told or response.status >= FIRST_REDIRECT or not asks_about_oneself(request):
            return
        try:
            self._told = _identity(orjson.loads(content_of(response) or b""))
        except orjson.JSONDecodeError:
            return

    def claimed(self, credentials: Iterable[bytes]) -> None:
        """Take what a token's claims call its holder by number (RFC 7519 section 4.1.2, and usual private names), the first time that
        one does.
        """
        for value in () if self._claimed else credentials:
            token = parse(value.rpartition(b" ")[2])
            number = _number_claimed(token.payload) if token is not None else None
            if number is not None:
                self._claimed = {"id": number}

    @property
    def _of_him(self) -> Mapping[str, str | int]:
        return self._told or self._registered or self._claimed

    @property
    def number(self) -> str:
        """What his account is called by number; empty where nothing tells."""
        return next((str(self._of_him[name]) for name in _NUMBERS if name in self._of_him), "")

    def value_of(self, hole: Hole, draft: Draft, resource: str, *, joined: bool = False) -> str | int | None:
        """What of him fills a hole. resource: what stands before it in the path, in the singular. joined: whether
        accounts are made there, whatever they are called.
        """
        of_him = self._of_him
        if not of_him or hole.point[0] not in ("path", "post", "header"):
            return None
        name = without_mine(hole.name)
        if name in _NUMBERS and name != plain(hole.name):
            name = "user" + name
        if hole.point[0] == "header":
            name = name.removeprefix("x")
        if hole.point[0] == "post":
            name = self._as_users(name)
        if hole.point[0] == "path" and joined:
            name, resource = name.removeprefix(resource).removeprefix("user"), "user"
        if hole.point[0] == "path" and name in (*_NUMBERS, *_NAMES):
            name = resource + ("name" if name in _NAMES else name)
        if TENANT_FIELD.fullmatch(name) and name in of_him and _stands_above(hole, draft):
            return of_him[name]
        if destroys(draft.request) and draft.request.method not in _OVERWRITING:
            return None
        told = _ACCOUNT.fullmatch(name)
        if told is not None and name in of_him:
            return of_him[name]  # `"account": "AT40"` is no number of the user's
        if told is None or (told[1] is None and hole.point[0] == "post"):
            return None
        names = _NAMES if told[1] == "name" else (told[1] or "", *_NUMBERS)
        return next((of_him[each] for each in names if each in of_him), None)

    def _as_users(self, name: str) -> str:
        """The name of a field or an argument as of a user's, where it is that of what accounts are made among: `skipperId`."""
        behind = next((name.removeprefix(each) for each in self._things if name.startswith(each)), "")
        return f"user{behind}" if behind in _NUMBERS else name

    def filters(self, holes: Iterable[Hole]) -> dict[Hole, str]:
        """What of him the filters hold that name an account (`?owner_id=`, `?member=`), so that his own is found by them: his
        number, where any is known.
        """
        found = {hole: self._asked_by(without_mine(hole.name)) for hole in holes if hole.point[0] == "get"}
        return {hole: str(value) for hole, value in found.items() if value is not None}

    def _asked_by(self, name: str) -> str | int | None:
        told, of_him = _ACCOUNT.fullmatch(name), self._of_him
        if told is None and name.removesuffix("id") not in self._things:
            return None
        keys = _NAMES if told is not None and told[1] == "name" else (*_NUMBERS, *_NAMES)
        return next((of_him[each] for each in keys if each in of_him), None)


def without_mine(name: str) -> str:
    """The plain name of a parameter without the word that says whose it is: `id` of `myId`."""
    return _MINE.sub("", plain(name))


def numbers_told(registered: Response) -> dict[str, str]:
    """What a registration's answer calls the account that it made by number (`{"data": {"id": 7, …}}`)."""
    try:
        told = _identity(orjson.loads(content_of(registered) or b""))
    except orjson.JSONDecodeError:
        return {}
    return {name: str(told[name]) for name in _NUMBERS if name in told}


def names(registered: Response, called: Iterable[str]) -> bool:
    """Whether the same object of a registration's answer says who was registered, so that its number is surely his."""
    try:
        told = _identity(orjson.loads(content_of(registered) or b""))
    except orjson.JSONDecodeError:
        return False
    return not {str(value) for value in told.values()}.isdisjoint(called)


def numbers_among(variables: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Those of them that `numbers_told` has told of an account."""
    return {name: value for name, value in variables if name in _NUMBERS}


def _stands_above(hole: Hole, draft: Draft) -> bool:
    """Whether what a hole names is not itself what is asked for: another tenant's things are refused, and the tenant must stay."""
    segments = draft.request.path.strip(b"/").split(b"/")
    return not destroys(draft.request) or (hole.point[0] == "path" and int(hole.point[1]) < len(segments) - 1)


def _number_claimed(claims: Mapping[str, Any]) -> str | int | None:
    """A subject may be a name or an address: it is a number only where it is written like one."""
    told = [claims.get(name) for name in _NUMBER_CLAIMS]
    told += [claims["sub"]] if _NUMBER.fullmatch(str(claims.get("sub"))) else []
    return next((one for one in told if isinstance(one, str | int) and not isinstance(one, bool) and one != ""), None)


def _identity(document: Any, depth: int = 0) -> dict[str, str | int]:
    """The scalars of the object that has a number or a name, at the top or a few members below (`{"data": {"user": {…}}}`)."""
    if not isinstance(document, dict):
        return {}
    told = {
        plain(str(name)): value
        for name, value in document.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and value != ""
    }
    if told.keys() & {*_NUMBERS, *_NAMES}:
        return told
    inner = (_identity(value, depth + 1) for value in document.values()) if depth < _DEEPEST else iter(())
    return next((found for found in inner if found), {})
