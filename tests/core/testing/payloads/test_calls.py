"""Calls behind a value: in Python and Jinja2 they are tried for real; what does not evaluate them reads the same signs in both."""

import ast
import re
import shutil
import subprocess

import jinja2
import pytest

from gatecrash.core.testing.payloads.calls import Call, calls_behind, filters_behind, scripts_behind

MARK = "kwxvqzr"
GOODS = {"name": "tea", "price": 4}


def written(call: Call, value: str) -> tuple[str, str]:
    filled = {"value": value, "mark": MARK, "number": 7}
    return call.itself.format(**filled), call.unknown.format(**filled)


def of(language: str, value: str) -> list[Call]:
    return [call for call in calls_behind(value) if language in call.language]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("name", "goods['{}']"),
        ("name", 'goods["{}"]'),
        ("price > 3", "{}"),
        ("4", "3 * {}"),
        ("real", "price.{}"),
        ("+", "12 {} 3"),
        ("-", "12 {} 3"),
        ("*", "12 {} 3"),
        ("/", "12 {} 3"),
        (">=", "price {} 3"),
        ("==", "price {} 4"),
    ],
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


@pytest.mark.parametrize("value", ["upper", "4", "tea time"])
@pytest.mark.parametrize(
    "template", ["{{{{ 'tea' | {} }}}}", "{{{{ 3 * {} }}}}", "{{{{ '{}' }}}}", '{{{{ "{}" }}}}', "{{{{ user.{} }}}}"]
)
def test_an_expression_of_a_template_takes_no_call_of_code(value, template):
    """Else it would be told as code: what Jinja2 takes as known, it takes as unknown as well."""
    engine = jinja2.Environment()

    def rendered(inner: str) -> str:
        try:
            return engine.from_string(template.format(inner)).render(user={"upper": "tea"}).replace(inner, value)
        except (jinja2.TemplateError, TypeError):
            return "broken"

    usual = rendered(value)
    for call in calls_behind(value):
        known, unknown = written(call, value)
        assert usual == "broken" or rendered(known) != usual or rendered(unknown) == usual


@pytest.mark.parametrize("value", ["name", "two words", "4", "price > 3", "+"])
def test_both_calls_are_written_with_the_same_signs(value):
    """A parser of cookies that reads on to the first bracket takes one call for the value, and refuses another without one."""
    calls = [written(call, value) for call in (*calls_behind(value), *filters_behind(value))]
    signs = [[sorted(re.sub(r"\w", "", call)) for call in pair] for pair in calls]
    assert [known for known, _ in signs] == [unknown for _, unknown in signs]


@pytest.mark.parametrize("value", ["name", "two words", "4"])
def test_scripts_are_those_calls_of_which_the_server_itself_is_asked_too(value):
    assert (
        [call.language for call in scripts_behind(value)] == [call.language for call in of("JavaScript", value)] != []
    )
    assert all("process" in call.own for call in scripts_behind(value))


def test_behind_conditions_all_languages_are_asked():
    assert scripts_behind("a > 3") == calls_behind("a > 3")
    assert {"JavaScript", "Python", "Ruby", "PHP or Perl"} < {call.language for call in scripts_behind("a > 3")}


@pytest.mark.parametrize("value", [">=", "=="])
def test_a_sign_of_comparison_alone_is_no_condition(value):
    assert [call.language for call in scripts_behind(value)] == ["JavaScript"]


@pytest.mark.skipif(shutil.which("perl") is None, reason="Perl is not installed")
def test_perl_takes_the_known_call_behind_a_condition_and_not_the_unknown_one():
    (call,) = of("Perl", "$price > 3")
    known, unknown = written(call, "$price > 3")

    def met(condition: str) -> bytes:
        code = f"$price = 4; print eval(q{{{condition}}}) ? 'met' : 'not'"
        return subprocess.run(["perl", "-e", code], capture_output=True, check=True).stdout

    assert (met(known), met(unknown)) == (b"met", b"not")


class JavaText(str):
    """A text that knows the methods of Java's."""

    __slots__ = ()

    def getClass(self) -> "JavaText":  # noqa: N802
        return self

    def getName(self) -> "JavaText":  # noqa: N802
        return JavaText("java.lang.String")

    def length(self) -> int:
        return len(self)

    def concat(self, other: str) -> "JavaText":
        return JavaText(self + other)

    def substring(self, start: int) -> "JavaText":
        return JavaText(self[start:])


class OfJava(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Call(ast.Name("JavaText", ast.Load()), [node], []) if isinstance(node.value, str) else node


@pytest.mark.parametrize(
    ("value", "code"),
    [("4", "3 * {}"), ("a > 3", "{}"), ("tea", "'{}'"), ("tea", '"{}"'), ("/", "12 {} 3"), (">", "12 {} 3")],
)
def test_java_computes_what_stood_there_from_the_sixteen_letters_of_a_class(value, code):
    """Texts know its words for lengths, parts and classes here: no engine of its languages is at hand."""

    def computed(inner: str) -> object:
        tree = ast.parse(code.format(inner).replace("&&", "and"), mode="eval")
        known = ast.fix_missing_locations(OfJava().visit(tree))
        return eval(compile(known, "java", "eval"), {"JavaText": JavaText, "a": 4})

    known = [written(call, value) for call in of("of Java", value)]
    assert MARK in str(known)
    results = []
    for taken, unknown in known:
        try:
            results.append(computed(taken))
        except SyntaxError:
            continue
        assert f".{MARK}()" in unknown
        assert not re.search(r"\.\w+\([^)]*\.", taken)  # MVEL reads no call among what a call of a text is given
    assert results.count(computed(value)) == 1
