"""The ordered table of operations: what each documents, what it really checks, and the function that answers."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cache
from http import HTTPStatus
from typing import Any

from gatecrash.demo.target import accounts, catalogue, commands, files, guards, pages
from gatecrash.demo.target.http import Application, Call, Reply
from gatecrash.demo.target.store import Store

Handler = Callable[[Store, Call], Reply | Awaitable[Reply]]
# By any other name it was not meant: a page in a browser could reach it by a name that it lets point here.
_NAMES = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True)
class Route:
    """One operation.

    documented: the credential that the OpenAPI document asks for (`bearer`, `basic`, `api_key`, `session`, or none).
    enforced: whether it is checked before the handler; handlers that want to check for themselves say False.
    """

    method: str
    path: str
    handler: Handler
    documented: str = ""
    enforced: bool = True

    def match(self, path: str) -> dict[str, str] | None:
        """The captured segments where the path is this route's."""
        found = _pattern(self.path).fullmatch(path)
        return None if found is None else found.groupdict()


ROUTES = (
    Route("GET", "/health", catalogue.health),
    Route("POST", "/login", accounts.login),
    Route("GET", "/teas", catalogue.teas),
    Route("GET", "/teas/by-origin", catalogue.teas_by_origin, "bearer"),
    Route("GET", "/reviews", catalogue.reviews, "bearer"),
    Route("GET", "/tastings", catalogue.tastings, "bearer"),
    Route("GET", "/wishes", catalogue.wishes, "bearer"),
    Route("GET", "/parcels", catalogue.parcels, "bearer"),
    Route("GET", "/suppliers", catalogue.suppliers, "bearer"),
    Route("GET", "/greetings", catalogue.greetings, "bearer"),
    Route("GET", "/shipments", catalogue.shipments, "bearer"),
    Route("GET", "/invoices", catalogue.invoices, "bearer"),
    Route("POST", "/quotes", catalogue.quotes, "bearer"),
    Route("GET", "/paper/leaflets", files.leaflets, "bearer"),
    Route("GET", "/paper/brochures", files.brochures, "bearer"),
    Route("GET", "/paper/manuals", files.manuals, "bearer"),
    Route("GET", "/paper/labels", commands.labels, "bearer"),
    Route("GET", "/paper/stickers", commands.stickers, "bearer"),
    Route("GET", "/paper/tags", commands.tags, "bearer"),
    Route("POST", "/paper/cards", pages.cards, "bearer"),
    Route("GET", "/stock", catalogue.stock, "api_key"),
    Route("GET", "/reports/daily", catalogue.daily_report, "basic"),
    Route("GET", "/orders", accounts.orders, "bearer"),
    Route("GET", "/orders/{order_id}", accounts.order, "bearer"),
    Route("GET", "/wallet", accounts.wallet, "bearer"),
    Route("GET", "/club/loyalty", accounts.loyalty, "bearer", enforced=False),
    Route("GET", "/club/membership", accounts.membership, "bearer", enforced=False),
    Route("GET", "/settings", accounts.settings, "bearer", enforced=False),
    Route("GET", "/customers/{customer_id}", accounts.customer, "bearer", enforced=False),
    Route("GET", "/pages/search", pages.search),
    Route("GET", "/pages/find", pages.find),
    Route("GET", "/pages/gift", pages.gift),
    Route("GET", "/pages/voucher", pages.voucher),
    Route("GET", "/pages/sign-in", pages.sign_in),
    Route("POST", "/session", pages.start_session),
    Route("GET", "/account", pages.account, "session"),
    Route("GET", "/account/orders", pages.account_orders, "session"),
)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


def shop(store: Store) -> Application:
    """The shop as one function from call to reply."""

    def answer(call: Call) -> Reply | Awaitable[Reply]:
        if call.headers.get("host", "").partition(":")[0] not in _NAMES:
            return Reply(HTTPStatus.MISDIRECTED_REQUEST, {"error": "This shop is at 127.0.0.1 only."})
        if call.path == "/openapi.json":
            return Reply(HTTPStatus.OK, document())
        # RFC 9110 section 9.3.2: HEAD is GET without the body, which the wire leaves out.
        method = "GET" if call.method == "HEAD" else call.method
        fitting = [(route, found) for route in ROUTES if (found := route.match(call.path)) is not None]
        for route, captured in fitting:
            if route.method == method:
                refusal = _refusal(route, store, call)
                return refusal or route.handler(store, replace(call, captured=captured))
        if fitting:
            allowed = ", ".join(route.method for route, _ in fitting)
            return Reply(HTTPStatus.METHOD_NOT_ALLOWED, {"error": "Not this way."}, {"Allow": allowed})
        return Reply(HTTPStatus.NOT_FOUND, {"error": "There is nothing here."})

    return answer


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of the shop, as its developers believe it to be."""
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "basic": {"type": "http", "scheme": "basic"},
        "api_key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        "session": {"type": "apiKey", "in": "cookie", "name": guards.COOKIE},
    }
    paths: dict[str, Any] = {}
    for route in ROUTES:
        security: list[dict[str, list[str]]] = [{route.documented: []}] if route.documented else []
        operation = {"security": security, "responses": {"200": {"description": "As asked."}}}
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    info = {"title": "Tea shop", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"securitySchemes": schemes}}


def _refusal(route: Route, store: Store, call: Call) -> Reply | None:
    if not (route.documented and route.enforced):
        return None
    match route.documented:
        case "bearer":
            return guards.refused("Bearer") if guards.bearer(store, call) is None else None
        case "basic":
            return guards.refused("Basic") if guards.basic(store, call) is None else None
        case "session":
            return guards.to_sign_in() if guards.session(store, call) is None else None
        case _:
            return None if guards.api_key(call) else guards.refused("ApiKey")
