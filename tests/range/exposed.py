"""What lies beside an application: handed out to whoever knows its name, or only looking so."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, page, text, twin

START = "/start.html"
SETTINGS = "MODE=production\nDATABASE_PASSWORD=kd83hf73hd\nMAIL_HOST=mail.internal\n"
LISTED = (
    '<html><head><title>Index of /uploads/</title></head><body><h1>Index of /uploads/</h1><pre><a href="../">../</a>\n'
    '<a href="letter.pdf">letter.pdf</a>\n<a href="notes.sql">notes.sql</a>\n</pre></body></html>'
)
SHELL = '<div id="app"></div><script src="/main.js"></script>'


def starting(path: str) -> Request:
    return Request("GET", (path + START).encode())


def beside(given: Given) -> str:
    """What is asked for below the place itself."""
    return given.q if given.request.path.count(b"/") > 2 else ""


def only(given: Given, name: str, there: Response) -> Response:
    """A page, and one other thing beside it."""
    if beside(given) == START.removeprefix("/"):
        return page("<h1>Welcome</h1>")
    return there if beside(given) == name else text("not found", 404)


def html(content: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), content.encode())


@flaw("info", request=starting, apart=True)
def version_control(given: Given) -> Response:
    return only(given, ".git/HEAD", text("ref: refs/heads/main\n"))


@flaw("info", request=starting, apart=True)
def settings(given: Given) -> Response:
    return only(given, ".env", text(SETTINGS))


@flaw("info", request=starting, apart=True)
def listed_uploads(given: Given) -> Response:
    return only(given, "uploads/", html(LISTED))


@flaw("info", request=starting, apart=True)
def database_file(given: Given) -> Response:
    stored = Response(200, ((b"Content-Type", b"application/octet-stream"),), b"SQLite format 3\x00\x10\x00\x01\x01")
    return only(given, "db.sqlite3", stored)


@flaw("info", request=starting, apart=True)
def environment(given: Given) -> Response:
    """What a framework tells of itself to those who run it."""
    told = b'{"activeProfiles":[],"propertySources":[{"name":"systemProperties","properties":{}}]}'
    return only(given, "actuator/env", Response(200, ((b"Content-Type", b"application/json"),), told))


@flaw("info", request=starting, apart=True)
def accounts_for_debugging(given: Given) -> Response:
    """A view that its author forgot to take away."""
    accounts = [{"username": "ann", "email": "ann@example.com", "password": "lamp-oil"}]
    return only(given, "_debug", answer({"users": accounts}))


@twin("info", request=starting, apart=True)
def any_address_is_a_page(given: Given) -> Response:
    """As single-page applications answer."""
    return page(SHELL)


@twin("info", request=starting, apart=True)
def any_address_is_settings(given: Given) -> Response:
    """A service that says the same wherever there is no page."""
    return page("<h1>Welcome</h1>") if beside(given) == START.removeprefix("/") else text(SETTINGS)


@twin("info", request=starting, apart=True)
def page_about_settings(given: Given) -> Response:
    return only(given, ".env", page(f"<h1>How to write settings</h1><code>{SETTINGS[:16]}</code>"))


@twin("info", request=starting, apart=True)
def sample_settings(given: Given) -> Response:
    return only(given, "uploads/", page("<h1>Uploads</h1><p>Sign in to see your uploads.</p>"))


@twin("info", request=starting, apart=True)
def health_alone(given: Given) -> Response:
    """Says that it lives, and where else it says so."""
    links = {"self": {"href": "/actuator", "templated": False}, "health": {"href": "/actuator/health"}}
    return only(given, "actuator", answer({"_links": links}))


@twin("info", request=starting, apart=True)
def refused(given: Given) -> Response:
    """As servers answer for such names."""
    return page("<h1>Welcome</h1>") if beside(given) == START.removeprefix("/") else text(SETTINGS, 403)


@twin("info", request=starting, apart=True)
def own_data(given: Given) -> Response:
    """An application's own JSON at a name that others use otherwise."""
    return only(given, "env", answer({"name": "production", "region": "north"}))


@miss("info", request=starting, apart=True)
def name_of_its_own(given: Given) -> Response:
    return only(given, "kept-here-7/.env", text(SETTINGS))
