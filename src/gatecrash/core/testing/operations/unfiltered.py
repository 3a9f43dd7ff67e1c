"""The variables of a GraphQL query with which it asks for all that it can: those that may be left out are, texts are empty.

optional_texts("query Notes($like: String) { … }")    {"like": ""}
unfiltered("query Notes($public: Boolean!, $like: String) { … }")    {"public": True}
unfiltered("query Note($id: ID!) { … }")    None: it asks for one thing, and nobody knows which
"""

import re
from typing import Final

# GraphQL, October 2021, section 2.10: a name, its type, whether one must be given, and what stands where none is.
_VARIABLE: Final = re.compile(
    r"\$([A-Za-z_]\w{0,99})\s{0,9}:\s{0,9}(\[?)\s{0,9}([A-Za-z_]\w{0,99})(?:!?\s{0,9}\])?\s{0,9}(!?)\s{0,9}(=?)"
    r"\s{0,9}(?:\"([^\"\\]{1,99})\")?"
)
_WIDEST: Final[dict[str, object]] = {"String": "", "Boolean": True}
_NUMBERS: Final = frozenset({"Int", "Float"})
_HOW_MANY: Final = re.compile(r"limit|first|last|size|count|take|max|top|per_?page", re.IGNORECASE)
_LEFT_OUT: Final = re.compile(r"offset|skip|start|min", re.IGNORECASE)
_MANY: Final = 50


def unfiltered(document: str) -> dict[str, object] | None:
    """Values of the variables that a query needs; None where it needs one of which no value asks for all."""
    values: dict[str, object] = {}
    for name, is_list, kind, must_be, has_default, _ in _VARIABLE.findall(document):
        if not must_be or has_default:
            continue
        if not is_list and kind not in _WIDEST and kind not in _NUMBERS:
            return None
        values[name] = [] if is_list else _number(name) if kind in _NUMBERS else _WIDEST[kind]
    return values


def optional_texts(document: str) -> dict[str, str]:
    """The variables of a type of text that a document declares and does not need, each with what stands where none is given."""
    return {
        name: default if has_default else ""
        for name, is_list, kind, must_be, has_default, default in _VARIABLE.findall(document)
        if kind == "String" and not is_list and not (must_be and not has_default)
    }


def _number(name: str) -> int:
    return _MANY if _HOW_MANY.search(name) else 0 if _LEFT_OUT.search(name) else 1
