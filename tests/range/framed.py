"""Pages of a site whose navigation greets whoever is signed in: what stands in the middle is for some, or for all."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, page, twin

SESSION = b"sessionid=5b1f0c2a9d7e4f63b8a1"
STAFF = "<table><tr><td>Ann<td>ann@office.example<tr><td>Ben<td>ben@office.example</table>"
RULES = "<h1>House rules</h1><p>No shoes.</p><p>Ask anna@office.example, or bert@office.example at night.</p>"


def visit(path: str) -> dict:
    headers = ((b"Cookie", SESSION), (b"User-Agent", b"Mozilla/5.0"), (b"Accept", b"text/html"))
    return {"request": lambda place: Request("GET", f"{place}{path}".encode(), headers)}


def known(given: Given) -> bool:
    return given.request.first(b"Cookie") == SESSION


def framed(given: Given, path: str, body: str) -> Response:
    """One page, and another for whatever is not there, each in the site's frame."""
    menu = "<b>Good morning, Ann</b> <a href=out>Sign out</a>" if known(given) else "<a href=in>Sign in</a>"
    there = given.request.path.endswith(path.encode())
    return page(f"<nav>{menu}</nav>{body if there else '<p>No such page.</p>'}", 200 if there else 404)


@flaw("auth", **visit("/admin/staff"))
def staff_for_everybody(given: Given) -> Response:
    return framed(given, "/admin/staff", STAFF)


@twin("auth", **visit("/admin/staff"))
def staff_for_those_within(given: Given) -> Response:
    """Visitors get the page, and no names in it."""
    return framed(given, "/admin/staff", STAFF if known(given) else "<p>Our staff is here for you.</p>")


@twin("auth", **visit("/house/rules"))
def rules_for_everybody(given: Given) -> Response:
    return framed(given, "/house/rules", RULES)


def led(given: Given, path: str, body: str) -> Response:
    """The page, and for visitors with a redirect to the login before it."""
    shown = framed(given, path, body)
    if known(given) or shown.status != 200:
        return shown
    return Response(302, (*shown.headers, (b"Location", b"/login")), shown.body)


@flaw("auth", **visit("/admin/people"))
def led_and_shown(given: Given) -> Response:
    return led(given, "/admin/people", STAFF)


@twin("auth", **visit("/admin/people"))
def led_before_the_names(given: Given) -> Response:
    return led(given, "/admin/people", f"<h1>Our people</h1><p>By their names</p>{STAFF if known(given) else ''}")


@twin("auth", **visit("/admin/people"))
def led_by_the_empty_frame(given: Given) -> Response:
    return led(given, "/admin/people", STAFF if known(given) else "")


ORDERED = "<p>Your order was placed: two rye, ready at noon.</p>"
FORM = '<form method=post><input name="bread"><input name="pieces"></form>'


def sends(path: str) -> dict:
    """What a browser sends from the form that stands at the same address."""

    def request(place: str) -> Request:
        sent_from = (b"Referer", f"{place}{path}".encode())
        kind = (b"Content-Type", b"application/x-www-form-urlencoded")
        return Request(
            "POST",
            f"{place}{path}".encode(),
            (*visit(path)["request"](place).headers, sent_from, kind),
            b"bread=rye&pieces=2",
        )

    return {"request": request}


def ordered(given: Given, path: str, form: Response | None = None) -> Response:
    """What was ordered, for whoever sends the form; and the page that it stands on."""
    if given.request.method == "POST":
        return framed(given, path, ORDERED)
    return framed(given, path, FORM) if known(given) or form is None else form


@flaw("auth", **sends("/bakery/order"))
def ordered_past_the_page_of_its_form(given: Given) -> Response:
    """Only who is signed in is shown the form."""
    return ordered(given, "/bakery/order", Response(302, ((b"Location", b"/login"),)))


@flaw("auth", **sends("/staff/orders"))
def ordered_where_all_was_left_open(given: Given) -> Response:
    """The page of the form was forgotten as well."""
    return ordered(given, "/staff/orders")


@twin("auth", **sends("/bakery/order"))
def ordered_by_whoever_is_shown_the_form(given: Given) -> Response:
    return ordered(given, "/bakery/order")


@twin("auth", **sends("/cakes/orders"))
def ordered_by_guests_who_are_told_so(given: Given) -> Response:
    """The same, with an address that is called after several."""
    return ordered(given, "/cakes/orders")
