"""Functions whose source is a value, with other code in them."""

import pytest

from gatecrash.core.testing.payloads.rce_functions import (
    JAVASCRIPT,
    PYTHON,
    given_back,
    in_class,
    in_front_matter,
    language_of_function,
)


@pytest.mark.parametrize(
    ("value", "language", "filled"),
    [
        ("function rate(x) { return x * 2 }", JAVASCRIPT, "function rate(x) { return 6*7 }"),
        ("async function(a, b){ return a }", JAVASCRIPT, "async function(a, b){ return 6*7 }"),
        ("x => x + 1", JAVASCRIPT, "x => (6*7)"),
        ("(a, b) => { return a }", JAVASCRIPT, "(a, b) => (6*7)"),
    ],
)
def test_a_function_of_javascript_gives_back_what_is_put_in(value, language, filled):
    assert language_of_function(value) == language
    assert given_back(value, "6*7") == filled


@pytest.mark.parametrize(
    "value",
    [
        "def rate(x):\n    return x * 2\n",
        "import math\n\ndef rate(x: float) -> float:\n    y = math.sin(x)\n    return y\n",
        "rate = 0\nasync def other(x):\n\treturn x",
    ],
)
def test_a_function_of_python_gives_back_what_is_put_in(value):
    names: dict[str, object] = {}
    exec(given_back(value, "6*7").replace("async ", ""), names)
    function = names.get("rate") or names["other"]
    assert language_of_function(value) == PYTHON
    assert function(3) == 42


def test_a_lambda_gives_back_what_is_put_in():
    assert eval(given_back("lambda x: x + 1", "6*7"))(3) == 42


@pytest.mark.parametrize(
    "value",
    ["", "Anna", "2+3", "our function (the second) is open", "a -> b", "if x => 3", "lambda", "x" * 30_000 + "=>"],
)
def test_what_is_no_function_stays_as_it_is(value):
    assert language_of_function(value) is None
    assert given_back(value, "6*7") == value


@pytest.mark.parametrize(
    "value",
    [
        "class Rate(Base):\n    name = 'x'\n\n    def run(self):\n        return 1\n",
        "from math import pi\n\nclass Rate :\n\tname = 'x'\n",
    ],
)
def test_the_body_of_a_class_carries_out_what_is_put_in_and_keeps_the_rest(value):
    done: list[int] = []
    names: dict[str, object] = {"Base": object, "done": done}
    exec(in_class(value, "done.append(1)") or "", names)
    assert done == [1]
    assert vars(names["Rate"])["name"] == "x"


@pytest.mark.parametrize("value", ["", "class", "our class (the third): it begins", "class Rate: pass", "x" * 30_000])
def test_what_is_no_class_has_no_body(value):
    assert in_class(value, "pass") is None


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("---\ntitle: a\n---\n# b", "---js\n{title: 'x', date: c()}\n---\n# b"),
        ("---yaml\r\ntitle: a\r\n---", "---js\n{title: 'x', date: c()}\r\n---"),
        ("# b\n---\ntitle: a\n---\n", None),
        ("---\ntitle: a", None),
        ("----\ntitle: a\n---\n", None),
    ],
)
def test_front_matter_may_be_code(value: str, filled: str | None) -> None:
    assert in_front_matter(value, "c()", "x") == filled
