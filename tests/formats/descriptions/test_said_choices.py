"""Choices that the words of a description list."""

import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.parameter import filled
from gatecrash.formats.descriptions.said_choices import choice_said
from gatecrash.formats.descriptions.sample import Sampler


@pytest.mark.parametrize(
    ("words", "name", "told"),
    [
        ("standard, express or overnight", "service", "standard"),
        ("sms or mail", "channel", "sms"),
        ("Output format (csv or txt)", "fmt", "csv"),
        ("One of: invoice, photo, other", "kind", "invoice"),
        ("Any of `order.paid`, `order.sent`", "events", "order.paid"),
        ("tariff.csv or terms.txt", "file", "tariff.csv"),
        ("Filter by status: open|closed|all", "status", "open"),
        ("Sort order, asc or desc", "sort", "asc"),
        ("Allowed values are small, medium, large.", "size", "small"),
        ("must be person or company", "kind", "person"),
        ("json or xml", "format", "json"),
    ],
)
def test_a_list_of_values(words: str, name: str, told: str) -> None:
    assert choice_said(words, name) == told


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("name or number", "by"),
        ("Name or city", "place"),
        ("e-mail or username", "login"),
        ("name or city", "q"),
        ("red, green and blue", "colours"),
        ("A short note for friends and family", "note"),
        ("Price in EUR or USD", "price"),
        ("Text to search, in title or body", "text"),
        ("", "x"),
        (None, "x"),
    ],
)
def test_what_lists_no_values(words: str | None, name: str) -> None:
    assert choice_said(words, name) is None


def test_parameters_members_and_lists_of_which_no_more_is_known_have_it() -> None:
    words, sampler = "pdf or zpl", Sampler(References({}))
    one = filled({"name": "fmt", "in": "query", "type": "string", "description": words}, sampler, References({}))
    assert one is not None
    assert (one.value, one.given) == ("pdf", True)
    schema = {"type": "object", "properties": {"kind": {"description": words}}}
    assert sampler.value(schema) == {"kind": "pdf"}
    listed = {"type": "array", "description": "Any of `paid`, `sent`", "items": {"type": "string"}}
    assert sampler.value(listed) == ["paid"]
    assert sampler.value({**listed, "items": {"type": "string", "enum": ["sent"]}}) == ["sent"]
    assert sampler.value({**listed, "items": {"type": "integer"}}) == [1]
