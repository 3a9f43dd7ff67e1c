"""What forms of pages make, known by redirects and links."""

import re

import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.made_by_forms import (
    Links,
    deletes_by_form,
    is_form_answer,
    makes_what_is_deleted,
)
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

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


ANN = (b"Authorization", OPAQUE["ann"].encode())


def page_of(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), f"<html><body>{text}</body></html>".encode())


class Wall:
    """One notice with comments, which a page shows to all, and reports with pages of their own. guarded: only who wrote something
    removes it. told: a notice for ann, which her next page shows once.
    """

    def __init__(self, *, guarded: bool) -> None:
        self.guarded, self.told = guarded, ""
        self.comments: dict[str, str] = {"31": "ann", "32": "ben"}
        self.reports: dict[str, str] = {"71": "open"}

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller:
            return Response(302, ((b"Location", b"/login"),))
        found = re.fullmatch(r"/(notices|comments|reports)/(\w+)(/comments|/delete)?", request.path.decode())
        if found is None:
            return Response(404)
        kind, number, what = found.groups()
        if kind == "reports":
            return self._report(number, caller, deletes=what == "/delete")
        if what == "/comments":
            self.comments[str(max(map(int, self.comments)) + 1)] = caller
        elif what == "/delete" and (self.comments.get(number) == caller or not self.guarded):
            self.comments.pop(number, None)
        if request.method == "POST":
            return Response(302, ((b"Location", b"/notices/5"),))
        return self._notice(caller) if kind == "notices" else Response(404)

    def _notice(self, caller: str) -> Response:
        forms = [
            f"<p>{owner} wrote</p>" + (f'<form action="/comments/{number}/delete"></form>' if owner == caller else "")
            for number, owner in self.comments.items()
        ]
        return page_of("<h1>A lamp, 35 crowns</h1>" + "".join(forms))

    def _report(self, number: str, caller: str, *, deletes: bool) -> Response:
        """Those of ann, who reads them after they were withdrawn, too."""
        if number == "new":
            number = str(max(map(int, self.reports)) + 1)
            self.reports[number] = "open"
            return Response(302, ((b"Location", f"/reports/{number}".encode()),))
        if deletes:
            if caller == "ann" or not self.guarded:
                self.reports[number] = "withdrawn"
            return Response(302, ((b"Location", b"/reports"),))
        if caller != "ann":
            return Response(404)
        told, self.told = self.told, ""
        return page_of(f"<p>{told}</p><h1>Report {number}</h1>{self.reports[number]}")


def removal(wall: Wall, target: bytes, *others: Request) -> Run:
    """The dialogue about a form that deletes what a recorded form has made. others: what was recorded before."""
    pages = Pages()
    for each in others:
        pages.meet(record(wall, each).exchange, visited=False)
    request = Request("POST", target, (FORM, ANN), b"", host="a")
    (check,) = plan(
        record(wall, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    return drive_as(check, wall)


COMMENT = Request("POST", b"/notices/5/comments", (FORM, ANN), b"text=mine", host="a")
REPORT = Request("POST", b"/reports/new", (FORM, ANN), b"title=Tap", host="a")


@pytest.mark.parametrize("guarded", [False, True])
def test_a_comment_is_made_and_looked_for_on_the_page_that_has_the_form(guarded: bool) -> None:
    wall = Wall(guarded=guarded)
    verdict = removal(wall, b"/comments/33/delete", Request("GET", b"/notices/5", (ANN,), host="a"), COMMENT).verdict
    assert verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE), verdict.detail
    assert {"31", "32"} <= wall.comments.keys()


class Noticed(Wall):
    """Whoever asks to delete something sees to it that its owner's next page tells him of another thing that was removed."""

    def __call__(self, request: Request) -> Response:
        if request.path.endswith(b"/delete") and request.first(b"Authorization") != ANN[1]:
            self.told = "Your lamp was removed."
        return super().__call__(request)


@pytest.mark.parametrize(
    ("wall", "outcome"),
    [
        (Wall(guarded=False), Outcome.VULNERABLE),
        (Wall(guarded=True), Outcome.SAFE),
        (Noticed(guarded=True), Outcome.SAFE),
    ],
    ids=["anybody", "its owner alone", "a notice of another thing"],
)
def test_what_its_own_page_calls_withdrawn_from_then_on_was_deleted(wall: Wall, outcome: Outcome) -> None:
    run = removal(wall, b"/reports/72/delete", Request("GET", b"/reports/71", (ANN,), host="a"), REPORT)
    assert run.verdict.outcome is outcome, run.verdict.detail
    assert wall.reports["71"] == "open"
