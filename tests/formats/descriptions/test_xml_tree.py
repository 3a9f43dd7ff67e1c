"""Descriptions in XML as elements."""

import pytest

from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions.xml_tree import tree


def test_an_element_has_its_names_without_prefixes():
    top = tree(b'<a:x xmlns:a="urn:a" xml:base="/b" type="a:T"><y n="1"/><z/><y n="2"/></a:x>', "list")
    assert (top.namespace, top.name) == ("urn:a", "x")
    assert (top.told("type"), top.told("base"), top.told("none")) == ("T", "/b", "")
    assert [each.told("n") for each in top.all("y")] == ["1", "2"]
    assert top.first("z") is not None
    assert top.first("w") is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>', "The list has a document type"),
        (b"<x>", "The list is no XML"),
        (b"", "The list is no XML"),
        (b'<?xml version="1.0" encoding="none-such"?><x/>', "The list is no XML"),
    ],
)
def test_what_is_no_plain_document_is_refused(data: bytes, why: str):
    with pytest.raises(UnreadableCapture, match=why):
        tree(data, "list")
