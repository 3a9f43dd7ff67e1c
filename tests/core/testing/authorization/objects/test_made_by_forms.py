"""What forms of pages make, known by redirects and links."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.made_by_forms import (
    Links,
    deletes_by_form,
    is_form_answer,
    makes_what_is_deleted,
)
from gatecrash.core.testing.authorization.objects.named import Named

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PAGE = (b"Content-Type", b"text/html; charset=utf-8")


def post(target: bytes, body: bytes = b"title=a") -> Request:
    return Request("POST", target, (FORM,), body, host="a")


@pytest.mark.parametrize(
    ("asked", "deleted", "makes"),
    [
        (b"/notes/new", b"/notes/5/delete", True),
        (b"/notes", b"/notes/5/delete", True),
        (b"/add_note.php", b"/delete_note.php?id=5", True),
        (b"/note/create", b"/deleteNote", True),
        (b"/notes/4", b"/notes/5/delete", False),
        (b"/notes/4/share", b"/notes/5/delete", False),
        (b"/login", b"/notes/5/delete", False),
        (b"/new", b"/delete", False),
    ],
)
def test_a_form_makes_what_another_deletes_where_both_name_the_same_thing(asked: bytes, deleted: bytes, makes: bool):
    assert makes_what_is_deleted(post(asked), post(deleted)) is makes


@pytest.mark.parametrize(
    ("target", "deletes"),
    [(b"/notes/5/delete", True), (b"/removeNote", True), (b"/notes/5", False), (b"/undeleted/5", False)],
)
def test_the_address_of_a_form_says_that_it_deletes(target: bytes, deletes: bool):
    assert deletes_by_form(post(target)) is deletes
    assert not deletes_by_form(Request("GET", target, host="a"))


def test_forms_are_answered_by_the_way_to_another_page_or_by_a_page():
    assert is_form_answer(post(b"/notes"), Response(302, ((b"Location", b"/notes"),)))
    assert is_form_answer(post(b"/notes"), Response(200, (PAGE,), b"<p>kept"))
    assert not is_form_answer(post(b"/notes"), Response(201, ((b"Content-Type", b"application/json"),), b'{"id": 3}'))
    assert not is_form_answer(post(b"/notes"), Response(400, (PAGE,), b"<p>no title"))


def test_links_name_objects_by_the_address_before_the_identifier():
    links = Links.of(post(b"/my/notes/5/delete"), Named(Point.of("path", "2"), "5", b"/my/notes"))
    page = Response(
        200, (PAGE,), b'<a href="/my/notes/5">a</a> <a href=/my/notes/17/edit>b</a> <a href="/my/notes/new?x=8">c</a>'
    )
    assert links.in_page(page) == {"5", "17", "new"}
    assert (links.in_address(b"/my/notes/17"), links.in_address(b"/my/notes/new")) == ("17", "")
    assert links.offered(page, "17") == {"/my/notes/17/edit"}


def test_and_by_a_parameter_or_a_hidden_field():
    by_query = Links.of(post(b"/del.php?id=5"), Named(Point.of("get", "id"), "5", None))
    assert by_query.in_page(Response(200, (PAGE,), b'<a href="/note.php?id=5">a</a><a href="?p=1&id=8">')) == {"5", "8"}
    by_field = Links.of(post(b"/del", b"id=5"), Named(Point.of("post", "form_urlencoded", "id"), "5", None))
    hidden = b'<input type="hidden" name="id" value="5"><input type=hidden name=id value=8><input name=idea value=9>'
    assert by_field.in_page(Response(200, (PAGE,), hidden)) == {"5", "8"}
