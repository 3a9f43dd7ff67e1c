"""Answers to other origins: reflected, compared carelessly, or from a list."""

import json
import re
from base64 import b64encode
from urllib.parse import parse_qs, urlsplit

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


@flaw("cors", request=asked, also=("auth",))
def begins_as_the_allowed(given: Given) -> Response:
    own = b"http://shop.example"
    return allowing(origin(given) if origin(given).startswith(own) else own, TRUE)


def own(given: Given) -> bytes:
    """With its port, where it is none that its scheme has by itself."""
    return given.request.origin.encode()


@flaw("cors", request=asked, also=("auth",))
def ends_as_own_with_its_port(given: Given) -> Response:
    good = origin(given).endswith(own(given).removeprefix(b"http://"))
    return allowing(origin(given) if good else own(given), TRUE)


@flaw("cors", request=asked, also=("auth",))
def begins_as_own_over_http(given: Given) -> Response:
    good = origin(given).startswith(b"http://" + given.request.host.encode())
    return allowing(origin(given) if good else b"https://own.example", TRUE)


@flaw("cors", request=asked, also=("auth",))
def any_sign_for_its_dots(given: Given) -> Response:
    """An expression in which a dot is any sign."""
    good = re.fullmatch(rb"https://(\w+\.)?www.shop.example", origin(given))
    return allowing(origin(given) if good else b"https://www.shop.example", TRUE)


@flaw("cors", request=asked, also=("auth",))
def ends_as_the_name_above(given: Given) -> Response:
    """Any name below its own is allowed, and any that ends as that does, too, which may be anybody's."""
    good = origin(given).endswith(b"shop.example")
    return allowing(origin(given) if good else b"https://app.eu.shop.example", TRUE)


@twin("cors", request=asked, also=("auth",))
def any_name_below_its_own(given: Given) -> Response:
    """A name that ends as the allowed one is below the owner's own as well, and nobody else's."""
    good = re.fullmatch(rb"https://([a-z0-9-]+\.)*shop\.example", origin(given))
    return allowing(origin(given) if good else b"https://app.eu.shop.example", TRUE)


@twin("cors", request=asked, also=("auth",))
def dots_for_its_dots(given: Given) -> Response:
    good = re.fullmatch(rb"https://(\w+\.)?www\.shop\.example", origin(given))
    return allowing(origin(given) if good else b"https://www.shop.example", TRUE)


def asked_by_mail(path: str) -> Request:
    return Request("GET", path.encode(), ((b"Authorization", b"Basic " + b64encode(b"ann@shop.example:3f9a0c77de")),))


@flaw("cors", request=asked_by_mail, also=("auth",))
def ends_as_its_callers_mail(given: Given) -> Response:
    """Asked by an address, it is for people whose mail has the owner's domain."""
    good = origin(given).endswith(b"shop.example")
    return allowing(origin(given), TRUE) if good else answer({"name": "ann"})


@twin("cors", request=asked_by_mail, also=("auth",))
def below_its_callers_mail(given: Given) -> Response:
    good = re.fullmatch(rb"https://([a-z0-9-]+\.)*shop\.example", origin(given))
    return allowing(origin(given), TRUE) if good else answer({"name": "ann"})


@twin("cors", request=asked, also=("auth",))
def own_at_its_port(given: Given) -> Response:
    return allowing(origin(given) if origin(given) == own(given) else b"https://own.example", TRUE)


@twin("cors", request=asked, also=("auth",))
def below_own_at_its_port(given: Given) -> Response:
    good = origin(given).endswith(own(given).replace(b"http://", b"."))
    return allowing(origin(given) if good else b"https://own.example", TRUE)


@twin("cors", request=asked, also=("auth",))
def below_the_allowed(given: Given) -> Response:
    return allowing(origin(given) if origin(given).endswith(b".shop.example") else b"https://shop.example", TRUE)


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


def called(given: Given, known: object) -> Response:
    """Data as JSON, or handed to the function that is named; without the cookie nothing is known of the caller."""
    signed_in = b"3f9a0c77de114b02aa" in (given.request.first(b"Cookie") or b"")
    data = json.dumps(known if signed_in else {"name": None})
    query = parse_qs(urlsplit(given.request.target.decode()).query)
    if "callback" not in query:
        return Response(200, ((b"Content-Type", b"application/json"),), data.encode())
    script = (b"Content-Type", b"text/javascript; charset=utf-8"), (b"X-Content-Type-Options", b"nosniff")
    name = re.sub(r"[^\w.$]", "", query["callback"][0])
    return Response(200, script, f"/**/ typeof {name} === 'function' && {name}({data});".encode())


@flaw("cors", request=asked, also=("auth",))
def wrapped_for_any_script(given: Given) -> Response:
    return called(given, {"name": "ann", "mail": "ann@example.com"})


@twin("cors", request=asked, also=("auth",))
def wrapped_but_public(given: Given) -> Response:
    return called(given, {"name": None})


@twin("cors", request=asked, also=("auth",))
def wrapped_and_says_only_that_all_is_well(given: Given) -> Response:
    """Whoever is not signed in is refused, and whoever is learns nothing else."""
    return called(given, {"ok": 1}) if given.request.first(b"Cookie") else answer({"error": "sign in"}, 401)


@twin("cors", request=asked, also=("auth",))
def wrapped_for_own_pages(given: Given) -> Response:
    if given.request.first(b"Sec-Fetch-Site") == b"cross-site":
        return answer({"error": "not from other sites"}, 403)
    return called(given, {"name": "ann", "mail": "ann@example.com"})


@miss("cors", request=asked, also=("auth",))
def preflight_only(given: Given) -> Response:
    """Allows everybody in answers to OPTIONS, and names nobody here."""
    if given.request.method == "OPTIONS":
        return allowing(origin(given), TRUE)
    return answer({"name": "ann"})
