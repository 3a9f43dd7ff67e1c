"""Calls behind a value: in Python and Jinja2 they are tried for real; what does not evaluate them reads the same signs in both."""

import re

import jinja2
import pytest

from gatecrash.core.testing.payloads.calls import Call, calls_behind, filters_behind

MARK = "kwxvqzr"
GOODS = {"name": "tea", "price": 4}


def written(call: Call, value: str) -> tuple[str, str]:
    return call.itself.format(value=value, mark=MARK), call.unknown.format(value=value, mark=MARK)


def of(language: str, value: str) -> list[Call]:
    return [call for call in calls_behind(value) if language in call.language]


@pytest.mark.parametrize(
    ("value", "code"),
    [("name", "goods['{}']"), ("name", 'goods["{}"]'), ("price > 3", "{}"), ("4", "3 * {}"), ("real", "price.{}")],
)
def test_python_takes_one_of_the_known_calls_and_none_of_the_unknown(value, code):
    """Of the calls that fit the value's look one leaves the result as it was, at least as it is shown."""
    scope = {"goods": GOODS, **GOODS}
    usual = eval(code.format(value), {}, scope)
    taken = []
    for call in of("Python", value):
        known, unknown = written(call, value)
        try:
            taken.append(str(eval(code.format(known), {}, scope)) == str(usual) or bool(usual))
        except (SyntaxError, KeyError):
            continue
        with pytest.raises((NameError, AttributeError)):
            eval(code.format(unknown), {}, scope)
    assert taken == [True]


@pytest.mark.parametrize(
    ("value", "template"),
    [
        ("upper", "{{{{ 'tea' | {} }}}}"),
        ("4", "{{{{ 3 * {} }}}}"),
        ("tea", "{{{{ ('a ' ~ '{}') }}}}"),
        ("tea", '{{% if kind == "{}" %}}ours{{% endif %}}'),
    ],
)
def test_jinja_knows_one_of_the_filters(value, template):
    engine = jinja2.Environment()

    def rendered(inner: str) -> str:
        return engine.from_string(template.format(inner)).render(kind="tea")

    taken = []
    for call in filters_behind(value):
        known, unknown = written(call, value)
        try:
            if rendered(known) != rendered(value):
                continue
        except jinja2.TemplateSyntaxError:
            continue
        taken.append(call)
        with pytest.raises((jinja2.TemplateAssertionError, jinja2.TemplateRuntimeError)):
            rendered(unknown)
    assert len(taken) == 1


@pytest.mark.parametrize("value", ["tea", "4", "price > 3", "green tea", '{"price": 4}'])
def test_both_of_a_pair_have_the_same_signs(value):
    """What filters by signs, or counts them, cannot tell the two apart."""
    for call in (*calls_behind(value), *filters_behind(value)):
        known, unknown = written(call, "")
        assert (
            sorted(re.findall(r"[^\w\s]", known)) == sorted(re.findall(r"[^\w\s]", unknown)) or call.language == "Ruby"
        )
