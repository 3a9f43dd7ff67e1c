"""Where in a script a place stands: in code, in a string, in a template or in a comment (ECMA-262, section 12).

A regular expression literal is told from a division by what stands before it, which is right but for rare cases. A string
that is handed to `eval`, to a timer or to `Function` is read as the script that it is run as.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

CODE, SINGLE, DOUBLE, TEMPLATE, LINE_COMMENT, BLOCK_COMMENT, REGEX = (
    "code",
    "single",
    "double",
    "template",
    "line comment",
    "block comment",
    "regex",
)
_OPENING = re.compile(r"['\"`{}]|/[/*]?|<!--")
_ENDS = {
    SINGLE: re.compile(r"(?:[^'\\\n\r]|\\(?:\r\n|.))*+", re.DOTALL),
    DOUBLE: re.compile(r"(?:[^\"\\\n\r]|\\(?:\r\n|.))*+", re.DOTALL),
    TEMPLATE: re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*+", re.DOTALL),
    LINE_COMMENT: re.compile(r"[^\n\r\u2028\u2029]*+"),
    # A class that nothing closes goes to the end of the line: its slashes begin nothing that has to be read again.
    REGEX: re.compile(r"(?:[^/\\\n\r\[]|\\.|\[(?:[^\]\\\n\r]|\\.)*+\]?+)*+"),
}
_QUOTES = {"'": SINGLE, '"': DOUBLE}
# Behind these a slash divides; behind anything else it begins a regular expression, as behind these words (ECMA-262, 12.7.2).
_VALUE_BEFORE = re.compile(r"(?:[\w$)\]}]|\+\+|--)\Z")
_WORD_BEFORE = re.compile(
    r"(?<![\w$.#])(?:return|typeof|case|do|else|in|of|instanceof|new|void|delete|throw|yield|await)\Z"
)
_NEAR, _A_VALUE = 200, ")"
# What runs the string behind it as a script (HTML, timers; ECMA-262, sections 19.2.1 and 20.2.1).
_RUNS = re.compile(
    r"(?<![\w$.])(?:(?:window|self|globalThis)\.)?(?:eval|setTimeout|setInterval|Function)\s{0,9}\(\s{0,9}$"
)
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


class Span(NamedTuple):
    """A piece of a script that is one kind throughout."""

    kind: str
    begin: int
    end: int


def spans(code: str) -> Iterator[Span]:
    """The pieces in order, without the quotes and signs that divide them."""
    position, begin, before = 0, 0, ""
    # Braces open in code; a template's own is marked, because behind it the template goes on.
    braces: list[bool] = []
    while found := _OPENING.search(code, position):
        sign = found[0]
        position = found.end()
        # A comment is no part of what stands before a slash; a string or a template is a value.
        held = (
            code[max(begin, found.start() - _NEAR) : found.start()].rstrip() or before if sign[0] in "/<" else _A_VALUE
        )
        kind = _kind(sign, held)
        if sign == "{":
            braces.append(False)
        elif sign == "}" and braces and braces.pop():
            kind = TEMPLATE
        if kind is None:
            continue
        yield Span(CODE, begin, found.start())
        end = _end(code, kind, position)
        yield Span(kind, position, end)
        if kind == TEMPLATE and code.startswith("${", end):
            braces.append(True)
            position, begin, before = end + 2, end + 2, ""
        else:
            before = held
            position = begin = end + {BLOCK_COMMENT: 2, LINE_COMMENT: 0}.get(kind, 1)
    yield Span(CODE, begin, len(code))


def kind_at(code: str, position: int) -> str:
    """The kind of the piece that a place stands in."""
    for span in spans(code):
        if span.begin <= position < span.end:
            if not _is_run(code, span):
                return span.kind
            return kind_at(unescaped(code[span.begin : span.end]), len(unescaped(code[span.begin : position])))
    return CODE


def calls(code: str, name: str) -> bool:
    """Whether a call of this name stands in the code itself, or in a string that is run, and no string or template
    before it is left open.
    """
    call = re.compile(rf"(?<![\w$)\]]){re.escape(name)}\(", re.IGNORECASE)
    for span in spans(code):
        if span.kind == CODE and call.search(code, span.begin, span.end):
            return True
        if span.kind in (SINGLE, DOUBLE) and code[span.end : span.end + 1] not in ("'", '"'):
            return False  # the string does not end on its line: the script does not parse
        if _is_run(code, span) and calls(unescaped(code[span.begin : span.end]), name):
            return True
    return False


def unescaped(text: str) -> str:
    """What a string or a template says whose source this is (ECMA-262, section 12.9.4)."""
    return _ESCAPED.sub(_meant, text)


def _meant(escape: re.Match[str]) -> str:
    number = escape[1] or escape[2]
    return chr(int(number, 16)) if number else _CONTROLS.get(escape[3], escape[3])


def _is_run(code: str, span: Span) -> bool:
    """Whether a piece is a string that is run as a script: one within it is not looked into again."""
    if span.kind not in (SINGLE, DOUBLE, TEMPLATE):
        return False
    return _RUNS.search(code[max(0, span.begin - 60) : span.begin - 1]) is not None


def _kind(sign: str, before: str) -> str | None:
    """What an opening sign opens behind the code that ends so; None where it opens nothing."""
    if sign in ("//", "<!--"):
        return LINE_COMMENT
    if sign == "/*":
        return BLOCK_COMMENT
    if sign == "/":
        return REGEX if not _VALUE_BEFORE.search(before) or _WORD_BEFORE.search(before) else None
    return TEMPLATE if sign == "`" else _QUOTES.get(sign)


def _end(code: str, kind: str, position: int) -> int:
    if kind == BLOCK_COMMENT:
        end = code.find("*/", position)
        return len(code) if end < 0 else end
    found = _ENDS[kind].match(code, position)
    return found.end() if found else position
