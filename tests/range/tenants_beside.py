"""Objects of two tenants that are asked for by a header, a cookie or a body, beside an address that is the same for all."""

from collections.abc import Callable

import msgspec

from gatecrash.core.message import Request, Response, with_header
from tests.range.place import Given, answer, flaw, posted, twin
from tests.range.tenants_store import OPAQUE, PEOPLE, SIGNED, caller, missing, orders, unauthorized

ANN = (b"Authorization", OPAQUE["ann"].encode())


def by_header(place: str) -> Request:
    return Request(
        "GET", (place + "/report").encode(), ((b"Authorization", SIGNED["ann"].encode()), (b"X-Order-Id", b"31"))
    )


def by_cookie(place: str) -> Request:
    return Request(
        "GET", (place + "/record").encode(), ((b"Authorization", SIGNED["ann"].encode()), (b"Cookie", b"customer=7"))
    )


def by_body(word: str) -> Callable[[str], Request]:
    def request(place: str) -> Request:
        made = posted(f"{place}/{word}", b'{"orderId": 31}', b"application/json")
        signed: Request = msgspec.structs.replace(
            made, headers=with_header(made.headers, b"Authorization", SIGNED["ann"].encode())
        )
        return signed

    return request


def told(found: list[dict]) -> Response:
    """An order with whom it is for."""
    return answer({**found[0], "customer": {"email": PEOPLE[found[0]["owner"]]["email"]}}) if found else missing()


def header(given: Given) -> str:
    value = (given.request.first(b"X-Order-Id") or b"").decode()
    return value if value.isdigit() else "0"


def cookie(given: Given) -> str:
    return (given.request.first(b"Cookie") or b"").decode().removeprefix("customer=") or "0"


def field(given: Given) -> int:
    value = given.values.get("orderId")
    return value if isinstance(value, int) else int(value) if isinstance(value, str) and value.isdigit() else 0


@flaw("idor", request=by_header)
def named_in_a_header(given: Given) -> Response:
    return told(orders("id = ?", header(given))) if caller(given.request) else unauthorized()


@twin("idor", request=by_header)
def named_in_a_header_and_checked(given: Given) -> Response:
    name = caller(given.request)
    return told(orders("id = ? AND owner = ?", header(given), name)) if name else unauthorized()


@twin("idor", request=by_header)
def a_header_that_decides_nothing(given: Given) -> Response:
    name = caller(given.request)
    return told(orders("owner = ?", name)) if name else unauthorized()


@flaw("idor", request=by_cookie)
def named_in_a_cookie(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    found = [each for each in PEOPLE.values() if str(each["id"]) == cookie(given)]
    return answer(found[0]) if found else missing()


@twin("idor", request=by_cookie)
def named_in_a_cookie_and_checked(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer(PEOPLE[name]) if str(PEOPLE[name]["id"]) == cookie(given) else answer({"error": "forbidden"}, 403)


@twin("idor", request=by_cookie)
def a_cookie_that_decides_nothing(given: Given) -> Response:
    name = caller(given.request)
    return answer(PEOPLE[name]) if name else unauthorized()


@flaw("idor", request=by_body("details"))
def named_in_a_body(given: Given) -> Response:
    return told(orders("id = ?", field(given))) if caller(given.request) else unauthorized()


@twin("idor", request=by_body("details"))
def named_in_a_body_and_checked(given: Given) -> Response:
    name = caller(given.request)
    return told(orders("id = ? AND owner = ?", field(given), name)) if name else unauthorized()


@twin("idor", request=by_body("search"))
def an_empty_search(given: Given) -> Response:
    """Finds only the caller's own, and says so in one frame."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    found = orders("id = ? AND owner = ?", field(given), name)
    return answer({"found": found, "total": len(found), "currency": "EUR", "shop": "Lamps and more"})
