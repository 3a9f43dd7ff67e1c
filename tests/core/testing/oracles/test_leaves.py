"""Every scalar of an answer, with the names that lead to it."""

import pytest
from tests.range.place import answer, page

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaves import leaves


def test_every_scalar_with_the_names_that_lead_to_it():
    told = leaves(answer({"a": [{"b": 1}, {"b": "x"}], "c": None, "d": True}))
    assert sorted(told) == [(("a", "b"), "1"), (("a", "b"), "x"), (("d",), "True")]
    assert leaves(page("<p>")) == []


def test_the_number_of_a_call_is_no_part_of_what_it_tells():
    told = {"jsonrpc": "2.0", "result": {"id": 7}, "id": 3}
    assert leaves(answer(told)) == [(("result", "id"), "7")]
    assert leaves(answer([told])) == [(("result", "id"), "7")]
    assert sorted(leaves(answer({"id": 3, "result": {"jsonrpc": "1", "id": 7}}))) == [
        (("id",), "3"),
        (("result", "id"), "7"),
        (("result", "jsonrpc"), "1"),
    ]


def test_whose_an_object_of_json_api_is_stands_where_others_say_it():
    linkage = {"links": {"self": "/u"}, "data": {"type": "users", "id": "7"}}
    told = leaves(answer({"data": {"id": "3", "relationships": {"owner": linkage}}}))
    assert (("data", "relationships", "owner", "id"), "7") in told
    assert (("data", "relationships", "owner", "links", "self"), "/u") in told
    assert (("data", "id"), "3") in told


def test_an_object_that_links_to_itself_is_called_by_the_end_of_the_link():
    told = leaves(answer({"_embedded": {"parts": [{"_links": {"self": {"href": "/parts/7f3a"}}}]}}))
    assert told == [
        (("_embedded", "parts", "id"), "7f3a"),
        (("_embedded", "parts", "_links", "self", "href"), "/parts/7f3a"),
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_cells_of_a_table_stand_under_their_names_whatever_is_between_them(separator: str):
    rows = ("name,town", "Ann,York", "Ben,Deal")
    text = "\n".join(row.replace(",", separator) for row in rows).encode()
    told = leaves(Response(200, ((b"Content-Type", b"text/csv"),), text))
    assert told == [(("name",), "Ann"), (("town",), "York"), (("name",), "Ben"), (("town",), "Deal")]


def test_a_cell_that_is_too_long_ends_the_table():
    text = b'name,town\nAnn,York\n"Ben' + b"x" * 140_000
    told = leaves(Response(200, ((b"Content-Type", b"text/csv"),), text))
    assert told == [(("name",), "Ann"), (("town",), "York")]


def test_a_table_without_anything_has_no_cells():
    assert leaves(Response(200, ((b"Content-Type", b"text/csv"),), b"")) == []


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (b"application/xml", [(("orders", "order", "id"), "7")]),
        (b"application/soap+xml", [(("orders", "order", "id"), "7")]),
        # What is published, and what is drawn.
        (b"application/rss+xml", []),
        (b"application/atom+xml", []),
        (b"image/svg+xml", []),
    ],
)
def test_the_values_of_a_document_stand_under_its_elements(kind: bytes, told: list):
    document = b"<orders><order><id>7</id></order></orders>"
    assert leaves(Response(200, ((b"Content-Type", kind),), document)) == told


def test_what_an_answer_tells_is_read_once():
    one, other = (Response(200, ((b"Content-Type", b"application/json"),), b'{"crate": 8814}') for _ in range(2))
    assert leaves(one) is leaves(other)
