"""Parameters that hold a form's token against forged requests: a secret of the session, and no value of the application."""

import re

from gatecrash.core.point import Point

_TOKEN = re.compile(
    r"csrf|xsrf|authenticity|requestverification|__token|^_token$|nonce|form_?(?:key|token|id)",
    re.IGNORECASE,
)


def is_form_token(point: Point) -> bool:
    """Whether a parameter of the query or the body is one by its name; those in cookies and headers are its counterparts."""
    return point[:1] in (("get",), ("post",)) and len(point) > 1 and _TOKEN.search(point[-1]) is not None
