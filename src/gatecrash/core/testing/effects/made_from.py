"""Which things others are made from: a harvest from the bed that its request names.

A test that deletes a harvest has its owner make another one, for which the bed must be there still. So of what is only described,
and deleted once as it is described, what others are made from is deleted behind them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.words.names import plain

_LEAST_STEPS = 3
_DEEPEST = 4


class _Maker(NamedTuple):
    """What makes something. kind: the word for it. fields: what it says by which name."""

    kind: str
    path: bytes
    fields: tuple[tuple[str, bytes], ...]


def layers(baselines: Iterable[Baseline]) -> Mapping[bytes, int]:
    """Of the paths that are deleted, how many kinds of things are made from it, one from another; those without any are left out."""
    every = [each for each in baselines if each.exchange.drafted]
    deleted = {each.request.path for each in every if each.request.method.upper() == "DELETE"}
    makers = [_maker(each.request) for each in every if deleted and _makes(each)]
    above: dict[str, set[str]] = {}
    for path in deleted:
        kind, value = _named(path)
        if kind:
            above.setdefault(kind, set()).update(one.kind for one in makers if _is_from(one, path, kind, value))
    found = {path: _layer(_named(path)[0], above, _DEEPEST) for path in deleted}
    return {path: layer for path, layer in found.items() if layer}


def _layer(kind: str, above: Mapping[str, set[str]], left: int) -> int:
    made = above.get(kind, set()) - {kind}
    return 1 + max(_layer(each, above, left - 1) for each in made) if made and left else 0


def _makes(baseline: Baseline) -> bool:
    response = baseline.response
    return baseline.request.method.upper() == "POST" and response is not None and response.status < FIRST_ERROR


def _maker(request: Request) -> _Maker:
    found = (one for one in walk(request).points if one.point[0] == "post" and not one.container and one.value)
    fields = tuple((plain(one.point[-1]), one.value) for one in found)
    return _Maker(_kind(request.path.rstrip(b"/").rpartition(b"/")[2]), request.path, fields)


def _named(path: bytes) -> tuple[str, bytes]:
    """The word for what a path names, and which: `bed` and 10 of `/beds/10`; empty where it names none of several."""
    steps = path.rstrip(b"/").split(b"/")
    return (_kind(steps[-2]), steps[-1]) if len(steps) >= _LEAST_STEPS else ("", b"")


def _is_from(maker: _Maker, path: bytes, kind: str, value: bytes) -> bool:
    """Whether a thing is made below another one, or by naming it."""
    if maker.kind == kind:
        return False
    return maker.path.startswith(path + b"/") or any(
        told == value and name.startswith(kind) for name, told in maker.fields
    )


def _kind(step: bytes) -> str:
    return plain(singular(step.decode("latin-1")))
