"""Conditions on answers: each part alone, all parts together, and those that cannot be judged."""

import time

import pytest

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.conditions import Bounds, Condition, Measured, any_holds, check, found_in, holds, measured


def seen(
    status: int = 200, body: bytes = b"fine", elapsed: float | None = 0.1, kind: bytes = b"text/plain"
) -> Measured:
    response = Response(status, ((b"Content-Type", kind),), body)
    return measured(Exchange(Request("GET", b"/"), response, elapsed=elapsed))


GOOD = seen()


@pytest.mark.parametrize(
    ("condition", "answer", "expected"),
    [
        (Condition(status=("500",)), seen(500), True),
        (Condition(status=("500",)), seen(502), False),
        (Condition(status=("404", "5xx")), seen(502), True),
        (Condition(status=("500-503",)), seen(503), True),
        (Condition(status=("500-503",)), seen(504), False),
        (Condition(status_difference=True), seen(404), True),
        (Condition(status_difference=True), seen(), False),
        (Condition(status_difference=False), seen(), True),
        (Condition(length=Bounds(at_least=5)), seen(body=b"12345"), True),
        (Condition(length=Bounds(at_least=5)), seen(body=b"1234"), False),
        (Condition(length=Bounds(at_most=3)), seen(body=b"1234"), False),
        (Condition(length_difference=Bounds(at_least=3)), seen(body=b"1"), True),
        (Condition(length_difference=Bounds(at_least=3)), seen(body=b"1234567"), True),
        (Condition(length_difference=Bounds(at_least=4)), seen(body=b"1234567"), False),
        (Condition(time=Bounds(at_least=2)), seen(elapsed=2.5), True),
        (Condition(time=Bounds(at_least=2)), seen(elapsed=None), False),
        (Condition(time_difference=Bounds(at_least=2)), seen(elapsed=2.05), False),
        (Condition(time_difference=Bounds(at_least=2)), seen(elapsed=2.2), True),
        (Condition(body="fi+ne"), seen(), True),
        (Condition(body="^ine"), seen(), False),
        (Condition(status=("2xx",), body="fine", status_difference=False), seen(), True),
        (Condition(status=("2xx",), body="fine", status_difference=True), seen(), False),
    ],
)
def test_a_condition_holds_where_all_its_parts_do(condition, answer, expected):
    check(condition)
    assert holds(condition, answer, GOOD) is expected


def test_one_of_several_is_enough_and_none_of_none():
    broken = Condition(status=("5xx",))
    assert any_holds((Condition(body="never"), broken), seen(500), GOOD)
    assert not any_holds((), seen(500), GOOD)


def test_structure_is_compared_and_not_bytes():
    page = seen(body=b"<p>a</p><p>b</p>", kind=b"text/html")
    same = seen(body=b"<p>a</p>\n\n<p>b</p>", kind=b"text/html")
    other = seen(body=b"<table><tr><td>c</td></tr></table>", kind=b"text/html")
    small, large = Condition(dom_difference=Bounds(at_most=0.01)), Condition(dom_difference=Bounds(at_least=0.8))
    assert holds(small, same, page)
    assert holds(large, other, page)
    assert not holds(large, same, page)


def test_an_expression_is_found_anywhere_and_costs_little():
    assert found_in("needle", "x" * 99_000 + " needle ")
    assert found_in("a{50}b", "c" * 150 + "a" * 50 + "b")
    started = time.process_time()
    found_in("a*b*a*c", "ab" * 50_000)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "condition",
    [
        Condition(),
        Condition(status=("600",)),
        Condition(status=("fine",)),
        Condition(body="("),
        Condition(body="(a+)+"),
    ],
)
def test_a_condition_that_cannot_be_judged_is_refused(condition):
    with pytest.raises(InvalidPattern):
        check(condition)
