"""Files in folders, handed out by servers that map a prefix of the address to a folder: with its slash, or without."""

import posixpath

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
