"""Forms: what was sent is read as the API's JSON, refused by the same models, and shown again as it was typed."""

from typing import Annotated

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from pydantic import Field as Limits

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.ui.forms import Field, Form, sent


class Order(fields.Body):
    """What the form makes."""

    name: fields.Name
    rps: Annotated[int, Limits(ge=1, le=1000)] | None = None
    tags: list[str] = []


FIELDS = (
    Field("name", "Name", required=True),
    Field("rps", "Speed", "number"),
    Field("tags", "Tags", "tags", advanced=True),
)


@pytest.mark.parametrize(
    ("kind", "sent", "value"),
    [
        ("text", "a=+%20b", "  b"),
        ("text", "a=", None),
        ("text", "", None),
        ("long", "a=one%0D%0Atwo", "one\ntwo"),
        ("check", "a=on", True),
        ("check", "", False),
        ("checks", "a=x&a=y", ["x", "y"]),
        ("checks", "", []),
        ("tags", "a=x,+y+,,", ["x", "y"]),
        ("number", "a=+12+", 12),
        ("number", "a=-3", -3),
        ("number", "a=1.5", "1.5"),
        ("number", "a=%D9%A3", "٣"),
        ("number", "a=" + "9" * 30, "9" * 30),
        ("range", "a=7", 7),
    ],
)
def test_a_field_reads_what_was_sent(kind: str, sent: str, value: object) -> None:
    assert Field("a", "A", kind).read(QueryDict(sent)) == value


def test_an_empty_text_that_means_something_is_kept() -> None:
    assert Field("a", "A", nullable=False).read(QueryDict("a=")) == ""
    assert Field("a", "A", required=True).read(QueryDict("a=")) == ""


def test_the_apis_model_checks_what_was_sent() -> None:
    form = Form(FIELDS, QueryDict("name=tea&rps=7&tags=a,b"))
    assert form.checked(Order) == Order(name="tea", rps=7, tags=["a", "b"])
    assert form.problems == {}


def test_every_fault_is_told_beside_its_field_and_what_was_typed_is_shown_again() -> None:
    form = Form(FIELDS, QueryDict("name=&rps=many&tags=a"))
    assert form.checked(Order) is None
    assert set(form.problems) == {"name", "rps"}
    shown = {one.field.name: one for one in form}
    assert (shown["rps"].value, shown["rps"].error) == (
        "many",
        "This is not of the right kind; a whole number is wanted.",
    )
    assert shown["rps"].described_by == "rps-error"
    assert [one.field.name for one in form.plain] == ["name", "rps"]
    assert form.advanced_open is False


def test_a_folded_fault_unfolds_and_one_of_no_field_stands_above() -> None:
    form = Form(FIELDS, QueryDict("name=a"))
    form.refuse(FieldErrors({"tags": problem("too_long", [], max=3), "node_id": problem("not_found", "node_x")}))
    assert form.advanced_open
    assert form.elsewhere == ["There is none with this identifier."]


def test_an_unsent_form_shows_its_beginnings() -> None:
    given = (*FIELDS, Field("on", "On", "check", initial=True, hint="A hint."))
    shown = {one.field.name: one for one in Form(given, None, {"tags": ["x", "y"], "rps": None})}
    assert (shown["tags"].value, shown["rps"].value, shown["on"].value) == ("x, y", "", True)
    assert shown["on"].described_by == "on-hint"


def test_a_page_that_is_asked_for_was_sent_nothing() -> None:
    assert sent(RequestFactory().get("/", {"name": "a"})) is None
    filled = sent(RequestFactory().post("/", {"name": "a"}))
    assert filled is not None
    assert filled["name"] == "a"
