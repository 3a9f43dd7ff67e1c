"""Of many records in one body one of each kind is tested."""

from tests.core.points.formats.test_zip import archive

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.places.records import one_of_each


def places(body: bytes, kind: bytes) -> list[str]:
    request = Request("POST", b"/", ((b"Content-Type", kind),), body)
    found = {found.point: found.value for found in walk(request).points if found.point[0] == "post"}
    return ["/".join(point[1:]) for point in one_of_each(found) if len(point) > 1]


def test_the_second_row_stands_for_all_as_the_first_may_hold_names() -> None:
    assert places(b"sku,city\nA1,Kiel\nA2,Mainz\nA3,Ulm,late\n", b"text/csv") == [
        "csv/csv_row/1/csv_column/0",
        "csv/csv_row/1/csv_column/1",
        "csv/csv_row/3/csv_column/2",
    ]


def test_a_single_row_is_tested_itself() -> None:
    assert places(b"A1,Kiel\n", b"text/csv") == ["csv/csv_row/0/csv_column/0", "csv/csv_row/0/csv_column/1"]


def test_lines_of_one_kind_are_tested_once_and_those_of_another_too() -> None:
    body = b'{"index":{"_id":"1"}}\n{"sku":"A1"}\n{"index":{"_id":"2"}}\n{"sku":"A2","city":"Ulm"}\n'
    assert places(body, b"application/x-ndjson") == [
        "ndjson/json_array/0/json_obj/index/json_obj/_id",
        "ndjson/json_array/1/json_obj/sku",
        "ndjson/json_array/3/json_obj/city",
    ]


def test_three_elements_of_an_array_are_tested_and_those_of_another_kind_too() -> None:
    assert places(b'[{"a":1},{"a":2},{"a":3},{"a":4},{"b":5}]', b"application/json") == [
        "json_doc/json_array/0/json_obj/a",
        "json_doc/json_array/1/json_obj/a",
        "json_doc/json_array/2/json_obj/a",
        "json_doc/json_array/4/json_obj/b",
    ]


def test_arrays_within_arrays_are_counted_together() -> None:
    assert len(places(b'{"rows":[[1,2],[3,4],[5,6]],"ids":[7,8]}', b"application/json")) == 3 + 2


def test_of_elements_that_come_again_and_fields_of_one_name_three_are_tested() -> None:
    items = "".join(f"<item><sku>A{n}</sku></item>" for n in range(9))
    assert len(places(f"<order>{items}</order>".encode(), b"application/xml")) == 3
    assert len(places(b"&".join(b"ids[]=%d" % n for n in range(9)), b"application/x-www-form-urlencoded")) == 3


def test_a_member_that_is_called_as_the_step_is_no_number() -> None:
    body = b'{"array":{"a":1,"b":2,"c":3,"d":4},"5":1}'
    assert len(places(body, b"application/json")) == 5


def test_of_xml_in_an_archive_the_texts_are_tested() -> None:
    body = archive({"word/document.xml": "<w:p xmlns:w='urn:w' id='3'><w:t w:space='keep'>Dear Ann</w:t></w:p>"})
    member = "zip/word/document.xml"
    assert places(body, b"application/zip") == [member, f"{member}/xml/xml_tag/w:p/xml_tag/w:t"]
