"""Rights that a request claims for its sender: a role, or whether he is an administrator, in a cookie, a parameter or a header.

for claim in claims_of(request):
    claim.higher(path_words)    what to claim instead, the likeliest first
    claim.made_up(random)       a role that nobody has; None where only yes and no can be said

What calls a role in another language (`rol=socio`) is told the administrators of that language as well.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.english import in_english
from gatecrash.core.words.same_language import said_beside

# Names are compared without case and without what is no letter: `is_admin`, `isAdmin`, `X-Is-Admin`.
_FLAG = re.compile(
    r"x?(?:is|has|as|user)?(?:is)?(?:super|site|sys)?(?:admin|administrator|superuser|staff|root|manager|moderator|privileged)"
    r"(?:user|mode|flag|access)?"
)
_RANK = re.compile(
    r"(?:x|user|account|member|my|current|auth|active|access)*(?:roles?|rolename|roleid|usertype|accounttype|accesslevel"
    r"|userlevel|authlevel|usergroup|privileges?|permissions?|rights|authority|authorities|clearance|rank)"
)
# What is no address's or query's own business to say, and where a plain word is enough.
_RANK_IN_COOKIES = re.compile(r"level|access|group|type|lvl|priv|perms?")
_NOT_LETTERS = re.compile(r"[^a-z]")
_HIGHER_YES = {"0": "1", "false": "true", "no": "yes", "n": "y", "off": "on", "f": "t"}
_HIGH = re.compile(r"admin|root|super|owner", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{1,30}")
_SMALL = re.compile(r"\d{1,2}")
_PREFIX = re.compile(r"^(?:role[_-])", re.IGNORECASE)
# A name and a value in a text of several.
_PAIR = re.compile(r"(?:^|(?<=[|;,#]))\s*([A-Za-z_-]{2,30})\s?[:=]\s?([\w-]{1,30})(?=$|[|;,#])")
_LONGEST_TEXT = 500
# Words of paths that name no rank.
_SECTIONS = re.compile(r"api|v\d+|rest|index|home|panel|dashboard|pages?|app|web|users?|accounts?|settings?|config")
# Who is meant by words that are no ranks themselves.
_CALLED = {
    "mod": "moderator",
    "moderation": "moderator",
    "manage": "manager",
    "management": "manager",
}
_MOST_FROM_PATH = 2
_SIGNED = "jwt"
# What a decoder's step is called in a point: it stands behind the name that its value has.
_DECODERS = ("base64", "gzip")


class Claim(NamedTuple):
    """A point that says what the sender may. value: what it says; flag: only yes or no.

    before, behind: of a text with several pairs what stands around the value. called: the name that it has there.
    """

    point: Point
    value: str
    flag: bool
    before: str = ""
    behind: str = ""
    called: str = ""

    def higher(self, path: bytes) -> list[str]:
        """More than it says, written as it is written; path: its words may say for whom the address is."""
        if self.flag:
            return [_in_case_of(self.value, _HIGHER_YES[self.value.lower()])]
        if _SMALL.fullmatch(self.value):
            return [each for each in ("1", "0", "99") if each != self.value]
        prefix = _PREFIX.match(self.value)
        before, word = (prefix[0], self.value[prefix.end() :]) if prefix else ("", self.value)
        own = said_beside(self.name, "role", "admin")
        words = dict.fromkeys((*_ranks_in(path), *own, "admin", "administrator"))
        return [before + _in_case_of(word, each) for each in words if each != word.lower()]

    def made_up(self, random: Random) -> str | None:
        """A rank that nobody has, of the same look; None for a flag."""
        if self.flag:
            return None
        if _SMALL.fullmatch(self.value):
            return str(random.randint(5000, 9000))
        drawn = fresh_letters(random, 8)
        prefix = _PREFIX.match(self.value)
        return (prefix[0] if prefix else "") + _in_case_of(self.value, drawn)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.called or _name_of(self.point)


def claims_of(request: Request, *, high: bool = False) -> list[Claim]:
    """What a request claims and could claim more of; nothing inside signed tokens, which would not be believed any more.

    high: what may be the most that can be claimed, too (`role=admin`), in a value of its own.
    """
    found: list[Claim] = []
    for each in walked(request):
        point = tuple(each.point)
        if len(point) < 2 or point[0] == "path" or _SIGNED in point:
            continue
        value = each.value.decode("utf-8", "replace")
        claim = _claim(each.point, value, high=high) or (None if high else _claim_within(each.point, value))
        if claim is not None:
            found.append(claim)
    return found


def _claim_within(point: Point, text: str) -> Claim | None:
    """The first claim among the pairs of a cookie's text: `user:ann|role:member`, mostly in base64. One alone counts where it was
    decoded: what is written plainly may be any word.
    """
    pairs = list(_PAIR.finditer(text)) if tuple(point[:3]) == COOKIE and len(text) <= _LONGEST_TEXT else []
    for pair in pairs if len(pairs) > 1 or point[-1] in _DECODERS else ():
        claim = _claim(Point((*point, pair[1])), pair[2])
        if claim is not None:
            return claim._replace(point=point, before=text[: pair.start(2)], behind=text[pair.end(2) :], called=pair[1])
    return None


def _claim(point: Point, value: str, *, high: bool = False) -> Claim | None:
    name = _NOT_LETTERS.sub("", in_english(_name_of(point)).lower())
    if _FLAG.fullmatch(name):
        known = _HIGHER_YES.values() if high else _HIGHER_YES.keys()
        return Claim(point, value, flag=True) if value.lower() in known else None
    in_cookie = tuple(point[:3]) == COOKIE and _RANK_IN_COOKIES.fullmatch(name) is not None
    if not in_cookie and _RANK.fullmatch(name) is None:
        return None
    is_one = _SMALL.fullmatch(value) or (_WORD.fullmatch(value) and (high or not _HIGH.search(value)))
    return Claim(point, value, flag=False) if is_one else None


def _name_of(point: Point) -> str:
    names = [step for step in point if step not in _DECODERS]
    return names[-1]


def _ranks_in(path: bytes) -> Iterator[str]:
    """Whom the words of a path may be for: `officer` of `/officers/ledger`."""
    words = [word.lower() for word in path.decode("latin-1").split("/") if _WORD.fullmatch(word)]
    for word in words[:_MOST_FROM_PATH]:
        if not _SECTIONS.fullmatch(word):
            yield _CALLED.get(word.removesuffix("s"), word.removesuffix("s"))


def _in_case_of(like: str, word: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word


def claiming(request: Request, claim: Claim, value: str) -> Request | None:
    """The request with another claim; None where its place cannot hold it."""
    try:
        return rewrite(request, claim.point, f"{claim.before}{value}{claim.behind}".encode())
    except UserError:
        return None


def with_written(request: Request, written: Iterable[tuple[Point, bytes]]) -> Request:
    """The request with these values written at these points; points that it does not have are passed over."""
    for point, value in written:
        with suppress(UserError):
            request = rewrite(request, point, value)
    return request


class Added(NamedTuple):
    """A claim that nobody sends. place: of the query, the cookies, or the headers."""

    place: str
    name: str
    value: str

    @property
    def point(self) -> Point:
        """Where it stands."""
        if self.place == "header":
            return Point.of("header", self.name.upper())
        return Point.of("get", self.name) if self.place == "get" else Point((*COOKIE, self.name))

    @property
    def told(self) -> str:
        """Where it stands, in words."""
        return {"get": "in the address", "cookie": "in a cookie", "header": "in a header"}[self.place]


UNSENT = (
    Added("get", "admin", "true"),
    Added("get", "isAdmin", "true"),
    Added("get", "role", "admin"),
    Added("cookie", "admin", "true"),
    Added("cookie", "isAdmin", "true"),
    Added("cookie", "role", "admin"),
    Added("header", "X-Role", "admin"),
    Added("header", "X-User-Role", "admin"),
    Added("header", "X-Admin", "true"),
    Added("header", "X-Is-Admin", "true"),
    Added("header", "Role", "admin"),
)
"""What is tried at addresses that are refused: the names that applications use most."""


def with_added(request: Request, added: Iterable[Added]) -> Request:
    """The request with these claims beside its own parameters, cookies and headers."""
    added = tuple(added)
    query = "&".join(f"{each.name}={each.value}" for each in added if each.place == "get").encode()
    crumbs = "; ".join(f"{each.name}={each.value}" for each in added if each.place == "cookie").encode()
    target, headers = request.target, request.headers
    beside = [(each.name.encode(), each.value.encode()) for each in added if each.place == "header"]
    names = {name.lower() for name, _ in beside}
    headers = (*(pair for pair in headers if pair[0].lower() not in names), *beside)
    if query:
        target += (b"?" if request.query is None else b"&") + query
    if crumbs:
        own = b"; ".join(request.all(b"Cookie"))
        others = tuple(pair for pair in headers if pair[0].lower() != b"cookie")
        headers = (*others, (b"Cookie", own + b"; " + crumbs if own else crumbs))
    changed: Request = msgspec.structs.replace(request, target=target, headers=headers)
    return changed
