"""What an answer says of the length of what was sent: that it is too long, or by showing its beginning alone."""

import re
from functools import lru_cache
from typing import Final

_TOLD: Final = re.compile(
    r"too[ _-]long|too[ _-]large|tolong|longer than|exceed|at most \d|up to \d+ char|\bmax(?:imum|imal|\.)?[\s_:of-]{0,4}(?:len|char|size|\d)"
    r"|max_?length|(?<!\d)\d{1,9} (?:characters|chars|signs|letters|zeichen|caract)|\blength\b|zu lang|trop long|demasiado larg",
    re.IGNORECASE,
)
_MOST, _LEAST = 20_000, 8


def tells_of_length(text: str, known: str) -> bool:
    """Whether a text complains of a length in words that the known one does not hold."""
    return any(said not in known for said in _complaints(text[:_MOST]))


@lru_cache(64)  # most answers to one point's payloads say the same
def _complaints(text: str) -> tuple[str, ...]:
    return tuple(found[0] for found in _TOLD.finditer(text))


def is_cut(sent: str, value: str, shown: str) -> bool | None:
    """Whether what was sent is shown without its last words; None where its beginning is not shown. value: what it begins with."""
    head = sent[: len(value) + _LEAST]
    found = shown.find(head) if len(head) < len(sent) else -1
    words = re.findall(r"\w{6,}", sent[len(head) :])
    return words[-1] not in shown[found:] if found >= 0 and words else None
