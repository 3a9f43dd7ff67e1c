"""What a sound tool must say about the tea shop: the demo and its test compare with this and nothing else."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Endpoint:
    """One line of the inventory. keys: names of the counted parameters, headers in capitals."""

    method: str
    path: str
    status: str
    types: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flaw:
    """One planted vulnerability. point: where; empty for the request as a whole."""

    type: str
    method: str
    path: str
    point: tuple[str, ...] = ()


@dataclass(frozen=True)
class Twin:
    """An operation that looks like a flaw and is none. likeness: what makes it look so."""

    method: str
    path: str
    likeness: str


_COOKIE = ("consistent", ("cookie",), ("teahouse",))
_BEARER = ("consistent", ("bearer",), ("AUTHORIZATION",))

ENDPOINTS = (
    Endpoint("GET", "/health", "missing"),
    Endpoint("POST", "/login", "missing"),
    Endpoint("GET", "/teas", "partial", ("bearer",), ("AUTHORIZATION",)),
    Endpoint("GET", "/teas/by-origin", *_BEARER),
    Endpoint("GET", "/reviews", *_BEARER),
    Endpoint("GET", "/tastings", *_BEARER),
    *(
        Endpoint("GET", path, *_BEARER)
        for path in (
            "/wishes",
            "/parcels",
            "/paper/leaflets",
            "/paper/brochures",
            "/paper/manuals",
            "/paper/labels",
            "/paper/stickers",
            "/paper/tags",
        )
    ),
    Endpoint("POST", "/paper/cards", *_BEARER),
    Endpoint("GET", "/suppliers", *_BEARER),
    Endpoint("GET", "/greetings", *_BEARER),
    Endpoint("GET", "/shipments", *_BEARER),
    Endpoint("GET", "/invoices", *_BEARER),
    Endpoint("POST", "/quotes", *_BEARER),
    Endpoint("GET", "/stock", "consistent", ("api_key",), ("X-API-KEY",)),
    Endpoint("GET", "/reports/daily", "consistent", ("basic",), ("AUTHORIZATION",)),
    Endpoint("GET", "/orders", *_BEARER),
    Endpoint("GET", "/orders/{order_id}", *_BEARER),
    Endpoint("GET", "/wallet", *_BEARER),
    Endpoint("GET", "/club/loyalty", *_BEARER),
    Endpoint("GET", "/club/membership", *_BEARER),
    Endpoint("GET", "/settings", *_BEARER),
    Endpoint("GET", "/customers/{customer_id}", *_BEARER),
    *(
        Endpoint("GET", path, "missing")
        for path in ("/pages/search", "/pages/find", "/pages/gift", "/pages/voucher", "/pages/sign-in")
    ),
    Endpoint("POST", "/session", "missing"),
    Endpoint("GET", "/account", *_COOKIE),
    Endpoint("GET", "/account/orders", *_COOKIE),
)

FLAWS = (
    Flaw("sqli", "GET", "/teas/by-origin", ("get", "origin")),
    Flaw("sqli", "GET", "/reviews", ("get", "tea_id")),
    Flaw("sqli", "GET", "/tastings", ("get", "city")),
    Flaw("sqli", "GET", "/wishes", ("get", "tea")),
    Flaw("rce", "GET", "/paper/labels", ("get", "text")),
    Flaw("ptrav", "GET", "/paper/leaflets", ("get", "file")),
    Flaw("xss", "GET", "/pages/search", ("get", "q")),
    Flaw("xss", "GET", "/pages/gift", ("get", "name")),
    Flaw("auth", "GET", "/club/loyalty"),
    Flaw("auth", "GET", "/customers/{customer_id}"),
)

TWINS = (
    Twin("GET", "/suppliers", "the same search with a bound parameter"),
    Twin("GET", "/greetings", "echoes what it is sent"),
    Twin("GET", "/shipments", "answers 403 to anything that looks like SQL"),
    Twin("GET", "/invoices", "answers 500 to any odd input, without SQL"),
    Twin("GET", "/parcels", "is slow now and then, whatever it is sent"),
    Twin("GET", "/paper/stickers", "hands its input to a program, without a shell"),
    Twin("GET", "/paper/tags", "echoes what it is sent, as plain text"),
    Twin("GET", "/paper/brochures", "opens the file it is told, after a look where that lies"),
    Twin("GET", "/paper/manuals", "is told a file's name too, and looks it up in a table"),
    Twin("GET", "/pages/find", "shows its input on a page, escaped"),
    Twin("GET", "/pages/voucher", "shows its input in an attribute, escaped with its quotes"),
    Twin("POST", "/paper/cards", "gives markup back unescaped, as JSON"),
    Twin("POST", "/quotes", "the same search in a JSON body, bound"),
    Twin("GET", "/orders/{order_id}", "a number in the path, bound, and only for its owner"),
    Twin("GET", "/wallet", "checks its token; its answer moves with the time"),
    Twin("GET", "/club/membership", "wants a token too, and checks it"),
    Twin("GET", "/account", "answers pages, and checks its session cookie"),
    Twin("GET", "/settings", "refuses with 200 and an error in the body"),
)
