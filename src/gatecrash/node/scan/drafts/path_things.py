"""What an answer is about, by the words of the path that it came from, and the members that name it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.words.names import plain
from gatecrash.node.scan.drafts.shown_again import is_scalar

# The members of an object that name it, after the parameter's own name.
NAMING = ("id", "uuid", "guid", "oid", "key", "slug", "code", "name")
_IDS = 4  # of these those that do nothing else
# What rows without such a member are told apart by.
_NUMBERED = ("number", "no", "iban", "reference", "ref")

# Members that say nothing of what is in them.
WRAPPING = frozenset(
    {
        "content", "data", "edges", "embedded", "entries", "hits", "items", "list", "node", "nodes", "object", "objects", "page",
        "payload", "records", "response", "result", "results", "rows", "value", "values",
    }
)  # fmt: skip


def names_of(thing: str, parameter: str) -> tuple[str, ...]:
    """What the member may be called that holds what a parameter asks for, plain, the likeliest first: of the `{no}` of a dog
    `dog_no` as well. thing: what it names, in the singular; empty where nobody says.
    """
    wanted = plain(parameter)
    behind = wanted.removeprefix(thing) if wanted != thing else wanted
    own = [thing + each for each in (wanted, *NAMING[:_IDS], *_NUMBERED)] if thing else []
    # Several people may have one name, and no two of them one user name.
    known = (*NAMING[:-1], "username", "handle", *NAMING[-1:], *_NUMBERED)
    return tuple(dict.fromkeys((wanted, behind, *NAMING[:_IDS], *own, *known)))


def numbers(name: str, thing: str) -> bool:
    """Whether a plain name is a thing's own word for its identifier: `parcelid`, `parcelnumber` of a parcel."""
    return bool(thing) and name.startswith(thing) and name.removeprefix(thing) in ("id", *_NUMBERED)


def singular_at(path: Iterable[str]) -> str:
    """What a path's last word lists, in the singular: `("users",)` lists a `user`, and `("users", "v1")` as well."""
    words = [each for each in path if not _VERSION.fullmatch(each)]
    return singular(plain(words[-1])) if words else ""


def thing_at(path: Sequence[str]) -> str:
    """What an answer at this path is about: `/users/42` and `/users` a user, and `/me`, too."""
    if not path or path[-1].lower() not in _ONESELF:
        return singular_at(path)
    before = singular_at(path[:-1])
    return before if before and before not in _NOBODY else "user"


def thing_told(path: Sequence[str], body: Any) -> str:
    """What an answer's top is about: `{"id": 7, "runs": […]}` at `/experiments/7/runs` is the experiment, and no run."""
    above = path[-2:-1]
    if above and isinstance(body, dict) and any(str(body.get(name)) == above[0] for name in NAMING):
        return singular_at(path[:-2])
    return thing_at(path)


_VERSION = re.compile(r"v\d+(?:\.\d+)*", re.IGNORECASE)
_ONESELF = frozenset({"me", "self", "profile", "current", "whoami", "account", "myself"})
_NOBODY = frozenset({"api", "auth", "rest"})


def values_naming(told: list[Any], name: str, resource: str) -> Iterator[str | int]:
    """The values in what one answer tells that may stand for a parameter of this name: by the likeliest member, be it in the
    thing, in what is around it, or in what is in it.
    """
    yield from (one for one in told if is_scalar(one))
    members = [
        {plain(str(key)): one for key, one in thing.items() if is_scalar(one)}
        for thing in told
        if isinstance(thing, dict)
    ]
    for key in names_of(resource, name):
        yield from (one[key] for one in members if key in one)
