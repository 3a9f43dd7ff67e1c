"""Somebody is enrolled by SOAP: bound whole to a row, or by a list of what may be set."""

import itertools
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, posted, twin
from tests.range.tenants_store import SIGNED, caller

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
COUNT = itertools.count(300)
Row = dict[str, Any]
COLUMNS = {"name": "", "email": "", "city": "", "role": "rower"}
MAY_BE_SET = ("name", "email", "city")


def enrolling(path: str) -> Request:
    held = "<d:name>New Rower</d:name><d:email>new@example.com</d:email><d:city>York</d:city>"
    body = f'<s:Envelope xmlns:s="{SOAP}" xmlns:d="urn:club"><s:Body><d:Enrol>{held}</d:Enrol></s:Body></s:Envelope>'
    token = SIGNED["ann"].encode()
    return posted(path, body.encode(), b"text/xml", ((b"Authorization", token),))


def run(given: Given, takes: Callable[[Row], Row], shows: Callable[[Row, Row], Row] = lambda row, _: row) -> Response:
    """A call. takes: what of the object that it sends is kept; shows: what is answered of what was kept and sent."""
    try:
        called = ET.fromstring(given.request.body)[-1][0]
    except (ET.ParseError, IndexError):
        return told("<s:Fault><faultcode>s:Client</faultcode><faultstring>no call</faultstring></s:Fault>", 500)
    if not caller(given.request):
        return told("<s:Fault><faultcode>s:Client</faultcode><faultstring>who calls?</faultstring></s:Fault>", 500)
    sent = {each.tag.rpartition("}")[2]: each.text or "" for each in called}
    row = {**COLUMNS, **takes(sent), "id": next(COUNT)}
    held = "".join(f"<d:{name}>{escape(str(value))}</d:{name}>" for name, value in shows(row, sent).items())
    return told(f"<d:EnrolResponse><d:rower>{held}</d:rower></d:EnrolResponse>", 200)


def told(inner: str, status: int) -> Response:
    body = f'<s:Envelope xmlns:s="{SOAP}" xmlns:d="urn:club"><s:Body>{inner}</s:Body></s:Envelope>'
    return Response(status, ((b"Content-Type", b"text/xml; charset=utf-8"),), body.encode())


def columns(sent: Row) -> Row:
    """As a table takes them: what is no column of it is dropped."""
    return {name: value for name, value in sent.items() if name in COLUMNS}


def listed(sent: Row) -> Row:
    return {name: value for name, value in sent.items() if name in MAY_BE_SET}


def plain(row: Row, sent: Row) -> Row:
    return {**row, **{name: value for name, value in sent.items() if name.isidentifier()}}


@flaw("mass_assignment", request=enrolling)
def rowers_of_any_column(given: Given) -> Response:
    return run(given, columns)


@twin("mass_assignment", request=enrolling)
def rowers_of_what_is_listed(given: Given) -> Response:
    return run(given, listed)


@twin("mass_assignment", request=enrolling)
def rowers_repeated(given: Given) -> Response:
    """The answer repeats whatever was sent, and nothing of it is kept."""
    return run(given, listed, plain)
