"""A SOAP service's description: each operation asked once, by an envelope that its schema calls valid."""

import io
from xml.etree import ElementTree as ET

import pytest

from gatecrash.formats import opening
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.wsdl import read, schema_places, with_schemas
from gatecrash.formats.draft import Draft

SPACES = (
    'xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:tea" '
    'xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:x="http://www.w3.org/2001/XMLSchema"'
)
TYPES = """
<x:element name="Brew"><x:complexType><x:sequence>
  <x:element name="sort" type="t:Sort"/><x:element name="cups" type="x:int" minOccurs="0"/>
  <x:choice><x:element name="milk" type="x:boolean"/><x:element name="lemon" type="x:boolean"/></x:choice>
  <x:element name="guest" type="t:Guest" maxOccurs="unbounded"/><x:element ref="t:note"/>
</x:sequence></x:complexType></x:element>
<x:element name="note" type="x:string"/>
<x:element name="Session"><x:complexType><x:sequence><x:element name="token" type="x:string"/></x:sequence></x:complexType></x:element>
<x:element name="GetPot"><x:complexType><x:sequence>
  <x:element name="sessionId" type="x:string"/><x:element name="id" type="x:int"/><x:element name="guestId" type="x:int"/>
</x:sequence></x:complexType></x:element>
<x:complexType name="Cup"><x:all><x:element name="id" type="x:int"/><x:element name="glaze" type="x:string"/></x:all></x:complexType>
<x:simpleType name="Sort"><x:restriction base="x:string"><x:enumeration value="green"/></x:restriction></x:simpleType>
<x:simpleType name="Price"><x:restriction base="x:decimal"/></x:simpleType>
<x:complexType name="Person"><x:sequence><x:element name="email" type="x:string"/></x:sequence></x:complexType>
<x:complexType name="Guest"><x:complexContent><x:extension base="t:Person"><x:sequence>
  <x:element name="pays" type="t:Price"/><x:element name="brings" type="t:Guest" minOccurs="0"/>
</x:sequence></x:extension></x:complexContent></x:complexType>
"""
OPERATION = '<operation name="{name}"><input message="t:{name}In"/></operation>'
BOUND = (
    '<operation name="{name}"><{soap}:operation soapAction="urn:tea#{name}" style="{style}"/>'
    '<input><{soap}:body use="literal" namespace="urn:tea"/></input></operation>'
)


def wsdl(*operations: tuple[str, str, str], soap: str = "soap", form: str = "qualified", beside: str = "") -> bytes:
    """A service of these operations: name, style, parts."""
    messages = "".join(f'<message name="{name}In">{parts}</message>' for name, _, parts in operations)
    kinds = "".join(OPERATION.format(name=name) for name, _, _ in operations)
    bound = "".join(BOUND.format(name=name, soap=soap, style=style) for name, style, _ in operations)
    return f"""<?xml version="1.0"?><!-- made --><definitions name="Tea" targetNamespace="urn:tea" {SPACES}>
<types><x:schema targetNamespace="urn:tea" elementFormDefault="{form}">{TYPES}</x:schema></types>{messages}
<portType name="Pots">{kinds}</portType>
<binding name="Bound" type="t:Pots"><{soap}:binding/>{bound}</binding>{beside}
<service name="Tea"><port name="One" binding="t:Bound">
<{soap}:address location="http://tea.example:8080/pots?v=2"/></port></service></definitions>""".encode()


BREW = ("Brew", "document", '<part name="parameters" element="t:Brew"/>')
POUR = ("Pour", "rpc", '<part name="cups" type="x:int"/><part name="who" type="t:Guest"/>')


def one(document: bytes) -> Draft:
    (draft,) = read(io.BytesIO(document))
    assert isinstance(draft, Draft), draft
    return draft


def body(draft: Draft) -> ET.Element:
    envelope = ET.fromstring(draft.request.body)
    (called,) = envelope[0]
    return called


def test_an_operation_of_the_style_document_is_asked_with_all_its_elements() -> None:
    draft = one(wsdl(BREW))
    called = body(draft)
    told = [each.tag.removeprefix("{urn:tea}") for each in called]
    assert (called.tag, told) == ("{urn:tea}Brew", ["sort", "cups", "milk", "guest", "note"])
    assert [each.text for each in called][:3] == ["green", "1", "true"]
    guest = called.find("{urn:tea}guest")
    assert [each.tag.removeprefix("{urn:tea}") for each in guest] == ["email", "pays", "brings"]
    assert (guest[0].text, guest[1].text) == ("user@example.com", "1.5")
    request = draft.request
    assert (request.method, request.host, request.port, request.target) == ("POST", "tea.example", 8080, b"/pots?v=2")
    assert request.first(b"SOAPAction") == b'"urn:tea#Brew"'
    assert request.first(b"Content-Type") == b"text/xml; charset=utf-8"


def test_where_a_schema_says_nothing_only_the_outermost_element_is_qualified() -> None:
    called = body(one(wsdl(BREW, form="unqualified")))
    assert called.tag == "{urn:tea}Brew"
    assert called[0].tag == "sort"


def test_an_operation_of_the_style_rpc_is_asked_with_an_element_for_each_part() -> None:
    called = body(one(wsdl(POUR)))
    assert called.tag == "{urn:tea}Pour"
    assert [(each.tag, len(each)) for each in called] == [("cups", 0), ("who", 3)]


def test_a_port_of_soap_1_2_alone_is_asked_as_such() -> None:
    draft = one(wsdl(BREW, soap="soap12"))
    assert draft.request.first(b"Content-Type") == b'application/soap+xml; charset=utf-8; action="urn:tea#Brew"'
    assert b"http://www.w3.org/2003/05/soap-envelope" in draft.request.body
    assert draft.request.first(b"SOAPAction") is None


def test_what_two_ports_bind_is_asked_once() -> None:
    again = (
        '<binding name="Again" type="t:Pots"><soap12:binding/><operation name="Brew"/></binding><service name="More">'
        '<port name="Two" binding="t:Again"><soap12:address location="http://tea.example/2"/></port></service>'
    )
    assert one(wsdl(BREW, beside=again)).request.port == 8080


def test_an_operation_that_cannot_be_written_costs_itself_alone() -> None:
    lost = ("Lost", "document", '<part name="parameters" element="t:Elsewhere"/>')
    deep = ("Deep", "document", '<part name="parameters" element="t:Deep"/>')
    nested = "<x:sequence>" * 5_000 + "</x:sequence>" * 5_000
    element = f'<x:element name="Deep"><x:complexType>{nested}</x:complexType></x:element>'
    document = wsdl(lost, deep, BREW).replace(b"</x:schema>", element.encode() + b"</x:schema>")
    first, second, third = read(io.BytesIO(document))
    assert isinstance(first, Malformed)
    assert "Elsewhere" in first.why
    assert isinstance(second, Malformed)
    assert isinstance(third, Draft)


@pytest.mark.parametrize(
    "document",
    [
        b'<!DOCTYPE d [<!ENTITY a "b">]>' + wsdl(BREW).partition(b"?>")[2],
        wsdl(BREW)[:-20],
        b"<description/>",
        b"",
    ],
)
def test_what_is_no_description_of_a_service_is_refused(document: bytes) -> None:
    with pytest.raises(UnreadableCapture):
        list(read(io.BytesIO(document)))


def test_it_is_known_by_its_first_element() -> None:
    document = wsdl(BREW)
    assert opening.kind_of(document) == "wsdl"
    assert opening.opened(io.BytesIO(document)).drafted
    assert opening.kind_of(document.replace(b"<definitions", b"<w:definitions")) == "wsdl"
    with pytest.raises(UnreadableCapture):
        opening.kind_of(b'<page about="http://schemas.xmlsoap.org/wsdl/"><definitions /></page>')


def test_schemas_of_other_documents_are_put_among_its_types() -> None:
    whole = wsdl(BREW)
    start, end = whole.index(b"<x:schema"), whole.index(b"</types>")
    schema = whole[start:end].replace(
        b"<x:schema", b'<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:tea"'
    )
    named = b'<x:schema><x:import namespace="urn:tea" schemaLocation="pots?a=1&amp;xsd=1"/></x:schema>'
    bare = whole[:start] + named + whole[end:]
    assert schema_places(bare) == ["pots?a=1&xsd=1"]
    (lost,) = read(io.BytesIO(bare))
    assert isinstance(lost, Malformed)
    others = (b"<x:schema", b"<!DOCTYPE x:schema>" + schema, b"<html/>", b'<?xml version="1.0"?>' + schema)
    assert body(one(with_schemas(bare, others))).tag == "{urn:tea}Brew"
    assert with_schemas(b"<definitions/>", [schema]) == b"<definitions/>"


def test_a_header_of_the_binding_is_written_and_takes_the_token_of_a_login() -> None:
    told = '<soap:header message="t:Kept" part="who" use="literal"/>'
    kept = '<message name="Kept"><part name="who" element="t:Session"/></message>'
    draft = one(wsdl(BREW, beside=kept).replace(b"<input><soap:body", f"<input>{told}<soap:body".encode()))
    header, called = ET.fromstring(draft.request.body)
    assert (header[0].tag, header[0][0].tag, called[0].tag) == ("{urn:tea}Session", "{urn:tea}token", "{urn:tea}Brew")
    assert [(place.scheme, place.point[-1]) for place in draft.places] == [("bearer", "token")]
    assert draft.wants == ("token",)


@pytest.mark.parametrize(("member", "hole"), [("glaze", "Cup_id"), ("note", "id")])
def test_what_sets_a_member_is_about_the_thing_that_has_it(member: str, hole: str) -> None:
    parts = f'<part name="id" type="x:int"/><part name="{member}" type="x:string"/>'
    draft = one(wsdl((f"set{member.capitalize()}", "rpc", parts)))
    assert [each.name for each in draft.holes] == [hole]


@pytest.mark.parametrize(("space", "tag"), [(' namespace="urn:who"', "{urn:who}who"), ("", "{urn:tea}who")])
def test_a_header_that_names_a_type_is_called_as_its_part_is(space: str, tag: str) -> None:
    """As PHP has it, and other toolkits of the style rpc."""
    told = f'<soap:header message="t:Kept" part="who" use="encoded"{space}/>'
    kept = '<message name="Kept"><part name="who" type="t:Person"/></message>'
    draft = one(wsdl(POUR, beside=kept).replace(b"<input><soap:body", f"<input>{told}<soap:body".encode()))
    header, called = ET.fromstring(draft.request.body)
    assert (header[0].tag, header[0][0].tag, called[0].tag) == (tag, "{urn:tea}email", "{urn:tea}Pour")


def test_arguments_that_name_things_are_filled_by_answers_and_a_session_by_the_login() -> None:
    draft = one(wsdl(("GetPot", "document", '<part name="parameters" element="t:GetPot"/>')))
    assert [(hole.name, hole.point[-1]) for hole in draft.holes] == [("pot_id", "id"), ("guestId", "guestId")]
    assert [place.point[-1] for place in draft.places] == ["sessionId"]


def test_elements_of_a_type_stand_in_the_namespace_of_its_schema() -> None:
    data = """<x:schema targetNamespace="urn:data" elementFormDefault="qualified"><x:complexType name="Cup"><x:sequence>
    <x:element name="size" type="x:int"/><x:element name="lid" type="t:Person"/></x:sequence></x:complexType></x:schema>"""
    order = '<x:element name="Order"><x:complexType><x:sequence><x:element name="cup" type="d:Cup"/></x:sequence></x:complexType></x:element>'
    document = wsdl(("Order", "document", '<part name="parameters" element="t:Order"/>'))
    document = document.replace(b"</x:schema></types>", f"{order}</x:schema>{data}</types>".encode())
    called = body(one(document))
    told = [each.tag for each in called.iter()]
    assert told == ["{urn:tea}Order", "{urn:tea}cup", "{urn:data}size", "{urn:data}lid", "{urn:tea}email"]
