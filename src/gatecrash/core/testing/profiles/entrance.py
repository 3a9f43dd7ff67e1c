"""Registration and login of an application that is known only from its description.

Both are known by their path, of GraphQL by the operation's name behind it, and by the fields of their body. Where one
path says it in other words, the fields do: who is let in by a name and a password was made by what asks for the same and
more. What is filled in are accounts of our own: a name, an address and a password that nobody had before.
"""

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

import msgspec
import orjson

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.auth.logins import SECRETS, is_typed_again
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.notation import upper
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.callers.account_endpoints import may_name_somebody
from gatecrash.core.testing.authorization.callers.own_headers import is_ordinary
from gatecrash.core.testing.effects.wholesale import is_first_run
from gatecrash.core.testing.forms.tokens import is_random
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.profile import Step, Take
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import plain

_LOGIN: Final = Words(
    r"(?:log|sign)[-_]?in|authenticate|logon|sign[-_]?on\b|(?:^|[-_])tokens?(?:$|[-_])|^auth$|^jwt$|^sessions?$"
    r"|(?:open|start|begin|create|new)[-_]?session$"
)
_REGISTRATION: Final = Words(
    r"regist(?:er|ration)|sign[-_]?up|enroll?|create[-_]?(?:user|account)"
    r"|/(?:(?:create|add|new)-(?:customer|member|user)|(?:user|account|customer|member)-(?:create|add))$"
)
# So are groups and games entered, but not with a password of one's own.
_JOINS: Final = Words(r"^(?:join(?:[-_]?(?:us|now))?|(?:open|new)[-_]?account|become[-_]?(?:a[-_]?)?member)$")
_COLLECTION: Final = Words(r"^(?:users?|accounts?|customers?|members?)$")
# Logins elsewhere, and what is no login: signing in by a link or a service elsewhere, resetting, changing, refreshing.
_OTHER: Final = Words(
    r"admin|staff|internal|oauth2?/authorize|google|github|facebook|forgot|reset|change|recover|refresh|verif|confirm"
    r"|revoke|log[-_]?out|sign[-_]?out|2fa|mfa|totp|otp"
)
_PASSWORD: Final = Words(
    r"passw(?:or)?d|pwd|passphrase|^(?:new|old|current|present|user|repeat|confirm)?pass$|^pw$|^password|kennwort|contrase"
)
_MAIL: Final = Words(r"e?mail")
_USER: Final = Words(r"user(?:name)?$|^login|nick|handle|accountname")
# What only somebody else hands out: who joins has none.
_HANDED_OUT: Final = re.compile(r"(?:token|otp|nonce|ticket)$|^code$|^(?:old|new|current)")
# What tells which program asks (RFC 6749): frameworks describe its secret in the form of a password, beside the user's.
_OF_A_PROGRAM: Final = frozenset({"clientid", "clientsecret"})
_BESIDE_A_PASSWORD: Final = frozenset({"account", "id", "identifier", "name", "uid", "userid"})
_TOKENS: Final = (
    "accesstoken", "token", "jwt", "authtoken", "bearertoken", "idtoken", "sessiontoken", "sessionid", "access", "apikey", "key",
)  # fmt: skip
_LEAST_TOKEN: Final = 8
_POSTING: Final = frozenset({"POST", "PUT", "PATCH"})
# Parts of headers' names, in capitals.
_OF_A_SESSION: Final = re.compile(r"TOKEN|SESSION|NONCE|CSRF|XSRF|SIGNATURE|TIMESTAMP")
# What renews, resets, confirms or guards forms lets nobody in by itself.
_OTHER_TOKEN: Final = Words(r"refresh|renew|[cx]srf|forgery|reset|verif|confirm|remember|device|push|cookie")
_OPAQUE: Final = re.compile(r"[\w.+/=-]{16,}")
# In a JSON path: a member that is called after what lets in, wherever it stands, and a last one that names somebody.
_LETS_IN: Final = re.compile(r'sess|token|auth(?!or)|credential|ticket|"sid"', re.IGNORECASE)
_NAMES_SOMEBODY: Final = re.compile(r'id"\]$', re.IGNORECASE)
# A GraphQL answer has what was asked for two levels down.
_DEEPEST: Final = 4
_MOST_OF_A_LIST: Final = 2
_WORD: Final = re.compile(r"^(?:Bearer|Token|JWT)\s+", re.IGNORECASE)


class Account(Guarded, frozen=True, kw_only=True):
    """One account of ours."""

    user: str
    mail: str
    password: str


class Entrance(msgspec.Struct, frozen=True):
    """Requests as the description has them. registration: makes an account; None where nothing says so."""

    login: Request | None
    registration: Request | None

    @property
    def called(self) -> frozenset[str]:
        """What the login calls its users' names, plain: the registration means the same by it (`callsign`)."""
        kinds = fields(self.login) if self.login is not None else {}
        return frozenset(_plain(point[-1]) for point, kind in kinds.items() if kind == "user")


def entrance_of(requests: Iterable[Request], guarded: Container[Request] = ()) -> Entrance:
    """The likeliest login and registration among the requests of one origin. guarded: those of them that are said to want
    credentials, so that they are neither where no word of theirs says that they are.
    """
    posted = [one for one in requests if one.method.upper() == "POST" and not is_for_others(one) and fields(one)]
    logins = [one for one in posted if _LOGIN.search(_last_word(one)) and _is_login(one)]
    login = min(logins, key=_depth, default=None)
    called = Entrance(login, None).called
    registrations = [one for one in posted if _REGISTRATION.search(_path(one)) and _is_registration(one, called)]
    registrations += [one for one in posted if _COLLECTION.search(_last_word(one)) and _is_registration(one, called)]
    registration = min(registrations, key=_depth, default=None)
    if login is not None and registration is not None:
        return Entrance(login, registration)
    # A document that says of all that they want credentials says nothing of these.
    return _by_fields([one for one in posted if one not in guarded] or posted, login, registration)


def _by_fields(requests: list[Request], login: Request | None, registration: Request | None) -> Entrance:
    """The two where the words of one or both are unknown (`/enter` beside `/join`): the login asks for a name and a password and
    nothing else, the registration for these and more. What words found stays alone where nothing fits it.
    """
    logins = [login] if login is not None else [one for one in requests if _is_login(one) and len(fields(one)) == 2]
    called = Entrance(login, None).called
    joins = [registration] if registration is not None else [one for one in requests if _may_make_accounts(one, called)]
    pairs = [(one, other) for one in logins for other in joins if one != other and _names_of(one) <= _names_of(other)]
    # Of two that ask for the same nobody knows which is which.
    known = login is not None or registration is not None
    pairs = [(one, other) for one, other in pairs if known or _names_of(one) != _names_of(other)]
    return Entrance(*min(pairs, key=lambda pair: _depth(pair[0]) + _depth(pair[1]), default=(login, registration)))


def _may_make_accounts(request: Request, called: Container[str]) -> bool:
    return _is_registration(request, called) and not any(map(_HANDED_OUT.search, _names_of(request)))


def _names_of(request: Request) -> set[str]:
    return {_plain(point[-1]) for point in fields(request)}


def fields(request: Request, called: Container[str] = ()) -> dict[Point, str]:
    """What each field of a body that has a password is: password, mail, user, or nothing known. Of what posts no body it is the
    query's, as frameworks describe functions of plain arguments. called: what the login calls its users' names, plain.
    """
    place = "post" if request.body or request.method.upper() not in _POSTING else "get"
    values = {one.point: one.value for one in walk(request).points if one.point[0] == place and not one.container}
    points, kinds = list(values), {point: kind_of_name(_plain(point[-1])) for point in values}
    # A button says what it is called: `Login=Login` beside the user's name.
    buttons = [point for point in points if kinds[point] == "user" and _is_button(point[-1], values[point])]
    if [*kinds.values()].count("user") > len(buttons):
        kinds |= dict.fromkeys(buttons, "")
    if "password" not in kinds.values():
        kinds |= {point: "password" for point in points if _plain(point[-1]) in SECRETS}
    if "user" not in kinds.values():  # what may be anything elsewhere is the user beside a password
        kinds |= {point: "user" for point in points if not kinds[point] and _plain(point[-1]) in _BESIDE_A_PASSWORD}
    if "user" not in kinds.values():
        kinds |= {point: "user" for point in points if not kinds[point] and _plain(point[-1]) in called}
    if sorted(kinds.values()) == ["", "password"] and _LOGIN.search(_last_word(request)):
        kinds |= {point: "user" for point in points if not kinds[point] and may_name_somebody(_plain(point[-1]))}
    # A registration lets nobody in whose two passwords differ.
    typed = {values[point] for point in points if kinds[point] == "password"}
    unknown = [point for point in points if not kinds[point] and _plain(point[-1]) not in _OF_A_PROGRAM]
    kinds |= {point: "password" for point in unknown if is_typed_again(values[point], typed)}
    return kinds if "password" in kinds.values() else {}


def _is_button(name: str, value: bytes) -> bool:
    return value.decode("utf-8", "replace").lower() == name.lower()


def registers(request: Request) -> bool:
    """Whether a request makes an account by its path, which it can do once."""
    return bool(_REGISTRATION.search(_path(request)) or _COLLECTION.search(_last_word(request)))


def is_for_others(request: Request) -> bool:
    """Whether its path says that it is an entrance for others, as for who sets the application up, or does something else about
    signing in: resets, confirms, refreshes.
    """
    return _OTHER.search(_path(request)) is not None or is_first_run(_path(request))


def says_login(request: Request) -> bool:
    """Whether its path says that it signs somebody in."""
    return _LOGIN.search(_last_word(request)) is not None


def says_entrance(request: Request) -> bool:
    """Whether its path says that it makes an account or signs in."""
    return registers(request) or says_login(request)


def registers_into(request: Request) -> bool:
    """Whether the last word of its path only says that it makes an account: those stand above it (`/knitters/register`)."""
    word = _last_word(request)
    return _REGISTRATION.search("/" + word) is not None or (_JOINS.search(word) is not None and bool(fields(request)))


def enrolling(registration: Request, account: Account, called: Container[str] = ()) -> Request:
    """The registration with an account of ours; the fields that it does not know stay as the description has them. called: what
    the login calls its users' names, plain.
    """
    return _filled(registration, account, fields(registration, called))


def signing_in(login: Request, account: Account, *, by_mail: bool) -> Request:
    """The login with the account. by_mail: what it calls the user's name is the address."""
    kinds = {point: "mail" if kind == "user" and by_mail else kind for point, kind in fields(login).items()}
    return _filled(login, account, kinds)


def as_step(request: Request, take: Take | None) -> Step:
    """The request as a step of a login that sends these very values."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1").replace("${", "$${"))
        for name, value in request.headers
        if name.lower() in (b"content-type", b"accept", b"user-agent")  # a session may be good for its browser alone
        or _lets_programs_in(upper(name.decode("latin-1")), value)
    )
    body = request.body.decode("utf-8", "replace").replace("${", "$${")
    url = request.url.replace("${", "$${")
    return Step(method=request.method, url=url, headers=headers, body=body, take=(take,) if take else ())


def _lets_programs_in(name: str, value: bytes) -> bool:
    """Whether a header tells which program asks, as a login's has to at some APIs: a key, a client with its secret. What is good
    for one session or one moment is no part of another login.
    """
    if name == "AUTHORIZATION":
        return value[:6].lower() == b"basic "
    return not is_ordinary(name) and _OF_A_SESSION.search(name) is None


def token_in(response: Response) -> tuple[Take, str] | None:
    """Where a login's answer holds a token, and the token without any word before it; None where it holds none.

    Looked for in its JSON by what members are called, then in its headers: Authorization, or one that is called so.
    """
    document = structured(response)
    found = sorted(_tokens(document, ("$",)), key=lambda one: one[0]) or _token_alone(document)
    if found:
        _, path, value = found[0]
        return Take("token", "json", path), _WORD.sub("", value)
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers]
    called = [(name, text) for name, text in headers if _is_called_a_token(_plain(name), text)]
    for name, text in sorted(called, key=lambda one: _plain(one[0]) != "authorization"):
        return Take("token", "header", upper(name)), _WORD.sub("", text)
    return None


def handed_on(given: Exchange, request: Request) -> tuple[Take, str] | None:
    """What a login's first step gave and a later one carries: where its JSON has it, and the text itself; None for nothing.

    What it only says again, as a registration the name, was not given by it.
    """
    body, sent = (each.body.decode("utf-8", "replace") for each in (request, given.request))
    for _, path, text in _texts(structured(given.response), ("$",)) if given.response is not None else ():
        if len(text) >= _LEAST_TOKEN and text in body and text.lower() not in sent.lower():
            return Take("step", "json", path), text
    return None


def path_of_text(answer: Response, wanted: str) -> str | None:
    """The JSON path of a text in an answer; None where it is not there."""
    return next((path for _, path, text in _texts(structured(answer), ("$",)) if text == wanted), None)


def opaque_texts(given: Exchange) -> Iterator[tuple[Take, str]]:
    """Every text of an answer's JSON that may be a token, whatever it is called, but for what was sent."""
    sent = given.request.body.decode("utf-8", "replace")
    document = structured(given.response) if given.response is not None else None
    for _, path, text in _texts(document, ("$",), of_a_list=_MOST_OF_A_LIST):
        bare = _WORD.sub("", text)
        if _OPAQUE.fullmatch(bare) and bare not in sent:
            yield Take("token", "json", path), bare


def only_random_text(given: Exchange) -> tuple[Take, str] | None:
    """The text of a login's answer that must be its token though nothing calls it so: the only random one, but for what names
    somebody (`id`); of several the only one in what is called after a session (`{"session": {"value": …}}`).
    """
    found = [(take, text) for take, text in opaque_texts(given) if is_random(text)]
    found = [each for each in found if not _OTHER_TOKEN.search(each[0].expression)]
    called = [each for each in found if _LETS_IN.search(each[0].expression)]
    left = called or [each for each in found if not _NAMES_SOMEBODY.search(each[0].expression)]
    return left[0] if len(left) == 1 else None


def has_word(response: Response, take: Take, token: str) -> bool:
    """Whether the answer writes the token with its word before it, as `Bearer …`."""
    if take.source == "header":
        return (response.first(take.expression.encode("latin-1")) or b"").decode("latin-1") != token
    return not any(value == token for _, _, value in _texts(structured(response), ("$",)))


def _filled(request: Request, account: Account, kinds: dict[Point, str]) -> Request:
    values = {"password": account.password, "mail": account.mail, "user": account.user}
    return rewrite_many(request, {point: values[kind].encode() for point, kind in kinds.items() if kind in values})


def _is_login(request: Request) -> bool:
    kinds = list(fields(request).values())
    return kinds.count("password") == 1 and bool({"user", "mail"} & set(kinds))


def _is_registration(request: Request, called: Container[str]) -> bool:
    return bool({"user", "mail"} & set(fields(request, called).values()))


def kind_of_name(name: str) -> str:
    """What a field of this name holds: password, mail, user; empty where its name does not say so."""
    for kind, pattern in (("password", _PASSWORD), ("mail", _MAIL), ("user", _USER)):
        if pattern.search(name):
            return kind
    return ""


def _tokens(value: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Every text that is called as tokens are: its rank, its JSON path, and itself."""
    for (name, depth), path, text in _texts(value, at):
        if name in _TOKENS and len(text) >= _LEAST_TOKEN:
            yield (_TOKENS.index(name), depth), path, text
        elif name != "authorization" and _is_called_a_token(name, text):
            yield (len(_TOKENS), depth), path, text


def _is_called_a_token(name: str, text: str) -> bool:
    """Whether a text that the list does not name is a token all the same: called so, or a signed one (`jwtToken`, `x-auth-token`)."""
    if len(text) < _LEAST_TOKEN or _OTHER_TOKEN.search(name):
        return False
    return name == "authorization" or name.endswith(("token", "jwt")) or is_jwt(_WORD.sub("", text).encode())


def _token_alone(document: Any) -> list[tuple[tuple[int, int], str, str]]:
    """What is answered where the call gives the token itself, however that is called: `{"data": {"login": "eyJ…"}}`."""
    at, given = _given(document)
    return [
        ((0, 0), "".join(("$", *map(_member, (*at, name)))), text)
        for name, text in given.items()
        if len(given) == 1 and isinstance(text, str) and (is_jwt(text.encode()) or _OPAQUE.fullmatch(text))
    ]


def _given(document: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """What a call gives, and the members that lead there: below `data` of GraphQL, the result of JSON-RPC, the parts of a SOAP response."""
    if not isinstance(document, dict):
        return (), {}
    if "jsonrpc" in document:
        return (), {"result": document.get("result")}
    above = next(
        (name for name in document if name == "data" or (len(document) == 1 and name.endswith("Response"))), ""
    )
    given = document.get(above)
    return (above,), given if isinstance(given, dict) else {}


def _texts(value: Any, at: tuple[str, ...], of_a_list: int = 0) -> Iterator[tuple[tuple[str, int], str, str]]:
    """Every text in objects near the top: its plain name and how deep it stands, its JSON path, and itself. of_a_list: how many
    objects of each list are looked into.
    """
    # A list counts as deep as an object does: one within another may go on for as long as the answer is.
    if len(at) > _DEEPEST:
        return
    if isinstance(value, list):
        for number, one in enumerate(value[:of_a_list]):
            yield from _texts(one, (*at, f"[{number}]"), of_a_list)
    if not isinstance(value, dict):
        return
    for name, one in value.items():
        if isinstance(one, str):
            yield (_plain(name), len(at)), "".join((*at, _member(name))), one
        else:
            yield from _texts(one, (*at, _member(name)), of_a_list)


def _member(name: str) -> str:
    """A member as a JSON path writes it (RFC 9535 section 2.3.1)."""
    return "[" + orjson.dumps(name).decode() + "]"


def _path(request: Request) -> str:
    return address_of(request).lower()


def _last_word(request: Request) -> str:
    return _path(request).rstrip("/").rpartition("/")[2]


def _depth(request: Request) -> int:
    return request.path.count(b"/")


def _plain(name: str) -> str:
    return plain(in_english(name))
