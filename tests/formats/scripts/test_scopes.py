"""A name means what the innermost block around it declares."""

import pytest

from gatecrash.formats.scripts.literals import Script

ADDRESS = "f("


def meant(code: str) -> str | None:
    """What stands where `x` has its value, as far as a sign that ends it."""
    script = Script(code)
    place = script.scopes.value_of("x", code.index(ADDRESS) + 2)
    return None if place is None else code[place : script.expression(place)]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("const x=1;f(x)", "1"),
        ("const x=1;function a(){const x=2;f(x)}", "2"),
        ("const x=1;function a(){const x=2}f(x)", "1"),
        ("const x=1;function a(x){f(x)}", None),
        ("const x=1,a=x=>f(x)", None),
        ("const x=1,a=x=>g(x);f(x)", "1"),
        ("const x=1,a=async(y,{z:x=3})=>{f(x)}", None),
        ("const x=1;class A{m(x){return f(x)}}", None),
        ("const x=1;try{}catch(x){f(x)}", None),
        ("const x=1;if(x){f(x)}", "1"),
        ("if(a){var x=1}f(x)", "1"),
        ("if(a){let x=1}f(x)", None),
        ("function a(){var x=1}f(x)", None),
        ("let a=b(c,{d:e}),x=1\nf(x)", "1"),
        ("const {a:x,y}=b;f(x)", None),
        ("var x=1;var x=2;f(x)", None),
        ("var a,x;run(()=>{x=1});f(x)", "1"),
        ("var x;x=1;x=2;f(x)", None),
        ("const x=1;x=2;f(x)", "1"),
        ("let x;x=1;function a(){let x;x=2;f(x)}x=3", "2"),
        ("let x;x=1;function a(){let x;f(x)}x=3", None),
        ("function x(){}f(x)", "function x(){}f(x)"),
        ("o.x=1;f(x)", None),
        ("const a='const x=1';f(x)", None),
    ],
)
def test_the_innermost_declaration_counts(code: str, value: str | None) -> None:
    assert meant(code) == value


@pytest.mark.parametrize("code", ["const x={f(", "var x=[f(x", "x=>f(", "(x)=>f(", "let {x f(", "){f(x)"])
def test_broken_scripts_raise_nothing(code: str) -> None:
    meant(code)
