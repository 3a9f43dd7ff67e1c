"""A small API whose endpoints guard themselves, or seem to: one function, no database."""

import json
from collections.abc import Callable
from random import Random

from gatecrash.core.message import Request, Response

TOKEN = "Bearer 3f9a0c77de114b02"
ORDERS = {"orders": [{"id": 1, "item": "lamp", "buyer": "ann"}, {"id": 2, "item": "desk", "buyer": "ben"}]}
LAYOUT = "<nav>Shop</nav><nav>About</nav>" * 20


class Guard:
    """One API; `alive` tells whether the token is still good."""

    def __init__(self) -> None:
        self.random = Random(7)
        self.alive = True
        self.created = 0

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        good = self.alive and token == TOKEN
        if request.path.startswith(b"/spa"):
            return page("<div id=root></div><script src=/app.js></script>")
        handler = ROUTES.get((request.method, request.path.decode()))
        return handler(self, good, token, request) if handler else answer({"error": "not found"}, 404)


def answer(document: object, status: int = 200, *headers: tuple[bytes, bytes]) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"), *headers), json.dumps(document).encode())


def page(text: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"text/html"),), text.encode())


Handler = Callable[[Guard, bool, str, Request], Response]


def checks(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if good else answer({"error": "unauthorized"}, 401)


def never_checks(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS)


def clinics(guard: Guard, good: bool, token: str, request: Request) -> Response:
    """A catalogue for everybody, whose client sends its token with everything."""
    return answer([{"id": 1, "name": "Clinic North", "city": "Kiel"}, {"id": 2, "name": "Clinic South", "city": "Ulm"}])


def member(guard: Guard, good: bool, token: str, request: Request) -> Response:
    """What a member says of himself, for everybody; those who keep the site see when he was there."""
    card = {"id": 7, "name": "eva", "city": "Graz", "about": "plays the oboe", "listings": 2}
    return answer(card | ({"last_login": "2026-11-02"} if request.path.endswith(b"/8") else {}))


def project(guard: Guard, good: bool, token: str, request: Request) -> Response:
    """Something that says for whom it is: `/projects/tea` for everybody, `/projects/rum` for its members."""
    name = request.path.split(b"/")[2].decode()
    return answer({"id": 7, "identifier": name, "is_public": name == "tea"})


def wiki(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer({"pages": [{"title": "Start", "version": 3}, {"title": "Terms", "version": 1}]})


def choirs(guard: Guard, good: bool, token: str, request: Request) -> Response:
    """Choirs with who began each; the list leaves one out."""
    if request.path == b"/choirs":
        return answer([{"slug": "river", "city": "Linz"}, {"slug": "reed", "city": "Graz"}])
    return answer({"slug": request.path.split(b"/")[2].decode(), "city": "Linz", "owner": "ann"})


def takes_any(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if token.startswith("Bearer ") else answer({"error": "token required"}, 401)


def moving(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(
        {**ORDERS, "at": f"2024-05-17T10:00:{guard.random.randrange(10, 60)}Z", "trace": guard.random.random()}
    )


def polite(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if good else answer({"status": 401, "message": "Please log in"})


def to_login(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if good else Response(302, ((b"Location", b"/login?next=/orders"),))


def login_form(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return page(LAYOUT + "<p>ann's order: lamp</p>") if good else page(LAYOUT + "<form><input type='password'></form>")


def asks_for_a_password(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return page(LAYOUT + f"<p>{'Hello, ann' if good else 'Hello'}</p><form><input type='password'></form>")


def form_token(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer({"done": "", "query": {"csrftoken": f"{guard.random.getrandbits(64):x}"}})


def layout_only(guard: Guard, good: bool, token: str, request: Request) -> Response:
    """The same page round nothing: nearly all of it is equal."""
    return page(LAYOUT + ("<p>ann's order: lamp</p>" if good else "<p>Welcome to our shop</p>"))


def reduced(guard: Guard, good: bool, token: str, request: Request) -> Response:
    public = {"orders": [{key: order[key] for key in ("id", "item")} for order in ORDERS["orders"]]}
    return answer(ORDERS if good else public)


def guest(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer({"name": "ann" if good else "guest", "theme": "dark", "language": "en"})


def hidden(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if good else answer({"error": "not found"}, 404)


def by_cookie_too(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return answer(ORDERS) if good or request.first(b"Cookie") else answer({"error": "unauthorized"}, 401)


def empty(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return Response(200)


def redirecting(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return Response(302, ((b"Location", b"/orders/latest"),))


def style(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return Response(200, ((b"Content-Type", b"text/css"),), b"body { margin: 0 }")


def creates(guard: Guard, good: bool, token: str, request: Request) -> Response:
    guard.created += 1
    return answer({"id": 100 + guard.created, "ok": True, "item": json.loads(request.body)["item"]}, 201)


def creates_checked(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return creates(guard, good, token, request) if good else answer({"error": "forbidden"}, 403)


def creates_politely(guard: Guard, good: bool, token: str, request: Request) -> Response:
    return creates(guard, good, token, request) if good else answer({"id": 0, "ok": False, "item": ""}, 201)


def fails(guard: Guard, good: bool, token: str, request: Request) -> Response:
    error = {"code": -32602, "message": "Invalid params.", "data": "Not now."}
    return answer({"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "error": error})


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/clinics"): clinics,
    ("GET", "/admin/clinics"): clinics,
    **{("GET", f"/users/{number}"): member for number in (7, 8)},
    **{("GET", f"/projects/{name}"): project for name in ("tea", "rum")},
    **{("GET", f"/choirs{name}"): choirs for name in ("", "/river", "/night")},
    **{("GET", f"/projects/{name}/wiki"): wiki for name in ("tea", "rum")},
    ("GET", "/projects/tea/orders"): never_checks,
    ("GET", "/checked/orders"): checks,
    ("GET", "/open/orders"): never_checks,
    ("GET", "/any/orders"): takes_any,
    ("GET", "/moving/orders"): moving,
    ("GET", "/polite/orders"): polite,
    ("GET", "/to-login/orders"): to_login,
    ("GET", "/form/orders"): login_form,
    ("GET", "/sign-in"): asks_for_a_password,
    ("GET", "/vault"): asks_for_a_password,
    ("GET", "/account/tokens"): form_token,
    ("GET", "/layout/orders"): layout_only,
    ("GET", "/reduced/orders"): reduced,
    ("GET", "/me"): guest,
    ("GET", "/hidden/orders"): hidden,
    ("GET", "/cookie/orders"): by_cookie_too,
    ("GET", "/empty"): empty,
    ("GET", "/style.css"): style,
    ("GET", "/redirecting"): redirecting,
    ("POST", "/open/orders"): creates,
    ("POST", "/checked/orders"): creates_checked,
    ("POST", "/polite/orders"): creates_politely,
    ("POST", "/failing/rpc"): fails,
}
