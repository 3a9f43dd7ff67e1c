"""Bodies are written as their media types want them."""

from email.parser import BytesParser
from typing import Any

import pytest
from lxml import etree

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.media import Part, family, form, multipart_body, written
from gatecrash.formats.descriptions.sample import Sampler

SAMPLER = Sampler(References({}))


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("application/json; charset=utf-8", "json"), ("application/vnd.api+json", "json"), ("*/*", "json"),
        ("application/x-www-form-urlencoded", "form"), ("multipart/form-data", "multipart"), ("text/xml", "xml"),
        ("application/soap+xml", "xml"), ("text/csv", "text"), ("image/png", "other"),
    ],
)  # fmt: skip
def test_families(media_type: str, kind: str) -> None:
    assert family(media_type) == kind


def test_a_form_repeats_the_names_of_lists() -> None:
    assert (
        form({"a": [1, 2], "b": "x y", "c": {"d": True}, "e": None}) == "a=1&a=2&b=x%20y&c=%7B%22d%22%3A%20true%7D&e="
    )


def test_multipart_is_read_back_by_a_reader_of_mail() -> None:
    body = multipart_body([Part('a"b', "1"), Part("f", "x\n", "n.txt", "text/plain")])
    message = BytesParser().parsebytes(b"Content-Type: " + body.content_type.encode() + b"\r\n\r\n" + body.data)
    first, second = message.get_payload()
    assert (first.get_param("name", header="Content-Disposition"), first.get_payload()) == ("a%22b", "1")
    assert (second.get_filename(), second.get_content_type()) == ("n.txt", "text/plain")


def test_files_and_encodings_of_a_multipart_schema() -> None:
    properties = {
        "f": {"type": "string", "format": "binary"},
        "many": {"type": "array", "items": {"format": "binary"}},
        "j": {},
    }
    media: dict[str, Any] = {
        "schema": {"properties": properties},
        "encoding": {"f": {"contentType": "image/png, image/gif"}},
    }
    data = written("multipart/form-data", {"f": "x", "many": ["x", "y"], "j": {"a": 1}}, media, SAMPLER).data
    assert data.count(b"filename=") == 3
    assert b"Content-Type: image/png\r\n" in data
    assert b'Content-Type: application/json\r\n\r\n{"a": 1}' in data


def test_xml_has_the_names_attributes_and_wrappings_of_its_schema() -> None:
    schema: dict[str, Any] = {
        "xml": {"name": "order", "namespace": "urn:o", "prefix": "o"},
        "properties": {
            "id": {"xml": {"attribute": True}},
            "tags": {"type": "array", "xml": {"wrapped": True, "name": "tags"}, "items": {"xml": {"name": "tag"}}},
            "lines": {"type": "array", "items": {}},
        },
    }
    data = written("application/xml", {"id": 7, "tags": ["a&b"], "lines": [1, 2]}, {"schema": schema}, SAMPLER).data
    root = etree.fromstring(data)
    assert (root.tag, root.get("id"), root.findtext("tags/tag")) == ("{urn:o}order", "7", "a&b")
    assert [one.text for one in root.findall("lines")] == ["1", "2"]


def test_an_example_that_is_text_already_stays_as_it_is() -> None:
    assert written("application/xml", "<a/>", {}, SAMPLER).data == b"<a/>"
    assert written("text/plain", 5, {}, SAMPLER).data == b"5"
    assert written("image/png", {"a": 1}, {}, SAMPLER).data == b'{"a": 1}'


@pytest.mark.parametrize(
    ("value", "body"),
    [
        ("example", b'<?xml version="1.0" encoding="UTF-8"?><root>example</root>'),
        (" <a>1</a>", b" <a>1</a>"),
    ],
)
def test_a_text_in_the_place_of_xml_becomes_a_document(value: str, body: bytes) -> None:
    assert written("application/xml", value, {"schema": {"type": "string"}}, SAMPLER).data == body
