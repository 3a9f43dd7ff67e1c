"""The values that a GraphQL schema names for a role among what a mutation takes: one that rules is tried in its own word.

request = asking_for_values(mutation, input)
ruling = ruling_value(response, property)
"""

import re
from collections.abc import Callable

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.oneself import HIGH, HIGHEST
from gatecrash.core.testing.authorization.fields.properties import Property, is_right
from gatecrash.core.testing.authorization.fields.sent_objects import sending
from gatecrash.core.testing.authorization.objects.answered_objects import Object, objects_in
from gatecrash.core.testing.operations.graphql import document_of

# A field that must be given has its type one level below (GraphQL specification, section 4.2.2).
_VALUES = "name enumValues { name }"
_QUERY = '{{ __type(name: "{name}") {{ inputFields {{ name type {{ {values} ofType {{ {values} }} }} }} }} }}'
_OWNER = re.compile(r"(?:[a-z]+_)?owner", re.IGNORECASE)
# Of two, a tenant and an owner, everybody may be either.
_LEAST_BESIDE_OWNERS = 3


def asking_for_values(request: Request, given: Object) -> Request | None:
    """A request for what the type of an input object holds; None where the document does not tell the type."""
    try:
        variables = orjson.loads(request.body).get("variables")
    except (orjson.JSONDecodeError, AttributeError):
        return None
    name = next((name for name, value in (variables or {}).items() if value == given), None)
    declared = (
        re.search(rf"\${re.escape(name)}\s{{0,9}}:\s{{0,9}}([_A-Za-z]\w{{0,99}})", document_of(request))
        if name
        else None
    )
    return sending(request, {"query": _QUERY.format(name=declared[1], values=_VALUES)}) if declared else None


def names_listed(response: Response) -> list[str]:
    """What the type of an input object holds, by its names, as the answer to such a request tells."""
    told = (each["name"] for each in objects_in(response) if isinstance(each.get("type"), dict))
    return [name for name in told if isinstance(name, str)]


def may_be_listed(each: Property) -> bool:
    """Whether it may be a value that a schema lists: a role's that is a text."""
    return is_right(each.name) and isinstance(each.old, str) and not each.path


def ruling_value(response: Response, each: Property) -> str | None:
    """The value of a listed role whose holder rules others; None where the present one does, or none is told."""
    values = _values_of(response, each.name)
    if each.old not in values or HIGH.search(each.old) or _OWNER.fullmatch(each.old):
        return None
    signs: list[Callable[[str], object]] = [HIGHEST.search, HIGH.search]
    if len(values) >= _LEAST_BESIDE_OWNERS:
        signs.append(_OWNER.fullmatch)
    return next((value for sign in signs for value in values if sign(value)), None)


def _values_of(response: Response, name: str) -> list[str]:
    fields = [each for each in objects_in(response) if each.get("name") == name and isinstance(each.get("type"), dict)]
    types = [kind for each in fields for kind in (each["type"], each["type"].get("ofType")) if isinstance(kind, dict)]
    listed = [value for kind in types for value in kind.get("enumValues") or [] if isinstance(value, dict)]
    return [value["name"] for value in listed if isinstance(value.get("name"), str)]
