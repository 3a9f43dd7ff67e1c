"""Functions called by XML-RPC with a name and a word among their arguments, and with credentials beside them."""

import re

from gatecrash.core.message import Request, Response
from tests.range.basic import USERS, signed, told
from tests.range.place import Given, flaw, twin

XML = (b"Content-Type", b"text/xml")
CALL = (
    b"<?xml version='1.0'?><methodCall><methodName>staff.getProfile</methodName><params><param><value><int>1</int></value></param>"
    b"<param><value><string>ann</string></value></param><param><value><string>%s</string></value></param></params></methodCall>"
)


def calling(place: str) -> Request:
    asked = signed(place)
    return Request("POST", asked.target, (*asked.headers, XML), CALL % USERS["ann"].encode())


def arguments(given: Given) -> list[str]:
    return re.findall(r"<string>([^<]*)</string>", given.request.body.decode("utf-8", "replace"))


def profile(given: Given, name: str) -> Response:
    """Of somebody, where the function that is called is there."""
    if b">staff.getProfile<" not in given.request.body:
        return fault("server error: the method that was asked for does not exist")
    members = (("user", name), ("email", f"{name}@example.com"), ("phone", "+49 30 555 0142"), ("salary", "4100"))
    shown = "".join(
        f"<member><name>{key}</name><value><string>{value}</string></value></member>" for key, value in members
    )
    return answered(f"<params><param><value><struct>{shown}</struct></value></param></params>")


def fault(said: str) -> Response:
    return answered(f"<fault><value><string>{said}</string></value></fault>")


def answered(inner: str) -> Response:
    return Response(200, (XML,), f"<?xml version='1.0'?><methodResponse>{inner}</methodResponse>".encode())


@twin("auth", request=calling)
def name_and_word_are_looked_at(given: Given) -> Response:
    match arguments(given):
        case [name, word] if USERS.get(name) == word:
            return profile(given, name)
    return fault("Incorrect username or password.")


@twin("auth", request=calling)
def credentials_are_looked_at(given: Given) -> Response:
    name, password = told(given.request)
    return profile(given, name) if USERS.get(name) == password else fault("Login failed")


@flaw("auth", request=calling)
def name_alone_is_looked_at(given: Given) -> Response:
    match arguments(given):
        case [name, _] if name in USERS:
            return profile(given, name)
    return fault("No such user")
