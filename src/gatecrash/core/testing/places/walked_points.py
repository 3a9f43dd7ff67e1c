"""The points of a request, walked once: planning asks a dozen times for those of the same baseline."""

from functools import lru_cache
from itertools import pairwise

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk

LONGEST = 64 * 1024
"""Of requests with a longer body (bytes) one is remembered: more would hold too much."""


def declares_namespace(point: Point) -> bool:
    """Whether it is an XML namespace's declaration, by which parsers read the document: no application sees it as a value.

    They refuse what is no address (Namespaces in XML 1.0, section 2.2), which looks like a flaw in whatever it is put to.
    """
    return any(
        step == "xml_attr" and (argument == "xmlns" or argument.startswith("xmlns:"))
        for step, argument in pairwise(point)
    )


def walked(request: Request) -> tuple[Found, ...]:
    """Every point that `walk` finds, names and declarations of namespaces left out."""
    return _walked(request) if len(request.body) <= LONGEST else _walked_long(request)


@lru_cache(32)
def _walked(request: Request) -> tuple[Found, ...]:
    return _values_of(request)


@lru_cache(1)
def _walked_long(request: Request) -> tuple[Found, ...]:
    return _values_of(request)


def _values_of(request: Request) -> tuple[Found, ...]:
    found = walk(request).points
    return (
        tuple(each for each in found if not declares_namespace(each.point))
        if b"xmlns" in request.body
        else tuple(found)
    )
