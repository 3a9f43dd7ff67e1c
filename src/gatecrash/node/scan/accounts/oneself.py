"""What an application tells whoever is signed in about himself: his number and his name fill what names an account, and his
tenant's number what names a tenant. Where nothing says who is asking, the registration told the account's number.

An object of his own is what can be asked for as another user; that of a stranger says nothing where it is given to either.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.oneself import TENANT_FIELD, asks_about_oneself
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.writes import overwrites
from gatecrash.core.testing.operations.graphql import address_of, only_queries, words_of
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.profiles.entrance import fields, kind_of_name
from gatecrash.core.testing.profiles.profile import ENROLLED, AuthProfile
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.account_words import NUMBERS as _NUMBERS
from gatecrash.node.scan.accounts.account_words import calls_accounts, named_in

# What changes an account leaves it there: it may be one's own.
_OVERWRITING = frozenset({"PUT", "PATCH"})
_DEEPEST = 2
# Customers, patients and their like are often things of their own beside the account, where no account is made among them.
_ACCOUNT = re.compile(
    r"(?:user|account|profile|owner|author|creator|createdby|reviewer|sender)(id|uuid|uid|number|name)?"
)
_NAMES = ("username", "login", "handle", "name")
_MAIL = "email"
# Digits, a UUID (RFC 9562), or twelve bytes as document stores count by.
_NUMBER = re.compile(r"\d{1,19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}", re.IGNORECASE)
_NUMBER_CLAIMS = ("user_id", "userId", "uid", "account_id", "accountId", "id")
# The variables of somebody who signs in that nobody shares with him.
_CALLED = frozenset({"user", "mail"})
# What a call writes over of an account, by its name: `changeMail`, `set-username`, `updateProfile`.
_OF_ITS_HOLDER = re.compile(r"mail$|user-?name$|login$|profile$")
# What stands before it where somebody calls it his own (`{{myId}}`).
_MINE = re.compile(r"(?:my|own|current|loggedin)(?=id$|uid$|uuid$|user|account)")


class Oneself:
    """The one who is signed in, as far as answers have told.

    oneself.learn(request, response)
    oneself.meet(told, "user")               whether what an answer shows is his account, under whatever word
    oneself.settle()                         once all is met that was there before the first change
    oneself.claimed(credentials)             what his token's claims say of him, where nothing else does
    oneself.value_of(hole, draft, "user")    what of him fills it; None where it names no account, or nothing is known
    oneself.filters(draft.holes)             likewise for filters, which need not name anything
    oneself.asked_of(hole, draft)            likewise for what a query names that changes something
    oneself.number                           what he is called by number; empty where nothing tells
    oneself.number_of("second")              likewise of whoever sends something
    oneself.places                           the words that the application has for accounts, as the paths of their lists
    oneself.signing("ben@example.com")       what he is called where another signs so
    """

    def __init__(
        self,
        registered: Mapping[str, str] = MappingProxyType({}),
        accounts: Iterable[Sequence[str]] = (),
        called: Iterable[str] = (),
        others: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
        new: Iterable[str] = (),
    ) -> None:
        """registered: what is known of the account that was made, by `numbers_told`. accounts: the paths where some are made.
        called: names and addresses of those who sign in. others: the same as registered, of whoever may send something beside him.
        new: those of the names that the account was just made with, which nothing else can have yet.
        """
        self._called, self._others, self._new = frozenset(called), others, frozenset(new)
        self._shown: set[str] = set()
        self._may_be_another = not self._new
        self._met: set[tuple[str, str]] = set()
        self._things = frozenset(singular(plain(path[-1])) for path in accounts if path)
        self._told: dict[str, str | int] = {}
        self._registered = registered
        self._claimed: dict[str, str | int] = {}

    @classmethod
    def of(cls, profile: AuthProfile | None, accounts: Iterable[Sequence[str]]) -> "Oneself":
        """The first of those who send the requests of a run. accounts: the paths where some are made."""
        identities = () if profile is None else profile.identities
        first = dict(identities[0].variables) if identities else {}
        others = {each.name: numbers_among(each.variables) for each in identities[1:]}
        called = [value for each in identities for name, value in each.variables if name in _CALLED and value]
        is_new = profile is not None and profile.id == ENROLLED
        new = [value for name, value in first.items() if is_new and name in _CALLED and value]
        return cls(numbers_among(first.items()), accounts, called, others, new)

    def meet(self, told: Any, about: str) -> None:
        """Take what an answer shows under his name. about: what its top is, in the singular."""
        self._met |= set(named_in(told, about, self._called))
        self._shown |= {number for _, number in named_in(told, about, self._new, alone=True)}

    def settle(self) -> None:
        """Take the one number that his new name was shown with, where nothing else tells his: from now on things are made in it."""
        if len(self._shown) == 1 and not self.number:
            self._told = {**self._of_him, "id": next(iter(self._shown))}
        self._new = frozenset()

    @property
    def _words(self) -> frozenset[str]:
        return self._things | {word for word, number in self._met if number == self.number}

    @property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """The words under which his account was shown by its number, each as the path of a list."""
        return tuple(sorted((word,) for word in self._words - self._things))

    def learn(self, request: Request, response: Response) -> None:
        """Take what `me` tells, the first time that it tells anything."""
        if self._told or response.status >= FIRST_REDIRECT or not asks_about_oneself(request):
            return
        self._told = _identity(structured(response))

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

    def _of_sender(self, sender: str) -> Mapping[str, str | int]:
        """What is known of who sends something: of anybody but the first his numbers alone, as his variables have them."""
        if sender not in self._others:
            return self._of_him
        numbers = self._others[sender]
        # Whoever sends them all in the place of a manager was told who he is; of accounts that were made it is the first.
        told_him = self._told and self._may_be_another and (not numbers or self.number in numbers.values())
        return self._told if told_him else numbers

    def number_of(self, sender: str) -> str:
        """What the account of who sends something is called by number; empty where nothing tells. sender: empty for the first."""
        return _numbered(self._of_sender(sender))

    @property
    def number(self) -> str:
        """What his account is called by number; empty where nothing tells."""
        return _numbered(self._of_him)

    def signing(self, like: str = "") -> str:
        """What he is called below what he writes; empty where nothing tells. like: what somebody is called there: an address, a
        number, or a name, which is taken where nobody is shown.
        """
        if like.isdigit():
            return self.number
        names = [*_NAMES, _MAIL] if not like else [_MAIL] if "@" in like else list(_NAMES)
        return next((str(self._of_him[name]) for name in names if name in self._of_him), "")

    def value_of(self, hole: Hole, draft: Draft, resource: str, *, joined: bool = False) -> str | int | None:
        """What of him fills a hole. resource: what stands before it in the path, in the singular. joined: whether
        accounts are made there, whatever they are called.
        """
        of_him = self._of_sender(draft.sender)
        if not of_him or hole.point[0] not in ("path", "post", "header"):
            return None
        name = self._as_account(hole, draft, resource, joined=joined)
        if TENANT_FIELD.fullmatch(name) and name in of_him and _stands_above(hole, draft):
            return of_him[name]
        if _ends(draft.request):
            return _set_for_him(hole, draft.request, of_him)
        told = _ACCOUNT.fullmatch(name)
        if told is not None and name in of_him:
            return of_him[name]  # `"account": "AT40"` is no number of the user's
        if told is None or (told[1] is None and hole.point[0] == "post"):
            return None
        names = _NAMES if told[1] == "name" else (told[1] or "", *_NUMBERS)
        return next((of_him[each] for each in names if each in of_him), None)

    def names_an_account(self, hole: Hole, draft: Draft, resource: str, *, joined: bool = False) -> bool:
        """Whether a hole names an account, by its own name or by where it stands. resource, joined: as of `value_of`."""
        told = _ACCOUNT.fullmatch(self._as_account(hole, draft, resource, joined=joined))
        by_number = told is not None and (told[1] is not None or hole.point[0] != "post")
        return by_number or kind_of_name(plain(hole.name)) in ("user", "mail")

    def _as_account(self, hole: Hole, draft: Draft, resource: str, *, joined: bool) -> str:
        """The plain name of a hole, as of a user's where it names an account by another word."""
        name = without_mine(hole.name)
        if name in _NUMBERS and name != plain(hole.name):
            name = "user" + name
        if hole.point[0] == "header":
            name = name.removeprefix("x")
        if hole.point[0] == "post":
            name = self._as_users(name, draft.request)
        if hole.point[0] == "path" and (joined or resource in self._words):
            name, resource = name.removeprefix(resource).removeprefix("user"), "user"
        if hole.point[0] == "path" and name in (*_NUMBERS, *_NAMES):
            name = resource + ("name" if name in _NAMES else name)
        return name

    def _as_users(self, name: str, request: Request) -> str:
        """The name of a field or an argument as of a user's, where it is that of what accounts are made among, `skipperId`, or the
        `id` of what changes one by its name, `editSkipper`.
        """
        called = calls_accounts(name, self._words) or ""
        if name in _NUMBERS and not is_safe(request) and not only_queries(request):
            acts_on = "".join(words_of(request)[-1:])
            called = name if acts_on in {"user", *self._words} else ""
        return f"user{called}" if called else name

    def asked_of(self, hole: Hole, draft: Draft) -> str | None:
        """What of its sender the query of what changes something holds, where it must name an account: `?skipperId=`."""
        request = draft.request
        if hole.point[0] != "get" or hole.loose or is_safe(request) or _ends(request):
            return None
        named = _ACCOUNT.fullmatch(self._as_users(without_mine(hole.name), request))
        is_number = named is not None and named[1] in _NUMBERS
        return (self.number_of(draft.sender) or None) if is_number else None

    def filters(self, holes: Iterable[Hole]) -> dict[Hole, str]:
        """What of him the filters hold that name an account (`?owner_id=`, `?member=`), so that his own is found by them: his
        number, where any is known.
        """
        found = {hole: self._asked_by(without_mine(hole.name)) for hole in holes if hole.point[0] == "get"}
        return {hole: str(value) for hole, value in found.items() if value is not None}

    def _asked_by(self, name: str) -> str | int | None:
        told, of_him = _ACCOUNT.fullmatch(name), self._of_him
        if told is None and name.removesuffix("id") not in self._words:
            return None
        keys = _NAMES if told is not None and told[1] == "name" else (*_NUMBERS, *_NAMES)
        return next((of_him[each] for each in keys if each in of_him), None)


def without_mine(name: str) -> str:
    """The plain name of a parameter without the word that says whose it is: `id` of `myId`."""
    return _MINE.sub("", plain(name))


def numbers_told(registered: Response) -> dict[str, str]:
    """What a registration's answer calls the account that it made by number (`{"data": {"id": 7, …}}`)."""
    told = _identity(structured(registered))
    return {name: str(told[name]) for name in _NUMBERS if name in told}


def names(registered: Response, called: Iterable[str]) -> bool:
    """Whether the same object of a registration's answer says who was registered, so that its number is surely his."""
    told = _identity(structured(registered))
    return not {str(value) for value in told.values()}.isdisjoint(called)


def numbers_among(variables: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Those of them that `numbers_told` has told of an account."""
    return {name: value for name, value in variables if name in _NUMBERS}


def _numbered(of_him: Mapping[str, str | int]) -> str:
    return next((str(of_him[name]) for name in _NUMBERS if name in of_him), "")


def _set_for_him(hole: Hole, request: Request, of_him: Mapping[str, str | int]) -> str | int | None:
    """What of him a hole was given on purpose, where a password is set that is his already: so nobody else's is set to it."""
    if not hole.given or request.method.upper() == "DELETE" or "password" not in fields(request).values():
        return None
    there = (read(request, hole.point) or b"").decode("utf-8", "replace")
    return next((each for each in of_him.values() if str(each) == there), None)


def _ends(request: Request) -> bool:
    """Whether a request may end an account, or take its holder's rights: what writes over it leaves it there."""
    if destroys(request) is None or request.method in _OVERWRITING:
        return False
    # Who may do what, and who may sign in by which password, is left to those who manage.
    kept = overwrites(request) and _OF_ITS_HOLDER.search(address_of(request)) is not None
    return not kept or "password" in fields(request).values()


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
