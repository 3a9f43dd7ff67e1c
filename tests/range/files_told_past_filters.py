"""Files of which an application tells alone whether they are there, behind a filter that takes plain steps up out or refuses them."""

import posixpath
from pathlib import Path

from gatecrash.core.message import Response
from tests.range.files import SHELF, WAYS
from tests.range.place import QUERY, Given, flaw, page, text, twin


def led_on(path: Path) -> Response:
    """Where the next page is, which tells by its address alone."""
    return text("", 302, (b"Location", b"/ready" if path.is_file() else b"/missing"))


def ready(path: Path) -> Response:
    return page("Ready.") if path.is_file() else page("Not ready.", 404)


def unfiltered(given: Given) -> str:
    return str(given.values["file"]).replace("../", "").replace("\0", "")


def begun(given: Given) -> Path | None:
    """The file, where its name begins with its folder; steps up are counted off as PHP does it."""
    name = str(given.values["file"]).replace("\0", "")
    return Path(posixpath.normpath(SHELF / name)) if name.startswith("green/") else None


@flaw("ptrav", value="green/en.json", name="file", ways=WAYS)
def led_on_past_a_filter(given: Given) -> Response:
    return led_on(SHELF / unfiltered(given).lstrip("/"))


@twin("ptrav", value="green/en.json", name="file", ways=WAYS)
def led_on_past_a_filter_inside(given: Given) -> Response:
    path = (SHELF / unfiltered(given).lstrip("/")).resolve()
    return led_on(path if path.is_relative_to(SHELF.resolve()) else SHELF / "nothing")


@flaw("ptrav", value="green/en.json", name="file", ways=(QUERY,))
def told_where_the_folder_stands_first(given: Given) -> Response:
    return ready(begun(given) or SHELF / "nothing")


@twin("ptrav", value="green/en.json", name="file", ways=(QUERY,))
def told_where_the_folder_stands_first_inside(given: Given) -> Response:
    path = begun(given)
    return ready(path if path and path.is_relative_to(SHELF) else SHELF / "nothing")


@twin("ptrav", value="green/en.json", name="file", ways=(QUERY,))
def ready_where_the_folder_stands_first(given: Given) -> Response:
    """Looks at how the name begins, and at no file."""
    return page("Ready.") if begun(given) else page("Not ready.", 404)
