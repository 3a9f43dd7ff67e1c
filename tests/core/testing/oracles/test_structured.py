"""Answers as objects and lists, whichever language they are written in."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.structured import structured

ENVELOPE = '<s:Envelope xmlns:s="urn:s"><s:Header><id>1</id></s:Header><s:Body>{}</s:Body></s:Envelope>'


def told(content: str, kind: str = "text/xml") -> object:
    return structured(Response(200, ((b"Content-Type", kind.encode()),), content.encode()))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<order id="7"><item>tea</item><item>jam</item></order>', {"order": {"id": "7", "item": ["tea", "jam"]}}),
        ('<a xmlns="urn:a" xmlns:b="urn:b"><b:c> d </b:c><e/></a>', {"a": {"c": "d", "e": ""}}),
        ('<r x:arrayType="p[1]"><id xsi:type="x:int">7</id></r>', {"r": {"id": "7"}}),
        (ENVELOPE.format("<m:R xmlns:m='urn:m'><token>x</token></m:R>"), {"R": {"token": "x"}}),
    ],
)
def test_xml_is_read_as_objects(content: str, expected: object) -> None:
    assert told(content) == expected


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "text/xml"),
        ("<a><b></a>", "text/xml"),
        ("<a>" * 40 + "</a>" * 40, "text/xml"),
        ("<r>" + "<a/>" * 6000 + "</r>", "text/xml"),
        ("<html><p>1</p></html>", "text/html"),
        ("<svg><p>1</p></svg>", "image/svg+xml"),
        ("", "text/xml"),
    ],
)
def test_what_is_broken_endless_or_a_page_is_nothing(content: str, kind: str) -> None:
    assert told(content, kind) is None


def test_json_is_what_it_says() -> None:
    assert told('{"a": [1]}', "application/json") == {"a": [1]}
    assert told("{a", "application/json") is None
