"""Functions and classes whose source is a value: whoever takes one calls it by its name, with arguments, or makes an object of
it, so that code in its place is lost or broken, and code within it is not. So it is with a text's front matter, which says
itself in which language it is written.

    given_back("function rate(x) { return x * 2 }", "7*6")    'function rate(x) { return 7*6 }'
    in_class("class Rate(Base):<line end>    pass", "wait()")  the same class, whose body begins with wait()
    in_front_matter("---<line end>a: 1<line end>---<line end>b", "wait()", "x")
                                               the same text, whose front matter is JavaScript that calls wait()
"""

import re
from typing import NamedTuple

JAVASCRIPT, PYTHON = "JavaScript", "Python"


class _Kind(NamedTuple):
    """A way to write a function: what stands before what it gives back, and around that."""

    language: str
    head: re.Pattern[str]
    around: str


# The body stands in the line of its head, so that nothing hangs on how deep it is indented. What stood behind is left out.
_KINDS = (
    _Kind(JAVASCRIPT, re.compile(r"\bfunction\b\s*+\w*+\s*+\([^()]*+\)\s*+\{"), " return {code} }}"),
    _Kind(
        PYTHON,
        re.compile(r"^[ \t]*+(?:async[ \t]++)?+def[ \t]++\w++[ \t]*+\([^()]*+\)[^:\n]*+:", re.MULTILINE),
        " return {code}\n",
    ),
    _Kind(PYTHON, re.compile(r"\A\s*+lambda\b[^:()]*+:"), " {code}"),
    _Kind(JAVASCRIPT, re.compile(r"\A\s*+(?:async\s++)?+(?:\([^()]*+\)|\w++)\s*+=>"), " ({code})"),
)
# The body of a class in Python is carried out where it is read. What stands behind the head is kept: its names are looked for.
_CLASS = re.compile(
    r"^class[ \t]++\w++[ \t]*+(?:\([^()]*+\))?+[ \t]*+:[ \t]*+\n(?P<indent>[ \t]++)(?=\S)", re.MULTILINE
)
# As static sites, and what makes pages and documents of Markdown, have it.
_OPENED, _CLOSED = re.compile(r"---(?:ya?ml)?[ \t]*+\r?\n"), re.compile(r"\r?\n---[ \t]*+(?:\r?\n|\Z)")
_MOST = 20_000


def language_of_function(value: str) -> str | None:
    """The name of the language in which a value is the source of a function; None where it is none."""
    found = _found(value)
    return found[0].language if found else None


def given_back(value: str, code: str) -> str:
    """The source of a function with code as all that it does and gives back; a value that is none stays as it is."""
    found = _found(value)
    return value[: found[1]] + found[0].around.format(code=code) if found else value


def in_class(value: str, code: str) -> str | None:
    """The source of a class in Python with code in front of all else in its body; None where a value is none."""
    found = _CLASS.search(value) if len(value) <= _MOST else None
    return f"{value[: found.end()]}{code}\n{found['indent']}{value[found.end() :]}" if found else None


def in_front_matter(value: str, code: str, title: str) -> str | None:
    """A text with code in its front matter, whose language stands behind the line that opens it; None where a text has none.

    title: fresh, since a reader may remember what it made of the same text.
    """
    closed = _CLOSED.search(value, 3) if len(value) <= _MOST and _OPENED.match(value) else None
    return f"---js\n{{title: '{title}', date: {code}}}{value[closed.start() :]}" if closed else None


def _found(value: str) -> tuple[_Kind, int] | None:
    for kind in _KINDS if len(value) <= _MOST else ():
        head = kind.head.search(value)
        if head is not None:
            return kind, head.end()
    return None
