"""Files whose names must begin with a known word, found as PHP finds them: steps lead up from what is not there, and from no file;
or must not begin with a step up, found as the system finds them: steps lead up from folders alone.
"""

import posixpath

from gatecrash.core.message import Response
from tests.range.files import LEAFLETS, read
from tests.range.place import QUERY, Given, flaw, text, twin


def resolved(path: str) -> str:
    """The path without its steps up; nothing's where they leave a file, or where another word stands first."""
    first, slash, _ = path.partition("/")
    return "nothing" if not path.startswith("tea") or (slash and first in LEAFLETS) else posixpath.normpath(path)


@flaw("ptrav", value="tea.txt", name="sheet", ways=(QUERY,))
def begun_with_a_word(given: Given) -> Response:
    return read(resolved(str(given.values["sheet"])))


@twin("ptrav", value="tea.txt", name="sheet", ways=(QUERY,))
def begun_with_a_word_and_inside(given: Given) -> Response:
    path = resolved(str(given.values["sheet"]))
    return text("no such file", 404) if path.startswith(("..", "/")) else read(path)


@flaw("ptrav", value="tea.txt", name="sheet", ways=(QUERY,))
def not_begun_with_a_step(given: Given) -> Response:
    path = str(given.values["sheet"])
    return text("bad name", 400) if path.startswith(("..", "/")) else read(path)


@twin("ptrav", value="tea.txt", name="sheet", ways=(QUERY,))
def not_begun_with_a_step_and_inside(given: Given) -> Response:
    path = str(given.values["sheet"])
    if path.startswith(("..", "/")):
        return text("bad name", 400)
    inside = posixpath.normpath(path)
    return text("no such file", 404) if inside.startswith("..") else read(inside)


@twin("ptrav", value="tea.txt", name="sheet", ways=(QUERY,))
def steps_taken_out_behind_the_beginning(given: Given) -> Response:
    path = str(given.values["sheet"])
    return text("bad name", 400) if path.startswith(("..", "/")) else read(path.replace("..", ""))
