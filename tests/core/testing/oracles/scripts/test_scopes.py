"""Which variable a name stands for."""

import pytest

from gatecrash.core.testing.oracles.scripts.scopes import Scopes
from gatecrash.core.testing.oracles.scripts.tokens import tokens_of


def variables(code, name):
    """What each place of the name stands for, in order, by numbers; -1 for nothing."""
    read = tokens_of(code)
    scopes = Scopes(read)
    found = [
        scopes.variable(place) for place, text in enumerate(read.texts) if text == name and not read.is_member(place)
    ]
    order = []
    for each in found:
        if each is not None and each not in order:
            order.append(each)
    return [-1 if each is None else order.index(each) for each in found]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("var e = 1; e", [0, 0]),
        ("e", [-1]),
        ("x.e; var e", [0]),
        ("function a(e) { e } function b(e) { e }", [0, 0, 1, 1]),
        ("function a(e) { e } e", [0, 0, -1]),
        ("var e; e => e; e", [0, 1, 1, 0]),
        ("(e, t) => { e }; (e) => e", [0, 0, 1, 1]),
        ("async e => await e", [0, 0]),
        ("let e; { let e; e } e", [0, 1, 1, 0]),
        ("function f() { if (a) { var e } e } e", [0, 0, -1]),
        ("for (let e of a) { e } for (let e of b) e; e", [0, 0, 1, 1, -1]),
        ("try {} catch (e) { e } e", [0, 0, -1]),
        ("const { a: e, b: [t] } = x; e", [0, 0]),
        ("function f({ e, t = 2 }) { e } e", [0, 0, -1]),
        ("class A { m(e) { e } get n() { return e } } e", [0, 0, -1, -1]),
        ("({ m(e) { e } }); e", [0, 0, -1]),
        ('import { f as e } from "x"; e', [0, 0]),
        ("if (e) { e } var e", [0, 0, 0]),
        ("const f = function* (e) { yield e }; e", [0, 0, -1]),
    ],
)
def test_names_of_their_scopes(code, told):
    assert variables(code, "e") == told


def given(code, name="e"):
    read = tokens_of(code)
    scopes = Scopes(read)
    variable = next(each for each in scopes.variables() if each.name == name)
    return [" ".join(read.texts[each : read.end_of(each)]) for each in variable.given], variable


def test_what_a_variable_is_given():
    assert given("let e = 1, t = 2; e = t; e += 3; x.e = 4")[0] == ["1", "t", "3"]
    assert given("var t = f(1, 2), e = 3")[0] == ["3"]


def test_what_is_taken_out_of_an_object():
    variable = given("const { title: e, body } = note")[1]
    assert (variable.member, variable.beside) == ("title", frozenset({"body"}))


def test_others_are_unsure():
    assert given("let e = 1; e++")[1].is_unsure
    assert given("function f(e) {}")[1].is_unsure
    assert not given("let e = 1")[1].is_unsure


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("n => n", 1),
        ("(a, b) => a", 2),
        ("function (a, b, c) {}", 3),
        ("async (a) => a", 1),
        ("() => 1", 0),
        ("({ a }, b) => a", 2),
    ],
)
def test_functions_that_are_written_out(code, params):
    read = tokens_of(code)
    function = Scopes(read).function_of(0)
    assert function is not None
    assert len(function.params) == params


@pytest.mark.parametrize("code", ["a", "(a)", "a + b", "if (a) {}"])
def test_others_are_no_functions(code):
    assert Scopes(tokens_of(code)).function_of(0) is None
