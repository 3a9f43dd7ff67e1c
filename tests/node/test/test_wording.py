"""What is told of a baseline in words."""

from gatecrash.core.point import Point
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe
from gatecrash.node.test.wording import undecided_words

QUERY = Point(("get", "ref"))


def test_each_undecided_check_is_told_once_and_what_was_decided_is_not() -> None:
    blocked = inconclusive("sqli", QUERY, Inconclusive.BLOCKED)
    whole = inconclusive("auth", Point(), Inconclusive.NO_CONTROL, "answers 302")
    told = undecided_words([blocked, blocked, safe("xss", QUERY), whole])
    assert told == "sqli at get/ref: blocked; auth at the request: answers 302"
    assert undecided_words([safe("xss", QUERY)]) == ""


def test_no_answer_is_told_by_what_went_wrong() -> None:
    gone = inconclusive("idor", Point(), Inconclusive.CONNECTION, "the target closed the connection")
    assert undecided_words([gone]) == "idor at the request: the target closed the connection"


def test_a_baseline_without_any_check_is_not_called_tested() -> None:
    assert undecided_words([]).startswith("nothing was tested")
