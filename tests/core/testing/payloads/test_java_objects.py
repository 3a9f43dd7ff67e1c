"""Objects of Java with a field more, loaded by Java itself; documents of XMLDecoder with a call more."""

import base64
import shutil
from xml.etree import ElementTree as ET

import pytest
from tests.absent import require
from tests.range.jvm import CALLS, JVM, LIST, MAP, NUMBER, TICKET_BYTES

from gatecrash.core.testing.payloads.deserialization import JAVA, XML_DECODER, holding
from gatecrash.core.testing.payloads.java_objects import is_xml_decoder, java_field, java_known, xml_decoder_waiting

MARK = "zzbcdf"


def loaded(data: bytes, allowed: str = "") -> str:
    require(shutil.which("javac"), "Java is absent")
    return JVM.load(base64.b64encode(data).decode(), allowed)


def test_java_makes_the_object_in_the_field_and_drops_it():
    assert loaded(java_field(TICKET_BYTES, MARK, known=True)) == loaded(TICKET_BYTES) == "ok day of Ida"


def test_java_breaks_where_the_object_refuses_to_be_made():
    assert "MalformedObjectNameException" in loaded(java_field(TICKET_BYTES, MARK, known=False))


@pytest.mark.parametrize(("stream", "said"), [(LIST, "ok [tea, cup]"), (MAP, "ok {holder=Ida}"), (NUMBER, "ok 7")])
def test_java_makes_the_object_behind_what_a_list_a_map_or_a_number_wrote(stream, said):
    data = base64.b64decode(stream)
    assert loaded(java_field(data, MARK, known=True)) == loaded(data) == said
    assert "MalformedObjectNameException" in loaded(java_field(data, MARK, known=False))
    assert "REJECTED" in loaded(java_field(data, MARK, known=True), "java.base/*;!*")


@pytest.mark.parametrize("allowed", ["Loader$Ticket;!*", "Loader$Ticket;java.base/*;java.**;!*"])
def test_a_list_of_classes_refuses_both(allowed):
    for known in (True, False):
        assert "REJECTED" in loaded(java_field(TICKET_BYTES, MARK, known=known), allowed)


def test_a_class_that_is_there_is_made_where_no_list_refuses_it():
    assert loaded(java_known(MARK)).startswith(f"ok {MARK}:k=")
    assert "filter status: REJECTED" in loaded(java_known(MARK), "java.base/*;!*")


def test_streams_of_another_shape_stay_as_they_are():
    for other in (
        b"\xac\xed\x00\x05t\x00\x03tea",
        TICKET_BYTES[:30],
        TICKET_BYTES.replace(b"\x02\x00\x03I", b"\x03\x00\x03I"),
    ):
        assert java_field(other, MARK, known=True) == other
    for end in range(len(TICKET_BYTES)):
        java_field(TICKET_BYTES[:end], MARK, known=True)
    assert holding(base64.b64encode(TICKET_BYTES)).kind == JAVA


def test_a_document_of_calls_stays_one_and_gets_a_call_first():
    assert is_xml_decoder(CALLS)
    assert holding(CALLS).kind == XML_DECODER
    first = ET.fromstring(xml_decoder_waiting(CALLS, MARK, 2, decoy=False))[0]
    assert (first.get("class"), first.get("method"), first[0].text) == ("java.lang.Thread", "sleep", "2000")
    assert ET.fromstring(xml_decoder_waiting(CALLS, MARK, 2, decoy=True))[0].get("method") == "slepe"


def test_xmldecoder_carries_the_document_out_as_before():
    require(shutil.which("javac"), "Java is absent")
    for units, decoy in ((0, False), (3, True)):
        assert JVM.carry_out(xml_decoder_waiting(CALLS, MARK, units, decoy=decoy)) == JVM.carry_out(CALLS) == "ok [tea]"


@pytest.mark.parametrize("document", [b"<java><object/></java>", b"<order class='java.beans.XMLDecoder'/>", b"tea"])
def test_other_documents_are_none(document):
    assert not is_xml_decoder(document)
