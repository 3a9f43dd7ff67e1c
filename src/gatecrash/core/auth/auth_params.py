"""The list of `name=value` pairs behind a scheme word: auth-params of RFC 9110 section 11.2.

Read as servers read them, not as the grammar is drawn: an unquoted value may hold what a token may not (`/`, `:`, `=`),
for signatures and addresses are sent so. Linear in the value's length.
"""

import re

# A quoted-string may hold escaped characters (RFC 9110 section 5.6.4); an unquoted value ends at comma or blank.
_PAIR = re.compile(
    rb"""([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[\t -~\x80-\xff])*)"|([^",\s]*))[ \t]*(?:,|$)"""
)
_GAP = re.compile(rb"[ \t,]*")
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)


def auth_params(value: bytes) -> dict[bytes, bytes] | None:
    """The pairs, names in lower case, quoted values without quotes and escapes; None where the value is no such list.

    A name that comes twice makes it no list: RFC 9110 allows each once, and two readers would differ on which counts.
    """
    found: dict[bytes, bytes] = {}
    position = _end_of_gap(value, 0)
    while position < len(value):
        pair = _PAIR.match(value, position)
        if pair is None:
            return None
        name = pair[1].lower()
        if name in found:
            return None
        quoted = pair[2]
        found[name] = pair[3] if quoted is None else _ESCAPE.sub(rb"\1", quoted)
        position = _end_of_gap(value, pair.end())
    return found


def _end_of_gap(value: bytes, position: int) -> int:
    """Where the next pair begins; a list may hold empty elements (RFC 9110 section 5.6.1.2)."""
    gap = _GAP.match(value, position)
    return gap.end() if gap else position
