"""The values within an expression that filters: `$filter=Name eq 'x'`, `q=name=="x y";size=gt=3`, `q=title:"x" AND kind:y`.

Steps: `literal` N. Applications divide such an expression before they ask their database, and a quote at its end is an
error of theirs; within a value it is written as the language of the expression writes it: doubled where operators are
words (OData 4.01, SQL), behind a backslash where they are signs (RSQL, FIQL, Lucene). A bare value is put in quotes where it
has to be. Nothing is taken for an expression unasked; a point names it.
"""

import re
from typing import Final

from gatecrash.core.points.codec import Codec, Limits, Part, Unreadable

_LONGEST: Final = 1024
_WORD: Final = rb"[A-Za-z_$][\w.$/-]*+"
_BARE: Final = rb"[\w.*%@+-]++"
_OPERATOR: Final = (
    rb"(?:\s++(?:eq|ne|gt|ge|lt|le|in|like|ilike|contains|is)\s++|\s*+(?:==|!=|<=|>=|=[a-z]{2,10}=|=|~|<|>|:)\s*+)"
)
_BETWEEN: Final = rb"(?:\s++(?:and|or|AND|OR|&&|\|\|)\s++|\s*+[;,]\s*+|\s++)"
_DOUBLED: Final = rb"""(?:'(?:[^']++|'')*+'|"(?:[^"\\]++|\\.)*+")"""
_ESCAPED: Final = rb"""(?:'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+")"""
# By the first operator, which stands before all values: signs that no SQL has, and blanks around words.
_BY_SIGNS: Final = re.compile(rb"[!(\s-]*+" + _WORD + rb"(?:==|!=|=[a-z]{2,10}=|:)")
_IS_BARE: Final = re.compile(_BARE)
_QUOTES: Final = (b"'", b'"')


def _terms(quoted: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """One comparison or function, and a whole expression."""
    call = (
        rb"[A-Za-z]\w*+\(\s*+(?:" + _WORD + rb"|(?P<first>" + quoted + rb"))\s*+,\s*+(?:(?P<second>" + quoted + rb")|"
    )
    call += _WORD + rb")\s*+\)(?:\s++eq\s++(?:true|false))?+"
    compared = _WORD + _OPERATOR + rb"(?:(?P<quoted>" + quoted + rb")|(?P<bare>" + _BARE + rb"))"
    term = rb"(?<![\w.$/-])(?:not\s++|[!(-]\s*+){0,6}+(?:" + call + rb"|" + compared + rb")(?:\s*+\))*+"
    plain = re.sub(rb"\?P<\w+>", rb"?:", term)
    return re.compile(term, re.DOTALL), re.compile(plain + rb"(?:" + _BETWEEN + plain + rb")*+", re.DOTALL)


_WITH_WORDS: Final = _terms(_DOUBLED)
_WITH_SIGNS: Final = _terms(_ESCAPED)


class Literal(Codec):
    """Reads the values that an expression compares with."""

    step = "literal"

    def looks(self, data: bytes, /) -> bool:
        """Whether a value is an expression throughout, and some value of it in quotes or behind an operator of RSQL."""
        if len(data) > _LONGEST or not any(sign in data for sign in (*_QUOTES, b"==", b"=i", b":")):
            return False
        whole = _grammar(data)[1].fullmatch(data)
        return whole is not None and (any(sign in data for sign in _QUOTES) or b"==" in data or _are_several(data))

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """What is compared with, in its order. Raises Unreadable where the data is no such expression."""
        term, whole = _grammar(data)
        if len(data) > _LONGEST or whole.fullmatch(data) is None:
            raise Unreadable("no expression of comparisons")
        parts: list[Part] = []
        for found in term.finditer(data):
            for name in ("first", "second", "quoted", "bare"):
                start, end = found.span(name)
                if start < 0:
                    continue
                first, last = (start, end) if name == "bare" else (start + 1, end - 1)
                value = data[first:last]
                value = value if name == "bare" else _read(value, data[start : start + 1], data)
                parts.append(Part((str(len(parts)),), first, last, value, start, end))
        return parts[: limits.points + 1]

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value as its quotes want it; a bare one in quotes where it is no word."""
        if part.start > part.begin:
            return _written(value, data[part.begin : part.begin + 1], data)
        return value if _IS_BARE.fullmatch(value) else b'"' + _written(value, b'"', data) + b'"'

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """Its holder goes: a comparison with nothing is none."""
        return None


def _are_several(data: bytes) -> bool:
    """Whether words are searched for in several fields: one alone (`user:7`) is an identifier elsewhere."""
    return b":" in data and any(joint in data for joint in (b" AND ", b" OR "))


def _grammar(data: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    return _WITH_SIGNS if _BY_SIGNS.match(data) else _WITH_WORDS


def _is_doubled(quote: bytes, data: bytes) -> bool:
    return quote == b"'" and _BY_SIGNS.match(data) is None


def _read(value: bytes, quote: bytes, data: bytes) -> bytes:
    return value.replace(b"''", b"'") if _is_doubled(quote, data) else re.sub(rb"(?s)\\(.)", rb"\1", value)


def _written(value: bytes, quote: bytes, data: bytes) -> bytes:
    if _is_doubled(quote, data):
        return value.replace(b"'", b"''")
    return value.replace(b"\\", b"\\\\").replace(quote, b"\\" + quote)


LITERAL = Literal()
