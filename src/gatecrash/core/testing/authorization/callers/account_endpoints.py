"""Requests to account endpoints (login, registration, password reset) and their fields.

Known by the fields of the body and by the path, and a login without such a path by what it was answered with: a guess here
would send wrong passwords to an endpoint that is none.
"""

import re
from random import Random
from typing import Any

import msgspec

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.auth.logins import SECRETS, is_password
from gatecrash.core.errors import UserError
from gatecrash.core.inventory.called_credentials import is_argument
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.sign_in import SIGNS_IN
from gatecrash.core.testing.forms.tokens import is_random
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import address_of, argument_of
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words

LOGIN, REGISTRATION, RESET = "login", "registration", "reset"

_NAME = Words(
    r"(?:j|log|user|login|account|auth)?(?:user|log|login|account|e?mail|handle|nick|identifier|phone|mobile)"
    r"(?:name|id|mail|address|number|login)?|uname|uid|benutzername|id"
    r"|(?:admin|member|staff|employee|customer|client|student|patient)(?:name|user|login|id|no|number|code|mail|email)"
)
_TO_REGISTRATION = Words(r"regist|sign[-_]?up|/join\b|enrol|create[-_]?(?:account|user)", re.IGNORECASE)
_TO_RESET = Words(
    r"forgot|reset|recover|lost|remind|/pass-?(?:word|wd)s?/(?:code|token|link|otp|e?mail|request|send|start|init)/?$",
    re.IGNORECASE,
)
_CHANGES = Words(r"change|update|confirm|verify", re.IGNORECASE)
# Whoever posts an account to all of them makes one, also where he is let in at once.
_ALL_ACCOUNTS = Words(r"(?:^|/)(?:users|accounts|customers|members)/?$", re.IGNORECASE)
# A password that is set is no password that lets in.
_SETS_PASSWORD = Words(r"/pass-?(?:word|wd|phrase)s?/?$", re.IGNORECASE)
_NEW_PASSWORD = Words(r"new[-_]?pass|pass(?:word|wd)?[-_]?new|new[-_]?pwd", re.IGNORECASE)
_CODE = re.compile(r"code|token|otp|pin|key", re.IGNORECASE)
_TO_CODES = Words(
    r"/(?:(?:re-?)?(?:send|request|generate|get|ask)[-_]?)?(?:[a-z]+[-_])?(?:t?otps?|(?:one-?time|login|sms|mail|verification|auth)[-_]?(?:codes?|pins?|passwords?))"
    r"(?:/(?:re-?)?(?:send|request|generate|new))?/?$|/(?:re-?)?(?:send|request)[-_]?(?:code|pin)/?$",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"csrf|xsrf|authenticity|nonce|state|captcha|remember|keep|stay|redirect|return|next|url|lang", re.IGNORECASE
)
_CSRF = re.compile(r"csrf|xsrf|authenticity|nonce|state", re.IGNORECASE)
_GIVEN = Words(r"(?:access|auth|id|session|refresh)?_?(?:token|jwt|session(?:_?id)?)", re.IGNORECASE)
# Programs sign in with a password once, and with such a key from then on.
_KEY = re.compile(r"(?:api|access|auth|personal|private|secret|user)[-_]?(?:key|token|secret)", re.IGNORECASE)
_SHORTEST = 8


class AccountRequest(msgspec.Struct, frozen=True):
    """A request for an account. kind: LOGIN, REGISTRATION or RESET. name: whose. password: where one is sent; else None."""

    kind: str
    name: Point
    value: str
    password: Point | None


def account_request(exchange: Exchange, *, makes_accounts: bool = False, let_in: bool = False) -> AccountRequest | None:
    """The login, registration or reset that a request is; None where it is surely none of them.

    makes_accounts: whether who posts an account to all of them counts as registered though the answer lets him in nowhere;
    somebody who manages them may have made it for another. let_in: whether the request is known to have let somebody in,
    where its answer is at hand no more.
    """
    request = exchange.request
    if request.method.upper() != "POST" or not request.body:
        return None
    fields = [found for found in walked(request) if found.point[0] == "post" and not found.container]
    called = {found.point: _called(request, found.point[-1]) for found in fields}
    passwords = [found.point for found in fields if is_password(called[found.point].encode("utf-8", "replace"))]
    names = [
        found for found in fields if _is_name(called[found.point]) and found.point not in passwords and found.value
    ]
    if not names and passwords and _is_for_accounts(address_of(request)):
        names = [found for found in fields if _plain(called[found.point]) == "name" and found.value]
    if not names and len(passwords) == 1 and SIGNS_IN.search(address_of(request)):
        beside = [found for found in fields if found.point not in passwords]
        names = beside if len(beside) == 1 and beside[0].value and may_name_somebody(called[beside[0].point]) else []
    if not names:
        return None
    kind = _kind(exchange, list(called.values()), len(passwords), makes_accounts=makes_accounts, let_in=let_in)
    value = names[0].value.decode("utf-8", "replace")
    return AccountRequest(kind, names[0].point, value, passwords[0] if passwords else None) if kind else None


def brings_a_password(request: Request) -> bool:
    """Whether any field of a request is called as a password is, and has a value; who calls is no field of an envelope's body."""
    return any(
        found.value and is_password(_called(request, found.point[-1]).encode("utf-8", "replace"))
        for found in walked(request)
        if (found.point[0] == "get" or is_argument(found.point)) and not found.container
    )


def asks_for_code(exchange: Exchange) -> bool:
    """Whether a one-time code is asked for in somebody's name, which goes to him by mail or as a message (`/auth/otp`, `/send-code`)."""
    request = exchange.request
    if request.method.upper() != "POST" or not request.body or not _TO_CODES.search(address_of(request)):
        return False
    fields = [found for found in walked(request) if found.point[0] == "post" and not found.container and found.value]
    called = [_called(request, found.point[-1]) for found in fields if not _CSRF.search(found.point[-1])]
    return any(map(_is_name, called)) and not any(
        _CODE.search(name) or is_password(name.encode("utf-8", "replace")) for name in called
    )


def hands_out_a_key(exchange: Exchange) -> bool:
    """Whether who brings a password, and changes none, is given a token or a key for it. That lets him in by what he
    brought, whatever the address and the fields are called; it is not surely enough a login to be tried with wrong
    passwords.
    """
    request, response = exchange.request, exchange.response
    path = address_of(request)
    if request.method.upper() != "POST" or _TO_RESET.search(path) or _CHANGES.search(path):
        return False
    if response is None or response.status >= FIRST_ERROR or not (brings_a_password(request) or _says_who(request)):
        return False
    return not any(_NEW_PASSWORD.search(found.point[-1]) for found in walked(request)) and any(
        _gives(each) or _gives_key(each) for each in _told(response)
    )


def _says_who(request: Request) -> bool:
    """Whether a request brings somebody's name, and beside it what is called a secret and may be his password."""
    fields = [found for found in walked(request) if is_argument(found.point) and not found.container and found.value]
    called = [_called(request, found.point[-1]) for found in fields]
    return any(map(_is_name, called)) and any(_plain(name) in SECRETS for name in called)


def _kind(exchange: Exchange, names: list[str], passwords: int, *, makes_accounts: bool, let_in: bool) -> str:
    path, let_in = address_of(exchange.request), let_in or lets_in(exchange.response)
    if _TO_REGISTRATION.search(path):
        return REGISTRATION if passwords else ""
    if passwords == 0:
        coded = any(_CODE.search(name) and not _CSRF.search(name) for name in names)
        return RESET if _TO_RESET.search(path) and not coded else ""
    if passwords > 1 or _TO_RESET.search(path) or _CHANGES.search(path):
        return ""
    if _SETS_PASSWORD.search(path) and not let_in:
        return ""
    if any(_NEW_PASSWORD.search(name) for name in names):
        return ""
    if not SIGNS_IN.search(path) and not let_in:
        return REGISTRATION if makes_accounts and _ALL_ACCOUNTS.search(path) else ""
    return _among_all(exchange.request) if _ALL_ACCOUNTS.search(path) else LOGIN


def _among_all(request: Request) -> str:
    """What a new account among all of them is: a visitor's registration, and nothing to be tried where somebody makes it for others."""
    return "" if request.first(b"Authorization") or request.first(b"Cookie") else REGISTRATION


def lets_in(response: Response | None) -> bool:
    """Whether an answer hands out a session: a cookie, or a token in its JSON."""
    return response is not None and response.status < FIRST_ERROR and _gives_any(response)


@remembered
def _gives_any(response: Response) -> bool:
    return bool(response.first(b"Set-Cookie")) or any(_gives(each) for each in _told(response))


def _told(response: Response) -> list[object]:
    document = structured(response)
    return _results(document) if isinstance(document, dict) else []


def _gives(result: object) -> bool:
    if isinstance(result, dict):
        return any(_GIVEN.fullmatch(name) or _is_signed(value) for name, value in result.items())
    return _is_signed(result)


def _is_signed(value: object) -> bool:
    """Whether something is a signed token, which is one whatever it is called (`bearer`)."""
    return isinstance(value, str) and is_jwt(value.encode())


def _gives_key(result: object) -> bool:
    if isinstance(result, str):  # nothing but a random text: `{"data": {"enter": "b80699cadfb8c392a2a90b96d2eec8a7"}}`
        return is_random(result)
    return isinstance(result, dict) and any(
        _KEY.fullmatch(name) and isinstance(value, str) and len(value) >= _SHORTEST for name, value in result.items()
    )


def _results(document: dict[str, Any]) -> list[object]:
    """What an answer gives of what was asked for: itself, a call's `result`, what stands in an envelope, and what GraphQL has
    for each field, or SOAP in what is named after the function.
    """
    data = document.get("data")
    said = next((told for name, told in document.items() if len(document) == 1 and name.endswith("Response")), None)
    within = [each for one in (data, said) if isinstance(one, dict) for each in one.values()]
    return [document, document.get("result"), data, said, *within]


def _called(request: Request, name: str) -> str:
    """A field's name; of a GraphQL variable that may be called anything its argument's."""
    return name if _is_name(name) or is_password(name.encode("utf-8", "replace")) else argument_of(request, name)


def may_name_somebody(field: str) -> bool:
    """Whether a login's only field beside the password may be who signs in, however that is called (`callsign`): no code, and
    nothing that its form says besides.
    """
    return _CODE.search(field) is None and _NOBODY.search(field) is None


def is_called_name(field: str) -> bool:
    """Whether a field is called as the name or the address is that somebody signs in by."""
    return _is_name(field)


def _is_name(field: str) -> bool:
    return _NAME.fullmatch(_plain(field)) is not None


def _plain(field: str) -> str:
    return re.sub(r"[^a-z]", "", in_english(field).lower())


def _is_for_accounts(path: str) -> bool:
    """Whether a path says that accounts are entered or made there, where a mere `name` beside a password is whose account it is."""
    return any(said.search(path) is not None for said in (SIGNS_IN, _TO_REGISTRATION))


def invented(like: str, random: Random) -> str:
    """A name that nobody has, of the kind that the known one is; addresses at the domain of RFC 2606."""
    if like.lstrip("+").isdigit():
        return "".join(random.choices("123456789", k=max(_SHORTEST, len(like))))
    letters = fresh_letters(random, max(_SHORTEST, len(like.partition("@")[0])))
    return f"{letters}@example.com" if "@" in like else letters


def wrong_password(random: Random) -> str:
    """A password that is nobody's, with all that rules for passwords ask for."""
    return fresh_letters(random, 9) + "Aa7!"


def filled_in(request: Request, account: AccountRequest, name: str, password: str | None) -> Request | None:
    """The request in somebody's name; None where its body cannot hold that. password: None to leave what is there."""
    try:
        request = rewrite(request, account.name, name.encode())
        return (
            request
            if password is None or account.password is None
            else rewrite(request, account.password, password.encode())
        )
    except UserError:
        return None
