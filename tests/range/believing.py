"""Services that believe what a request says: the role of its sender, that he knows his password, and what his order costs."""

import itertools
from base64 import b64decode, b64encode
from decimal import Decimal

from gatecrash.core.message import Request, Response
from tests.range.asked import sending, submitting
from tests.range.place import Given, answer, flaw, page, twin

LEDGER = page("<h1>Ledger</h1><p>Income 20311, expenses 18877, kept by Olga Crown</p>")
MEMBERS = [
    {"name": "ann", "role": "member", "email": "ann@club.test"},
    {"name": "bert", "role": "member", "email": "bert@club.test"},
    {"name": "olga", "role": "admin", "email": "olga@club.test"},
]
SECRET, NEW = "lamp-oil-and-rope", "wicks-and-candles"
OWN_PRICE = Decimal("12.5")
NUMBERS = itertools.count(1)
ORDERS: dict[int, dict] = {}


def refused() -> Response:
    return answer({"error": "not for you"}, 403)


# Roles


def crumbs(request: Request) -> dict[str, str]:
    pairs = (request.first(b"Cookie") or b"").decode("latin-1").split("; ")
    return dict(pair.partition("=")[::2] for pair in pairs)


def claiming(role: str, target: str = "/ledger"):
    cookie = f"sessionid=3f9a0c77de114b02a7c9; role={role}".encode()
    return lambda place: Request("GET", f"{place}{target}".encode(), ((b"Cookie", cookie),))


def is_page(given: Given, word: str) -> bool:
    return given.request.path.endswith(word.encode())


@flaw("auth", request=claiming("member"))
def a_role_in_a_cookie(given: Given) -> Response:
    if not is_page(given, "/ledger"):
        return answer({"error": "no such page"}, 404)
    return LEDGER if crumbs(given.request).get("role") == "admin" else refused()


@flaw("auth", request=claiming("member", "/members?admin=0"))
def more_of_everybody_to_a_parameter(given: Given) -> Response:
    fields = ("name", "email") if given.values.get("admin") == "1" else ("name",)
    return answer([{field: each[field] for field in fields} for each in MEMBERS])


def first_visit(place: str) -> Request:
    return Request("GET", f"{place}/ledger".encode())


def handing_out(given: Given, *, reads: bool) -> Response:
    """Keeps whoever comes out, and hands him a rank, which it reads the next time or does not."""
    if not is_page(given, "/ledger"):
        return answer({"error": "no such page"}, 404)
    if reads and crumbs(given.request).get("rank") == "admin":
        return LEDGER
    return page("<p>Not for you.</p>", 403, (b"Set-Cookie", b"rank=member"))


@flaw("auth", request=first_visit)
def a_rank_that_the_page_hands_out(given: Given) -> Response:
    return handing_out(given, reads=True)


@twin("auth", request=first_visit)
def a_rank_that_is_handed_out_and_looked_up_elsewhere(given: Given) -> Response:
    return handing_out(given, reads=False)


@twin("auth", request=first_visit)
def a_rank_that_only_greets(given: Given) -> Response:
    """What it says of its reader is his own affair, and all are told the same."""
    rank = crumbs(given.request).get("rank", "member")
    return page(
        f"<h1>Hours</h1><p>Good day, {'keeper' if rank == 'admin' else 'guest'}</p>",
        200,
        (b"Set-Cookie", b"rank=member"),
    )


def in_base64(place: str) -> Request:
    cookie = b"sessionid=3f9a0c77de114b02a7c9; standing=" + b64encode(b"level=member")
    return Request("GET", f"{place}/ledger".encode(), ((b"Cookie", cookie),))


@flaw("auth", request=in_base64)
def one_pair_in_base64(given: Given) -> Response:
    if not is_page(given, "/ledger"):
        return answer({"error": "no such page"}, 404)
    told = b64decode(crumbs(given.request).get("standing", "") + "==")
    return LEDGER if told == b"level=admin" else refused()


def in_spanish(place: str) -> Request:
    cookie = b"sessionid=3f9a0c77de114b02a7c9; ficha=" + b64encode(b"rol=socio&idioma=es")
    return Request("GET", f"{place}/ledger".encode(), ((b"Cookie", cookie),))


@flaw("auth", request=in_spanish)
def a_rank_in_another_language(given: Given) -> Response:
    if not is_page(given, "/ledger"):
        return answer({"error": "no such page"}, 404)
    told = b64decode(crumbs(given.request).get("ficha", "") + "==")
    return LEDGER if told.startswith(b"rol=administrador&") else refused()


@twin("auth", request=in_spanish)
def a_rank_in_another_language_that_nobody_reads(given: Given) -> Response:
    return refused()


@twin("auth", request=in_spanish)
def a_text_in_another_language_for_whatever_rank(given: Given) -> Response:
    """Who comes is told the hours in his language, whatever he says that he is."""
    told = b64decode(crumbs(given.request).get("ficha", "") + "==")
    return page("<h1>Horario</h1><p>De lunes a viernes</p>" if told.endswith(b"=es") else "<h1>Hours</h1>", 403)


@twin("auth", request=in_base64)
def one_pair_that_nobody_reads(given: Given) -> Response:
    return refused()


@twin("auth", request=claiming("member"))
def a_role_that_is_looked_up(given: Given) -> Response:
    return refused()


@twin("auth", request=claiming("member", "/members?role=member"))
def a_filter_by_role(given: Given) -> Response:
    """The administrators' addresses are as public as the others'."""
    return answer([each for each in MEMBERS if each["role"] == given.values.get("role")])


@twin("auth", request=claiming("member"))
def a_role_that_only_greets(given: Given) -> Response:
    return page(f"<p>Hello {crumbs(given.request).get('role', 'guest')[:12].encode('ascii', 'ignore').hex()}</p>", 403)


# Passwords


def changing(**fields: str):
    def request(place: str) -> Request:
        sent = submitting(**fields)(f"{place}/account/password")
        return Request("POST", sent.target, (*sent.headers, (b"Cookie", b"sessionid=3f9a0c77de114b02a7c9")), sent.body)

    return request


def changed(given: Given, *, asks: bool) -> Response:
    """A change of the caller's password, to what it is."""
    if crumbs(given.request).get("sessionid") != "3f9a0c77de114b02a7c9" or not is_page(given, "/account/password"):
        return Response(302, ((b"Location", b"/login"),))
    if given.values.get("new") != given.values.get("again"):
        return answer({"error": "the two are not the same"}, 400)
    if asks and given.values.get("current") != SECRET:
        return answer({"error": "that is not your password"}, 400)
    return answer({"message": "your password was changed"})


@flaw("auth", also=("csrf",), request=changing(new=NEW, again=NEW))
def a_password_for_the_asking(given: Given) -> Response:
    return changed(given, asks=False)


@flaw("auth", also=("csrf",), request=changing(current=SECRET, new=NEW, again=NEW))
def a_password_that_is_not_compared(given: Given) -> Response:
    return changed(given, asks=False)


@twin("auth", request=changing(current=SECRET, new=NEW, again=NEW))
def a_password_that_is_asked_for(given: Given) -> Response:
    return changed(given, asks=True)


@twin("auth", also=("csrf",), request=changing(current=SECRET, new=NEW, again=NEW))
def a_polite_answer_to_whatever_comes(given: Given) -> Response:
    """Two that differ are answered alike, so that nothing says that any was changed."""
    if crumbs(given.request).get("sessionid") != "3f9a0c77de114b02a7c9" or not is_page(given, "/account/password"):
        return Response(302, ((b"Location", b"/login"),))
    return answer({"message": "we look into it"})


# Prices

ORDER = {"item": 3, "quantity": 2, "price": 12.5}


def ordered(given: Given, *, believes: bool) -> Response:
    """An order, which is read at its own address."""
    last = given.request.path.rpartition(b"/")[2].decode("latin-1")
    if given.request.method == "GET":
        order = ORDERS.get(int(last)) if last.isdigit() else None
        return answer(order) if order is not None else answer({"error": "no such order"}, 404)
    try:
        named, count = Decimal(str(given.values["price"])), int(str(given.values["quantity"]))
    except (ArithmeticError, KeyError, ValueError):
        return answer({"error": "what do you want"}, 400)
    if not 0 < count < 1000 or not 0 < named < 10**6 or given.values.get("item") != ORDER["item"]:
        return answer({"error": "what do you want"}, 400)
    number = next(NUMBERS)
    total = count * (named if believes else OWN_PRICE)
    ORDERS[number] = {"id": number, "item": 3, "quantity": count, "total": float(total)}
    return answer({"id": number, "state": "ordered"}, 201)


def ordering(place: str) -> Request:
    return sending(**ORDER)(f"{place}/orders")


@flaw("mass_assignment", request=ordering)
def a_price_that_is_believed(given: Given) -> Response:
    return ordered(given, believes=True)


@twin("mass_assignment", request=ordering)
def a_price_from_the_list(given: Given) -> Response:
    return ordered(given, believes=False)


@twin("mass_assignment", request=ordering)
def a_price_that_must_fit(given: Given) -> Response:
    """Whose price has changed since the page was made is told so."""
    if given.request.method == "POST" and str(given.values.get("price")) != str(OWN_PRICE):
        return answer({"error": "the price has changed"}, 409)
    return ordered(given, believes=False)


def sold(given: Given, price: Decimal) -> Response:
    """A page that sells seats, and what was bought on it."""
    values = given.values
    form = "<form method=post><input name=qty value=2><input type=hidden name=ticket_price value=15></form>"
    if given.request.method != "POST":
        return page(form)
    count = str(values.get("qty"))
    if values.get("action") != "order" or not count.isdigit():
        return page(f"{form}<p>Nothing was bought.</p>")
    return page(f"{form}<p>Bought: {count}. We charge {int(count) * price} crowns.</p>")


def buying(place: str) -> Request:
    return submitting(qty="2", ticket_price="15", action="order")(f"{place}/seats.php")


def named_price(given: Given) -> Decimal:
    written = str(given.values.get("ticket_price", ""))
    return Decimal(written) if written.replace(".", "", 1).isdigit() else Decimal(15)


@flaw("mass_assignment", request=buying)
def a_hidden_price_that_is_believed(given: Given) -> Response:
    return sold(given, named_price(given))


@twin("mass_assignment", request=buying)
def a_hidden_price_that_is_shown_alone(given: Given) -> Response:
    return sold(given, Decimal(15))


@twin("mass_assignment", request=buying)
def a_hidden_price_that_is_told_again(given: Given) -> Response:
    """The sum is the shop's, whatever the page repeats."""
    shown = sold(given, Decimal(15))
    return page(shown.body.decode() + f"<p>You saw {named_price(given)} a seat.</p>")
