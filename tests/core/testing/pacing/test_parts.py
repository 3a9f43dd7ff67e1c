"""Headers and cookies are put off, and found again; nothing is made twice, and nothing is lost."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, forecast, plan
from gatecrash.core.testing.pacing.parts import Todo, is_late, to_make
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy

TOKEN = Point.of("header", "AUTHORIZATION", "bearer")
HEADERS = (
    (b"Host", b"shop.example"),
    (b"Authorization", b"Bearer 3f9a0c77de114b02"),
    (b"User-Agent", b"Browser/7"),
    (b"Cookie", b"theme=dark"),
)
REQUEST = Request("GET", b"/orders/31?q=lamp", HEADERS)


def checks(
    policy: Policy = THOROUGH, request: Request = REQUEST, told: set[tuple[str, ...]] | None = None
) -> list[Check]:
    baseline = Baseline("bl_1", Exchange(request, Response(200, body=b'{"order": 31}')))
    both = (Identity("recorded 1"), Identity("recorded 2"))
    return plan(baseline, policy, [TOKEN], identities=both, told=told)


def names(made: list[Check]) -> list[tuple[str, str, Point]]:
    return [(each.probe.type, each.probe.name, each.point) for each in made]


def made(todo: Todo, budget: int | None = None, spent: int = 0) -> list[Check]:
    return to_make(checks(), todo, set(), budget, spent)[0]


def test_the_parts_together_are_all_checks() -> None:
    whole = made(Todo.ALL)
    first = [each for each in whole if not is_late(each)]
    second = made(Todo.LATE)
    assert first
    assert {each.point[0] for each in second} == {"header"}
    assert sorted(map(repr, names(first) + names(second))) == sorted(map(repr, names(whole)))


def test_as_others_is_asked_what_was_not_and_what_was_put_off_is_still_to_be_made() -> None:
    others, late = names(made(Todo.OTHERS)), names(made(Todo.LATE))
    assert "idor" in {type_ for type_, _, _ in others}
    assert set(names(made(Todo.OTHERS_AND_LATE))) == {*others, *late}


@pytest.mark.parametrize("todo", Todo)
def test_what_is_to_be_made_is_told_by_two_words(todo: Todo) -> None:
    assert Todo.of(belated=todo.belated, resumed=todo.resumed) is todo


def test_nothing_is_put_off_by_policies_that_leave_headers_out_or_of_what_destroys() -> None:
    assert not any(map(is_late, checks(DEFAULT)))
    assert not any(map(is_late, checks(request=msgspec.structs.replace(REQUEST, method="DELETE"))))
    assert any(map(is_late, checks(request=msgspec.structs.replace(REQUEST, method="POST"))))


def test_what_is_put_off_gets_what_the_budget_leaves() -> None:
    late = made(Todo.LATE)
    assert names(made(Todo.LATE, budget=100 + forecast(late), spent=100)) == names(late)
    assert made(Todo.LATE, budget=100, spent=100) == []


def test_what_few_pages_are_asked_is_chosen_anew_where_another_process_chose_other_pages() -> None:
    """In its own memory these places are taken by pages whose second part another process makes."""
    request = msgspec.structs.replace(REQUEST, headers=(*HEADERS, (b"Accept", b"text/html")))
    accept, run = Point.of("header", "ACCEPT"), set[tuple[str, ...]]()
    pages = [msgspec.structs.replace(request, target=b"/%s" % name) for name in (b"a", b"b", b"c", b"d")]
    of_pages = [Baseline(f"bl_{one.target!r}", Exchange(one, Response(200))) for one in pages]
    planned = [[check.point for check in plan(one, THOROUGH, told=run)] for one in of_pages]
    assert [accept in points for points in planned] == [True, True, True, False]
    anew = [check.point for check in plan(of_pages[3], THOROUGH, told=run, asked=set())]
    assert accept in anew
