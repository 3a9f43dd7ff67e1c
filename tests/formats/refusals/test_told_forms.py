"""Which form a refused request's made-up texts are given, by what the answer tells."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.formats.refusals.told_forms import reworded

JSON = ((b"Content-Type", b"application/json"),)


def refused(text: str) -> Response:
    return Response(400, JSON, json.dumps({"message": text}).encode())


def sent(**members: str) -> Request:
    return Request("POST", b"/x", JSON, json.dumps(members).encode())


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("unknown url type: 'example'", "https://example.com/"),
        ("Input should be a valid URL, relative URL without a base", "https://example.com/"),
        ("kind must be http(s)", "https://example.com/"),
        ("kind should start with http:// or https://", "https://example.com/"),
        ("only http and https are taken", "https://example.com/"),
        ("Start tag expected, '<' not found, line 1, column 1", "<example>1</example>"),
        ("Content is not allowed in prolog.", "<example>1</example>"),
        ("Document is not XML", "<example>1</example>"),
        ("Unexpected token e in JSON at position 0", '{"example": 1}'),
        ("Incorrect padding", "ZXhhbXBsZQ=="),
        ("time data 'example' does not match format '%Y-%m-%d'", "2026-01-15"),
        ("Invalid isoformat string: 'example'", "2026-01-15"),
        ("start must look like 2026-12-31", "2026-01-15"),
        ("badly formed hexadecimal UUID string", "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"),
        ("invalid literal for int() with base 10: 'example'", "1"),
        ('For input string: "example"; NumberFormatException', "1"),
        ("kind must be JSON", '{"example": 1}'),
        ("example is not defined", "1"),
        ("name 'example' is not defined", "1"),
        ("undefined local variable or method 'example' for main:Object", "1"),
        ('Undefined constant "example"', "1"),
        ("Unknown column 'example' in 'order clause'", "1"),
        ("no such column: example", "1"),
        ('column "example" does not exist', "1"),
        ("kind must be one of: open, closed", "open"),
        ("kind must be open, half or closed", "open"),
        ("kind must be either 'open' or 'closed'", "open"),
        ('must be one of "open" or "closed"', "open"),
        ("one of the following: [open|closed]", "open"),
        ("Input should be 'open', 'half' or 'closed'", "open"),
        ("Invalid enum value. Expected 'open' | 'closed', received 'example'", "open"),
        ("not one of the values accepted for Enum class: [OPEN, CLOSED]", "OPEN"),
    ],
)
def test_a_refusal_tells_the_form(told: str, text: str) -> None:
    better = reworded(sent(kind="example", note="kept"), refused(told))
    assert better is not None
    assert json.loads(better.body) == {"kind": text, "note": "kept"}


@pytest.mark.parametrize(
    "told", ["", "No such item", "kind is not defined", "The password is wrong", "kind is required", "x" * 5000]
)
def test_a_refusal_that_tells_no_form_changes_nothing(told: str) -> None:
    assert reworded(sent(kind="example"), refused(told)) is None


def test_the_fields_that_the_message_names_are_written_anew() -> None:
    better = reworded(sent(start="example", title="example"), refused("start: Invalid date"))
    assert better is not None
    assert json.loads(better.body) == {"start": "2026-01-15", "title": "example"}


@pytest.mark.parametrize("told", ["hourly must be a number", "hourly should be an integer", "hourly: positive"])
def test_what_must_be_a_number_is_one_in_json(told: str) -> None:
    better = reworded(sent(hourly="example", note="example"), refused(told))
    assert better is not None
    assert json.loads(better.body) == {"hourly": 1, "note": "example"}
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    plain = reworded(Request("POST", b"/x", form, b"hourly=example"), refused(told))
    assert plain is not None
    assert plain.body == b"hourly=1"


@pytest.mark.parametrize(
    "told", ["terms must be accepted", "terms: you have to agree", "terms must be true", "terms is not a valid boolean"]
)
def test_what_must_be_agreed_to_is_true_in_json(told: str) -> None:
    better = reworded(sent(terms="example", note="example"), refused(told))
    assert better is not None
    assert json.loads(better.body) == {"terms": True, "note": "example"}
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    plain = reworded(Request("POST", b"/x", form, b"terms=example"), refused(told))
    assert plain is not None
    assert plain.body == b"terms=true"


@pytest.mark.parametrize("told", ["terms must be read", "who is accepted: members", "the state is true"])
def test_what_speaks_of_it_otherwise_asks_for_no_agreement(told: str) -> None:
    assert reworded(sent(terms="example", state="example"), refused(told)) is None


@pytest.mark.parametrize("body", [b"", b"{}"])
def test_what_is_no_xml_gets_a_document_where_nothing_was_described(body: bytes) -> None:
    headers = (*JSON, (b"Content-Length", b"2")) if body else ()
    better = reworded(Request("POST", b"/import", headers, body), refused("not XML"))
    assert better is not None
    assert (better.body, better.first(b"Content-Type")) == (b"<example>1</example>", b"application/xml")
    assert better.first(b"Content-Length") == b"20"
    assert reworded(Request("GET", b"/import"), refused("not XML")) is None
    assert reworded(Request("POST", b"/import", JSON, b'{"a": "b"}'), refused("not XML")) is None


def test_what_was_not_made_up_stays() -> None:
    assert reworded(sent(start="soon"), refused("Invalid date")) is None
    assert reworded(Request("GET", b"/x"), refused("Invalid date")) is None


def test_a_value_of_the_query_is_written_anew() -> None:
    better = reworded(Request("GET", b"/x?day=example&n=1"), refused("day is not a valid date"))
    assert better is not None
    assert better.target == b"/x?day=2026-01-15&n=1"


def written(request: Request, told: str) -> object:
    again = reworded(request, refused(told))
    return json.loads(again.body) if again is not None else None


SHOWN = Request("POST", b"/x", JSON, b'{"kind": "other", "amount": 900, "code": "A-1", "rest": 2.5}')
REST = {"kind": "other", "amount": 900, "code": "A-1", "rest": 2.5}


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        ("kind: must be one of loss, damage", {"kind": "loss"}),
        ("amount: between 1 and 500", {"amount": 1}),
        ("amount must be 2 to 500", {"amount": 2}),
        ("amount: out of range [5-500]", {"amount": 5}),
        ("amount must be at least 1000", {"amount": 1000}),
        ("amount must be greater than 1000.", {"amount": 1001}),
        ("amount should be less than or equal to 500", {"amount": 500}),
        ("amount must not exceed 500", {"amount": 500}),
        ("'code' should be one of [B-1, B-2]", {"code": "B-1"}),
    ],
)
def test_a_value_that_the_document_shows_is_written_anew_where_it_is_named_with_what_may_stand_there(
    told: str, changed: dict[str, object]
) -> None:
    assert written(SHOWN, told) == REST | changed


@pytest.mark.parametrize(
    "told",
    [
        "must be one of loss, damage",
        "kinds must be one of loss, damage",
        "amount: not possible",
        "amount must be between 1 and 500 characters",
        "amount must be 8 to 20 characters",
        "length of kind must be at least 8",
        "kind must be at least 8 characters",
        "amount between 900 and 1000",
        "no one of the drivers is free",
    ],
)
def test_what_is_not_named_or_has_no_bounds_stays(told: str) -> None:
    assert written(SHOWN, told) is None


def test_a_member_that_every_refusal_has_names_no_field() -> None:
    shown = Request("POST", b"/x", JSON, b'{"message": "hello", "kind": "other"}')
    assert written(shown, "kind: must be one of loss, damage") == {"message": "hello", "kind": "loss"}
    assert written(shown, "message: must be one of loss, damage") == {"message": "loss", "kind": "other"}


def test_each_field_has_what_is_told_of_itself() -> None:
    request = Request(
        "POST",
        b"/x",
        JSON,
        b'{"to": {"kind": "Person", "zip": "10115", "street": "example"}, "day": "2026-01-15", "service": "example", "note": "example"}',
    )
    told = {
        "to.kind": "must be person or company",
        "to.zip": "needs 5 digits",
        "day": "is in the past",
        "service": "must be one of fast, slow",
    }
    better = reworded(request, Response(422, JSON, json.dumps({"errors": told}).encode()))
    assert better is not None
    assert json.loads(better.body) == {
        "to": {"kind": "person", "zip": "12345", "street": "example"},
        "day": "2036-01-15",
        "service": "fast",
        "note": "example",
    }


def test_a_sentence_that_lists_choices_behind_the_fields_name() -> None:
    for told in ("channel (sms or mail) and text required", "channel: sms or mail"):
        better = reworded(sent(channel="example", text="example"), refused(told))
        assert better is not None
        assert json.loads(better.body) == {"channel": "sms", "text": "example"}
