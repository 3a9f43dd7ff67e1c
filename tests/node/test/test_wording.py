"""What is told of a baseline in words."""

from gatecrash.core.point import Point
from gatecrash.core.testing.health.refused_sessions import OTHER_OUT, REFUSED_NOW
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe
from gatecrash.node.test.wording import refused_words, undecided_words

QUERY = Point(("get", "ref"))


def test_each_undecided_check_is_told_once_and_what_was_decided_is_not() -> None:
    blocked = inconclusive("sqli", QUERY, Inconclusive.BLOCKED)
    whole = inconclusive("auth", Point(), Inconclusive.NO_CONTROL, "answers 302")
    told = undecided_words([blocked, blocked, safe("xss", QUERY), whole])
    assert told == "sqli at get/ref: blocked; auth at the request: answers 302"
    assert undecided_words([safe("xss", QUERY)]) == ""


def test_checks_that_one_thing_kept_from_deciding_are_told_together() -> None:
    undecided = [
        inconclusive(type_, QUERY, Inconclusive.RATE_LIMITED, "the account was locked") for type_ in ("sqli", "xss")
    ]
    other = inconclusive("xss", Point(("get", "q")), Inconclusive.RATE_LIMITED, "the account was locked")
    told = undecided_words([*undecided, other])
    assert told == "sqli, xss at get/ref: the account was locked; xss at get/q: the account was locked"


def test_no_answer_is_told_by_what_went_wrong() -> None:
    gone = inconclusive("idor", Point(), Inconclusive.CONNECTION, "the target closed the connection")
    assert undecided_words([gone]) == "idor at the request: the target closed the connection"


def test_a_baseline_without_any_check_is_not_called_tested() -> None:
    assert undecided_words([]).startswith("nothing was tested")


def test_the_login_of_another_identity_that_failed_is_not_told_as_the_baselines_own_session() -> None:
    told = f"{OTHER_OUT}: identity 'bob', login[0]: answered 401"
    out = inconclusive("idor", Point(), Inconclusive.SESSION, told)
    assert refused_words([inconclusive("sqli", QUERY, Inconclusive.BLOCKED), out], own=False) == told
    assert refused_words([out], own=True) == REFUSED_NOW
    assert (
        refused_words([out, inconclusive("sqli", QUERY, Inconclusive.SESSION, REFUSED_NOW)], own=False) == REFUSED_NOW
    )


def test_an_identity_that_has_no_login_leaves_the_service_to_look_for_one() -> None:
    assert refused_words([inconclusive("idor", Point(), Inconclusive.SESSION, OTHER_OUT)], own=False) == REFUSED_NOW
