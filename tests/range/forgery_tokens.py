"""Forms with tokens: one of any value is taken, or the session's own alone, or one that a cookie repeats; and forms that
look at the page they come from, at its whole address or at its host.
"""

from urllib.parse import urlsplit

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, page, posted, twin

SESSION = b"sessionid=3f9a0c77de114b02aa55"
FORM = b"application/x-www-form-urlencoded"
TOKEN = "9d2f77a1c0"


def form(path: str) -> Request:
    cookies = SESSION + b"; csrftoken=" + TOKEN.encode()
    return posted(path, b"amount=5&to=ben&csrf_token=" + TOKEN.encode(), FORM, ((b"Cookie", cookies),))


def from_a_page(path: str) -> Request:
    came_from = (b"Referer", b"http://127.0.0.1/pay")
    return posted(path, b"amount=5&to=ben", FORM, ((b"Cookie", SESSION), came_from))


def pressed(path: str) -> Request:
    return posted(path, b"amount=5&act=Convert", FORM, ((b"Cookie", SESSION),))


def sent(given: Given, *, taken: bool) -> Response:
    if given.request.method != "POST":
        return page("<form method=post><input name=amount><input name=to></form>")
    if not taken:
        return page("Your form has expired", 403)
    signed_in = SESSION in (given.request.first(b"Cookie") or b"")
    return page("Your payment was sent.") if signed_in else page("Please sign in.", 401)


@flaw("csrf", request=form)
def token_of_any_value(given: Given) -> Response:
    """Whether there is one is looked at, and how long it is."""
    return sent(given, taken=len(given.values.get("csrf_token", "")) == len(TOKEN))


@twin("csrf", request=form)
def token_of_the_session(given: Given) -> Response:
    return sent(given, taken=given.values.get("csrf_token") == TOKEN)


@twin("csrf", request=form)
def token_refused_on_its_page(given: Given) -> Response:
    """In words that no list has, on the page that says otherwise what was done."""
    if given.request.method == "POST" and SESSION not in (given.request.first(b"Cookie") or b""):
        return page("Please sign in.", 401)
    taken = given.values.get("csrf_token") == TOKEN
    told = "Your payment was sent." if taken else "That did not look right." if given.request.method == "POST" else ""
    return page(
        "<nav>Home Accounts Cards</nav><h1>Pay</h1><form method=post><input name=amount><input name=to></form>"
        f"<p>{told}</p><footer>Signed in as ann</footer>"
    )


@twin("csrf", request=form)
def token_that_a_cookie_repeats(given: Given) -> Response:
    token = given.values.get("csrf_token", "")
    return sent(given, taken=bool(token) and f"csrftoken={token}".encode() in (given.request.first(b"Cookie") or b""))


@flaw("csrf", request=from_a_page)
def own_name_anywhere_in_the_referer(given: Given) -> Response:
    return sent(given, taken=b"127.0.0.1" in (given.request.first(b"Referer") or b""))


@twin("csrf", request=from_a_page)
def own_name_as_the_referers_host(given: Given) -> Response:
    referer = (given.request.first(b"Referer") or b"").decode("latin-1")
    return sent(given, taken=urlsplit(referer).hostname == "127.0.0.1")


@twin("csrf", request=pressed)
def looked_up_by_a_button(given: Given) -> Response:
    """It keeps nothing; its page has the name of the button."""
    if SESSION not in (given.request.first(b"Cookie") or b""):
        return page("Please sign in.", 401)
    told = "They are 4 euros" if given.request.method == "POST" else ""
    button = "<input type=submit name=act value=Convert>"
    return page(f"<h1>Convert dollars</h1><form method=post><input name=amount>{button}</form><p>{told}</p>")
