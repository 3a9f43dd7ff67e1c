"""Expressions are read as far as they are written out."""

import pytest

from gatecrash.formats.scripts.literals import Script, script_of


def argument(code: str) -> tuple[Script, tuple[int, int]]:
    """What stands in the brackets of f(…)."""
    script = Script(code)
    begin = script.code.index("f(") + 2
    return script, (begin, script.matching(begin - 1))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("f('/a')", "/a"),
        ('f("/a" + id + "/b")', "/a1/b"),
        ("f(`/a/${x.y}/b`)", "/a/1/b"),
        ("const API = '/api'; f(API + '/a')", "/api/a"),
        ("const API = '/api'; f(`${API}/a/${ id }`)", "/api/a/1"),
        ("const n=1,API='/api';f(`${API}/a/${id}`)", "/api/a/1"),
        ("const API='/api',V2=`${API}/v2`,OLD=API+'/v1';f(V2+OLD)", "/api/v2/api/v1"),
        ("const API=env.API||'/api';f(API+'/a')", "/api/a"),
        ("const p={a:'/a',b:{}};f(`${p.a}/${id}`+p.a)", "/a/1/a"),
        ("f('/a/'.concat(id,'/b').concat(c))", "/a/1/b1"),
        (r"f('\x2fa\u0062\'')", "/ab'"),
        ("f('/a', // not ')'\n b)", "/a"),
        ("const p={a:{b:'/a'}};f(p.a.b)", "/a"),
        ("const p={one:i=>`/a/${i}`};f(p.one(x)+'/b')", "/a/1/b"),
        ("function g(e){let n='/a/'+e;return f(n)}", "/a/1"),
        ("f('/a/<id>/b'.replace('<id>', x))", "/a/1/b"),
        ("const p={one:'/a/:id'};f(p.one.replace(/:id/g, x))", "/a/1"),
        ("f(`/a?${new URLSearchParams({q:'x'})}`)", "/a?q=x"),
        ("let n='/a';n=n.replace('a',n);f(n)", "/a"),
    ],
)
def test_texts_are_joined_and_unknown_parts_are_one(code: str, text: str) -> None:
    script, place = argument(code)
    assert script.text(*script.parts(*place)[0]) == text


@pytest.mark.parametrize(
    "code",
    [
        "f(address)",
        "f(x + '/a')",
        "f()",
        "f(a('/b'))",
        "const p={a:q};f(p.a)",
        "const p={a:p.a};f(p.a)",
        "const a=b+'/x';f(a)",
        "var a=a.b;f(a.b)",
        "var a=b.c,b=a.d;f(a.c,{a})",
    ],
)
def test_what_does_not_begin_with_a_text_is_none(code: str) -> None:
    script, place = argument(code)
    assert script.text(*place) is None


@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("f(base + '/a/' + id)", "/a/1"),
        ("f(`${base}/a`)", "/a"),
        ("f(''.concat(base, '/a/').concat(id))", "/a/1"),
        ("const base='/api';f(''.concat(base, '/a'))", "/api/a"),
        ("class A{constructor(h){this.h=h,this.url='/a'}all(){return f(this.url)}}", "/a"),
        ("class A{url='/a';}class B{url=`/b`;one(n){return f(`${this.url}/${n}`)}}class C{url='/c'}", "/b/1"),
        ("class A{url=x.y;one(n){return f(this.url+'/'+n)}}", "/1"),
        ("class A{one(n){return f(this.url+'/a')}}class B{url='/b'}", "/a"),
        ("class A{constructor(){this.url=this.url+'/a'}one(){return f(this.url)}}", None),
        ("class A{constructor(){this.url='/a'+this.url}one(){return f(this.url)}}", None),
        ("f(''.concat(base))", None),
        ("f(base + 'a')", None),
    ],
)
def test_an_address_is_the_path_behind_a_variable(code: str, address: str | None) -> None:
    script, place = argument(code)
    assert script.address(*place) == address


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("x='/a'+'/b';y", "/a/b"),
        ("x='/a'\ny='/b'", "/a"),
        ("x='/a'+\n'/b'\ny", "/a/b"),
        ("{x:'/a',y:1}", "/a"),
        ("x=`/a/${y}`", None),
        ("x='/a'+y", None),
        ("x=y", None),
    ],
)
def test_an_expression_is_told_where_all_of_it_is_written_out(code: str, text: str | None) -> None:
    script = Script(code)
    assert script.written_out(code.index("x") + 2) == text


def test_objects_are_worth_what_they_say_and_names_stand_for_their_kind() -> None:
    script, place = argument(
        "f({a: 'x', 'b-c': [1, -2.5, {d: true}], email: box.value, none: null, \"q\": `t`, short})"
    )
    worth = {"a": "x", "b-c": [1, -2.5, {"d": True}], "email": "user@example.com", "none": None, "q": "t"}
    value = script.value(*place, "data")
    assert isinstance(value, dict)
    assert {**value, "short": 0} == {**worth, "short": 0}


@pytest.mark.parametrize(
    ("code", "members"),
    [
        ("f({...a,size:2})", ["size"]),
        ("const a={q:'x',size:1};f({ ...a, size: 2 })", ["q", "size"]),
        ("const a={...a,q:'x'};f({...a})", ["q"]),
        ("f({...{b:1},...c.d})", ["b"]),
    ],
)
def test_objects_that_are_spread_in_another_have_its_members(code: str, members: list[str]) -> None:
    script, place = argument(code)
    assert list(script.members(*place)) == members


def test_an_object_that_has_a_name_is_found_by_it() -> None:
    script, place = argument("const data = {n: 3}; f(data)")
    assert script.value(*place, "data") == {"n": 3}
    assert Script("f({a: 1} + x)").members(2, 12) == {}


def test_whole_texts_alone_are_told() -> None:
    script = Script("a('/one'); b('/two' + x); c(x + '/three'); `/four`; `/${five}`; // '/six'\n")
    assert list(script.written) == ["/one", "/four"]


def test_what_names_mean_is_read_where_one_is_asked_for_alone() -> None:
    script = Script("const data = '/one'; f('/two'); f(data)")
    assert list(script.written) == ["/one", "/two"]
    assert script.text(23, 29) == "/two"
    assert "scopes" not in vars(script)
    assert script.text(34, 38) == "/one"
    assert "scopes" in vars(script)


@pytest.mark.parametrize(
    "code", ["f((((", "f({a:", "f('", "f(`${`", "f({'a' 'b'})", "f([,,])", "const x = {; f(x)", "f(01)"]
)
def test_broken_scripts_raise_nothing(code: str) -> None:
    script, (begin, end) = argument(code)
    for part in script.parts(begin, end):
        script.text(*part)
        script.value(*part, "name")


def test_a_name_that_several_functions_declare_is_known_of_none() -> None:
    script, place = argument("function a(){let t='x'} function b(){let t='y'; return c} f('/a/' + t)")
    assert script.text(*place) == "/a/1"


@pytest.mark.parametrize(
    "code",
    [
        "var a0='/a'," + ",".join(f"a{n}=" + "+".join([f"a{n - 1}"] * 50) for n in range(1, 12)) + ";f(a11)",
        "f(''" + ".concat('a')" * 3_000 + ")",
        "const o0={a:'/a'}," + ",".join(f"o{each}={{a:o{each - 1}.a}}" for each in range(1, 3_000)) + ";f(o2999.a)",
        "class A{constructor(){"
        + "".join(f"this.u{each}=this.u{each - 1};" for each in range(3_000))
        + "f(this.u2999)}}",
    ],
)
def test_long_rows_are_read_a_bounded_way(code: str) -> None:
    script = Script(code)
    begin = code.rindex("f(") + 2
    assert script.text(begin, len(code) - 1) is None


def test_a_script_that_is_read_again_soon_is_the_same_one_and_few_are_kept() -> None:
    first = script_of("f('/a')")
    assert script_of("".join(("f(", "'/a')"))) is first
    for code in ("f('/b')", "f('/c')"):
        script_of(code)
    assert script_of("f('/a')") is not first
