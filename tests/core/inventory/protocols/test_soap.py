"""SOAP actions, from the header, the content type, or the message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.protocols.call import Call, is_name
from gatecrash.core.inventory.protocols.soap import SPEAKER, first_element

MESSAGE = b"""<?xml version="1.0"?><!-- <x:Fake/> -->
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header><a:Token>t</a:Token></soap:Header>
<soap:Body><tea:BrewTea xmlns:tea="urn:tea"><kind>green</kind></tea:BrewTea></soap:Body></soap:Envelope>"""


def called(content_type=b"text/xml", action=None, parameters=b"", body=MESSAGE):
    return SPEAKER.operations(Call("POST", b"/soap", b"", content_type, parameters, action, body))


@pytest.mark.parametrize(
    ("action", "operation"),
    [
        (b'"http://tea.example/shop/Brew"', "Brew"),
        (b"urn:tea#Pour", "Pour"),
        (b'"urn:tea:Drink/"', "Drink"),
        (b'""', "BrewTea"),
        (b"", "BrewTea"),
        (None, "BrewTea"),
        (b'"http://tea.example/a b"', "BrewTea"),
    ],
)
def test_the_header_of_soap_1_1_and_else_the_first_element(action, operation):
    assert called(action=action) == (operation,)


def test_the_parameter_of_soap_1_2():
    assert called(b"application/soap+xml", parameters=b' charset=utf-8; action="urn:tea/Steep"') == ("Steep",)
    assert called(b"application/soap+xml", parameters=b"action=urn:tea/Steep;x=1") == ("Steep",)
    assert called(b"application/soap+xml", parameters=b" charset=utf-8") == ("BrewTea",)


def test_other_xml_is_no_soap():
    assert called(body=b"<tea><kind/></tea>") is None
    assert called(b"application/json", action=b"Brew") is None
    assert called(b"application/xml", body=b"") is None


def test_a_message_that_cannot_be_read_is_still_a_call():
    assert called(action=b'""', body=b"") == ("(other)",)
    assert called(b"application/soap+xml", body=b"") == ("(other)",)


@pytest.mark.parametrize(
    ("body", "element"),
    [
        (MESSAGE, "BrewTea"),
        (b"<Envelope><Body/></Envelope>", ""),
        (b"<Envelope><Body></Body></Envelope>", ""),
        (b"<Envelope><Body><Brew/>", "Brew"),
        (b"<Envelope", ""),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><Envelope><Body><B>", "B"),
        (b"<Body><Brew/></Body>", None),
        (b"", None),
        (b"<", None),
    ],
)
def test_the_first_element_of_the_body(body, element):
    assert first_element(body) == element


pieces = st.lists(
    st.sampled_from([b"<", b">", b"/", b"Envelope", b"Body", b"a:", b"<!--", b"-->", b"<?", b" ", b"Brew", b"\xff"])
).map(b"".join)


@given(pieces)
def test_any_bytes_are_read_and_only_names_come_out(body):
    for content_type in (b"text/xml", b"application/soap+xml"):
        for name in called(content_type, body=body) or ():
            assert is_name(name) or name == "(other)"


def test_a_long_message_of_tags_is_read_in_no_time():
    assert called(body=b"<Envelope>" + b"<a>" * 80_000) == ("(other)",)
    assert called(body=b"<!--" * 60_000) is None
