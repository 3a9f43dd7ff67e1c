"""What is read by SOAP behind a guard: it looks at the action in the header, at the message, or at both."""

import re

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, posted, twin
from tests.range.tenants_store import SIGNED, caller

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
ROWS = "".join(
    f"<d:entry><d:to>{to}</d:to><d:sum>{sum_}</d:sum></d:entry>" for to, sum_ in (("Hull", 4711), ("York", 815))
)
REFUSED = "<s:Fault><faultcode>s:Client</faultcode><faultstring>who calls?</faultstring></s:Fault>"
KEPT = b"GetLedger"


def reading(path: str) -> Request:
    inner = "<d:GetLedger><d:year>2025</d:year></d:GetLedger>"
    body = f'<s:Envelope xmlns:s="{SOAP}" xmlns:d="urn:books"><s:Body>{inner}</s:Body></s:Envelope>'
    headers = ((b"SOAPAction", b'"urn:books#GetLedger"'), (b"Authorization", SIGNED["ann"].encode()))
    return posted(path, body.encode(), b"text/xml", headers)


def run(given: Given, *, kept: bool) -> Response:
    """kept: whether the guard lets in none but signed callers."""
    refused = kept and not caller(given.request)
    told = REFUSED if refused else f"<d:GetLedgerResponse>{ROWS}</d:GetLedgerResponse>"
    body = f'<s:Envelope xmlns:s="{SOAP}" xmlns:d="urn:books"><s:Body>{told}</s:Body></s:Envelope>'
    return Response(500 if refused else 200, ((b"Content-Type", b"text/xml; charset=utf-8"),), body.encode())


def action(given: Given) -> bytes:
    return (given.request.first(b"SOAPAction") or b"").strip(b'"').rpartition(b"#")[2]


def function(given: Given) -> bytes:
    found = re.search(rb"Body>\s*<(?:\w+:)?(\w+)", given.request.body)
    return found[1] if found is not None else b""


@flaw("auth", request=reading)
def kept_by_its_action(given: Given) -> Response:
    return run(given, kept=action(given) == KEPT)


@twin("auth", request=reading)
def kept_by_its_message(given: Given) -> Response:
    return run(given, kept=function(given) == KEPT)


@twin("auth", request=reading)
def kept_where_they_differ(given: Given) -> Response:
    """A message under another action is nobody's to send without credentials."""
    return run(given, kept=action(given) != function(given) or function(given) == KEPT)
