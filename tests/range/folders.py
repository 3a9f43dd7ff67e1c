"""Files in folders, handed out by servers that map a prefix of the address to a folder: with its slash, or without.

And by servers that join what follows the prefix to the path of a folder that is really there.
"""

import atexit
import html
import os
import posixpath
import re
import shutil
import tempfile
from pathlib import Path
from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, page, text, twin

FILES = {
    "/srv/shop/css/site.css": "body { color: teal }",
    "/srv/shop/css/summer/site.css": "body {}",
    "/srv/shop/settings.ini": "[mail]",
}
FOLDERS = {posixpath.dirname(name) for name in FILES} | {"/srv"}


def style(path: str) -> Request:
    return Request("GET", f"{path}/look/site.css".encode())


def there(name: str) -> Response:
    """As a server without listings answers: files, folders, and what is not there."""
    plain = posixpath.normpath(name)
    if plain in FOLDERS:
        return text("Forbidden", 403)
    return text(FILES[plain]) if plain in FILES else text("Not Found", 404)


@flaw("ptrav", request=style)
def slash_is_missing(given: Given) -> Response:
    if not given.q.startswith("look"):
        return text("Not Found", 404)
    return there("/srv/shop/css/" + given.q.removeprefix("look"))


@twin("ptrav", request=style)
def prefix_with_slash(given: Given) -> Response:
    if not given.q.startswith("look/"):
        return text("Not Found", 404)
    return there("/srv/shop/css/" + given.q.removeprefix("look/"))


@twin("ptrav", request=style)
def names_lose_their_dots(given: Given) -> Response:
    """As Windows reads names."""
    bare = "/".join(part.rstrip(".") for part in given.q.split("/"))
    return there("/srv/shop/css" + bare.removeprefix("look")) if bare.startswith("look") else text("Not Found", 404)


@twin("ptrav", request=style)
def whatever_is_asked_for(_given: Given) -> Response:
    """As a page that draws every address itself."""
    return page("<div id=root></div>")


SCRATCH = Path(tempfile.mkdtemp(prefix="range-folders-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
SITE = SCRATCH / "site"
(SITE / "look" / "new" / "in").mkdir(parents=True)
for _folder in ("look", "look/new/in"):
    (SITE / _folder / "site.css").write_text("body { color: teal }")


def handed_out(name: str) -> Response:
    return text(Path(name).read_text()) if Path(name).is_file() else text("Not Found", 404)


def behind(given: Given) -> str:
    """What stands behind the place's name in the path, decoded once."""
    return unquote(given.request.path.decode("latin-1").split("/", 3)[3])


@flaw("ptrav", request=style)
def joined_by_the_system(given: Given) -> Response:
    """Steps up are refused; a path that begins with a slash takes the place of the folder."""
    name = behind(given)
    return text("Not Found", 404) if ".." in name else handed_out(str(SITE / name))


@flaw("ptrav", request=style)
def joined_as_a_path(given: Given) -> Response:
    """Below one folder alone, which is taken off."""
    name = behind(given)
    inside = name.startswith("look/") and ".." not in name
    return handed_out(str(SITE / "look" / name.removeprefix("look/"))) if inside else text("Not Found", 404)


@twin("ptrav", request=style)
def joined_without_slashes(given: Given) -> Response:
    name = behind(given)
    return text("Not Found", 404) if ".." in name else handed_out(str(SITE / name.lstrip("/")))


@twin("ptrav", request=style)
def joined_as_text(given: Given) -> Response:
    name = behind(given)
    return text("Not Found", 404) if ".." in name else handed_out(f"{SITE}/{name}")


@twin("ptrav", request=style)
def joined_and_resolved(given: Given) -> Response:
    name = os.path.realpath(SITE / behind(given))
    inside = name.startswith(f"{os.path.realpath(SITE)}/")
    return handed_out(name) if inside else text("Forbidden", 403)


def at_all(given: Given) -> str:
    """What stands behind the place's name in the target, as it came."""
    return given.request.target.decode("latin-1").split("/", 3)[3]


@flaw("ptrav", request=style)
def names_with_an_extension_alone(given: Given) -> Response:
    """All else is a page of the browser's own routes."""
    name = behind(given)
    return handed_out(f"{SITE}/{name}") if "." in name.rpartition("/")[2] else page("<div id=root></div>")


@twin("ptrav", request=style)
def names_with_an_extension_inside(given: Given) -> Response:
    name = os.path.realpath(f"{SITE}/{behind(given)}")
    inside = name.startswith(f"{os.path.realpath(SITE)}/") and "." in name.rpartition("/")[2]
    return handed_out(name) if inside else page("<div id=root></div>")


@twin("ptrav", request=style)
def names_with_an_extension_and_no_steps(given: Given) -> Response:
    """Of what was asked for the last name counts, whatever stands before it."""
    name = posixpath.basename(behind(given))
    return handed_out(f"{SITE}/look/{name}") if "." in name else page("<div id=root></div>")


@flaw("ptrav", request=style)
def steps_are_taken_out_one_time(given: Given) -> Response:
    """By a server that hands out the address as it came."""
    return handed_out(f"{SITE}/{at_all(given).replace('../', '')}")


@twin("ptrav", request=style)
def steps_are_taken_out_until_none_is_left(given: Given) -> Response:
    name = at_all(given)
    while "../" in name:
        name = name.replace("../", "")
    return handed_out(f"{SITE}/{name}")


@twin("ptrav", request=style)
def steps_are_taken_out_and_looked_for(given: Given) -> Response:
    name = os.path.realpath(f"{SITE}/{at_all(given).replace('../', '')}")
    inside = name.startswith(f"{os.path.realpath(SITE)}/")
    return handed_out(name) if inside else text("Forbidden", 403)


def module(path: str) -> Request:
    return Request("GET", f"{path}/look/site.css?import".encode())


def bundled(given: Given, guarded: re.Pattern[str]) -> Response:
    """A server of modules: files outside of its folder are refused, unless their text is asked for in a way that its guard misses."""
    path, _, query = at_all(given).partition("?")
    name = os.path.realpath(f"{SITE}/{path}")
    inside = name.startswith(f"{os.path.realpath(SITE)}/")
    if not inside and (guarded.search(f"?{query}") or not re.match(r"raw\b", query)):
        return text("Restricted", 403)
    return handed_out(name)


@flaw("ptrav", request=module)
def modules_guarded_by_the_end_of_the_query(given: Given) -> Response:
    return bundled(given, re.compile(r"[?&]raw$"))


@twin("ptrav", request=module)
def modules_guarded_wherever_the_query_asks(given: Given) -> Response:
    return bundled(given, re.compile(r"[?&]raw\b"))


LISTED = {
    f"{SITE}/look": ("new", "site.css"),
    "/proc/self": ("attr", "cmdline", "environ", "mountinfo", "oom_score_adj", "statm", "status"),
}


def listed_folder(path: str) -> Request:
    return Request("GET", f"{path}/look/".encode())


def listed(name: str) -> Response:
    """The list of a folder; no file is handed out."""
    path = posixpath.normpath(name)
    links = "".join(f'<a href="{each}">{each}</a>' for each in LISTED.get(path, ()))
    return page(f"<h1>Index of {html.escape(path)}</h1>{links}") if links else text("Not Found", 404)


@flaw("ptrav", request=listed_folder)
def folders_are_listed_outside(given: Given) -> Response:
    """The guard looks at the address before it is decoded."""
    name = at_all(given)
    return text("Not Found", 404) if ".." in name else listed(f"{SITE}/{unquote(name)}")


@twin("ptrav", request=listed_folder)
def folders_are_listed_inside(given: Given) -> Response:
    name = unquote(at_all(given))
    return text("Not Found", 404) if ".." in name else listed(f"{SITE}/{name}")
