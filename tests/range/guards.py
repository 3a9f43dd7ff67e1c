"""Guards in front of an application that read a request otherwise than it does, and some that do not."""

import posixpath
import re
from collections.abc import Callable
from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.range.place import NAMED, SPELT, Given, answer, flaw, miss, page, text, twin

TOKEN = b"Bearer 3f9a0c77de114b02"
STAFF = {"staff": [{"id": 1, "name": "Ann Marsh", "desk": "north"}, {"id": 2, "name": "Ben Frost", "desk": "south"}]}
METHODS = (b"X-HTTP-Method-Override", b"X-HTTP-Method", b"X-Method-Override")

Reads = Callable[[Request, str], bool]


def signed(path: str) -> Request:
    return Request("GET", path.encode(), ((b"Authorization", TOKEN),))


def bare(path: str) -> Request:
    """A request that is refused already when it is recorded."""
    return Request("GET", path.encode() + b"?view=full")


def below(path: str) -> Request:
    """The same for one of several paths that the place answers."""
    return bare(path + "/staff")


def raw(request: Request) -> str:
    return request.path.decode("latin-1")


def normal(path: str) -> str:
    """What most routers make of a path."""
    return posixpath.normpath("/" + re.sub(r";[^/]*", "", unquote(path)).lstrip("/"))


def staff() -> Response:
    return answer(STAFF)


def unauthorized() -> Response:
    return answer({"error": "unauthorized"}, 401)


def missing(_request: Request) -> Response:
    return answer({"error": "not found"}, 404)


def guarded(
    given: Given,
    mine: str,
    guards: Reads,
    routes: Reads,
    refuse: Callable[[], Response] = unauthorized,
    other: Callable[[Request], Response] = missing,
) -> Response:
    """guards: whether the guard takes the request for one to this place. routes: whether the application does."""
    request = given.request
    if guards(request, mine) and request.first(b"Authorization") != TOKEN:
        return refuse()
    return staff() if routes(request, mine) else other(request)


def exactly(request: Request, mine: str) -> bool:
    return raw(request) == mine


def begins(request: Request, mine: str) -> bool:
    return raw(request).startswith(mine)


def always(_request: Request, _mine: str) -> bool:
    return True


def normalised(request: Request, mine: str) -> bool:
    return normal(raw(request)) == mine


# The guard reads the raw path, the application another


@flaw("auth", request=signed, loose=SPELT)
def raw_prefix(given: Given) -> Response:
    return guarded(given, "/guards/raw-prefix", begins, normalised)


@flaw("auth", request=signed, loose=SPELT)
def raw_and_exact(given: Given) -> Response:
    """A trailing slash is another path to it."""
    return guarded(given, "/guards/raw-and-exact", exactly, lambda r, mine: raw(r).rstrip("/") == mine)


@flaw("auth", request=signed, loose=SPELT)
def case_matters_to_the_guard(given: Given) -> Response:
    return guarded(given, "/guards/case-matters-to-the-guard", begins, lambda r, mine: raw(r).lower() == mine)


@flaw("auth", request=signed, loose=SPELT)
def parameters_of_the_path(given: Given) -> Response:
    """As servlets do: what stands behind a semicolon is no part of the name."""
    mine = "/guards/parameters-of-the-path"
    return guarded(given, mine, exactly, lambda r, mine: re.sub(r";[^/]*", "", raw(r)) == mine)


@flaw("auth", request=signed, loose=SPELT)
def slashes_in_front(given: Given) -> Response:
    return guarded(given, "/guards/slashes-in-front", begins, lambda r, mine: re.sub("/+", "/", raw(r)) == mine)


@flaw("auth", request=signed, loose=SPELT)
def dots_in_front(given: Given) -> Response:
    mine = "/guards/dots-in-front"
    return guarded(given, mine, begins, lambda r, mine: raw(r).replace("%2e", ".").replace("/./", "/") == mine)


@flaw("auth", request=signed, loose=SPELT)
def as_json(given: Given) -> Response:
    return guarded(given, "/guards/as-json", exactly, lambda r, mine: raw(r).removesuffix(".json") == mine)


@flaw("auth", request=signed, loose=SPELT)
def folder_and_parameter(given: Given) -> Response:
    """`/x/..;/` is a folder to the proxy, and the way up to the server behind it."""
    mine = "/guards/folder-and-parameter"
    return guarded(
        given,
        mine,
        lambda r, mine: not raw(r).startswith("/x/..;"),
        lambda r, mine: raw(r).replace("/x/..;", "") == mine,
    )


@flaw("auth", request=bare, loose=SPELT)
def refused_when_recorded(given: Given) -> Response:
    return guarded(given, "/guards/refused-when-recorded", begins, normalised)


def versioned(path: str) -> Request:
    return signed(path + "/v2/staff")


@flaw("auth", request=versioned)
def an_older_version(given: Given) -> Response:
    """The guard came with the second version, and the first is still there."""
    mine = "/guards/an-older-version/v2/staff"
    return guarded(given, mine, exactly, lambda r, _mine: raw(r) in (mine, mine.replace("v2", "v1")))


# Headers


@flaw("auth", request=signed, loose=NAMED)
def rewritten(given: Given) -> Response:
    """The router goes by the header, the guard by the path."""
    named = (given.request.first(b"X-Original-URL") or given.request.target).decode().partition("?")[0]
    if raw(given.request) == "/" and named != "/guards/rewritten":
        return page("<h1>Welcome</h1>")
    return guarded(given, "/guards/rewritten", exactly, lambda _r, mine: named == mine)


@flaw("auth", request=signed)
def from_here(given: Given) -> Response:
    local = given.request.first(b"X-Forwarded-For") == b"127.0.0.1"
    return staff() if local or given.request.first(b"Authorization") == TOKEN else unauthorized()


@flaw("auth", request=signed)
def from_here_by_another_header(given: Given) -> Response:
    local = given.request.first(b"X-Custom-IP-Authorization") == b"127.0.0.1"
    return staff() if local or given.request.first(b"Authorization") == TOKEN else unauthorized()


@flaw("auth", request=bare)
def from_here_by_forwarded(given: Given) -> Response:
    local = b"for=127.0.0.1" in (given.request.first(b"Forwarded") or b"")
    return staff() if local and raw(given.request) == "/guards/from-here-by-forwarded" else page("Forbidden", 403)


@flaw("auth", request=signed)
def linked_from_inside(given: Given) -> Response:
    inside = (given.request.first(b"Referer") or b"").endswith(b"/admin")
    return staff() if inside or given.request.first(b"Authorization") == TOKEN else unauthorized()


@flaw("auth", request=bare)
def linked_from_the_inner_page(given: Given) -> Response:
    inside = (given.request.first(b"Referer") or b"").endswith(b"/admin")
    mine = raw(given.request) == "/guards/linked-from-the-inner-page"
    return staff() if inside and mine else page("Forbidden", 403)


@flaw("auth", request=signed)
def trusted_host(given: Given) -> Response:
    inside = given.request.first(b"X-Forwarded-Host") == b"localhost"
    return staff() if inside or given.request.first(b"Authorization") == TOKEN else unauthorized()


def meant(request: Request) -> str:
    """The method that the application obeys."""
    return next((value.decode() for name in METHODS if (value := request.first(name))), request.method)


@flaw("auth", request=signed)
def overridden(given: Given) -> Response:
    """Browsers' own questions pass the guard, which comes before the override."""
    if given.request.method == "OPTIONS" and meant(given.request) == "OPTIONS":
        return text("", 204)
    open_ = given.request.method == "OPTIONS" or given.request.first(b"Authorization") == TOKEN
    return staff() if open_ else unauthorized()


@flaw("auth", request=signed)
def guarded_by_method(given: Given) -> Response:
    """The guard is declared for GET and POST, the handler answers anything."""
    if given.request.method in ("GET", "POST") and given.request.first(b"Authorization") != TOKEN:
        return unauthorized()
    return text("", 204) if given.request.method == "OPTIONS" else staff()


# Twins


@twin("auth", request=signed, loose=SPELT)
def same_reading(given: Given) -> Response:
    """Guard and application read the path alike."""
    return guarded(given, "/guards/same-reading", normalised, normalised)


@twin("auth", request=signed, loose=SPELT)
def every_path_is_guarded(given: Given) -> Response:
    return guarded(given, "/guards/every-path-is-guarded", always, normalised)


def shell(_request: Request) -> Response:
    return page("<div id=root></div><script src=/app.js></script>")


def echo(request: Request) -> Response:
    return page(f"<h1>Nothing here</h1><p>We looked for {request.target.decode('latin-1')} everywhere.</p>")


@twin("auth", request=signed, loose=SPELT)
def one_page_for_the_rest(given: Given) -> Response:
    """Whatever is not exactly the guarded path is the page of a browser's application."""
    return guarded(given, "/guards/one-page-for-the-rest", exactly, exactly, other=shell)


@twin("auth", request=below, loose=SPELT)
def one_page_beside_a_refusal(given: Given) -> Response:
    return guarded(given, "/guards/one-page-beside-a-refusal/staff", exactly, exactly, other=shell)


@twin("auth", request=below, loose=SPELT)
def an_echo_beside_a_refusal(given: Given) -> Response:
    """Soft 404s that tell what was asked for."""
    return guarded(given, "/guards/an-echo-beside-a-refusal/staff", exactly, exactly, other=echo)


@twin("auth", request=below, loose=SPELT)
def a_login_beside_a_refusal(given: Given) -> Response:
    form = page("<form><input name=user><input type=password name=pass></form>")
    return guarded(given, "/guards/a-login-beside-a-refusal/staff", exactly, exactly, other=lambda _r: form)


@twin("auth", request=below, loose=SPELT)
def a_page_behind_the_slash(given: Given) -> Response:
    """A page for everybody that has nothing to do with the endpoint but its name."""
    mine = "/guards/a-page-behind-the-slash/staff"
    if raw(given.request) == mine + "/":
        return page("<h1>Our staff</h1><p>Ann and Ben look after you.</p>")
    return unauthorized() if raw(given.request) == mine else missing(given.request)


@twin("auth", request=below)
def any_name_below_a_refusal(given: Given) -> Response:
    """A list for the staff, and below it what anybody may ask for by a name, whether it is there or not."""
    mine = "/guards/any-name-below-a-refusal/staff"
    above, _, name = raw(given.request).rpartition("/")
    if above == mine:
        return answer({"name": name, "shifts": []})
    return unauthorized() if raw(given.request) == mine else missing(given.request)


@twin("auth", request=bare)
def refused_by_a_firewall(given: Given) -> Response:
    return page("<h1>403 Forbidden</h1><p>Your request was blocked.</p>", 403)


def linked_from_here(given: Given) -> bool:
    """Whether a page of the application itself asks, and for the place itself."""
    origin = given.request.origin.encode() + b"/"
    return (given.request.first(b"Referer") or b"").startswith(origin) and raw(given.request).count("/") == 2


@twin("auth", request=bare)
def shown_on_own_pages_alone(given: Given) -> Response:
    """A picture for everybody that other sites cannot put into theirs."""
    return answer({"picture": "lamp", "width": 640}) if linked_from_here(given) else page("Forbidden", 403)


@twin("auth", request=signed)
def opened_from_own_pages_alone(given: Given) -> Response:
    """What other sites' pages cannot ask for in the name of who is signed in, as the recorded client did without a Referer."""
    if given.request.first(b"Authorization") != TOKEN:
        return unauthorized()
    return staff() if linked_from_here(given) else page("Forbidden", 403)


@twin("auth", request=versioned)
def an_older_version_is_guarded(given: Given) -> Response:
    mine = "/guards/an-older-version-is-guarded/v2/staff"
    of_both = (mine, mine.replace("v2", "v1"))
    return guarded(given, mine, lambda r, _mine: raw(r) in of_both, lambda r, _mine: raw(r) in of_both)


@twin("auth", request=versioned)
def an_older_version_says_less(given: Given) -> Response:
    """What was for everybody, and still is, beside what is for those who sign in."""
    mine = "/guards/an-older-version-says-less/v2/staff"
    names = answer({"staff": [{"name": one["name"]} for one in STAFF["staff"]]})
    return guarded(given, mine, exactly, exactly, other=lambda r: names if "/v1/" in raw(r) else missing(r))


@twin("auth", request=signed)
def guests_see_less(given: Given) -> Response:
    return staff() if given.request.first(b"Authorization") == TOKEN else answer({"staff": []})


@twin("auth", request=signed)
def addresses_are_only_told(given: Given) -> Response:
    """Echoes the address and believes nothing."""
    if given.request.first(b"Authorization") == TOKEN:
        return staff()
    seen = (given.request.first(b"X-Forwarded-For") or b"?").decode()
    return answer({"error": "unauthorized", "address": seen}, 401)


@miss("auth", request=signed)
def a_header_of_its_own(given: Given) -> Response:
    inside = given.request.first(b"X-Warehouse") == b"main"
    return staff() if inside or given.request.first(b"Authorization") == TOKEN else unauthorized()
