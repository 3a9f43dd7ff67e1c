"""The values of an XML document, with the names that lead to them."""

import pytest

from gatecrash.core.testing.oracles.elements import elements, entries


def test_texts_and_attributes_stand_under_the_names_around_them():
    told = elements(
        b"<?xml version='1.0'?><ns:plates xmlns:ns='x'><plate id='7'><sky>M31 &amp; M32</sky><note/></plate></ns:plates>",
        9,
    )
    assert told == [(("plates", "plate", "id"), "7"), (("plates", "plate", "sky"), "M31 & M32")]


def test_how_a_value_is_written_is_no_value_beside_it():
    document = b'<r x:arrayType="p[1]"><p xsi:type="p"><id xsi:type="x:int">7</id><kind xsi:type="x:string" type="b">a</kind></p></r>'
    assert elements(document, 9) == [
        (("r", "p", "id"), "7"),
        (("r", "p", "kind", "type"), "b"),
        (("r", "p", "kind"), "a"),
    ]


def test_what_stands_between_elements_is_not_read():
    assert elements(b"<a>one<b>two</b>three</a>", 9) == [(("a", "b"), "two")]


def test_there_are_never_more_than_asked_for():
    assert len(elements(b"<a>" + b"<b>1</b>" * 50 + b"</a>", 5)) == 5


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"no document",
        b"<a><b>",
        b"<!DOCTYPE a [<!ENTITY e 'x'>]><a><b>&e;</b></a>",
        b"<?xml version='1.0' encoding='no-such-one'?><a>1</a>",
        b"<rss><channel><owner><email>ann@plates.example</email></owner></channel></rss>",
        b"<a>" * 5000 + b"<b>1</b>" * 5000,
        b"\xff\xfe\x00",
    ],
)
def test_what_cannot_be_read_or_brings_entities_has_none(document: bytes):
    assert elements(document, 9) == []


def test_of_a_document_that_breaks_off_what_stands_before_counts():
    assert elements(b"<a><b>1</b><b>", 9) == [(("a", "b"), "1")]


def test_entries_hold_what_stands_within_them():
    document = b"<plates n='2'><plate id='7'><by><name>ann</name></by></plate><plate><id>8</id></plate></plates>"
    whole, *each = entries(document, 9)
    assert (("n",), "2") in whole
    assert each == [[(("id",), "7"), (("by", "name"), "ann")], [(("name",), "ann")], [(("id",), "8")]]
