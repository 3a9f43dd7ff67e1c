"""Methods by what may be done with them (RFC 9110 section 9.2). SAFE: they ask for nothing but an answer. IDEMPOTENT: repeated,
they do no more than once.
"""

from typing import Final

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
IDEMPOTENT: Final = SAFE | {"PUT", "DELETE"}
