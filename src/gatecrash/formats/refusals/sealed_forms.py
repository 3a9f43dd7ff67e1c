"""Serialised objects in the place of a made-up base64 text that an application cannot read.

A description says of such a value that it is base64, and seldom of what. Loaders refuse the base64 of a word, and whether they
would make objects is never seen. So the next form of an object with one member is tried, one a refusal; all are harmless to load.
"""

from collections.abc import Iterable

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.formats.descriptions.sample_text import FORMATS

# A dict as a Python pickle, a HashMap as a Java stream, a hash of Ruby's Marshal and an array of PHP: {"example": 1} each.
FORMS = (
    b"gAJ9cQBYBwAAAGV4YW1wbGVxAUsBcy4=",
    b"rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAx3CAAAABAAAAABdAAHZXhhbXBsZXQAATF4",
    b"BAh7BkkiDGV4YW1wbGUGOgZFVGkG",
    b"YToxOntzOjc6ImV4YW1wbGUiO2k6MTt9",
)
_NEXT = dict(zip((FORMATS["byte"].encode(), *FORMS), FORMS, strict=False))


def sealed_anew(found: Iterable[Found]) -> dict[Point, bytes]:
    """What stands in the place of such values in a body or a query: the form behind the one that was refused; empty where there is none."""
    return {one.point: _NEXT[one.value] for one in found if one.point[0] in ("get", "post") and one.value in _NEXT}
