"""Documents of YAML that a cookie or a header holds in percent codes."""

from urllib.parse import quote, unquote

import yaml

from gatecrash.core.message import Request, Response
from tests.range.loaders import DOCUMENT
from tests.range.place import Given, answer, flaw, twin

CODED = quote(DOCUMENT).encode()


def in_a_cookie(path: str) -> Request:
    return Request("GET", path.encode(), ((b"Cookie", b"basket=" + CODED),))


def in_a_header(path: str) -> Request:
    return Request("GET", path.encode(), ((b"X-Basket", CODED),))


def document(given: Given) -> str:
    held = given.request.first(b"X-Basket") or (given.request.first(b"Cookie") or b"").partition(b"=")[2]
    return unquote(held.decode("latin-1"))


def named(found: dict[str, str]) -> Response:
    return answer({"name": found["name"]})


@flaw("deserialization", request=in_a_cookie)
def yaml_in_a_cookie(given: Given) -> Response:
    return named(yaml.unsafe_load(document(given)))


@flaw("deserialization", request=in_a_header)
def yaml_in_a_header(given: Given) -> Response:
    return named(yaml.unsafe_load(document(given)))


@twin("deserialization", request=in_a_cookie)
def safe_yaml_in_a_cookie(given: Given) -> Response:
    return named(yaml.safe_load(document(given)))


@twin("deserialization", request=in_a_header)
def lines_in_a_header(given: Given) -> Response:
    """Splits at colons, and takes anything behind them."""
    return named(dict(line.split(": ", 1) for line in document(given).splitlines() if ": " in line))
