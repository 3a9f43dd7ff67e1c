"""Places in scripts: strings, templates, comments and code are told apart."""

import pytest

from gatecrash.core.testing.oracles.scripts.script import CODE, calls, kind_at, spans


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("var a = X;", "code"),
        ("var a = 'X';", "single"),
        ('var a = "it\'s X";', "double"),
        (r"var a = 'it\'s X';", "single"),
        ("var a = `X`;", "template"),
        ("var a = `${X}`;", "code"),
        ("var a = `${ {b: 'c'} } X`;", "template"),
        ("// X\nf()", "line comment"),
        ("// a\nX", "code"),
        ("/* X */", "block comment"),
        ("/* a */ X", "code"),
        ("var a = /'X/;", "regex"),
        ("var a = b / c + 'X' / d;", "single"),
        ("f({a: {b: 1}}, 'X')", "single"),
        ("function f(a){return/['\"]/.test(a)?'X':b}", "single"),
        ("for(const a of/['\"]/[s](b))c('X')", "single"),
        ("a.return / b + 'X' / c", "single"),
        ("$return/b + 'X' / c", "single"),
        ("a++/b + 'X' / c", "single"),
        ("'a'/b + 'X' / c", "single"),
        ("`a`/b + 'X' / c", "single"),
        ("`${/'/.test(a)} X`", "template"),
        ("a(\n  // b\n  /['\"]/, 'X')", "single"),
        ("a /* b */ / c + 'X' / d", "single"),
        ('eval("show(X)")', "code"),
        ("window.eval ( 'show(X)')", "code"),
        ("""setTimeout("show('X')", 10)""", "single"),
        (r"""setTimeout('show(\'X\')', 10)""", "single"),
        (r"""setTimeout('show(\x27X\u0027)', 10)""", "single"),
        (r"""eval('// a\n X')""", "code"),
        ("my.eval('X')", "single"),
        ("medieval('X')", "single"),
        ("eval('a', 'X')", "single"),
    ],
)
def test_kind_of_a_place(code, kind):
    assert kind_at(code, code.index("X")) == kind


@pytest.mark.parametrize(
    "code",
    [
        "call()",
        "var a = ''-call()-'';",
        "var a = `${call()}`;",
        "/**/call()",
        "// a\ncall()//b",
        "x = {a: call()}",
        'eval("a-call()")',
        r"""eval("a(\"b\");call()")""",
        r"""eval("\x63all()")""",
    ],
)
def test_a_call_in_code_runs(code):
    assert calls(code, "call")


@pytest.mark.parametrize(
    "code",
    [
        "'call()'",
        r"var a = '\'-call()-\'';",
        "// call()",
        "/* call() */",
        "`call()`",
        "recall()",
        "call",
        "var a = 'b\n; call()",
        r"var a = 'x\\\'; call()';",
        "eval(\"a('call()')\")",
        "console.eval('call()')",
        "eval('a)call()')",
    ],
)
def test_a_call_in_a_string_or_comment_or_behind_an_open_string_does_not(code):
    assert not calls(code, "call")


def test_a_class_in_an_expression_that_nothing_closes_goes_to_the_end_of_its_line() -> None:
    assert len(list(spans("/[" * 100_000))) < 5
    assert any("b()" in "x = /[a\nb()"[span.begin : span.end] for span in spans("x = /[a\nb()") if span.kind == CODE)
