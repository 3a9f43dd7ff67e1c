"""Opens what is inside a part: the body by what the request says it is, any other value by the decoder a point names."""

from functools import lru_cache
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.points.codec import CONTAINER, OPAQUE, Codec, Limits, Part, Unreadable, cost
from gatecrash.core.points.registry import body_codecs, inside

Opened = tuple[Codec, list[Part]]

BODY: Final = ("post",)
NAME: Final = ("name",)
_LONGEST_KEPT: Final = 64 * 1024


def open_body(request: Request, body: bytes, limits: Limits, levels: int) -> Opened | None:
    """The body's codec and parts; None where it is of no format. Raises Unreadable for a broken declared format."""
    for codec, declared in body_codecs(request, body):
        try:
            return codec, codec.parts(body, limits, levels)
        except Unreadable:
            if declared:
                raise
    return None


# One body is read for each payload that is written into it.
_opened_once = lru_cache(16)(open_body)


def open_named(request: Request, part: Part, step: str, limits: Limits, levels: int) -> Opened | None:
    """What a point's step names inside a part; None where nothing can be there. Raises Unreadable.

    levels: how deep the walk may still go below the part's own codec.
    """
    levels -= cost(part)
    if part.kind == CONTAINER or part.inner == OPAQUE or levels <= 0:
        return None
    if part.steps == BODY:
        again = _opened_once if len(request.body) <= _LONGEST_KEPT >= len(part.value) else open_body
        opened = again(request, part.value, limits, levels)
        if opened is not None:
            return opened if opened[0].step == step else None
        if step in ("json_doc", "ndjson", "xml", "form_urlencoded", "csv", "msgpack", "grpc"):
            return None  # in a body these are said by its type or its first bytes, never guessed by a point
    codec = inside(step)
    return (codec, codec.parts(part.value[part.inner :], limits, levels)) if codec is not None else None
