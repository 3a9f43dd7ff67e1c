"""Files in a folder that lies deep, as packages have what they serve: a few steps up do not leave it."""

import posixpath

from gatecrash.core.message import Response
from tests.range.files import read
from tests.range.place import Given, flaw, text, twin

# Names are taken apart before anything is opened, so that nobody had to make the folder.
INSTALLED = "/srv/ann/shop/.venv/lib/python3/site-packages/shop/web/client/build/static"


def deep_below(path: str) -> str:
    return posixpath.normpath(posixpath.join(INSTALLED, path))


@flaw("ptrav", value="tea.txt", name="file")
def joined_deep_below(given: Given) -> Response:
    return read(deep_below(str(given.values["file"])).removeprefix(INSTALLED + "/"))


@twin("ptrav", value="tea.txt", name="file")
def kept_deep_below(given: Given) -> Response:
    path = deep_below(str(given.values["file"]))
    return read(path.removeprefix(INSTALLED + "/")) if path.startswith(INSTALLED + "/") else text("no such file", 404)


@twin("ptrav", value="tea.txt", name="file")
def last_name_deep_below(given: Given) -> Response:
    return read(posixpath.basename(deep_below(str(given.values["file"]))))
