"""Documents stay well-formed, name one file, and never grow."""

import lxml.etree
import pytest

from gatecrash.core.testing.payloads.xxe import EXTERNAL, INTERNAL, calling, from_json, is_document, leaves, with_entity

ORDER = '<?xml version="1.0"?><!-- a --><order><n>5</n><item id="3">tea</item></order>'
PARSER = lxml.etree.XMLParser(resolve_entities=True)


def test_an_entity_of_our_own_is_read_in_every_text():
    document = with_entity(ORDER, INTERNAL.format(name="bcd", text="word"), "bcd", leaves(ORDER))
    root = lxml.etree.fromstring(document.encode(), PARSER)
    assert [each.text.split() for each in root] == [["5", "word"], ["tea", "word"]]


def test_a_document_type_that_is_there_is_replaced():
    before = '<?xml version="1.0"?><!DOCTYPE order SYSTEM "order.dtd" [<!ENTITY a "b">]><order><item>tea</item></order>'
    document = with_entity(before, INTERNAL.format(name="bcd", text="word"), "bcd", leaves(before))
    assert document.count("<!DOCTYPE") == 1
    assert "word" in lxml.etree.fromstring(document.encode(), PARSER).findtext("item")


def test_texts_come_before_numbers():
    assert [ORDER[slice(*span)] for span in leaves(ORDER)] == ["tea", "5"]


@pytest.mark.parametrize("value", ["tea", "<b>bold", "a < b", "", "<3"])
def test_what_is_no_document(value):
    assert not is_document(value)


def test_entities_are_declared_once_and_refer_to_nothing():
    for pattern in (INTERNAL, EXTERNAL):
        declaration = pattern.format(name="bcd", text="word", file="/etc/passwd")
        assert declaration.count("<!ENTITY") == 1
        assert "&" not in declaration


def test_a_json_object_becomes_a_document_of_its_names():
    assert from_json('{"a": 1, "b": "x<y"}') == '<?xml version="1.0"?><root><a>1</a><b>x&lt;y</b></root>'
    assert from_json("[1]") is None
    assert from_json('{"a b": 1}') is None


class Asked(lxml.etree.Resolver):
    """Notes what a parser asks for, and gives it the listener's comment."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def resolve(self, system_url: str, public_id: str, context: object) -> object:
        self.addresses.append(system_url)
        return self.resolve_string("<!-- 4711 -->", context)


@pytest.mark.parametrize("settings", [{"resolve_entities": True}, {"load_dtd": True, "resolve_entities": False}])
def test_an_address_is_put_together_by_parsers_that_follow_declarations_alone(settings):
    address = "http://192.0.2.1:8053/name"
    document = with_entity(ORDER, calling("bcd", address), "bcd", leaves(ORDER))
    assert "192.0.2.1" not in document
    assert "http" not in document.replace("http://www", "")
    asked = Asked()
    parser = lxml.etree.XMLParser(no_network=True, **settings)
    parser.resolvers.add(asked)
    lxml.etree.fromstring(document.encode(), parser)
    assert set(asked.addresses) == {address}
    closed = Asked()
    parser = lxml.etree.XMLParser(resolve_entities=False)
    parser.resolvers.add(closed)
    lxml.etree.fromstring(document.encode(), parser)
    assert closed.addresses == []
