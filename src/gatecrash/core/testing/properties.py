"""Properties of objects: which ones answers show that a request does not set, and requests that set them all the same."""

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import msgspec
import orjson

from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.testing.oracles.body import content_of

Object = dict[str, Any]

# What a caller must never set for himself; what a user may well choose (a status, a type, a colour) is not among it.
_PRIVILEGED = re.compile(
    r"roles?|user_?role|account_?role|is_?admin|admin|is_?staff|staff|is_?super_?user|super_?user|is_?moderator|is_?owner"
    r"|permissions?|privileges?|scopes?|access_?level|user_?level|user_?type|account_?type"
    r"|verified|is_?verified|e?mail_?verified|phone_?verified|kyc_?(?:status|verified)|is_?approved|approved|confirmed"
    r"|balance|credits?|credit_?limit|wallet|points|loyalty_?points|quota|discount|is_?paid|paid|payment_?status"
    r"|owner|owner_?id|user_?id|account_?id|customer_?id|tenant_?id|org(?:anization)?_?id|created_?by"
    r"|plan|tier|subscription|subscription_?plan|is_?premium|premium|account_?status",
    re.IGNORECASE,
)
_ROLE = re.compile(r"role|type|level|staff|admin|owner$|created", re.IGNORECASE)
_PLAN = re.compile(r"plan|tier|subscription", re.IGNORECASE)
_STATE = re.compile(r"status|approved|verified|paid", re.IGNORECASE)
_UNIQUE = re.compile(r"user_?name|login|e?mail|name|title|slug|handle|nick", re.IGNORECASE)
_MOST_OBJECTS = 300
_MOST_PROPERTIES = 8
_LEAST_ALIKE = 2
_LONG_ENOUGH = 4


class Property(NamedTuple):
    """One that answers show and the request does not set. new: another value of the same type."""

    name: str
    old: Any
    new: Any


def body_of(request: Request) -> Object | None:
    """The object that a request sends, as JSON or as a form; None for anything else."""
    kind = (request.first(b"Content-Type") or b"").lower()
    if b"json" in kind:
        try:
            document = orjson.loads(request.body)
        except orjson.JSONDecodeError:
            return None
        return document if isinstance(document, dict) and document else None
    if b"form-urlencoded" in kind:
        return dict(parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)) or None
    return None


def sending(request: Request, values: Mapping[str, Any]) -> Request:
    """The request with this object as its body, in the form in which it has one."""
    if b"json" in (request.first(b"Content-Type") or b"").lower():
        body = orjson.dumps(values)
    else:
        texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items()}
        body = urlencode(texts, doseq=True).encode()
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


def objects_in(response: Response) -> list[Object]:
    """Every object of a JSON answer, the outermost first."""
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return []
    found: list[Object] = []
    todo: list[Any] = [document]
    while todo and len(found) < _MOST_OBJECTS:
        value = todo.pop(0)
        if isinstance(value, dict):
            found.append(value)
            todo += [below for below in value.values() if isinstance(below, dict | list)]
        elif isinstance(value, list):
            todo += [below for below in value if isinstance(below, dict | list)]
    return found


def kept_as(response: Response, body: Object) -> Object | None:
    """The object of an answer that a body was kept as: of the same values, else the only one of the same properties.

    An older one may share a value, such as a password or a city: the one with the most of them is meant.
    """
    nearest = max(objects_in(response), key=lambda each: _same_values(each, body), default=None)
    if nearest is not None and _same_values(nearest, body):
        return nearest
    alike = of_its_kind(response, body)
    return alike[0] if len(alike) == 1 else None


def of_its_kind(response: Response, body: Object) -> list[Object]:
    """The objects of an answer with the properties that the body has: they show which others there are."""
    return [each for each in objects_in(response) if len(each.keys() & body.keys()) >= min(_LEAST_ALIKE, len(body))]


def learned(shown: Object, body: Object, random: Random) -> list[Property]:
    """The privileged properties that an object shows and a body does not set, each with another value."""
    names = (name for name in shown if name not in body and _PRIVILEGED.fullmatch(name))
    found = ((name, shown[name], _another(name, shown[name], random)) for name in names)
    return [Property(name, old, new) for name, old, new in found if new is not None][:_MOST_PROPERTIES]


def made_unique(body: Object, mark: str) -> Object:
    """The object with other names and addresses, as one that exists already may be refused."""
    return {name: _marked(name, value, mark) for name, value in body.items()}


def holds(shown: Object | None, properties: Iterable[Property]) -> list[Property]:
    """Those that an object shows with the new value."""
    return [each for each in properties if shown is not None and _equal(shown.get(each.name), each.new)]


def _equal(shown: Any, sent: Any) -> bool:
    """Forms send texts where JSON shows numbers and truth."""
    if isinstance(shown, list | dict) or isinstance(sent, list | dict):
        return bool(shown == sent)
    return str(shown).lower() == str(sent).lower()


def _another(name: str, old: Any, random: Random) -> Any:
    """Another value of the same type; None where none is known to make sense."""
    if isinstance(old, bool):
        return True if not old else None
    if isinstance(old, int):
        return 1 if old == 0 and _ROLE.search(name) else old + random.randint(11, 97)
    if isinstance(old, float):
        return old + random.randint(11, 97)
    if isinstance(old, list):
        return [*old, "admin"] if all(isinstance(each, str) for each in old) and "admin" not in old else None
    return _another_text(name, old, random) if isinstance(old, str) and old else None


def _another_text(name: str, old: str, random: Random) -> str | None:
    if old.isdigit():
        return str(int(old) + random.randint(11, 97))
    for looks, word in ((_PLAN, "enterprise"), (_STATE, "approved"), (_ROLE, "admin")):
        if looks.search(name) and old.lower() != word:
            return word
    return None


def _marked(name: str, value: Any, mark: str) -> Any:
    if not isinstance(value, str) or not _UNIQUE.search(name):
        return value
    local, at, host = value.partition("@")
    return f"{local}{mark}{at}{host}" if at else value + mark


def _same_values(shown: Object, body: Object) -> int:
    """How many texts of the body's, long enough to be no chance, an object has under the same names."""
    texts = [name for name, value in body.items() if isinstance(value, str) and len(value) >= _LONG_ENOUGH]
    return sum(shown.get(name) == body[name] for name in texts)
