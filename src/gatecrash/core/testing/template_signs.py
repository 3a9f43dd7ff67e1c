"""The signs between which people write templates, in a value that a client sends by itself, and what they call them."""

import re

from gatecrash.core.point import Point

_NAMED = re.compile(r"templ|tpl|greeting|signature|render|layout|notif", re.IGNORECASE)

_SIGNS = (
    *(("{{", "}}"), ("[[", "]]"), ("<%", "%>"), ("${", "}"), ("#{", "}")),
    *(("{%", "%}"), ("{%", "%]"), ("[%", "%}"), ("[%", "%]")),
)


def is_like_a_template(text: str) -> bool:
    """Whether something stands between such signs as people write templates with."""
    return any(opened in text and text.rfind(closed) > text.find(opened) + len(opened) for opened, closed in _SIGNS)


def is_named_as_template(point: Point) -> bool:
    """Whether a parameter is called as people call templates, and the texts that their applications send."""
    return point[0] in ("get", "post") and _NAMED.search(point[-1]) is not None
