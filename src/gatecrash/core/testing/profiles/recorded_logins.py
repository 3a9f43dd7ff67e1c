"""Logins that a record shows: whom the cookies and tokens belong to that their answers hand out.

A session's identifier says nothing about its holder. The login that issued it does: the name stands in its request.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

from gatecrash.core.auth.logins import calls_itself_login, leads_on
from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.authorization.ranks.role_sections import role_word
from gatecrash.core.testing.authorization.ranks.roles import fields, is_managers_name, manages, raising, raising_name
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.operations.graphql import argument_of
from gatecrash.core.testing.operations.procedures import ENVELOPE, procedure_of
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.outcomes.refused import refusal, shows_a_way_out
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.profiles.several_names import names_beside, to_sign_in_by
from gatecrash.core.testing.profiles.subjects import basic_user
from gatecrash.core.testing.profiles.token_renewals import renews
from gatecrash.core.words.named import Words
from gatecrash.core.words.pieces import pieces_of

MOST_REMEMBERED: Final = 500
# Shorter values are states and languages; longer ones are no credentials.
_LEAST_CREDENTIAL, _MOST_CREDENTIAL = 12, 8192
_MOST_TEXTS: Final = 50
_COOKIE: Final = ("header", "COOKIE")
_PASSWORD: Final = Words(r"passw|\bpass\b|pwd|(?:\b|_)pw\b|passphrase|kennwort|contrase|\bpin\b|secret", re.IGNORECASE)
# Who pays by his PIN signs nobody in.
_SIGNS_IN: Final = Words(r"pass|pwd|kennwort|contrase", re.IGNORECASE)
# A badge and its PIN alone let in; beside a sum, or behind the first step of a login, they do something else. Where a
# field is not called as a badge is, its address has to say so: a town has a PIN code, too, and a shop asks for it
# (`{"sku": "A-77", "pincode": "411001"}`).
_PIN: Final = re.compile(r"pin(?:[-_]?(?:code|number))?|passcode", re.IGNORECASE)
_PIN_DIGITS: Final = re.compile(r"\d{4,12}")
_OF_A_STEP: Final = re.compile(
    r"challenge|step|flow|trans|session|request|order|amount|sum|new|old|confirm|mfa|2fa|factor|otp|verif|ticket|attempt|auth",
    re.IGNORECASE,
)
_BADGE: Final = re.compile(
    r"badge|card|employee|staff|personnel|operator|cashier|clerk|worker|driver|fob", re.IGNORECASE
)
_DONE_WITH_IT: Final = re.compile(
    rb"activat|pay|transfer|withdraw|charg|redeem|chang|reset|(?<!un)block|replac|balance|order", re.IGNORECASE
)
_LONGEST_BADGE: Final = 32
_NAME_HEADERS: Final = re.compile(r"(?:x-)?(?:auth-)?(?:user(?:[-_]?name)?|login|e?mail)", re.IGNORECASE)
_PASSWORD_HEADERS: Final = re.compile(r"(?:x-)?(?:auth-)?(?:user-?)?(?:password|passwd|pass|pwd)", re.IGNORECASE)
# Codes by message or by device let in as passwords do.
_CODE: Final = re.compile(r"^(?:(?:login|auth|sms|mail|verification|one_?time)_?)?(?:code|otp)$", re.IGNORECASE)
# One of these is in whatever these find.
_HINTS: Final = (b"pass", b"pw", b"pin", b"secret", b"code", b"otp", *pieces_of("password"))
# Both in the body of what calls itself a login; elsewhere they may be anything.
_ABBREVIATED: Final = {"u": "user", "p": "password"}
# What a GraphQL request is called is nobody's name.
_OF_OPERATIONS: Final = frozenset({"operationName", "query"})
# Nor is the number of a call by JSON-RPC.
_OF_CALLS: Final = frozenset(Point.of("post", "json_doc", "json_obj", name) for name in ENVELOPE)
_NAME: Final = Words(
    r"user|login|e?mail|nick|account|name|^id$|^uid$|phone|(?<!re)member|customer|^log$", re.IGNORECASE
)
# What stands beside a name and a password and is neither: tokens of forms, where to go afterwards, which button it was.
_NO_NAME: Final = Words(
    r"csrf|xsrf|token|nonce|captcha|cookie|^_|next|redirect|return|goto|back|remember|stay|keep|submit|action|button|lang|locale|grant|scope"
    r"|client|state|type|method|device|platform|version|domain|realm|tenant|company|org|mode|format|time",
    re.IGNORECASE,
)
# An account that is made by its name alone: what it is called, and the key or token that it is given.
_ACCOUNT: Final = Words(
    r"(?:user|login|nick|account|team|member|customer|client|owner|company|tenant|organi[sz]ation|full|display)?_?name"
    r"|user|nick|login|account|team|e[-_]?mail",
    re.IGNORECASE,
)
_KEY: Final = re.compile(
    r"(?:api|access|auth|session|personal|private|secret|user|account|team|client)?[-_]?(?:key|token|secret)",
    re.IGNORECASE,
)
_AS_ITSELF: Final = b"client_credentials"
_MASK: Final = re.compile(
    r"[*•●#]{3,}|[\[<({*%$]{0,2}(?:redacted|masked|filtered|hidden|removed|omitted|scrubbed)[\]>)}*%]{0,2}",
    re.IGNORECASE,
)
_LETS_IN: Final = re.compile(rb"authorization|cookie|.*(?:key|token|auth|session|secret).*", re.IGNORECASE)


class RecordedLogins:
    """What logins have handed out, and to whom.

    logins.see(exchange)             for each exchange of the record
    logins.name_of(["3f9a…"])        who signed in for one of these values; empty where nobody was seen to
    logins.signed_in(request)        who signs in by a request
    logins.raising("ann")            what of her name or a login's answer says that she manages others
    logins.role_of("ann")            the role that a login's answer says she has
    """

    def __init__(self) -> None:
        """Nobody has signed in yet."""
        self._names: OrderedDict[str, str] = OrderedDict()
        self._managers: dict[str, frozenset[str]] = {}
        self._roles: dict[str, str] = {}
        # By what else those who signed up may sign in, and their names.
        self._also: dict[str, str] = {}
        # Sessions that were brought to logins which led back to themselves, and whose they would be.
        self._led_back: dict[str, str] = {}
        # Where somebody signed in who was nobody before.
        self._places: set[bytes] = set()

    def see(self, exchange: Exchange) -> None:
        """One more exchange; only an answered login is remembered, by what it handed out."""
        response = exchange.response
        if response is None or response.status >= FIRST_ERROR:
            return
        self._go_on(exchange.request, response)
        self._look_behind(exchange.request, response)
        name = self.signed_in(exchange.request) or self._renewing(exchange.request)
        made = "" if name else _made(exchange.request)
        if not name and not made:
            return
        if name and len(self._also) < MOST_REMEMBERED:
            self._also |= {
                other: name for other in names_beside(_fields(exchange.request), name) if other not in self._also
            }
        if name and len(self._managers) < MOST_REMEMBERED and (raised := _raising(name, response)):
            self._managers[name] = raised
        if name and len(self._roles) < MOST_REMEMBERED and (role := role_word(fields(response))):
            self._roles[name] = role
        handed = (*_cookies(response), *_tokens(response)) if name else _tokens(response, _KEY)
        name = name or made
        for value in handed:
            if _LEAST_CREDENTIAL <= len(value) <= _MOST_CREDENTIAL:
                self._names[value] = name
        kept = dict.fromkeys(_kept(exchange), name)
        if leads_on(exchange) or shows_a_way_out(response):
            self._names |= kept
        elif name and response.status >= FIRST_REDIRECT and len(self._led_back) < MOST_REMEMBERED:
            self._led_back |= kept
        while len(self._names) > MOST_REMEMBERED:
            self._names.popitem(last=False)

    def signed_in(self, request: Request) -> str:
        """The name that a login's request is sent for, in lower case; empty where it is no login, as where somebody who is let in
        writes a name and a password of another down: he makes an account for him, unless it is where people sign in.
        """
        name = signed_in(request)
        name = self._also.get(name, name)
        sender = self.name_of(_brought(request)) if name else ""
        if not name or sender == name or signs_in(request):
            return name
        if not sender and len(self._places) < MOST_REMEMBERED:
            self._places.add(request.path)
        return name if request.path in self._places else ""

    def _go_on(self, request: Request, answer: Response) -> None:
        """A session that is kept in its cookie has another value whenever something in it changes; some have with each answer."""
        cookies = list(issued(answer))
        if not cookies or signs_out(request) or refusal(answer) is not None:
            return
        sent = dict(_pairs(request))
        for cookie in cookies:
            whose = self._names.get(sent.get(cookie.name, ""))
            value = unquote(cookie.value).decode("latin-1")
            if whose and _LEAST_CREDENTIAL <= len(value) <= _MOST_CREDENTIAL:
                self._names[value] = whose

    def _look_behind(self, request: Request, answer: Response) -> None:
        """A login may lead back to its own address, as where it failed: the next page says whether it let somebody in."""
        if not self._led_back or answer.status >= FIRST_REDIRECT or not media_type(answer).endswith("html"):
            return
        for value in self._led_back.keys() & {value for _, value in _pairs(request)}:
            name = self._led_back.pop(value)
            if shows_a_way_out(answer):
                self._names[value] = name

    def _renewing(self, request: Request) -> str:
        """Whose token a request gives for another; empty where it does no such thing."""
        return self.name_of(each.value.decode("latin-1") for each in walk(request).points) if renews(request) else ""

    def name_of(self, values: Iterable[str]) -> str:
        """The name that signed in for one of these values, a scheme word in front of it or not."""
        for value in values:
            name = self._names.get(value) or self._names.get(value.rpartition(" ")[2])
            if name:
                return name
        return ""

    def raising(self, name: str) -> frozenset[str]:
        """What says that somebody who signed in by this name, or is known by it, manages others; nothing where he does not."""
        return self._managers.get(name) or raising_name(name)

    def role_of(self, name: str) -> str:
        """The role that a login's answer says somebody has who signed in by this name; empty where none says so."""
        return self._roles.get(name, "")


def lets_in_a_manager(name: str, answer: Response | None) -> bool:
    """Whether the name that somebody signs in by, or what the login is answered, says that he manages others."""
    return is_managers_name(name) or (answer is not None and manages(fields(answer)))


def _raising(name: str, answer: Response) -> frozenset[str]:
    return raising(fields(answer)) | raising_name(name)


def signed_in(request: Request) -> str:
    """The name that a login's request is sent for, in lower case; empty where it is no login."""
    fields = _fields(request)
    return _signed_in(fields) or _by_number(request, fields) or _program(request)


def secret_of(request: Request) -> Point | None:
    """Where the PIN beside a badge, or a password in a header, stands in a login that brings one; None where it does not."""
    if not signed_in(request):
        return None
    for found in walk(request).points:
        point = tuple(found.point)
        called = _PIN if point[0] == "post" else _PASSWORD_HEADERS if point[0] == "header" and len(point) == 2 else None
        if called is not None and not found.container and called.fullmatch(point[-1]):
            return found.point
    return None


def can_be_repeated(login: Request) -> bool:
    """Whether a login holds its password, which programs that save or share records put stars or a word in the place of."""
    held = (value for name, value in _fields(login).items() if _PASSWORD.search(name) and isinstance(value, str))
    return not any(_MASK.fullmatch(value.strip()) for value in held)


def brings_password(body: Iterable[str]) -> bool:
    """Whether a field of a body is called as a password is. A PIN is a code as well, and counts as none."""
    return any(_SIGNS_IN.search(name) for name in body)


def _program(request: Request) -> str:
    """The name of a program that is let in by its own secret (RFC 6749 section 4.4), in lower case."""
    body = (body_of(request) or {}) if _AS_ITSELF in request.body else {}
    if body.get("grant_type") != _AS_ITSELF.decode():
        return ""
    named = body.get("client_id") if body.get("client_secret") else None
    basic = (request.first(b"Authorization") or b"").decode("latin-1")
    if not named and basic[:6].lower() == "basic ":
        named = basic_user(basic[6:].strip()).removeprefix("basic ")
    return named.strip().lower() if isinstance(named, str) else ""


def _made(request: Request) -> str:
    """The name, in lower case, of the account that a request may make without a password: sent by nobody who is let in
    already, whose keys may have names of their own; empty where it is no such request.
    """
    if request.method.upper() != "POST" or any(
        _LETS_IN.fullmatch(header) and value for header, value in request.headers
    ):
        return ""
    body = body_of(request) or {}
    if any(_PASSWORD.search(name) for name in body):
        return ""
    names = (value for name, value in body.items() if _ACCOUNT.fullmatch(name) and isinstance(value, str))
    return next((value.strip().lower() for value in names if value.strip()), "")


def _fields(request: Request) -> dict[str, object]:
    """The fields of a body, of objects in it, and of a GraphQL query's arguments: logins stand in `user` and `variables`, too.
    Without a body those of the query, where the address says that it is one: some APIs sign in by a GET.
    """
    body = body_of(request) or _from_headers(request)
    if body.keys() >= _ABBREVIATED.keys() and calls_itself_login(request):
        return {whole: body[short] for short, whole in _ABBREVIATED.items()}
    lowered = (request.body or request.query or b"")[:_MOST_CREDENTIAL].lower()
    if body and not request.body:
        return body
    if not any(hint in lowered for hint in _HINTS) or not (request.body or signs_in(request)):
        return {}
    if any(_PASSWORD.search(name) for name in body):
        return body
    place, of_the_call = "post" if request.body else "get", _OF_CALLS if procedure_of(request) else frozenset[Point]()
    return {
        _called(request, found.point[-1]): found.value.decode("utf-8", "replace")
        for found in walk(request).points
        if found.point[0] == place and not found.container and found.point[-1] not in _OF_OPERATIONS
        if found.point not in of_the_call
    }


def _from_headers(request: Request) -> dict[str, object]:
    """The name and the password of a request without a body that asks for a session with both in headers of their own."""
    if request.body or not asks_to_be_let_in(request):
        return {}
    sent = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers]
    names = [value for name, value in sent if _NAME_HEADERS.fullmatch(name)]
    passwords = [value for name, value in sent if _PASSWORD_HEADERS.fullmatch(name)]
    return {"user": names[0], "password": passwords[0]} if len(names) == len(passwords) == 1 else {}


def _called(request: Request, name: str) -> str:
    """A field's name; of a GraphQL variable that may be called anything its argument's."""
    told = _NAME.search(name) or _PASSWORD.search(name) or _CODE.search(name)
    return name if told else argument_of(request, name)


def _signed_in(body: dict[str, object]) -> str:
    """The name in a login's body, in lower case: the first text named so beside exactly one password.

    Two passwords are a registration or a change of one.
    """
    texts = {name: value for name, value in body.items() if isinstance(value, str) and value}
    passwords = [name for name in texts if _PASSWORD.search(name)] or [name for name in texts if _CODE.search(name)]
    if len(passwords) != 1:
        return ""
    others = [name for name, value in texts.items() if name not in passwords and value.strip()]
    # The number of a call (JSON-RPC), or how somebody signs in (`login_type`), is nobody's name where another member is.
    names = sorted(
        (name for name in others if _NAME.search(name)),
        key=lambda name: (name.lower() == "id", _NO_NAME.search(name) is not None),
    )
    names = to_sign_in_by(names)
    # The application's own word for a name: `handle`, `badge`.
    alone = [name for name in others if not _NO_NAME.search(name)] if _SIGNS_IN.search(passwords[0]) else []
    names = names or (alone if len(alone) == 1 else [])
    return texts[names[0]].strip().lower() if names else ""


def _by_number(request: Request, body: dict[str, object]) -> str:
    """The badge or card, in lower case, that a body brings with its PIN and nothing else; both may be numbers."""
    if request.method.upper() != "POST" or _DONE_WITH_IT.search(request.path):
        return ""
    sent = {
        name: str(value).strip()
        for name, value in body.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and not _NO_NAME.search(name)
    }
    pins = [name for name in sent if _PIN.fullmatch(name) and _PIN_DIGITS.fullmatch(sent[name])]
    names = [name for name in sent if name not in pins and not _OF_A_STEP.search(name)]
    if len(sent) != 2 or len(pins) != 1 or len(names) != 1 or len(sent[names[0]]) > _LONGEST_BADGE:
        return ""
    return sent[names[0]].lower() if _BADGE.search(names[0]) or calls_itself_login(request) else ""


def _kept(exchange: Exchange) -> list[str]:
    """The values of the cookies that a login brought and kept: many applications let a visitor's session become a user's."""
    issues = {cookie.name.decode("latin-1") for cookie in issued(exchange.response)} if exchange.response else set()
    brought = (found for found in walk(exchange.request).points if tuple(found.point[:2]) == _COOKIE)
    values = (found.value.decode("latin-1") for found in brought if found.point[-1] not in issues)
    return [value for value in values if _LEAST_CREDENTIAL <= len(value) <= _MOST_CREDENTIAL]


def _pairs(request: Request) -> Iterator[tuple[bytes, str]]:
    """The cookies of a request, as they are read."""
    for header in request.all(b"Cookie"):
        for pair in header.split(b";"):
            name, _, value = pair.strip().partition(b"=")
            yield name, unquote(value).decode("latin-1")


def _brought(request: Request) -> list[str]:
    """What a request may be let in by."""
    return [*(value for _, value in _pairs(request)), (request.first(b"Authorization") or b"").decode("latin-1")]


def _cookies(response: Response) -> list[str]:
    """The values of the cookies that an answer sets, as they are read where they come back."""
    pairs = (header.partition(b";")[0].partition(b"=")[2].strip() for header in response.all(b"Set-Cookie"))
    return [unquote(value).decode("latin-1") for value in pairs]


def _tokens(response: Response, called: re.Pattern[str] | None = None) -> list[str]:
    """The texts of an answer's JSON or XML, near its top. called: only those of members that are called so."""
    todo = [structured(response)]
    texts: list[str] = []
    for value in todo:
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict) and len(todo) < _MOST_TEXTS:
            todo += (
                each
                for name, each in value.items()
                if called is None or isinstance(each, dict) or called.fullmatch(name)
            )
    return texts
