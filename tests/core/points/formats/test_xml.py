"""XML with spans: soundness by expat, values as a reader sees them, every other byte as it came."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import xml_texts

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import CONTAINER, LIMITS, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.xml import XML


def parts(data: bytes) -> list[Part]:
    return XML.parts(data, LIMITS, LIMITS.levels)


def named(data: bytes) -> dict[str, bytes]:
    return {"/".join(part.steps): part.value for part in parts(data) if part.kind != CONTAINER}


def test_texts_and_attributes_are_found_with_their_duplicates() -> None:
    data = b"\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?>\n<!-- x --><r a = 'x &amp; y' b=\"&#65;\n\"><i>1</i><i k='2'/><j><![CDATA[<&>]]>t</j> <m>x<n/></m></r >"
    assert named(data) == {
        "xml_tag/r/xml_attr/a": b"x & y",
        "xml_tag/r/xml_attr/b": b"A ",
        "xml_tag/r/xml_tag/i/array/0": b"1",
        "xml_tag/r/xml_tag/i/array/1": b"",
        "xml_tag/r/xml_tag/i/array/1/xml_attr/k": b"2",
        "xml_tag/r/xml_tag/j": b"<&>t",
        "xml_tag/r/xml_tag/m/xml_tag/n": b"",
    }


def test_a_declared_encoding_may_be_one_of_which_the_ascii_part_is_the_same() -> None:
    assert named(b"<?xml version='1.0' encoding='iso-8859-1'?><a>x</a>") == {"xml_tag/a": b"x"}


@given(xml_texts(), st.text(max_size=20), st.data())
@settings(deadline=None)
def test_a_written_value_is_what_another_reader_sees(data: bytes, value: str, draw: st.DataObject) -> None:
    data = b'<root xmlns:ns="u">' + data + b"</root>"
    leaves = [part for part in parts(data) if part.kind != CONTAINER]
    # Another reader minds which namespaces there are; ours does not look at them.
    place = draw.draw(st.sampled_from([part for part in leaves if not part.steps[-1].startswith("xmlns")]))
    try:
        encoded = XML.encode(data, place, value.encode("utf-8", "replace"))
    except UnwritableValue:
        return
    changed = splice(data, place.start, place.end, encoded)
    ET.fromstring(changed)
    again = {part.steps: part.value for part in parts(changed) if part.kind != CONTAINER}
    assert again == {part.steps: part.value for part in leaves} | {place.steps: value.encode("utf-8", "replace")}


@pytest.mark.parametrize("value", [b"\x00", b"\x1b", b"\xff", "\ufffe".encode()])
def test_what_xml_cannot_hold_is_refused(value: bytes) -> None:
    data = b"<a>x</a>"
    with pytest.raises(UnwritableValue):
        XML.encode(data, parts(data)[0], value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"<a>",
        b"<a></b>",
        b"<a b=1/>",
        b"<a b='1' b='2'/>",
        b"<a>&unknown;</a>",
        b"<!DOCTYPE a><a/>",
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe4</a>",
        b"<?xml version='1.0' encoding='utf-7'?><a/>",
        b"<?xml version='1.0' encoding='x-unknown'?><a/>",
        "<a/>".encode("utf-16"),
        b"<a/><b/>",
    ],
)
def test_what_is_not_read_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)


def test_depth_and_number_are_bounded() -> None:
    with pytest.raises(Unreadable, match="nested"):
        XML.parts(b"<a>" * 40 + b"</a>" * 40, LIMITS, 32)
    found = XML.parts(b"<a>" + b"<b/>" * 20 + b"</a>", Limits(points=5), 32)
    assert 5 < len(found) < 9


def test_an_element_or_attribute_is_removed_whole_and_the_root_with_its_holder() -> None:
    data = b"<r><a x='1'>t</a ><b/></r>"
    removed = {"/".join(part.steps): XML.remove(data, part) for part in parts(data)}
    assert removed == {
        "xml_tag/r": None,
        "xml_tag/r/xml_tag/a": b"<r><b/></r>",
        "xml_tag/r/xml_tag/a/xml_attr/x": b"<r><a>t</a ><b/></r>",
        "xml_tag/r/xml_tag/b": b"<r><a x='1'>t</a ></r>",
    }
