"""UsernameToken: where it stands in an envelope, and what its digest is made of."""

import base64
import hashlib

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.walk import read
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers.username_token import UsernameToken, points, points_in, sign

ANN = UsernameToken(username="ann", password="a<b")
BEN = UsernameToken(username="ben", password="other")
NOW = Moment(now=1353832234.5, nonce="j4h3g2")
BODY = b"<soapenv:Body><Ask><id>7</id></Ask></soapenv:Body></soapenv:Envelope>"
ENVELOPE = b'<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">'
SECURITY = b'<w:Security xmlns:w="urn:w"><w:Timestamp/></w:Security>'


def asked(body: bytes) -> Request:
    return Request("POST", b"/ws", ((b"Content-Type", b"text/xml"), (b"Content-Length", b"1")), body)


def values(request: Request) -> list[bytes | None]:
    return [read(request, point) for point in points_in(request)]


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"<soapenv:Header/>",
        b"<soapenv:Header><Session>5</Session></soapenv:Header>",
        b"<soapenv:Header>" + SECURITY + b"</soapenv:Header>",
        b'<soapenv:Header><w:Security xmlns:w="urn:w"/></soapenv:Header>',
    ],
)
def test_name_and_password_stand_in_the_header_whatever_stood_there(before: bytes):
    signed = sign(ANN, asked(ENVELOPE + before + BODY), NOW)
    assert values(signed) == [b"a<b", b"ann"]
    assert signed.body.endswith(BODY)
    assert signed.body.count(b"Security>") <= 2, "one element holds it"
    assert signed.first(b"Content-Length") == b"%d" % len(signed.body)
    assert b"<Session>5</Session>" in signed.body or b"Session" not in before


def test_an_older_token_is_replaced():
    once = sign(ANN, asked(ENVELOPE + BODY), NOW)
    assert values(sign(BEN, once, NOW)) == [b"other", b"ben"]
    assert sign(ANN, sign(BEN, once, NOW), NOW) == once
    left_empty = asked(
        ENVELOPE + b"<soapenv:Header><S:UsernameToken xmlns:S='urn:s'></S:UsernameToken></soapenv:Header>" + BODY
    )
    assert values(sign(ANN, left_empty, NOW)) == [b"a<b", b"ann"]


def test_a_digest_is_of_nonce_time_and_password():
    signed = sign(UsernameToken(username="ann", password="pw", kind="digest"), asked(ENVELOPE + BODY), NOW)
    digest, name, nonce, created = values(signed)
    assert (name, created) == (b"ann", b"2012-11-25T08:30:34Z")
    assert base64.b64decode(nonce or b"") == b"j4h3g2"
    made = hashlib.sha1(b"j4h3g2" + (created or b"") + b"pw", usedforsecurity=False).digest()
    assert base64.b64decode(digest or b"") == made


@pytest.mark.parametrize("body", [b"", b'{"id": 7}', b"<Ask><Body/></Ask>"])
def test_what_is_no_envelope_stays_as_it_is(body: bytes):
    assert sign(ANN, asked(body), NOW) == asked(body)
    assert points_in(asked(body)) == points(ANN) == ()


def test_an_envelope_that_nothing_closes_is_no_trouble():
    torn = asked(ENVELOPE + b"<soapenv:Header><w:UsernameToken>")
    assert b"<wsse:Username>ann</wsse:Username>" in sign(ANN, torn, NOW).body
    assert sign(ANN, asked(ENVELOPE), NOW).body == ENVELOPE
