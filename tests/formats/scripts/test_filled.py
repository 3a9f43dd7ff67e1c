"""Objects that are filled later are read as if they had been written out."""

import pytest

from gatecrash.formats.scripts.filled import folded


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("const o = {}; o.q = x; send(o)", 'const o = {"q": x}; o.q = x; send(o)'),
        ("var o={a:1};o['q']=f(x,2);", "var o={a:1, \"q\": f(x,2)};o['q']=f(x,2);"),
        ("const f=new FormData;f.append('q',x);", "const f=new FormData({\"q\": x});f.append('q',x);"),
        ("let f = new FormData(); f.append('q', x);", "let f = new FormData({\"q\": x}); f.append('q', x);"),
        ("class A{o={};a(){this.o={},this.o.q=x}}", 'class A{o={};a(){this.o={"q": x},this.o.q=x}}'),
        ("g({params:new P().set('q',x).set('n',1)})", 'g({params:{"q": x, "n": 1}})'),
        ("g({params:(new P).append('q',x)})", 'g({params:{"q": x}})'),
        (
            'let h = new Headers({"a": "1"}); h.set("b", "2");',
            'let h = new Headers({"a": "1", "b": "2"}); h.set("b", "2");',
        ),
    ],
)
def test_what_is_set_behind_stands_within(code: str, told: str) -> None:
    assert folded(code) == told


@pytest.mark.parametrize(
    "code",
    [
        "const o = {}; if (o.q == 1) x()",
        "const o = {}; other.o.q = 1;",
        "const o = {}; o[k] = 1;",
        "const f = new FormData(); g.append('q', x)",
        "this.o={};o.q=1;that.o.q=1",
        "g(new P().set(k,x))",
        "g(new P().set('q'))",
        "g(new P('q').set('q',x))",
        "f(new P).append('q',x)",
    ],
)
def test_what_sets_nothing_that_is_written_out_changes_nothing(code: str) -> None:
    assert folded(code) == code


def test_an_object_of_the_same_name_has_its_own_members() -> None:
    code = "function a(){const o={};o.a=1;s(o)} function b(){const o={};o.b=2;s(o)}"
    assert folded(code).count('{"a": 1}') == folded(code).count('{"b": 2}') == 1


def test_a_value_that_is_too_long_to_be_read_is_left_where_it_stands() -> None:
    code = f"const o={{}};o.a=f('{'x' * 600}');o.b=1;s(o)"
    assert folded(code) == code.replace("{}", '{"b": 1}')
