"""Whether a value looks like one that was drawn at random, as sessions, tokens and keys are: in one place for all who ask.

Whoever draws such a value makes it long and of many characters. A time, an address and words with numbers between them
(`2026-12-01T10:00:00Z`, `summer-sale-2026-tea`) are as long, but somebody can say them.
"""

import re

# Fewer characters, or fewer different ones, can be guessed or are words.
_LEAST_RANDOM = 16
_LEAST_DIFFERENT = 8
_LEAST_DIGITS = 2
_LEAST_CASE_CHANGES = 3
_CASE_CHANGE = re.compile(rb"[a-z][A-Z]")
_RANDOM = re.compile(rb"[A-Za-z0-9+/=_.:~%|!*$-]+")
# A date with its time (RFC 3339), with any zone, or with the signs between its parts left out.
_TIME = re.compile(rb"\d{4}-?\d\d-?\d\d[T_]\d\d:?\d\d[\d:.+Zz-]*")
_ADDRESS = re.compile(rb"[a-z][a-z0-9+.-]{1,10}://", re.IGNORECASE)
_LONGEST_SPOKEN = 64
# Words as they are written in names, and numbers that count something, or days (`20261201`).
_WORD = rb"[A-Z]?+[b-df-hj-np-tv-xz]*+[aeiouy][a-z]*+"
_SPOKEN = re.compile(rb"(?=[^-_.:]*+[-_.:])(?:(?:" + _WORD + rb"|20\d{6}(?!\d)|\d{1,4}+)(?:[-_.:]++|\Z))++")


def looks_random(value: bytes) -> bool:
    """Whether the value may be a session's identifier: long, of many characters, with digits or changing case."""
    if len(value) < _LEAST_RANDOM or len(set(value)) < _LEAST_DIFFERENT or not _RANDOM.fullmatch(value):
        return False
    if _TIME.fullmatch(value) or _ADDRESS.match(value) or (len(value) <= _LONGEST_SPOKEN and _SPOKEN.fullmatch(value)):
        return False
    digits = sum(0x30 <= byte <= 0x39 for byte in value)
    return digits >= _LEAST_DIGITS or len(_CASE_CHANGE.findall(value)) >= _LEAST_CASE_CHANGES
