"""Redirects: a value becomes the address, or the address is checked, or shown only."""

import html
import json
import posixpath
import urllib.parse

from gatecrash.core.message import Request, Response
from tests.range.place import FORM, PATH, QUERY, Given, flaw, miss, page, text, twin

BOTH = (QUERY, FORM)
HOME = "/home"


def to(address: str, status: int = 302) -> Response:
    return text(
        "moved", status, (b"Location", address.encode("utf-8", "replace").replace(b"\r", b"").replace(b"\n", b""))
    )


@flaw("redir", value=HOME, name="next", ways=BOTH)
def location(given: Given) -> Response:
    return to(str(given.values["next"]))


@flaw("redir", value=HOME, name="q", ways=BOTH)
def moved_for_good(given: Given) -> Response:
    return to(given.q, 301)


@flaw("redir", value=HOME, name="url", ways=BOTH)
def begins_with_a_slash(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if address.startswith("/") and not address.startswith("//") else to("/")


@flaw("redir", value=HOME, name="url", ways=BOTH)
def holds_own_name(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if "127.0.0.1" in address or address.startswith("/home") else to("/")


@flaw("redir", value=HOME, name="to", ways=BOTH)
def meta(given: Given) -> Response:
    return page(f'<meta http-equiv="refresh" content="0; url={html.escape(str(given.values["to"]))}">Wait')


@flaw("redir", value=HOME, name="to", ways=BOTH)
def script(given: Given) -> Response:
    address = json.dumps(str(given.values["to"])).replace("<", "\\u003c")
    return page(f"<script>window.location.href = {address};</script>")


@flaw("redir", value=HOME, name="next", ways=BOTH)
def script_after_a_while(given: Given) -> Response:
    address = json.dumps(str(given.values["next"])).replace("<", "\\u003c")
    return page(f"<script>setTimeout(function () {{ window.location.href = {address}; }}, 3000);</script>")


@flaw("redir", value=HOME, name="to", ways=BOTH)
def in_a_function_that_is_begun(given: Given) -> Response:
    address = json.dumps(str(given.values["to"])).replace("<", "\\u003c")
    return page(
        f"<script>var to = {address}; function go() {{ if (to) {{ location.href = to; }} }} setTimeout(go, 3000);</script>"
    )


@twin("redir", value=HOME, name="to", ways=BOTH)
def in_a_function_that_a_click_begins(given: Given) -> Response:
    address = json.dumps(str(given.values["to"])).replace("<", "\\u003c")
    return page(f"<a id=a>Go on</a><script>function go() {{ location.href = {address}; }} a.onclick = go;</script>")


@twin("redir", value=HOME, name="to", ways=BOTH)
def in_a_function_that_checks(given: Given) -> Response:
    address = json.dumps(str(given.values["to"])).replace("<", "\\u003c")
    return page(
        f"<script>var to = {address}; function go() {{ if (/^\\/\\w/.test(to)) {{ location = to; }} }} setTimeout(go, 9);</script>"
    )


@flaw("redir", value=HOME, name="to", ways=BOTH)
def refresh(given: Given) -> Response:
    value = str(given.values["to"]).replace("\r", "").replace("\n", "")
    return page("Wait", 200, (b"Refresh", b"0; url=" + value.encode("utf-8", "replace")))


@twin("redir", value=HOME, name="next", ways=BOTH)
def path_only(given: Given) -> Response:
    parts = urllib.parse.urlsplit(str(given.values["next"]).replace("\\", "/"))
    return to("/" + parts.path.lstrip("/"))


@twin("redir", value=HOME, name="next", ways=BOTH)
def listed(given: Given) -> Response:
    return to(str(given.values["next"]) if given.values["next"] in (HOME, "/cart") else "/")


@twin("redir", value=HOME, name="next", ways=BOTH)
def to_login(given: Given) -> Response:
    return to("/login?next=" + urllib.parse.quote(str(given.values["next"]), safe=":/@"))


@twin("redir", value=HOME, name="url", ways=BOTH, also=("xss",))
def link(given: Given) -> Response:
    return page(f'You leave us: <a href="{html.escape(str(given.values["url"]))}" rel=nofollow>go on</a>')


@twin("redir", value=HOME, name="url", ways=BOTH)
def in_a_function(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>function go() {{ location.href = {address}; }}</script><p>Press the button.</p>")


@twin("redir", value=HOME, name="url", ways=BOTH)
def behind_own_host(given: Given) -> Response:
    return to("http://127.0.0.1/" + str(given.values["url"]).lstrip("/\\"))


@twin("redir", value=HOME, name="url", ways=BOTH)
def location_of_created(given: Given) -> Response:
    """201 with a Location sends no browser anywhere."""
    return text("made", 201, (b"Location", urllib.parse.quote(str(given.values["url"]), safe=":/").encode()))


@flaw("redir", value=HOME, name="url", ways=(QUERY,))
def joined_to_own_host(given: Given) -> Response:
    """Nothing stands between the host and the value."""
    return to("http://127.0.0.1" + str(given.values["url"]))


def host_of(address: str) -> str:
    return urllib.parse.urlsplit(address.replace("\\", "/")).hostname or ""


@flaw("redir", value="https://www.shop.example/teas", name="url", ways=BOTH)
def ends_as_an_allowed_host(given: Given) -> Response:
    """The dot before the domain is not looked for."""
    address = str(given.values["url"])
    return to(address) if host_of(address).endswith("shop.example") else to("/")


@flaw("redir", value="https://www.shop.example/teas", name="url", ways=(QUERY,))
def begins_as_an_allowed_host(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if address.startswith("https://www.shop.example") else to("/")


@twin("redir", value="https://www.shop.example/teas", name="url", ways=(QUERY,))
def begins_with_an_allowed_host(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if address.startswith("https://www.shop.example/") else to("/")


@twin("redir", value="https://www.shop.example/teas", name="url", ways=BOTH)
def ends_as_an_allowed_domain(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if host_of(address).endswith(".shop.example") else to("/")


@twin("redir", value="https://www.shop.example/teas", name="url", ways=BOTH)
def is_an_allowed_host(given: Given) -> Response:
    address = str(given.values["url"])
    return to(address) if host_of(address) in ("www.shop.example", "shop.example") else to("/")


def read_as_its_own(url: str) -> urllib.parse.SplitResult:
    return urllib.parse.urlsplit(urllib.parse.urljoin("http://127.0.0.1/", url.replace("\\", "/")))


@flaw("redir", value=HOME, name="next", ways=(QUERY,))
def no_host_and_a_path_of_its_own(given: Given) -> Response:
    """`https:///b/` has no host to the parser, and one to browsers."""
    address = str(given.values["next"])
    parts = urllib.parse.urlsplit(address.replace("\\", "/"))
    is_own = not parts.netloc and parts.path.startswith("/") and not parts.path.startswith("//")
    return to(address if is_own and "\t" not in address else "/")


@flaw("redir", value=HOME, name="next", ways=(QUERY,))
def path_of_what_was_read(given: Given) -> Response:
    """Compares the whole host, and leads to the path alone, which may name another host."""
    address = read_as_its_own(str(given.values["next"]))
    return to(address.path if address.netloc == "127.0.0.1" else "/")


@twin("redir", value=HOME, name="next", ways=(QUERY,))
def one_slash_of_what_was_read(given: Given) -> Response:
    address = read_as_its_own(str(given.values["next"]))
    return to("/" + address.path.lstrip("/") if address.netloc == "127.0.0.1" else "/")


@twin("redir", value=HOME, name="next", ways=(QUERY,))
def whole_address_of_what_was_read(given: Given) -> Response:
    address = read_as_its_own(str(given.values["next"]))
    return to(address.geturl() if address.netloc == "127.0.0.1" else "/")


@flaw("redir", value=HOME, name="url", ways=(QUERY,))
def variable_of_a_script(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>var next = {address};\nsetTimeout(function () {{ location.href = next; }}, 2000);</script>")


@twin("redir", value=HOME, name="url", ways=(QUERY,))
def variable_that_is_checked(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>var next = {address};\nif (/^\\/[a-z]/.test(next)) location.href = next;</script>")


@twin("redir", value=HOME, name="url", ways=(QUERY,))
def variable_of_something_else(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>var seen = {address}, next = '/home';\nlocation.href = next;</script>")


@twin("redir", value="tea", ways=(PATH, QUERY))
def trailing_slash(given: Given) -> Response:
    return to("/redirects/" + urllib.parse.quote(given.q, safe="") + "/", 301)


def below(path: str) -> Request:
    return Request("GET", path.encode() + b"/pots/1")


@flaw("redir", request=below)
def leave(given: Given) -> Response:
    """Leads to what stands behind it in the path."""
    return to("/" + given.q)


@flaw("redir", request=below)
def leave_with_a_slash(given: Given) -> Response:
    """Two slashes that stand so in the path are made one; encoded ones are not seen."""
    raw = given.request.path.decode().partition("leave-with-a-slash/")[2]
    return to("/" + urllib.parse.unquote(raw.lstrip("/")))


@twin("redir", request=below)
def leave_within(given: Given) -> Response:
    return to("/" + given.q.replace("\\", "/").lstrip("/"))


@twin("redir", request=below)
def leave_encoded(given: Given) -> Response:
    return to("/" + "/".join(urllib.parse.quote(each, safe="") for each in given.q.split("/") if each))


def folder(path: str) -> Request:
    return Request("GET", path.encode() + b"/pots")


def with_a_slash(rest: str) -> Response:
    """As servers of files lead to a folder that was named without its slash."""
    inside = posixpath.normpath("/" + urllib.parse.unquote(rest).lstrip("/")) in ("/", "/pots")
    return to(rest + "/", 301) if inside and not rest.endswith("/") else text("no such file", 404)


@flaw("redir", request=folder)
def folder_without_its_slash(given: Given) -> Response:
    return with_a_slash(given.request.path.decode().removeprefix("/redirects/folder-without-its-slash"))


@flaw("redir", request=folder)
def any_page_gets_a_slash(given: Given) -> Response:
    """Of whatever is asked for, as it stands in the path."""
    rest = given.request.path.decode().removeprefix("/redirects/any-page-gets-a-slash")
    return page("Pots") if rest.endswith("/") else to(rest + "/")


@twin("redir", request=folder)
def folder_by_one_slash(given: Given) -> Response:
    """Several slashes at the beginning are one."""
    rest = given.request.path.decode().removeprefix("/redirects/folder-by-one-slash")
    return with_a_slash("/" + rest.lstrip("/"))


@twin("redir", request=folder)
def folder_by_its_last_name(given: Given) -> Response:
    """What is led to is relative to where the browser is."""
    last = given.request.path.rpartition(b"/")[2]
    return to(f"./{last.decode()}/", 301)


def leading(path: str) -> Request:
    return Request("GET", path.encode() + b"/https://docs.example.com/pots")


def filed(path: str) -> Request:
    return Request("GET", path.encode() + b"/file=/tmp/pots.png")


def address_in(given: Given, before: str) -> str:
    return urllib.parse.unquote(given.request.path.decode().partition(before)[2])


@flaw("redir", request=leading)
def address_in_the_path(given: Given) -> Response:
    return to(address_in(given, "address-in-the-path/"))


@twin("redir", request=leading)
def known_address_in_the_path(given: Given) -> Response:
    told = address_in(given, "known-address-in-the-path/")
    known = urllib.parse.urlsplit(told).hostname == "docs.example.com"
    return to(told) if known else text("no such link", 404)


@flaw("redir", request=filed)
def file_or_address(given: Given) -> Response:
    """Files that are kept elsewhere are led to."""
    told = address_in(given, "file=")
    return to(told) if told.startswith(("http:", "https:")) else text("a picture")


@twin("redir", request=filed)
def file_of_the_path(given: Given) -> Response:
    told = address_in(given, "file=")
    return text("a picture") if told == "/tmp/pots.png" else text(f"no such file: {told}", 404)


@flaw("redir", value=HOME, name="url", ways=(QUERY,))
def later_in_a_script(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>function go() {{ location.href = {address}; }}; setTimeout(go, 2000);</script>")


@miss("redir", value=HOME, name="url", ways=(QUERY,))
def built_by_a_script(given: Given) -> Response:
    address = json.dumps(str(given.values["url"])).replace("<", "\\u003c")
    return page(f"<script>var to = ['', {address}]; location.href = to.join('');</script>")
