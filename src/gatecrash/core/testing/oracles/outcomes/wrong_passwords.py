"""What says that a name or a password was wrong, in the words of a login."""

import re

_WHAT = r"(?:user[\s-]?name|log[\s-]?in|password|credentials?|auth(?:entication|orization)?)"
_BAD = r"(?:incorrect|invalid|wrong|bad|failed|denied|unknown|not\s+valid)"
_WRONG = re.compile(
    rf"\b{_BAD}\s(?:\w{{1,20}}\s){{0,3}}{_WHAT}\b|\b{_WHAT}\s(?:\w{{1,20}}\s){{0,3}}{_BAD}\b", re.IGNORECASE
)


def tells_of_a_wrong_password(text: str) -> bool:
    """Whether a text says so somewhere: `Wrong name or password`, `Login failed`, `invalid credentials`."""
    return _WRONG.search(text) is not None
