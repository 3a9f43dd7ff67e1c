"""Siblings that are one endpoint under many names: when `/shop/green`, `/shop/black` and their like become `/shop/{shop_id}`.

They merge only where there are 30 or more that have the same methods, the same subtree, the same types and the same
status of authentication everywhere in it, and none of them carries over 20% of their traffic. A sibling that differs in
any of these stays apart under its own name: an open `/api/debug` must not drown in `/api/{api_id}`. One that carries too
much stays apart, too, and the rest is looked at again. Deciding again with what was merged already changes nothing.
A template that stands there already is one sibling more: a node lets 29 names out, and shows all others as one.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable
from itertools import count

import msgspec

from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.identifiers import parameter_name

LEAST_SIBLINGS = 30
LARGEST_SHARE = 20
_HUNDRED = 100


class Known(msgspec.Struct, frozen=True):
    """What is known of one endpoint. types: of authentication, valid ones. status: as named in JSON; None, no traffic."""

    key: EndpointKey
    requests: int
    types: tuple[str, ...] = ()
    status: str | None = None


class Merge(msgspec.Struct, frozen=True):
    """One merge. place: host and new template of the merged segment. keys: each endpoint's old key and its new one."""

    place: HostTemplate
    keys: tuple[tuple[EndpointKey, EndpointKey], ...]


def merge_siblings(endpoints: Iterable[Known], kept_apart: Collection[HostTemplate] = ()) -> tuple[Merge, ...]:
    """The merges that are due, none of which touches another's endpoints; those nearest to the root first.

    kept_apart: templates that the user split (host "" is every host): nothing merges into one of them. Where merges lie
    below merges, deciding again after these are done finds them.
    """
    known = tuple(endpoints)
    depths = max((one.key.path.count("/") for one in known), default=0)
    done: list[Merge] = []
    taken: set[EndpointKey] = set()
    for depth in range(1, depths + 1):
        parents: dict[tuple[str, tuple[str, ...]], dict[str, list[Known]]] = defaultdict(lambda: defaultdict(list))
        for one in known:
            segments = one.key.path.split("/")
            if depth < len(segments) and segments[depth] and one.key not in taken:
                parents[one.key.host, tuple(segments[1:depth])][segments[depth]].append(one)
        for (host, parent), children in parents.items():
            if sum(map(_is_name, children)) >= LEAST_SIBLINGS - 1:
                done += _merged(host, parent, children, kept_apart, taken)
    return tuple(done)


def _merged(
    host: str,
    parent: tuple[str, ...],
    children: dict[str, list[Known]],
    kept_apart: Collection[HostTemplate],
    taken: set[EndpointKey],
) -> list[Merge]:
    """The merges among the children of one parent: at most one template for all that are alike."""
    depth = len(parent) + 1
    alike: dict[Hashable, list[str]] = defaultdict(list)
    standing: dict[str, Hashable] = {}
    for name, below in children.items():
        if _is_name(name):
            alike[_signature(below, depth)].append(name)
        else:
            standing[name] = _signature(below, depth)
    requests = {name: sum(one.requests for one in below) for name, below in children.items()}
    merges: list[Merge] = []
    for signature, group in sorted(alike.items(), key=lambda item: (-len(item[1]), item[1])):
        segment = _segment(parent, signature, standing)
        names = balanced(group, requests, requests[segment] if segment in children else None)
        if not names:
            continue
        standing[segment] = signature
        place = HostTemplate(host, "/" + "/".join((*parent, segment)))
        if place in kept_apart or HostTemplate("", place.template) in kept_apart:
            continue
        keys = tuple((one.key, _renamed(one.key, depth, place.template)) for name in names for one in children[name])
        taken.update(old for old, _ in keys)
        merges.append(Merge(place, keys))
    return merges


def balanced(names: Iterable[str], requests: dict[str, int], beside: int | None = None) -> tuple[str, ...]:
    """The names that may merge: 30 or more of which none carries over 20% of their requests; else none at all.

    beside: the requests of the template that they would join; None where none stands there yet.
    """
    least = LEAST_SIBLINGS - (beside is not None)
    kept = sorted(names, key=lambda name: (-requests[name], name))
    total = sum(requests[name] for name in kept) + (beside or 0)
    while len(kept) >= least and requests[kept[0]] * _HUNDRED > LARGEST_SHARE * total:
        total -= requests[kept.pop(0)]
    return tuple(kept) if len(kept) >= least else ()


def _signature(below: list[Known], depth: int) -> Hashable:
    """What must be the same: all that lies at and below the sibling, its own name left out."""
    return frozenset(
        (
            one.key.protocol,
            one.key.method,
            tuple(one.key.path.split("/")[depth + 1 :]),
            one.key.operation,
            frozenset(one.types),
            one.status,
        )
        for one in below
    )


def _segment(parent: tuple[str, ...], signature: Hashable, standing: dict[str, Hashable]) -> str:
    """The parameter that the merged ones become: that of their like, else one of their own, or one would hide the other."""
    taken = tuple(part[1:-1] for part in parent if part.startswith("{"))
    name = parameter_name("id", parent[-1] if parent else None, taken)
    numbered = (f"{{{name}}}" if number == 1 else f"{{{name}_{number}}}" for number in count(1))
    return next(segment for segment in numbered if standing.get(segment, signature) == signature)


def _renamed(key: EndpointKey, depth: int, template: str) -> EndpointKey:
    rest = key.path.split("/")[depth + 1 :]
    return msgspec.structs.replace(key, path="/".join((template, *rest)))


def _is_name(segment: str) -> bool:
    return bool(segment) and not segment.startswith("{")
