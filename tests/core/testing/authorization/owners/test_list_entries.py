"""Whom the entry of a list names beside the object that it shows."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.list_entries import (
    entry_is_kept_private,
    entry_is_published,
    entry_names,
    entry_tells_of,
)

BEN = frozenset({"ben", "17", "tenant=acme"})


def names(kind: str, body: str, value: str = "41", address: bytes = b"/letters/41") -> bool:
    return entry_names(Response(200, ((b"Content-Type", kind.encode()),), body.encode()), value, address, BEN)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("<ul><li><a href='/letters/41'>Ben: hello</a></li><li><a href='/letters/42'>Ida: hello</a></li></ul>", True),
        ("<ul><li><a href='/letters/41'>Ida: hello</a></li><li><a href='/letters/42'>Ben: hello</a></li></ul>", False),
        ("<ul><li><p><a href='/letters/41'>hello</a></p><p>from ben</p></li><li>Ida</li></ul>", True),
        ("<table><tr><td>ben</td><td><a href=/letters/41>hello</a></td></tr></table>", True),
        ("<p>Hello ben</p><div><a href='/letters/41'>your letter</a></div>", False),
        ("<div><a href='/letters/41'>hello</a> <i>by Ben</i></div><div>Ida</div>", True),
        ("<ul><li><a href='letters/41'>Ben: hello</a></li></ul>", True),
        ("<ul><li><a href='/letters/41'>a bench</a></li></ul>", False),
        ("<ul><li><a href='/letters/410'>Ben: hello</a></li></ul>", False),
        ("<ul><li><a href='/letters/41'>17 sheets</a></li></ul>", False),
    ],
)
def test_an_entry_of_a_page_ends_where_the_next_begins(body, named):
    assert names("text/html", body) is named


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('[{"id": 41, "from": {"name": "Ben"}}, {"id": 42, "from": {"name": "Ida"}}]', True),
        ('[{"id": 41, "from": {"name": "Ida"}}, {"id": 42, "from": {"name": "Ben"}}]', False),
        ('{"letters": [{"letter_id": "41", "sender_id": 17}]}', True),
        ('{"letters": [{"letter_id": "41", "sheets": 17}]}', False),
        ('[{"id": 7, "sheets": 41, "from": "ben"}]', False),
        ("no JSON", False),
    ],
)
def test_an_entry_of_json_is_the_object_with_the_identifier(body, named):
    assert names("application/json", body) is named


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("<letters><letter><id>41</id><from><name>Ben</name></from></letter><letter><id>42</id></letter></letters>", True),
        ("<letters><letter id='41'><from><name>Ben</name></from></letter></letters>", True),
        ("<letters><letter><id>41</id><from>Ida</from></letter><letter><id>42</id><from>Ben</from></letter></letters>", False),
        ("<letters><letter><id>7</id><sheets>41</sheets><from>Ben</from></letter></letters>", False),
    ],
)  # fmt: skip
def test_an_entry_of_xml_is_the_element_with_the_identifier(body, named):
    assert names("application/xml", body) is named


def test_an_entry_of_xml_says_that_it_is_for_everybody():
    body = b"<boards><board id='41'><public>true</public></board><board id='42'><public>false</public></board></boards>"
    response = Response(200, ((b"Content-Type", b"text/xml"),), body)
    assert [entry_is_published(response, each) for each in ("41", "42")] == [True, False]


@pytest.mark.parametrize(
    ("body", "published"),
    [
        ('[{"id": 41, "public": true}, {"id": 42, "public": false}]', True),
        ('[{"id": 41, "public": false}, {"id": 42, "public": true}]', False),
        ('{"boards": [{"board_id": 41, "visibility": "everyone"}]}', True),
        ('{"boards": [{"board_id": 41, "visibility": "team"}]}', False),
        ('[{"id": 7, "sheets": 41, "public": true}]', False),
    ],
)
def test_an_entry_says_that_it_is_for_everybody(body, published):
    response = Response(200, ((b"Content-Type", b"application/json"),), body.encode())
    assert entry_is_published(response, "41") is published


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ({"public": False}, True),
        ({"visibility": "private"}, True),
        ({"public": True}, False),
        ({"title": "Tea"}, False),
    ],
)
def test_an_entry_may_say_that_it_is_not_for_everybody(entry: dict, kept: bool):
    response = Response(
        200,
        ((b"Content-Type", b"application/json"),),
        json.dumps([{"id": 41, **entry}, {"id": 42, "public": False}]).encode(),
    )
    assert entry_is_kept_private(response, "41") is kept


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        ({"id": 41, "state": "open", "text": "Leak", "boat": "Gannet"}, True),
        ({"data": {"id": 41, "state": "open", "text": "Leak"}}, True),
        ({"id": 41, "state": "open", "text": "Worn"}, False),
        ({"id": 41, "state": "open"}, False),
        ({"number": 41, "state": "open", "text": "Leak"}, False),
        ({"id": 42, "state": "open", "text": "Leak"}, False),
    ],
)
def test_an_entry_tells_of_what_says_the_same_in_several_fields(whole: dict, told: bool):
    listed, kind = [{"id": 41, "state": "open", "text": "Leak"}, {"id": 42, "state": "open"}], "application/json"
    answers = (
        Response(200, ((b"Content-Type", kind.encode()),), json.dumps(each).encode()) for each in (listed, whole)
    )
    response, answer = answers
    assert entry_tells_of(response, "41", answer) is told
