"""The objects that a request sends, and the same request with others in their place.

for view in views_of(request):
    view.inner                                    the object that a body is about
    sending(request, view.wrap(changed))          the request with another in its place, its names written as the request writes them
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import orjson

from gatecrash.core.message import Request, with_header
from gatecrash.core.testing.authorization.fields.flat_xml import is_xml, properties_of, with_elements
from gatecrash.core.testing.authorization.fields.parts_of_forms import fields_of, is_in_query, query_of, with_fields
from gatecrash.core.testing.authorization.fields.properties import is_right
from gatecrash.core.testing.authorization.fields.written_names import shared_prefix
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.words.names import plain

_BRACKETED = re.compile(r"[^\[\]]+(?:\[[A-Za-z_][\w-]*\])+")
_BRACKETS = re.compile(r"[^\[\]]+")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_DECLARED = re.compile(r"\$([A-Za-z_]\w{0,100}+)\s{0,10}:\s{0,10}[\[A-Z]")
_MOST_INSIDE, _LONGEST = 2, 20_000


class View(NamedTuple):
    """The object that a body is about. wrap: the whole body with another object in its place. names: all that the
    request sets, whatever else they are called in this view, by their plain names.
    """

    inner: Object
    wrap: Callable[[Object], Any]
    names: frozenset[str] = frozenset()

    def sets(self, name: str) -> bool:
        """Whether the request sets a property of that name beside what it calls so here."""
        return plain(name) in self.names

    def fits(self, shown: Object) -> bool:
        """Whether an object that is shown has a property of this one."""
        return not {plain(name) for name in self.inner}.isdisjoint(map(plain, shown))


def views_of(request: Request) -> list[View]:
    """The object of a body, as it stands, and what it may be wrapped in: `{"user": {…}}`, a list, a JSON patch (RFC
    6902); of a GraphQL operation the input objects among its variables, of a call by JSON-RPC its arguments; of a form
    what stands in brackets, behind dots or behind the same words.
    """
    document = _document_of(request)
    if operation_of(request) is not None:
        return _inputs(document) if isinstance(document, dict) else []
    if isinstance(document, dict) and "params" in document and _is_json(request) and procedure_of(request):
        return _arguments(document)
    if isinstance(document, dict) and document:
        return _of_json(document) if _is_json(request) or is_xml(request) else _of_form(document)
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return []
    if all(isinstance(each, dict) and {"op", "path"} <= each.keys() for each in document):
        return _patched(document)
    return [View(document[0], lambda inner: [inner, *document[1:]])]


def _of_json(document: Object) -> list[View]:
    (name, value), *others = document.items()
    inside = [View(value, lambda inner: {name: inner})] if not others and isinstance(value, dict) and value else []
    return [View(document, lambda inner: inner), *inside]


def _of_form(flat: Object) -> list[View]:
    """As it stands, then what is wrapped in it: a token or the name of a button may stand beside that."""
    document = _nested(flat)

    def inside(name: str, value: Object) -> View:
        return View(value, lambda inner: {**document, name: inner})

    wrapped = [inside(name, value) for name, value in document.items() if isinstance(value, dict)][:_MOST_INSIDE]
    return [View(document, lambda inner: inner), *wrapped, *_called_alike(document)]


def _called_alike(document: Object) -> list[View]:
    """What the fields of a form are about that all begin with its name: `profile_name`, `profile-name`, `txtName`."""
    prefix = shared_prefix(document)
    if not prefix:
        return []
    bare = {name.removeprefix(prefix): value for name, value in document.items() if name.startswith(prefix)}
    besides = {name: value for name, value in document.items() if not name.startswith(prefix)}

    def wrap(inner: Object) -> Object:
        return {**besides, **{prefix + name: value for name, value in inner.items()}}

    return [View(bare, wrap, frozenset(map(plain, document)))]


def _inputs(message: Object) -> list[View]:
    """The input objects of a GraphQL operation (specification, section 3.10), and its variables themselves where its document
    declares one that is a right, be it sent or not: of what it does not declare nothing is read (section 5.8).
    """
    variables = message.get("variables")

    def view(name: str, variables: Object) -> View:
        return View(variables[name], lambda inner: {**message, "variables": {**variables, name: inner}})

    given = variables if isinstance(variables, dict) else {}
    inputs = [view(name, given) for name, value in given.items() if isinstance(value, dict) and value]
    declared = _DECLARED.findall(str(message.get("query"))[:_LONGEST])
    rights = given and any(map(is_right, declared))
    whole = [View(given, lambda inner: {**message, "variables": inner})] if rights else []
    return inputs + whole


def _arguments(call: Object) -> list[View]:
    """The arguments of a call by name (JSON-RPC 2.0, section 4.2), be they the only one by position, then the objects among them."""
    params = call["params"]
    is_listed = isinstance(params, list) and len(params) == 1
    given = params[0] if is_listed else params
    if not isinstance(given, dict) or not given:
        return []

    def saying(arguments: Object) -> Object:
        return {**call, "params": [arguments] if is_listed else arguments}

    def within(name: str, value: Object) -> View:
        return View(value, lambda inner: saying({**given, name: inner}))

    inside = [within(name, value) for name, value in given.items() if isinstance(value, dict) and value]
    return [View(given, saying), *inside[:_MOST_INSIDE]]


def _nested(flat: Object) -> Object:
    """A form's `user[profile][city]`, or `user.profile.city`, as objects within objects; lists stay names of their own."""
    nested: Object = {}
    for name, value in flat.items():
        steps = _steps(name)
        here = nested
        for step in steps[:-1]:
            below = here.setdefault(step, {})
            if not isinstance(below, dict):
                return flat
            here = below
        if isinstance(here.get(steps[-1]), dict):
            return flat
        here[steps[-1]] = value
    return nested


def _steps(name: str) -> list[str]:
    if _BRACKETED.fullmatch(name):
        return _BRACKETS.findall(name)
    return name.split(".") if _DOTTED.fullmatch(name) else [name]


def _patched(operations: list[Object]) -> list[View]:
    """What a JSON patch sets at the top of an object, by the operation that it uses itself: some take no other."""
    told = {str(each["path"])[1:]: each["value"] for each in operations if "value" in each}
    used = [each["op"] for each in operations if "value" in each and each["op"] in ("add", "replace")]
    inner = {name: value for name, value in told.items() if "/" not in name}

    def wrap(changed: Object) -> list[Object]:
        return [{"op": used[0], "path": f"/{name}", "value": value} for name, value in changed.items()]

    return [View(inner, wrap)] if inner and used else []


def body_of(request: Request) -> Object | None:
    """The object that a request sends, as JSON or as a form; None for anything else."""
    document = None if is_in_query(request) or is_xml(request) else _document_of(request)
    return document if isinstance(document, dict) and document else None


def _is_json(request: Request) -> bool:
    return b"json" in (request.first(b"Content-Type") or b"").lower() and not is_in_query(request)


def _document_of(request: Request) -> Any:
    """What a request sends as JSON, as XML or as a form; None for anything else."""
    if is_in_query(request):
        return query_of(request)
    if _is_json(request):
        try:
            return orjson.loads(request.body)
        except orjson.JSONDecodeError:
            return None
    return properties_of(request) if is_xml(request) else fields_of(request)


def sending(request: Request, values: Any) -> Request:
    """The request with this document as its body, in the form in which it has one; objects in forms as it writes others."""
    if is_xml(request):
        return with_elements(request, values)
    if not _is_json(request):
        return with_fields(request, _flattened(values, _DOTTED_FORM if _has_dots(request, values) else _BRACKETED_FORM))
    body = orjson.dumps(values)
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


_DOTTED_FORM, _BRACKETED_FORM = (".", ""), ("[", "]")


def _has_dots(request: Request, values: Object) -> bool:
    """Whether a form writes `user.name`, and not `user[name]`."""
    names = [*values, *(_document_of(request) or {})]
    return any("." in name for name in names) and not any(map(_BRACKETED.fullmatch, names))


def _flattened(values: Object, signs: tuple[str, str]) -> Object:
    """Objects below as names in brackets, or behind dots."""
    opening, closing = signs
    flat: Object = {}
    todo = list(values.items())
    while todo:
        name, value = todo.pop(0)
        if isinstance(value, dict):
            todo[:0] = [(f"{name}{opening}{below}{closing}", each) for below, each in value.items()]
        else:
            flat[name] = value
    return flat
