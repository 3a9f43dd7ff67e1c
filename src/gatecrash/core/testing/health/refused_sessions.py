"""What a node tells of a baseline whose recorded session is over at the target: told by it, understood by the service.

The service then looks how the record's users signed in, and has what was refused tested anew.
"""

from typing import Final

REFUSED_NOW: Final = "the baseline's own credentials are refused now"
NO_LOGIN: Final = f"{REFUSED_NOW}, and no login is given"
ALL_REFUSED: Final = "every test with its credentials was refused, though the recorded request was let in"
NOBODY_TO_ASK: Final = (
    "the last tests were refused as a dead session is, and there is no safe request to ask whether it is one"
)
REFUSED_ALONE: Final = "the baseline itself is refused now, though other requests show that the session lives"
OTHER_OUT: Final = "the other identity could not be signed in"
_AUTH_FAILED: Final = "auth_failed"
FOUND_BEFORE: Final = f"{_AUTH_FAILED}: "
"""What is told of a session's end begins so where something was found before it, which is the baseline's result then."""


def is_over(reason: str | None, detail: str) -> bool:
    """Whether a baseline's tests ended because nobody is let in by what it was recorded with."""
    if reason != _AUTH_FAILED and (reason is not None or not detail.startswith(FOUND_BEFORE)):
        return False
    return detail.removeprefix(FOUND_BEFORE).startswith((REFUSED_NOW, ALL_REFUSED, NOBODY_TO_ASK))


def may_be_anothers(reason: str | None, detail: str) -> bool:
    """Whether a baseline's tests ended so because they went out as somebody else than its recorded sender."""
    return is_over(reason, detail) or (reason == _AUTH_FAILED and detail.startswith(REFUSED_ALONE))
