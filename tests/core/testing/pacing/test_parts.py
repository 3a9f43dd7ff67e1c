"""Headers and cookies are put off, and found again; nothing is made twice, and nothing is lost."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, forecast, plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.pacing.parts import EVERYTHING, OTHERS, Todo, to_make
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.policy import THOROUGH, Policy

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
    whole = made(EVERYTHING)
    first = [each for each in whole if not Todo(up_to=Pass.TELLING).puts_off(each)]
    parts = [first]
    for number in (1, 2, 3):
        todo = Todo(number, Pass(number))
        parts.append([each for each in made(todo) if not todo.puts_off(each)])
    assert all(parts)
    assert {each.point[0] for each in parts[-1]} == {"header"}
    assert sorted(repr(name) for part in parts for name in names(part)) == sorted(map(repr, names(whole)))


def test_as_others_is_asked_what_was_not_and_what_was_put_off_is_still_to_be_made() -> None:
    todo = Todo(2, Pass.TELLING, belated=True)
    others, late = names(made(OTHERS)), names(made(Todo(2)))
    assert "idor" in {type_ for type_, _, _ in others}
    assert set(names(made(todo))) == {*others, *late}
    now = [each for each in made(todo) if not todo.puts_off(each)]
    assert set(names(now)) == set(others) - set(late)


def test_a_part_is_named_by_what_was_made_and_the_first_where_others_come_first() -> None:
    assert [each.part for each in (EVERYTHING, Todo(2, Pass.DEAR), Todo(2, belated=True), OTHERS)] == [0, 2, 0, 0]
    assert not any(map(OTHERS.puts_off, checks()))


def test_what_is_put_off_gets_what_the_budget_leaves() -> None:
    late = made(Todo(3))
    assert names(made(Todo(3), budget=100 + forecast(late), spent=100)) == names(late)
    assert made(Todo(3), budget=100, spent=100) == []


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
