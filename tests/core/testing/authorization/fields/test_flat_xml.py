"""An object that a request sends as XML."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.fields.flat_xml import is_xml, properties_of, with_elements

XML = ((b"Content-Type", b"application/xml; charset=utf-8"),)
BODY = b'<?xml version="1.0"?>\n<user kind="a">\n  <name>Ann &amp; Co</name>\n  <city>York</city>\n</user>\n'


def sent(body: bytes) -> Request:
    return Request("PUT", b"/me", XML, body)


def test_the_elements_below_the_root_are_an_object():
    assert is_xml(sent(BODY))
    assert properties_of(sent(BODY)) == {"name": "Ann & Co", "city": "York"}


def test_others_stand_in_the_same_root():
    made = with_elements(sent(BODY), {"name": "A < B", "admin": True, "at": {"town": "York"}, "tag": ["a", "b"]})
    told = b"<name>A &lt; B</name><admin>true</admin><at><town>York</town></at><tag>a</tag><tag>b</tag>"
    assert made.body == b'<?xml version="1.0"?>\n<user kind="a">' + told + b"\n</user>\n"
    assert made.first(b"Content-Length") == str(len(made.body)).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"name=Ann",
        b"<user/>",
        b"<user></user>",
        b"<user><name>Ann</name>",
        b"<user><name>Ann</name></member>",
        b"<user><at><town>York</town></at></user>",
        b"<user><tag>a</tag><tag>b</tag></user>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><user><name>&b;</name></user>',
        b"<soap:Envelope><soap:Body><name>Ann</name></soap:Body></soap:Envelope>",
    ],
)
def test_what_is_no_such_document_holds_nothing(body: bytes):
    assert properties_of(sent(body)) is None
    assert with_elements(sent(body), {"a": 1}).body == body


def test_a_form_is_no_xml():
    assert not is_xml(Request("PUT", b"/me", ((b"Content-Type", b"text/plain"),), BODY))


SOAP = (
    b'<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header><t:key>k</t:key></s:Header>'
    b'<s:Body><t:Enrol xmlns:t="urn:club">%s</t:Enrol></s:Body></s:Envelope>'
)


def test_the_arguments_of_a_call_by_soap_are_an_object():
    held = b'<t:name>Ann</t:name> <t:age xsi:type="xsd:int">7</t:age>'
    assert properties_of(sent(SOAP % held)) == {"name": "Ann", "age": "7"}
    made = with_elements(sent(SOAP % held), {"name": "Bo", "age": 8, "rank": "chief"})
    told = b'<t:name>Bo</t:name><t:age xsi:type="xsd:int">8</t:age><t:rank>chief</t:rank>'
    assert made.body == SOAP % told


def test_the_only_argument_may_hold_them():
    held = b"<member><name>Ann</name><age>7</age></member>"
    assert properties_of(sent(SOAP % held)) == {"name": "Ann", "age": "7"}
    made = with_elements(sent(SOAP % held), {"name": "Ann", "rank": "chief"})
    assert made.body == SOAP % b"<member><name>Ann</name><rank>chief</rank></member>"


@pytest.mark.parametrize(
    "held", [b"", b"Ann", b"<a><b>1</b></a><c>2</c>", b"<a>1</a><a>2</a>", b"<a>1</a><b><c>2</c></b>", b"<a/>"]
)
def test_a_call_without_flat_arguments_holds_nothing(held: bytes):
    assert properties_of(sent(SOAP % held)) is None
    assert with_elements(sent(SOAP % held), {"a": 1}).body == SOAP % held
