"""What a browser asks for, as the request that the node would send in its place.

request_of(front, told)     None where that leads anywhere but to the site's own origin
"""

import base64
import binascii

import msgspec

from gatecrash.core.message import Request, with_body, with_header, without_header
from gatecrash.core.methods import SAFE
from gatecrash.formats.capture import header_bytes
from gatecrash.formats.offered_requests import target_at
from gatecrash.node.browser.devtools import Event

# What a browser says of itself; the walk has these of its own, and keeps what a page's scripts add.
_OF_ITS_OWN = ("sec-", "user-agent", "upgrade-insecure-requests", "accept-language", "accept-encoding", "origin", "cookie", "host")  # fmt: skip


def request_of(front: Request, told: Event) -> Request | None:
    """front: the request of the page where the walk begins, whose headers are everybody's."""
    asked = told["request"]
    target = target_at(front, asked["url"])
    if target is None:
        return None
    method = str(asked["method"]).upper()
    headers = front.headers
    if told.get("resourceType") != "Document":
        headers = with_header(without_header(headers, b"Sec-Fetch-Mode"), b"Accept", b"*/*")
    for name, value in asked["headers"].items():
        if not name.lower().startswith(_OF_ITS_OWN):
            headers = with_header(headers, header_bytes(name), header_bytes(value))
    request: Request = msgspec.structs.replace(front, method=method, target=target, headers=headers, body=b"")
    if method in SAFE:
        return request
    headers = with_header(headers, b"Origin", front.origin.encode())
    return with_body(msgspec.structs.replace(request, headers=headers), _body(asked))


def _body(asked: Event) -> bytes:
    """Of what is uploaded, the browser tells what its page made of text; the files of a form are left out."""
    try:
        pieces = [base64.b64decode(each.get("bytes", "")) for each in asked.get("postDataEntries", ())]
    except binascii.Error:
        pieces = []
    return b"".join(pieces) or str(asked.get("postData", "")).encode()
