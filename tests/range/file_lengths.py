"""Files that are told of by how long they are: as the system says, by which the kernel's have no length."""

import atexit
import shutil
import tempfile
from pathlib import Path

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, flaw, page, twin

FOLDER = Path(tempfile.mkdtemp(prefix="range-lengths-")).resolve()
(FOLDER / "tea.txt").write_text("Green tea, three tins of it.")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def long(path: Path) -> Response:
    return page(f"<p>Length: {path.stat().st_size if path.exists() else 0}</p>")


@flaw("ptrav", value="tea.txt", ways=(QUERY,))
def told_the_length_of(given: Given) -> Response:
    return long(FOLDER / given.q.replace("\0", ""))


@twin("ptrav", value="tea.txt", ways=(QUERY,))
def told_the_length_of_inside(given: Given) -> Response:
    path = (FOLDER / given.q.replace("\0", "")).resolve()
    return long(path if path.is_relative_to(FOLDER) else FOLDER / "nothing")
