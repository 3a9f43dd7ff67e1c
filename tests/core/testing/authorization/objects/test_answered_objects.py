"""The objects that answers show, in JSON and in XML."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.answered_objects import (
    has_member,
    holds,
    kept_as,
    objects_in,
    of_its_kind,
)

JSON = (b"Content-Type", b"application/json")
XML = (b"Content-Type", b"application/xml")


def answer(document: object) -> Response:
    return Response(200, (JSON,), json.dumps(document).encode())


def test_the_object_that_a_body_was_kept_as():
    people = [{"name": "Ann Marsh", "city": "York"}, {"name": "Ben Frost", "city": "Bath"}]
    assert kept_as(answer({"people": people}), {"name": "Ben Frost", "city": "Hull"}) == people[1]
    assert kept_as(answer(people), {"name": "Eva", "city": "Hull"}) is None
    assert kept_as(answer(people[0]), {"name": "Eva", "city": "Hull"}) == people[0]
    assert kept_as(answer({"ok": True}), {"name": "Eva", "city": "Hull"}) is None
    assert of_its_kind(answer({"people": people}), {"name": "Eva", "city": "Hull"}) == people


def test_of_objects_that_share_a_value_the_one_with_most_of_them_is_meant():
    accounts = [{"name": "gwen", "key": "same-for-all"}, {"name": "gwenab", "key": "same-for-all"}]
    assert kept_as(answer(accounts), {"name": "gwenab", "key": "same-for-all"}) == accounts[1]


def test_the_object_with_an_identifier_holds_a_value():
    notes = answer([{"id": 7, "text": "a"}, {"id": 8, "text": "b"}])
    assert holds(notes, "8", "text", "b")
    assert not holds(notes, "7", "text", "b")
    assert has_member(notes, "7", "text")
    assert not has_member(notes, "7", "title")
    assert not has_member(notes, "9", "text")


def test_an_object_that_links_to_itself_has_the_end_of_the_link_as_its_identifier():
    notes = answer([{"text": "a", "_links": {"self": {"href": "/notes/7"}}}])
    assert holds(notes, "7", "text", "a")
    assert not holds(notes, "8", "text", "a")


def test_objects_are_found_at_any_depth():
    assert objects_in(answer({"a": [{"b": {"c": 1}}]})) == [{"a": [{"b": {"c": 1}}]}, {"b": {"c": 1}}, {"c": 1}]
    assert objects_in(Response(200, (), b"<p>")) == []


@pytest.mark.parametrize(
    ("document", "objects"),
    [
        (
            "<account><id>7</id><role>observer</role><verified>false</verified></account>",
            [{"id": 7, "role": "observer", "verified": False}],
        ),
        ('<account id="7"><phone>0151 22</phone></account>', [{"id": 7, "phone": "0151 22"}]),
        (
            "<all><one><id>7</id><owner><id>2</id></owner></one><one><id>08</id></one></all>",
            [{"id": 7, "owner": {"id": 2}}, {"id": 2}, {"id": "08"}],
        ),
        ("<rss><item><role>observer</role></item></rss>", []),
        ("<broken", []),
    ],
)
def test_elements_of_xml_are_objects_as_well(document: str, objects: list):
    assert objects_in(Response(200, (XML,), document.encode())) == objects


def test_a_body_was_kept_as_an_element_that_shows_its_texts():
    response = Response(
        200, (XML,), b"<all><one><name>Ann Marsh</name><pin>5512</pin></one><one><name>Ben Frost</name></one></all>"
    )
    assert kept_as(response, {"name": "Ann Marsh", "pin": "5512"}) == {"name": "Ann Marsh", "pin": 5512}
