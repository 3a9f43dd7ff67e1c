"""Objects within objects, wrapped ones and patches: what of them is kept, by a list of what may be set or without one."""

import json
from collections.abc import Callable
from typing import Any

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, miss, twin
from tests.range.tenants_properties import changing as becoming
from tests.range.tenants_store import OPAQUE, written

ANN = {
    "id": 7,
    "name": "Ann Marsh",
    "role": "customer",
    "profile": {"bio": "likes lamps", "city": "York", "is_admin": False, "plan": "paint them"},
    "account": {"tier": "basic", "credit_limit": 500},
}
NESTED = b'{"name": "Ann Marsh", "profile": {"bio": "likes lamps", "city": "York"}}'
WRAPPED = b'{"user": {"name": "Ann Marsh", "city": "York"}}'
PATCH = b'[{"op": "replace", "path": "/name", "value": "Ann Marsh"}]'
Document = dict[str, Any]
Takes = Callable[[Document, Any], Document]


def merged(old: Document, new: Document) -> Document:
    """As libraries merge deeply."""
    both = {name: merged(old[name], new[name]) for name in old.keys() & new.keys() if isinstance(old[name], dict)}
    return {**old, **new, **both}


def patched(path: str) -> Request:
    headers = (
        (b"Authorization", OPAQUE["ann"].encode()),
        (b"Content-Type", b"application/json-patch+json"),
    )
    return Request("PATCH", path.encode() + b"/me", headers, PATCH)


def changing(given: Given, place: str, takes: Takes) -> Response:
    """One's own object. takes: the object as it is kept, of the old one and what was sent."""
    return becoming(given, place, lambda old: takes(old, json.loads(given.request.body)), ANN)


def some(old: Document, sent: Document) -> Document:
    """Name, and of the profile what is a person's own to say."""
    profile = {name: value for name, value in sent.get("profile", {}).items() if name in ("bio", "city")}
    return {**old, "name": sent.get("name", old["name"]), "profile": {**old["profile"], **profile}}


# Found alone; not where other probes have written into the object before.
@miss("mass_assignment", request=written("PATCH", "/me", NESTED))
def columns_of_objects_within(given: Given) -> Response:
    """Checks the names at the top, and none below."""
    return changing(given, "within", lambda old, sent: merged(old, {"profile": known(old, sent.get("profile", {}))}))


def known(old: Document, profile: Document) -> Document:
    return {name: value for name, value in profile.items() if name in old["profile"]}


# Found alone; not where other probes have written into the object before.
@miss("mass_assignment", request=written("PATCH", "/me", NESTED))
def merges_whatever_comes(given: Given) -> Response:
    """A document store: it keeps anything, rights among it."""
    return changing(given, "whatever", merged)


@flaw("mass_assignment", request=written("PUT", "/me", WRAPPED))
def wrapped_in_its_kind(given: Given) -> Response:
    return changing(given, "wrapped", lambda old, sent: {**old, **{n: v for n, v in sent["user"].items() if n in old}})


@flaw("mass_assignment", request=patched)
def by_a_patch(given: Given) -> Response:
    return changing(given, "patch", lambda old, sent: {**old, **operations(sent, tuple(old))})


def operations(sent: list[Document], names: tuple[str, ...]) -> Document:
    told = {each["path"][1:]: each["value"] for each in sent if each["op"] in ("add", "replace")}
    return {name: value for name, value in told.items() if name in names}


@twin("mass_assignment", request=written("PATCH", "/me", NESTED))
def some_of_the_object_within(given: Given) -> Response:
    return changing(given, "some_within", some)


@twin("mass_assignment", request=written("PATCH", "/me", NESTED))
def free_in_the_object_within(given: Given) -> Response:
    """Its profile is a page that everybody fills as he likes; what is a right, the application sets each time anew."""

    def takes(old: Document, sent: Document) -> Document:
        profile = {**old["profile"], **sent.get("profile", {}), "is_admin": False}
        return {**old, "name": sent.get("name", old["name"]), "profile": profile}

    return changing(given, "free_within", takes)


@twin("mass_assignment", request=written("PUT", "/me", WRAPPED))
def some_of_what_is_wrapped(given: Given) -> Response:
    return changing(given, "some_wrapped", lambda old, sent: some(old, sent["user"]))


@twin("mass_assignment", request=patched)
def some_of_a_patch(given: Given) -> Response:
    return changing(given, "some_patch", lambda old, sent: {**old, **operations(sent, ("name",))})
