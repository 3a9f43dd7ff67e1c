"""Whether an exchange is a login: what may issue a session that stands for a user.

A password field, credentials in Authorization, or the callback of an identity provider; and an answer below 400 that
does not ask for the password again. So is a link that signs in whoever was sent it, where it leads on. Where bodies are
not seen, as in an access log, a form or a document that goes to a login's address, and that leads on.
"""

import re
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import orjson

from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.recogniser import AUTHORIZATION, Recognised
from gatecrash.core.message import Exchange, Request, kind_of_content
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, OK
from gatecrash.core.words.english import bytes_in_english
from gatecrash.core.words.named import ByteWords

# Parts of field names, without case: `user[password]`, `j_password`, `loginPasswd`, `kennwort` and their kin.
PASSWORD_NAMES = (b"password", b"passwd", b"passphrase", b"passcode", b"pwd", b"passwort", b"kennwort", b"contrasena")
_WHOLE_PASSWORD_NAMES = frozenset({b"pass", b"pw", b"pin", b"otp"})
# Behind whose it is, which it is, or the kind of the field: `user_pass`, `loginPass`, `txtPass`. Elsewhere a pass is a ticket.
_WHOSE_PASS = re.compile(
    rb"(?:^|[\W_])(?:(?:user|usr|login|log|admin|member|account|auth|new|old|current|confirm|repeat|my|txt)[\W_]?){1,3}"
    rb"(?:pass|pw)\]?$"
)
SECRETS = frozenset({"passcode", "phrase", "pin", "pincode", "secret", "secretword"})
"""What a password is called, in small letters without signs, where nothing else is called one."""
_MOST_FIELDS = 5
"""Of a login whose password is called so: a name beside it, and what forms carry along."""
# Shorter texts are the same by chance, as `string` is in many a description.
_LEAST_TYPED = 8
# Fields of one form or document of a login. Elsewhere `u` is an address and `p` a page: what counts visits has both.
_ABBREVIATED = frozenset({b"u", b"p"})

# Parameters that only a callback carries, all of a row together.
CALLBACKS: tuple[tuple[frozenset[bytes], str], ...] = (
    (frozenset({b"code", b"state"}), "RFC 6749 section 4.1.2; OpenID Connect Core section 3.1.2.5"),
    (frozenset({b"id_token"}), "OpenID Connect Core section 3.2.2.5; OAuth 2.0 Form Post Response Mode"),
    (frozenset({b"SAMLResponse"}), "SAML 2.0 Bindings, sections 3.4 and 3.5"),
    (frozenset({b"wresult", b"wa"}), "WS-Federation 1.2, section 13"),
    (frozenset({b"oauth_token", b"oauth_verifier"}), "RFC 5849 section 2.2"),
    (frozenset({b"openid.mode", b"openid.sig"}), "OpenID Authentication 2.0, section 10.1"),
    (frozenset({b"ticket"}), "CAS Protocol 3.0, section 2.2.4"),
    (frozenset({b"clientDataJSON", b"authenticatorData"}), "Web Authentication Level 2, section 5.2.2"),
    (frozenset({b"credential", b"g_csrf_token"}), "Google Identity Services, verifying the ID token on the server"),
    (frozenset({b"idToken"}), "Firebase Authentication, managing session cookies"),
)

_NO_CONTENT = 204
_MOST_BYTES = 64 * 1024
_MOST_NODES = 200
# Shorter ones stand anywhere by chance.
_LEAST_DOUBLED = 8
_LOGIN = ByteWords(rb"log[-_]?[io]n|sign[-_]?in|/auth\b|sso\b", re.IGNORECASE)
# One address for all, and a field that says what is done: `do=login`.
_SAYS_LOGIN = ByteWords(
    rb"(?:^|&)[\w-]{1,30}=(?:[\w.-]{1,30}(?:/|%2f))?(?:log[-_]?[io]n|sign[-_]?in)(?=&|$)", re.IGNORECASE
)
# The last word of the address that a login is sent to: `/login.php`, `/users/sign_in`, `/j_security_check`; a session
# is one below nothing, or below a word for accounts: `/training/sessions` are of another kind, and `/login-history` is
# read.
_LOGIN_ADDRESS = ByteWords(
    rb"(?:/(?:[\w-]{1,20}[-_.])?(?:log[-_]?[io]n|sign[-_]?in|authenticate|j_security_check)"
    rb"(?:[-_.](?:check|submit|post|process|action|handler|user|form|api))?"
    rb"|^(?:/(?:api|rest|v\d{1,2}|auth|identity|users?|accounts?|admins?))*+/sessions?)(?:\.\w{1,6})?/?$",
    re.IGNORECASE,
)
# So it is said of links that sign in without a password, as well.
_PASSWORDLESS = re.compile(rb"magic|password-?less", re.IGNORECASE)
_HOST = re.compile(rb"(?:[a-z]+:)?//([^/?#]*)", re.IGNORECASE)
# It begins one elsewhere: what is issued beside stands for nobody yet.
_HANDS_OVER = re.compile(rb"authori[sz]e|oauth|openid|saml", re.IGNORECASE)
_BODIES = (b"application/x-www-form-urlencoded", b"multipart/form-data", b"application/json")
# Many applications answer a wrong password with 200 and the form once more.
_ASKS_AGAIN = re.compile(rb"""<input\b[^>]{0,500}\btype\s{0,5}=\s{0,5}["']?password""", re.IGNORECASE)
# So does JSON: what failed, or what is asked for next.
_FAILED = re.compile(
    rb"""["'](?:ok|success|succeeded|status|result|authenticated|logged_?in|valid)["']\s{0,5}:\s{0,5}(?:false|0\b|["'](?:fail|error|ko\b|denied))"""
    rb"""|["']errors?["']\s{0,5}:\s{0,5}(?!\s|null|false|\[\]|\{\}|["']{2})|invalid|incorrect|wrong|denied|failed"""
    rb"""|captcha|two_?factor|[\"']2fa|mfa|otp|challenge""",
    re.IGNORECASE,
)
# GraphQL: arguments that are given a text or a variable, which may be called anything (October 2021, sections 2.6 and 2.10).
_ARGUMENT = re.compile(r"\b([A-Za-z_]\w{0,63})\s{0,20}:\s{0,20}(?:\"[^\"]|\"\"\"|\$\w)")
_ELEMENT = re.compile(rb"<(?:[\w.-]{1,40}:)?([\w.-]{1,64})(?:\s[^<>]{0,200})?>[^<\s]")


def is_login(exchange: Exchange, found: Iterable[Recognised]) -> bool:
    """Whether the request brought a user's credentials and the answer did not refuse them."""
    response = exchange.response
    if response is None or response.status >= FIRST_ERROR:
        return False
    if any(one.valid and one.point == AUTHORIZATION for one in found):
        return True
    if _is_unseen(exchange.request):
        hands_over = _HANDS_OVER.search(response.first(b"Location") or b"") is not None
        taken = response.status < FIRST_REDIRECT and kind_of_content(exchange.request) == _BODIES[-1]
        return taken or (leads_on(exchange) and not hands_over)
    if _opens_link(exchange):
        return True
    return is_attempt(exchange.request) and not _ASKS_AGAIN.search(response.body[:_MOST_BYTES])


def _opens_link(exchange: Exchange) -> bool:
    """Whether a link is opened that signs in: a login's address with a secret in it, that leads on within its host."""
    request, response = exchange.request, exchange.response
    if request.method != "GET" or response is None or not leads_on(exchange):
        return False
    if not (_LOGIN.search(request.target) or _PASSWORDLESS.search(request.path)):
        return False
    place = response.first(b"Location") or b""
    elsewhere = _HOST.match(place)
    stays = elsewhere is None or elsewhere[1].lower() == request.host.lower().encode()
    values = (value for _, _, value in (pair.partition(b"=") for pair in (request.query or b"").split(b"&")))
    return stays and any(looks_random(value) for value in (*values, request.path.rpartition(b"/")[2]))


def _is_unseen(request: Request) -> bool:
    """Whether it goes to a login's address with a body that the source did not see."""
    if request.method != "POST" or request.body or request.first(b"Content-Length") == b"0":
        return False
    return kind_of_content(request) in _BODIES and _LOGIN_ADDRESS.search(request.path) is not None


def leads_on(exchange: Exchange) -> bool:
    """Whether the answer sends the browser on, and not back to where it came from or to a login."""
    response = exchange.response
    if response is None or not FIRST_REDIRECT <= response.status < FIRST_ERROR:
        return False
    path = (response.first(b"Location") or b"").partition(b"?")[0].rstrip(b"/")
    own = exchange.request.path.rstrip(b"/")
    last = own.rpartition(b"/")[2]
    return bool(path) and path != last and not path.endswith(own or b"/") and _LOGIN.search(path) is None


def says_done(exchange: Exchange) -> bool:
    """Whether what calls itself a login is answered by nothing at all, or by JSON that tells of no failure, as scripts are."""
    response, request = exchange.response, exchange.request
    if response is None or not OK <= response.status < FIRST_REDIRECT:
        return False
    if not (calls_itself_login(request) or _LOGIN_ADDRESS.search(request.path)):
        return False
    if response.status == _NO_CONTENT:
        return True
    is_json = b"json" in (response.first(b"Content-Type") or b"").lower()
    return is_json and not response.truncated and _FAILED.search(response.body) is None


def brings_along(request: Request, value: bytes) -> bool:
    """Whether the body of a login holds this value of a cookie, too, however it is escaped there."""
    return len(value) >= _LEAST_DOUBLED and unquote_to_bytes(value) in unquote_to_bytes(request.body[:_MOST_BYTES])


def is_attempt(request: Request) -> bool:
    """Whether the request has a password field, or is an identity provider's callback."""
    names: set[bytes] = set()
    body = request.body[:_MOST_BYTES]
    kind = kind_of_content(request)
    if kind == b"application/x-www-form-urlencoded":
        names.update(_names(body))
    elif kind == b"multipart/form-data":
        names.update(_multipart_names(body))
    elif kind.endswith(b"xml"):
        names.update(_ELEMENT.findall(body))
    elif kind == b"application/graphql":
        names.update(name.encode() for name in _ARGUMENT.findall(body.decode("utf-8", "replace")))
    elif kind.endswith(b"json") and body:
        names.update(_json_names(request.body))
    if names >= _ABBREVIATED and calls_itself_login(request):
        return True
    brought = len(names)
    names.update(_names(request.query or b""))
    if any(is_password(name) for name in names) or any(row <= names for row, _ in CALLBACKS):
        return True
    return 1 < brought == len(names) <= _MOST_FIELDS and not SECRETS.isdisjoint(map(_plain, names))


def calls_itself_login(request: Request) -> bool:
    """Whether the address, or a field of a form, says that somebody signs in."""
    return _LOGIN.search(request.target) is not None or _SAYS_LOGIN.search(request.body[:_MOST_BYTES]) is not None


def is_typed_again(value: bytes, passwords: Container[bytes]) -> bool:
    """Whether a field under any name (`again`, `clave_conf`) holds one of the passwords once more, as forms want new ones."""
    return len(value) >= _LEAST_TYPED and value in passwords


@lru_cache(maxsize=1024)
def is_password(name: bytes) -> bool:
    """Whether a field of this name takes a password."""
    return _takes_password(name) or ((said := bytes_in_english(name)) != name and _takes_password(said))


def _takes_password(name: bytes) -> bool:
    lowered = name.lower()
    if lowered in _WHOLE_PASSWORD_NAMES or any(part in lowered for part in PASSWORD_NAMES):
        return True
    return _WHOSE_PASS.search(lowered) is not None


def _plain(name: bytes) -> str:
    return re.sub(rb"[\W_]", b"", name.lower()).decode("latin-1")


def _names(encoded: bytes) -> Iterator[bytes]:
    """The names of fields that are not empty."""
    for pair in encoded.split(b"&"):
        name, _, value = pair.partition(b"=")
        if value:
            yield unquote_to_bytes(name) if b"%" in name else name


def _multipart_names(body: bytes) -> Iterator[bytes]:
    for piece in body.split(b'name="')[1:]:
        yield piece.partition(b'"')[0]


def _json_names(body: bytes) -> Iterator[bytes]:
    """The names of a document's textual fields at any depth, a login's document being small."""
    if len(body) > _MOST_BYTES:
        return
    try:
        todo = [orjson.loads(body)]
    except orjson.JSONDecodeError:
        return
    for _ in range(_MOST_NODES):
        if not todo:
            return
        node = todo.pop()
        if isinstance(node, dict):
            yield from (name.encode() for name, value in node.items() if isinstance(value, str) and value)
            query = node.get("query")
            if isinstance(query, str) and GRAPHQL.looks(query.encode("utf-8", "replace")):
                yield from (name.encode() for name in _ARGUMENT.findall(query))
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)
