"""Boxes for what is sent to somebody: each is shown his own, and what lies in it is not everybody's.

is_box_of(page, "letter")     whether a page is where such things come in for whoever asks, as `/inbox` is

What a box tells of besides, as an answer to a post of his, may be open to all: only what is sent from one to another counts.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.surroundings.kinship import kind_words

_BOX = re.compile(r"(?:in|out|mail|letter|post)box(?:es)?")
_SENT = re.compile(r"(?:message|e?mail|letter|memo|fax)s?")


def is_box_of(page: Request, kind: str) -> bool:
    """Whether a page is the box of things of this kind, by what both are called."""
    return _SENT.fullmatch(kind) is not None and any(map(_BOX.fullmatch, kind_words(page)[-1:]))
