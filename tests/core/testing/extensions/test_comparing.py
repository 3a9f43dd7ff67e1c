"""What a later run looked for again: never more than it really did."""

import pytest

from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.extensions.comparing import looked_for, reaches
from gatecrash.core.testing.policy import DEFAULT, QUICK, THOROUGH, Policy


def own(type_: str) -> Source:
    text = f"meta-info: {{title: t, type: {type_}}}\nsend: {{url: /}}\ndetect: {{response: {{status: 500}}}}\n"
    return Source(name=type_, text=text)


def policy(*types: str, extensions: tuple[Source, ...] = (), only: bool = False) -> Policy:
    return Policy(id="p", name="p", types=types, extensions=extensions, only_custom=only)


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (policy("sqli", "xss"), policy("sqli"), {"sqli"}),
        (policy("sqli"), policy("sqli", extensions=(own("sqli"),), only=True), set()),
        (policy("sqli", extensions=(own("info"),)), policy("sqli", extensions=(own("info"),)), {"sqli", "info"}),
        (policy("sqli", "info", extensions=(own("info"),)), policy("sqli", "info"), {"sqli"}),
        (policy(extensions=(own("info"),), only=True), policy(extensions=(own("info"),), only=True), {"info"}),
        (policy("info"), policy("sqli", extensions=(own("info"),)), {"sqli"}),
        (policy("sqli"), policy("sqli", "xss"), {"sqli", "xss"}),
    ],
)
def test_a_type_counts_only_where_all_that_could_have_found_it_was_there_again(earlier, later, expected):
    assert looked_for(earlier, later) == expected


def test_one_family_finds_nothing_out_about_what_all_families_found() -> None:
    assert looked_for(DEFAULT, QUICK) == frozenset()
    assert looked_for(QUICK, QUICK) == looked_for(QUICK, DEFAULT) == set(DEFAULT.types)


@pytest.mark.parametrize(
    ("type_", "point", "is_reached"),
    [
        ("sqli", ("get", "q"), True),
        ("sqli", ("header", "COOKIE", "cookie", "recent"), False),
        ("sqli", ("get", "q", "name"), False),
        ("auth", ("header", "AUTHORIZATION"), True),
        ("cors", (), True),
    ],
)
def test_a_policy_reaches_the_places_it_names(type_: str, point: tuple[str, ...], is_reached: bool) -> None:
    assert reaches(DEFAULT, type_, point) is is_reached
    assert reaches(THOROUGH, type_, point)


def test_what_a_policy_includes_and_excludes_bounds_what_it_reaches() -> None:
    narrow = Policy(id="p", name="p", types=("sqli",), include=(("get", "a|b"),), exclude=(("get", "b"),))
    assert [reaches(narrow, "sqli", ("get", name)) for name in "abc"] == [True, False, False]
