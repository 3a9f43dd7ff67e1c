"""GraphQL: one path, and the operations that the document asks for.

An operation is its type and name, `query GetTea`; one without a name is known by its first field, `query { tea }`, and a
persisted one by the name sent beside it, else by the beginning of its hash, `persisted 3f9a0c77de11`. A batch calls an
operation each. Only names are read from a document: what stands in arguments and variables never leaves the node.

Known misses: a document longer than 256 KiB; persisted identifiers under other names.
Standards and references: GraphQL specification, sections 2.1, 2.2 and 2.3; GraphQL over HTTP, section 5; GraphQL multipart
request specification (the part `operations`); Apollo's automatic persisted queries (extensions.persistedQuery.sha256Hash).
"""

import re
from urllib.parse import parse_qsl

import orjson

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.protocols.call import Call, Speaker, is_name
from gatecrash.core.inventory.protocols.document import first_operation

_JSON = frozenset({b"application/json", b"application/graphql+json", b"application/graphql-response+json"})
_FORM, _MULTIPART = b"application/x-www-form-urlencoded", b"multipart/form-data"
_MOST_BATCH = 20
_HASH = re.compile(r"[0-9a-fA-F]{16,128}")
_SHOWN_HASH = 12
_MOST_FIELDS = 20


def operations(call: Call) -> tuple[str, ...] | None:
    """The operations called, each once; nothing where the request is no GraphQL."""
    if call.content_type == b"application/graphql":
        return _all([{"query": call.body.decode("utf-8", "replace")}])
    if call.content_type in _JSON:
        # Most JSON is no GraphQL, and looking for a name is far cheaper than reading a document.
        return _in_json(call.body) if b'"query"' in call.body or b'"persistedQuery"' in call.body else None
    if call.content_type == _FORM and b"query=" in call.body:
        return _in_query(call.body)
    if call.content_type == _MULTIPART and b'name="operations"' in call.body:
        return _in_json(operations_part(call.body))
    return _in_query(call.query) if b"query=" in call.query or b"persistedQuery" in call.query else None


def operations_part(body: bytes) -> bytes:
    """What the part `operations` of an upload holds; looked for once, so that no body makes this slow."""
    _, _, rest = body.partition(b'name="operations"')
    _, _, content = rest.partition(b"\r\n\r\n")
    return content.partition(b"\r\n--")[0]


def _in_json(body: bytes) -> tuple[str, ...] | None:
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return _all(read[:_MOST_BATCH] if isinstance(read, list) else [read])


def _in_query(query: bytes) -> tuple[str, ...] | None:
    try:
        fields = dict(parse_qsl(query.decode("latin-1"), max_num_fields=_MOST_FIELDS))
    except ValueError:
        return None
    message: dict[str, object] = dict(fields)
    if "extensions" in fields:
        try:
            message["extensions"] = orjson.loads(fields["extensions"])
        except orjson.JSONDecodeError:
            return None
    return _all([message])


def _all(messages: list[object]) -> tuple[str, ...] | None:
    """The operation of each message; nothing where one of them is no GraphQL, for then none is meant as such."""
    named = [_one(message) for message in messages]
    found = [name for name in named if name]
    return tuple(dict.fromkeys(found)) if found and len(found) == len(named) else None


def _one(message: object) -> str | None:
    if not isinstance(message, dict):
        return None
    query, wanted = message.get("query"), message.get("operationName")
    wanted = wanted if isinstance(wanted, str) and is_name(wanted) else None
    if isinstance(query, str) and query:
        operation = first_operation(query, wanted)
        return operation and str(operation)
    digest = _persisted(message.get("extensions"))
    return f"persisted {wanted or digest[:_SHOWN_HASH].lower()}" if digest else None


def _persisted(extensions: object) -> str | None:
    entry = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
    digest = entry.get("sha256Hash") if isinstance(entry, dict) else None
    return digest if isinstance(digest, str) and _HASH.fullmatch(digest) else None


SPEAKER = Speaker(Protocol.GRAPHQL, operations)
