"""Forms and objects whose fields are called otherwise than answers call them: within brackets, behind dots, behind a
prefix, with capitals.
"""

import json
import re
from collections.abc import Callable
from email.parser import BytesParser
from urllib.parse import parse_qsl

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, twin
from tests.range.tenants_properties import ANN, changing, created
from tests.range.tenants_store import OPAQUE

URLENCODED = b"application/x-www-form-urlencoded"
PARTS = b"multipart/form-data; boundary=x1y2"
OWN = ("name", "city")
ROW = (*OWN, "role", "balance")


def form(body: bytes, kind: bytes = URLENCODED, path: str = "/me", method: str = "PUT") -> Callable[[str], Request]:
    def request(place: str) -> Request:
        headers = ((b"Authorization", OPAQUE["ann"].encode()), (b"Content-Type", kind))
        return Request(method, (place + path).encode(), headers, body)

    return request


def in_parts(*fields: tuple[str, str]) -> bytes:
    texts = [f'--x1y2\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields]
    picture = '--x1y2\r\nContent-Disposition: form-data; name="photo"; filename="a.gif"\r\n\r\nGIF89a\r\n'
    return ("".join(texts) + picture + "--x1y2--\r\n").encode()


def fields(request: Request) -> dict[str, str]:
    """What the form, or the address of a request without a body, sends; a form in parts as a library reads it."""
    kind = request.first(b"Content-Type") or b""
    if kind != PARTS:
        return dict(parse_qsl((request.body or request.query or b"").decode()))
    message = BytesParser().parsebytes(b"Content-Type: " + kind + b"\r\n\r\n" + request.body)
    return {
        part.get_param("name", header="content-disposition"): part.get_payload()
        for part in message.get_payload()
        if not part.get_filename()
    }


def bound(given: Given, place: str, name_of: Callable[[str], str], names: tuple[str, ...]) -> Response:
    """One's own account. name_of: the property that a field is bound to. names: what of it is kept."""
    values = {name_of(name): value for name, value in fields(given.request).items()}
    return changing(given, place, lambda old: {**old, **{name: values[name] for name in names if name in values}})


def within(name: str) -> str:
    """Of what stands in `user[…]` alone."""
    found = re.fullmatch(r"user\[(\w+)\]", name)
    return found[1] if found else ""


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


BRACKETS = form(b"_token=a81c&user%5Bname%5D=Ann+Marsh&user%5Bcity%5D=York&commit=Save")
DOTS = form(b"user.name=Ann+Marsh&user.city=York")
PREFIX = form(b"csrf=a81c&account_name=Ann+Marsh&account_city=York")
CAPITALS = form(b"Member%5BName%5D=Ann+Marsh&Member%5BCity%5D=York")
FILES = form(in_parts(("user[name]", "Ann Marsh"), ("user[city]", "York")), PARTS)
FLAT_FILES = form(in_parts(("name", "Ann Marsh"), ("city", "York")), PARTS)
ADDRESS = form(b"", path="/me?name=Ann+Marsh&city=York", kind=b"text/plain")
ELEMENTS = form(b"<user><name>Ann Marsh</name><city>York</city></user>", b"application/xml")
CAMEL = json.dumps({"fullName": "Ann Marsh", "homeCity": "York"}).encode()


@flaw("mass_assignment", request=BRACKETS)
def in_brackets_beside_a_button(given: Given) -> Response:
    return bound(given, "form_brackets", within, ROW)


@flaw("mass_assignment", request=DOTS)
def behind_dots(given: Given) -> Response:
    return bound(given, "form_dots", lambda name: name.removeprefix("user.") if "." in name else "", ROW)


@flaw("mass_assignment", request=PREFIX)
def behind_a_prefix(given: Given) -> Response:
    """Strict about what does not begin so."""
    return bound(
        given, "form_prefix", lambda name: name.removeprefix("account_") if name.startswith("account_") else "", ROW
    )


@flaw("mass_assignment", request=CAPITALS)
def with_capitals(given: Given) -> Response:
    """Names of the form's own class, which are written with capitals."""

    def name_of(name: str) -> str:
        found = re.fullmatch(r"Member\[([A-Z]\w*)\]", name)
        return found[1].lower() if found else ""

    return bound(given, "form_capitals", name_of, ROW)


@flaw("mass_assignment", request=FILES)
def in_parts_with_a_file(given: Given) -> Response:
    return bound(given, "form_parts", within, ROW)


@flaw("mass_assignment", request=ADDRESS)
def in_the_address(given: Given) -> Response:
    return bound(given, "form_address", str, ROW)


@flaw("mass_assignment", request=form(FLAT_FILES("").body, PARTS, "/members", "POST"))
def new_in_parts(given: Given) -> Response:
    """Makes a member of whatever its parts hold."""
    return created(given, "form_new", lambda _: {n: v for n, v in fields(given.request).items() if n in ROW})


def camel(given: Given, place: str, names: tuple[str, ...]) -> Response:
    """Takes what it writes with capitals alone, and shows it with signs between the words."""
    first = {"id": 7, "full_name": "Ann Marsh", "home_city": "York", "is_admin": False, "credit_limit": 40}
    told = {snake(name): value for name, value in given.values.items() if name != "q" and "_" not in name}
    return changing(given, place, lambda old: {**old, **{name: told[name] for name in names if name in told}}, first)


@flaw("mass_assignment", request=form(CAMEL, b"application/json"))
def written_with_capitals_and_shown_without(given: Given) -> Response:
    return camel(given, "camel", ("full_name", "home_city", "is_admin", "credit_limit"))


@twin("mass_assignment", request=form(CAMEL, b"application/json"))
def its_own_ones_with_capitals(given: Given) -> Response:
    return camel(given, "camel_listed", ("full_name", "home_city"))


def in_xml(given: Given, place: str, names: tuple[str, ...]) -> Response:
    """One's own account, in XML."""
    told = dict(re.findall(r"<(\w+)>([^<]*)</", given.request.body.decode()))
    done = changing(given, place, lambda old: {**old, **{name: told[name] for name in names if name in told}})
    if given.request.method != "GET" or done.status != 200:
        return done
    shown = "".join(f"<{name}>{value}</{name}>" for name, value in json.loads(done.body).items())
    return Response(200, ((b"Content-Type", b"application/xml"),), f"<user>{shown}</user>".encode())


@flaw("mass_assignment", request=ELEMENTS)
def in_elements(given: Given) -> Response:
    return in_xml(given, "xml", ROW)


@twin("mass_assignment", request=ELEMENTS)
def its_own_elements(given: Given) -> Response:
    return in_xml(given, "xml_listed", OWN)


@twin("mass_assignment", request=BRACKETS)
def its_own_fields_in_brackets(given: Given) -> Response:
    return bound(given, "form_brackets_listed", within, OWN)


@twin("mass_assignment", request=PREFIX)
def its_own_fields_behind_a_prefix(given: Given) -> Response:
    return bound(given, "form_prefix_listed", lambda name: name.removeprefix("account_"), OWN)


@twin("mass_assignment", request=FILES)
def its_own_parts(given: Given) -> Response:
    return bound(given, "form_parts_listed", within, OWN)


@twin("mass_assignment", request=FLAT_FILES)
def repeats_its_parts(given: Given) -> Response:
    """Tells all that was sent as the account, and keeps what belongs there."""
    done = bound(given, "form_repeated", str, OWN)
    if given.request.method == "GET" or done.status != 200:
        return done
    told = {**ANN, **fields(given.request)}
    return Response(200, done.headers, json.dumps(told).encode())


@twin("mass_assignment", request=ADDRESS)
def its_own_in_the_address(given: Given) -> Response:
    return bound(given, "form_address_listed", str, OWN)
