"""The shop's pages, for browsers. Two of them show what they are sent without the right escape; their twins escape.

Pages of an account want the session cookie that a sign-in issues, and lead to the sign-in without it.
"""

import html
from http import HTTPStatus

from gatecrash.demo.target.guards import COOKIE, session
from gatecrash.demo.target.http import HTML, Call, Reply
from gatecrash.demo.target.store import Row, Store

_FORM = (
    '<form method="post" action="/session"><input name="login"><input name="password" type="password">'
    "<button>Sign in</button></form>"
)


def search(store: Store, call: Call) -> Reply:
    """FLAW, xss: the words that were sought stand in the page as they came."""
    words = call.query.get("q", "")
    return _page("Search", f"<p>You looked for {words}</p>{_list(_sought(store, words))}")


def find(store: Store, call: Call) -> Reply:
    """Twin of `search`: the same page, escaped."""
    words = call.query.get("q", "")
    return _page("Find", f"<p>You looked for {html.escape(words)}</p>{_list(_sought(store, words))}")


def gift(_: Store, call: Call) -> Reply:
    """FLAW, xss: escaped for text, but it stands in an attribute, whose quote stays what it is."""
    name = html.escape(call.query.get("name", ""), quote=False)
    return _page("A gift", f'<form><input name="name" value="{name}"><button>Wrap it</button></form>')


def voucher(_: Store, call: Call) -> Reply:
    """Twin of `gift`: the quotes are escaped too."""
    name = html.escape(call.query.get("name", ""))
    return _page("A voucher", f'<form><input name="name" value="{name}"><button>Print it</button></form>')


def cards(_: Store, call: Call) -> Reply:
    """Twin of `search`: markup comes back as it was sent, as JSON, which no browser renders."""
    return Reply(HTTPStatus.OK, {"card": str(call.document().get("text", "")), "cents": 250})


def sign_in(_: Store, __: Call) -> Reply:
    """The way in, open to all."""
    return _page("Sign in", _FORM)


def start_session(store: Store, call: Call) -> Reply:
    """Name and password of a form for a session cookie."""
    wish = call.form()
    token = store.sign_in(wish.get("login", ""), wish.get("password", ""))
    if token is None:
        return _page("Sign in", f"<p>Login and password do not belong together.</p>{_FORM}", HTTPStatus.UNAUTHORIZED)
    issued = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax"
    return _page("Welcome", '<p><a href="/account">Your account</a></p>', headers={"Set-Cookie": issued})


def account(store: Store, call: Call) -> Reply:
    """The customer's own page."""
    person = store.row("SELECT name, street FROM customers WHERE id = ?", session(store, call)) or {}
    return _page(
        "Your account", f"<p>{html.escape(str(person.get('name')))}, {html.escape(str(person.get('street')))}</p>"
    )


def account_orders(store: Store, call: Call) -> Reply:
    """The customer's own orders, on a page."""
    sql = "SELECT t.name FROM orders o JOIN teas t ON t.id = o.tea_id WHERE o.customer_id = ? ORDER BY o.id"
    return _page("Your orders", _list(store.rows(sql, session(store, call))))


def _sought(store: Store, words: str) -> list[Row]:
    return store.rows("SELECT name FROM teas WHERE instr(lower(name), lower(?)) ORDER BY id", words)


def _list(rows: list[Row]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(str(row['name']))}</li>" for row in rows) + "</ul>"


def _page(title: str, content: str, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Reply:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{content}</body></html>"
    return Reply(status, text, headers or {}, HTML)
