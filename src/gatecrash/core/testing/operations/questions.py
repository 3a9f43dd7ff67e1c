"""Functions that are called by name, and those of them that only answer: `parcel.get` is asked by POST as
`GET /parcels/7` is by GET.

called(request)          the words of the function's name, what it does first: `get` and `parcel` of `parcel.get` and of `getParcel`
what_is_called(request)  the word for what the function is about: `parcel` of both
is_question(request)     whether a POST calls nothing but functions that say by their first word that they read
reads(name)              whether a function of this name only reads
is_of_a_service(request) whether it calls a method of a service by a path as gRPC has them
without_number(request)  its body without the number that JSON-RPC gives each call, which is another one each time

The name stands in the body (`procedures`), in the query (`/api?method=parcel.get`), or is the last word of the path
(`/rpc/parcel.get`, `/parcels.Service/GetParcel`).
"""

import re
from itertools import takewhile
from urllib.parse import parse_qsl

import orjson

from gatecrash.core.message import Request, kind_of_content
from gatecrash.core.point import Point
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.words.deeds import DELETES, MAKES, OVERWRITES

_LONGEST = 64 * 1024
_MOST_FIELDS = 50
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"[^a-z0-9]+")
# `parcel.get`, `getParcel`, `GetParcel`, `get_parcel`; a file's name has an ending that is no word for what is done.
_NAME = re.compile(
    r"[A-Za-z]\w{0,60}(?:\.[A-Za-z]\w{0,60}){1,5}|[A-Za-z][a-z0-9]{1,60}[A-Z][A-Za-z0-9]{0,60}|[a-z]{2,60}(?:[_-][a-z0-9]{1,60}){1,5}"
)
_METHOD = re.compile(rb"/[a-z]\w{0,60}(?:\.\w{1,60}){0,5}\.[A-Z]\w{0,60}/[A-Z]\w{0,60}$")
_SAYS_WHICH = frozenset(
    {"method", "action", "act", "cmd", "command", "op", "operation", "function", "func", "call", "procedure"}
)
_READING = frozenset(
    {"get", "list", "find", "fetch", "search", "lookup", "query", "retrieve", "describe", "count", "whoami", "show"}
)
# What is there, by whose it is, with nothing said that is done: `loans.mine`, `Members.All`.
_WHOSE = frozenset({"mine", "all"})
# Whom a function is for, before it says what it does: `AdminListAccounts`.
_FOR_WHOM = frozenset({"admin", "administrator", "internal", "manager", "staff", "debug"})
# Behind a dot, with nothing said of what, these may say that something was seen by now or is taken in: `message.read`, `data.load`.
_READING_WHAT = frozenset({"read", "view", "select", "browse", "load"})
# What pages are called that forms are posted back to: `/view-cart`, `?action=show_topic`.
_OF_PAGES = frozenset({"show", "read", "view", "select", "browse"})
_FORMS = (b"application/x-www-form-urlencoded", b"multipart/form-data")
# What a path ends with that asks for those of the kind before: `/parcels/search`.
_OF_THOSE_ABOVE = frozenset({"get", "list", "find", "fetch", "search", "lookup", "query", "detail", "details"})
_CHANGING = MAKES | OVERWRITES | DELETES | frozenset(
    {"insert", "save", "store", "put", "clear", "reset", "cancel", "close", "open", "approve", "reject", "send", "submit"}
    | {"mark", "archive", "publish", "enable", "disable", "assign", "grant", "revoke", "promote", "register"}
)  # fmt: skip
# `getOrCreate`, `fetchAndLock`; what hands out a credential or sends one (`getVerifyCode`); what is another one each
# time or gone afterwards (`getNextJob`, `queue.fetch`); and what does more than its first word says (`viewAs`,
# `listForSale`, `retrieveFunds`).
_MORE = frozenset(
    {"or", "and", "then", "token", "otp", "code", "pin", "sms", "captcha", "password", "session", "impersonate"}
    | {"next", "new", "random", "queue", "lock", "lease", "as", "up", "sale", "money", "funds", "cash", "intent", "checkout"}
    | {"bonus", "reward", "gift", "prize", "winner", "reindex", "rebuild"}
)  # fmt: skip
# Loaded with them is a purse, and read all at once is what is marked so.
_TAKING_IN = {"load": frozenset({"balance", "credit", "wallet", "card", "fixtures"}), "read": frozenset({"all"})}
_HOLDS_SECRET = re.compile(rb"pass(?:w|code|phrase)|pwd|\"(?:pin|otp|secret)\"", re.IGNORECASE)
_BODY_OF_ENVELOPE = re.compile(rb"<(?:[\w-]{1,60}:)?Body[\s>]")
_BY = frozenset({"by", "for", "with", "of", "from"})
_OF_ALL = frozenset({"all", "list", "details", "detail", "info", "request", "one", "many", "id"})
_WORD = re.compile(r"[a-z]{3,60}", re.IGNORECASE)


def called(request: Request) -> tuple[str, ...]:
    """The words of the called function's name, in lower case, what it does first; of several the first one's; empty
    where none is called.
    """
    return next((_words(each) for each in _names_called(request)), ())


def what_is_called(request: Request) -> str:
    """The word for the objects that the called function is about: the last before the dot, else before `by`; empty where none is called."""
    name = next(iter(_names_called(request)), "")
    above = name.rpartition(".")[0]
    words = _words(above) if above else tuple(takewhile(lambda word: word not in _BY, _words(name)[1:]))
    said = [word for word in words if word not in _OF_ALL]
    return re.sub(r"(?:ies|s|y)$", "", said[-1]) if said else ""


def is_question(request: Request) -> bool:
    """Whether a request calls functions by POST that only read, as all of their names say, and lets nobody in."""
    names = _names_called(request)
    if not names or not all(map(reads, names)) or _HOLDS_SECRET.search(_without_header(request.body)) is not None:
        return False
    kind = kind_of_content(request)
    return kind not in _FORMS or not _is_page(names[0])


def names_function(point: Point, value: bytes) -> bool:
    """Whether a member of the query says which function is called."""
    return point[0] == "get" and point[-1].lower() in _SAYS_WHICH and _is_name(value.decode("latin-1"))


def named_in_query(request: Request) -> str:
    """The function that the query names, as it is written; empty where it names none."""
    if not request.query or len(request.query) > _LONGEST:
        return ""
    try:
        told = parse_qsl(request.query.decode("latin-1"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return ""
    return next((value for name, value in told if name.lower() in _SAYS_WHICH and _is_name(value)), "")


def reads(name: str) -> bool:
    """Whether a function of this name only reads, as the word that it begins with says, or what is one's own (`myLoans`)."""
    above, _, last = name.rpartition(".")
    first, *rest = _words(last) or ("",)
    if first in _FOR_WHOM and rest:
        first, *rest = rest
    says = first in _READING or (first in _READING_WHAT and bool(rest))
    says = says or (first in _WHOSE and bool(above) and not rest)
    says = says or (first == "my" and bool(rest) and _CHANGING.isdisjoint(rest))
    return says and _MORE.isdisjoint(_words(name)) and _TAKING_IN.get(first, frozenset()).isdisjoint(rest)


def is_of_a_service(request: Request) -> bool:
    """Whether it calls a method of a service as gRPC writes it, whatever carries the message: `/parcels.v1.Service/GetParcel`."""
    return request.method.upper() == "POST" and _METHOD.search(request.path) is not None


def without_number(request: Request) -> bytes:
    """The body of a call without the number by which its client knows the answer (JSON-RPC 2.0, section 4)."""
    body: bytes = request.body
    if b'"jsonrpc"' not in body or len(body) > _LONGEST:
        return body
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    calls = read if isinstance(read, list) else [read]
    told = [{name: each[name] for name in each if name != "id"} for each in calls if isinstance(each, dict)]
    return orjson.dumps(told)


def _without_header(body: bytes) -> bytes:
    """A body from where its envelope says what is asked: who asks, with what password, stands before that (WS-Security)."""
    found = _BODY_OF_ENVELOPE.search(body) if b"Envelope" in body else None
    return body if found is None else body[found.start() :]


def _names_called(request: Request) -> list[str]:
    if request.method.upper() != "POST":
        return []
    named = procedure_of(request)
    if named:
        return named.split("/")
    named = named_in_query(request) or _in_path(request)
    return [named] if named else []


def _in_path(request: Request) -> str:
    above, last = [b"", *request.path.rstrip(b"/").split(b"/")][-2:]
    name, of = last.decode("latin-1"), above.decode("latin-1")
    if name in _OF_THOSE_ABOVE and _WORD.fullmatch(of):
        return f"{of}.{'get' if name.startswith('detail') else name}"
    return name if _is_name(name) else ""


def _is_name(text: str) -> bool:
    """Whether a text is a function's name: in two words at least, the first of which says what is done."""
    if _NAME.fullmatch(text) is None:
        return False
    words = _words(text)
    return len(words) > 1 and words[0] in _READING | _READING_WHAT | _CHANGING


def _words(name: str) -> tuple[str, ...]:
    """What is done first: it stands behind the last dot, and what it is done to before it."""
    above, _, last = name.rpartition(".")
    parts = (_BETWEEN.split(_CAMEL.sub("_", part).lower()) for part in (last, above))
    return tuple(word for part in parts for word in part if word)


def _is_page(name: str) -> bool:
    """Whether a name is as good a page's, whose form does what its fields say: `/get-in-touch`, `?action=view_topic`."""
    return "-" in name or _words(name)[0] in _OF_PAGES
