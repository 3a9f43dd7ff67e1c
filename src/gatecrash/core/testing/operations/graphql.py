"""What a GraphQL request asks for: whether its operation reads or changes, and the words of the field it begins with.

All operations share one address, so that the field says what an address says elsewhere; so do functions that are called by name.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import msgspec
import orjson

from gatecrash.core.inventory.protocols.document import Operation, first_operation
from gatecrash.core.inventory.protocols.graphql import operations_part
from gatecrash.core.message import Request, kind_of_content, with_header, without_header
from gatecrash.core.point import Point
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.testing.operations.procedures import ENVELOPE, procedure_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.words.english import in_english
from gatecrash.core.words.names import words_in

READS, MUTATES = "query", "mutation"
_LONGEST = 64 * 1024
# Many ask the same of one request, in a row, and of those that stand beside it.
_MOST_KEPT = 64
_FORM, _DOCUMENT = b"application/x-www-form-urlencoded", b"application/graphql"
_TOP = (
    ("post", "json_doc", "json_obj"),
    ("post", "json_doc", "json_array", "0", "json_obj"),
    ("post", "multipart", "operations", "json_doc", "json_obj"),
    ("post", "form_urlencoded"),
    ("get",),
)
VARIABLES = (
    *((*above, "variables", "json_obj") for above in _TOP[:3]),
    ("get", "variables", "json_doc", "json_obj"),
)
"""Where a request has its variables."""
_NAME = re.compile(r"[_A-Za-z]\w*")
_BEFORE_COLON = re.compile(r"(?<!\w)(\w++)\s*+:")
_HEAD = re.compile(r"\A(?:(query|mutation)(?:\s++\w++)?|(?=\{))")
_BY = frozenset({"by", "for", "of"})
# Strings first, so that a brace in one closes nothing; what no token is stands between them. One that nothing closes is read to
# where it had to end, and never again from a quote within it.
TOKEN = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\n]++|\\.)*+"?|\.\.\.|[!$&():=@\[\]{|}]|[_A-Za-z]\w*|-?[0-9][0-9.eE+-]*',
    re.DOTALL,
)


def operation_of(request: Request) -> Operation | None:
    """The operation that is asked for: by POST as JSON, alone in a batch, with files, as a form or as a bare document, or by GET in
    the query; None where it is no GraphQL, or a batch of several.
    """
    body, method = request.body, request.method.upper()
    if method == "GET" and b"query=" in (request.query or b""):
        return _asked_in_fields(request.query or b"")
    if method != "POST" or len(body) > _LONGEST:
        return None
    # A form and a bare document begin so; to look at the type of each JSON body costs more.
    if body.startswith(b"query=") or b"&query=" in body:
        return _asked_in_fields(body) if kind_of_content(request) == _FORM else None
    if b'"query"' in body:
        return _operation(body)
    return _asked_alone(body) if kind_of_content(request) == _DOCUMENT else None


def document_of(request: Request) -> str:
    """The document of a request, wherever it stands; of a batch the first one. Empty where there is none."""
    kind = kind_of_content(request)
    if request.method.upper() == "GET" or kind == _FORM:
        text = dict(parse_qsl((request.query or request.body or b"").decode("utf-8", "replace"))).get("query", "")
        return text.lstrip() if GRAPHQL.looks(text.encode()) else ""
    if kind == _DOCUMENT:
        return request.body.decode("utf-8", "replace").lstrip()
    messages = _messages(request.body) if request.body else []
    query = messages[0].get("query") if messages and isinstance(messages[0], dict) else None
    return query.lstrip() if isinstance(query, str) else ""


def argument_names(document: str) -> list[str]:
    """The names before a colon in a document: of arguments, of their members and of variables, as they stand."""
    return _BEFORE_COLON.findall(document)


def only_queries(request: Request) -> bool:
    """Whether it asks for a GraphQL query, which changes nothing and may be asked again (GraphQL specification, 6.2.1)."""
    operation = operation_of(request)
    return operation is not None and operation.type == READS


@lru_cache(_MOST_KEPT)
def words_of(request: Request) -> tuple[str, ...]:
    """The words of the operation's first field, or of what is called by its name, a function or an operation that the server has
    kept, in lower case: `change`, `user` and `role` of `changeUserRole`.
    """
    operation = operation_of(request)
    called = procedure_of(request) or _kept_as(request) if operation is None else operation.field
    return words_in(called)


def deed_of(request: Request) -> tuple[str, ...]:
    """The same words, of a function what it does first: `subscribe` and `newsletter` of `newsletter.subscribe`."""
    return called(request) if procedure_of(request) else words_of(request)


def _kept_as(request: Request) -> str:
    """The name of an operation whose document is not sent (Apollo's automatic persisted queries); empty where none is told."""
    if b"persistedQuery" in (request.query or b""):
        name: object = dict(parse_qsl((request.query or b"").decode("latin-1"))).get("operationName")
    elif b'"persistedQuery"' in request.body:
        name = next((one.get("operationName") for one in _messages(request.body) if isinstance(one, dict)), None)
    else:
        return ""
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


@lru_cache(_MOST_KEPT)
def address_of(request: Request) -> str:
    """The path, and behind it what is asked for there, word by word: `/graphql/sign-in`, `/rpc/users-delete`; in
    English, as far as its words are known: `/konto/loeschen` is `/account/delete`.
    """
    words = words_of(request)
    return in_english(request.path.decode("ascii", "backslashreplace") + ("/" + "-".join(words) if words else ""))


def place_of(request: Request) -> bytes:
    """The path; of what is called by its name what that ends with, as a path does: `/orders` of `ticketOrders` and `ordersByUser`."""
    words = tuple(takewhile(lambda word: word not in _BY, words_of(request)))
    return b"/" + in_english(words[-1]).encode() if words else request.path


def in_other_forms(request: Request) -> tuple[Request, ...]:
    """A GraphQL operation that was posted as JSON, as a form and by GET: what pages of other sites can send, and many servers take."""
    if operation_of(request) is None or b'"query"' not in request.body:
        return ()
    told = {
        name: value if isinstance(value, str) else orjson.dumps(value).decode()
        for name, value in _messages(request.body)[0].items()
        if value is not None
    }
    fields = urlencode(told).encode()
    headers = without_header(without_header(request.headers, b"Content-Type"), b"Content-Length")
    as_form = (*headers, (b"Content-Type", _FORM), (b"Content-Length", b"%d" % len(fields)))
    return (
        msgspec.structs.replace(request, headers=as_form, body=fields),
        msgspec.structs.replace(request, method="GET", target=request.path + b"?" + fields, headers=headers, body=b""),
    )


def under_other_names(request: Request, name: str, alias: str) -> Request | None:
    """The first field of a document in JSON, asked for by an operation of that name and answered under that alias; None where it is
    asked for in another way.
    """
    in_json = b'"query"' in request.body and not request.body.startswith(b"--")
    messages = _messages(request.body) if in_json else []
    document = document_of(request) if len(messages) == 1 and isinstance(messages[0], dict) else ""
    field = first_field(document) if document else None
    if field is None:
        return None
    query = _HEAD.sub(
        lambda found: f"{found[1] or READS} {name}" + (" " if found[1] is None else ""),
        field.repeated((alias,)),
        count=1,
    )
    told = messages[0] | {"query": query} | ({"operationName": name} if messages[0].get("operationName") else {})
    body = orjson.dumps([told] if request.body.lstrip().startswith(b"[") else told)
    headers = with_header(request.headers, b"Content-Length", b"%d" % len(body))
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def argument_of(request: Request, variable: str) -> str:
    """The argument that a variable is given to, by the document (`done` of `toggle(done: $d)`); its own name where none is told."""
    if b"$" not in request.body or operation_of(request) is None:
        return variable
    found = re.search(rf"(\w+)\s*:\s*\[?\s*\${re.escape(variable)}\b", request.body.decode("utf-8", "replace"))
    return found[1] if found is not None else variable


def says_what_is_called(request: Request, point: Point) -> bool:
    """Whether a point holds the document or the name of what is asked for, and no value of the caller's: with another one there
    nothing is done at all.
    """
    *above, last = point
    if tuple(above) not in _TOP:
        return False
    if operation_of(request) is not None:
        return last in ("query", "operationName")
    return last in ENVELOPE and bool(procedure_of(request))


def is_name_for_protocol(request: Request, point: Point) -> bool:
    """Whether a member's name is read by GraphQL or JSON-RPC itself: of the envelope, and of what a schema declares. No
    application sees another name there; the names within a scalar that holds any JSON are left out with them.
    """
    if operation_of(request) is not None:
        return point[0] == ("get" if request.method.upper() == "GET" else "post")
    return tuple(point[:-2]) in _TOP and point[-2] in (*ENVELOPE, "params") and bool(procedure_of(request))


class Field(NamedTuple):
    """The first field of a document's first operation. before, after: the rest of the document; text: with its arguments and
    what is selected of it, without an alias.
    """

    kind: str
    before: str
    text: str
    after: str

    def misspelt(self) -> str:
        """A document that asks for it without its last letter, which no schema can execute."""
        name = _NAME.match(self.text)
        return f"{self.kind} {{ {name[0][:-1] if name else ''} }}"

    def repeated(self, names: Iterable[str]) -> str:
        """The document with the field once under each name in the place of all that the operation asks for."""
        return f"{self.before} {' '.join(f'{name}: {self.text}' for name in names)} {self.after}"

    def selecting(self, name: str) -> Iterator[str]:
        """The document with one thing more asked of what the field gives, or of an object in it: first of the outermost."""
        spans = list(TOKEN.finditer(self.text))
        number = beyond(spans, 0, "{")
        while number is not None:
            at = spans[number].end()
            yield f"{self.before} {self.text[:at]} {name}{self.text[at:]} {self.after}"
            number = beyond(spans, number + 1, "{")


def first_field(query: str) -> Field | None:
    """The first field of a document that begins with its operation; None where there is none, or fragments stand in its place."""
    operation = first_operation(query)
    spans = list(TOKEN.finditer(query)) if operation is not None and len(query) <= _LONGEST else []
    opening = beyond(spans, 0, "{")
    if operation is None or opening is None:
        return None
    closing = closing_of(spans, opening)
    start = opening + 1
    if start + 1 < len(spans) and spans[start + 1][0] == ":":
        start += 2
    end = start + 1
    if closing is None or end > closing or not _NAME.fullmatch(spans[start][0]):
        return None
    while end < closing and spans[end][0] in ("(", "{", "@"):
        past = end + 1 if spans[end][0] == "@" else closing_of(spans, end)
        if past is None:
            return None
        end = past + 1
    text = query[spans[start].start() : spans[end - 1].end()]
    return Field(operation.type, query[: spans[opening].end()], text, query[spans[closing].start() :])


def beyond(spans: list[re.Match[str]], number: int, wanted: str) -> int | None:
    """The place of the first such token that stands in no parentheses."""
    while number < len(spans):
        if spans[number][0] == wanted:
            return number
        closed = closing_of(spans, number) if spans[number][0] == "(" else number
        if closed is None:
            return None
        number = closed + 1
    return None


def closing_of(spans: list[re.Match[str]], opening: int) -> int | None:
    """The place of the token that closes what one opens."""
    depth = 0
    for number in range(opening, len(spans)):
        depth += (spans[number][0] in ("(", "{", "[")) - (spans[number][0] in (")", "}", "]"))
        if depth == 0:
            return number
    return None


@lru_cache(64)
def _asked_in_fields(fields: bytes) -> Operation | None:
    """GraphQL over HTTP, section 6.2: parameters `query` and `operationName`, which many servers take in a form as well. What
    begins as no document does is no such query.
    """
    told = dict(parse_qsl(fields.decode("utf-8", "replace")))
    text = told.get("query", "")
    return first_operation(text, told.get("operationName")) if GRAPHQL.looks(text.encode()) else None


@lru_cache(64)
def _asked_alone(body: bytes) -> Operation | None:
    return first_operation(body.decode("utf-8", "replace"), None)


def _messages(body: bytes) -> list[Any]:
    """What a body of JSON asks for: one message, or those of a batch; of an upload its part `operations` (GraphQL multipart
    request specification).
    """
    try:
        told = orjson.loads(operations_part(body) if body.startswith(b"--") else body)
    except orjson.JSONDecodeError:
        return []
    return told if isinstance(told, list) else [told]


@lru_cache(64)
def _operation(body: bytes) -> Operation | None:
    messages = _messages(body)
    if len(messages) != 1 or not isinstance(messages[0], dict):
        return None
    query, wanted = messages[0].get("query"), messages[0].get("operationName")
    return first_operation(query, wanted if isinstance(wanted, str) else None) if isinstance(query, str) else None
