"""Answers to other origins: reflected, compared carelessly, or from a list."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, twin

COOKIE = ((b"Cookie", b"sessionid=3f9a0c77de114b02aa"),)
TRUE = (b"Access-Control-Allow-Credentials", b"true")


def asked(path: str) -> Request:
    return Request("GET", path.encode(), COOKIE)


def origin(given: Given) -> bytes:
    return given.request.first(b"Origin") or b""


def allowing(value: bytes, *more: tuple[bytes, bytes]) -> Response:
    return answer({"name": "ann", "mail": "ann@example.com"}, 200, (b"Access-Control-Allow-Origin", value), *more)


@flaw("cors", request=asked, also=("auth",))
def reflected(given: Given) -> Response:
    return allowing(origin(given), TRUE)


@flaw("cors", request=asked, also=("auth",))
def null(given: Given) -> Response:
    return allowing(origin(given) if origin(given) == b"null" else b"https://own.example", TRUE)


@flaw("cors", request=asked, also=("auth",))
def ends_as_own(given: Given) -> Response:
    good = origin(given).endswith(b"127.0.0.1")
    return allowing(origin(given) if good else b"https://own.example", TRUE)


@flaw("cors", request=asked, also=("auth",))
def begins_as_own(given: Given) -> Response:
    good = origin(given).startswith(b"https://127.0.0.1")
    return allowing(origin(given) if good else b"https://own.example", TRUE)


@twin("cors", request=asked, also=("auth",))
def any_without_credentials(given: Given) -> Response:
    return allowing(b"*")


@twin("cors", request=asked, also=("auth",))
def star_with_credentials(given: Given) -> Response:
    return allowing(b"*", TRUE)


@twin("cors", request=asked, also=("auth",))
def reflected_without_credentials(given: Given) -> Response:
    return allowing(origin(given))


@twin("cors", request=asked, also=("auth",))
def listed(given: Given) -> Response:
    good = origin(given) in (b"https://own.example", b"https://127.0.0.1")
    return allowing(origin(given), TRUE) if good else answer({"name": "ann"})


@twin("cors", request=asked, also=("auth",))
def fixed(given: Given) -> Response:
    return allowing(b"https://own.example", TRUE)


@miss("cors", request=asked, also=("auth",))
def preflight_only(given: Given) -> Response:
    """Allows everybody in answers to OPTIONS, and names nobody here."""
    if given.request.method == "OPTIONS":
        return allowing(origin(given), TRUE)
    return answer({"name": "ann"})
