"""What the learner lets out, and what it never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.templates import MOST_CHILDREN, MOST_SPLIT_CHILDREN, TemplateLearner, of_a_file, shape_of


def seen(learner: TemplateLearner, path: bytes, times: int = 3) -> str | None:
    for _ in range(times - 1):
        learner.observe("h", path)
    return learner.observe("h", path)


def test_a_name_leaves_when_it_was_seen_three_times():
    learner = TemplateLearner()
    assert [learner.observe("h", b"/users") for _ in range(3)] == [None, None, "/users"]


def test_identifiers_do_not_hold_a_path_back():
    learner = TemplateLearner()
    assert [learner.observe("h", f"/users/{n}/orders".encode()) for n in range(3)] == [
        None,
        None,
        "/users/{user_id}/orders",
    ]


def test_names_are_learned_for_each_host():
    learner = TemplateLearner()
    seen(learner, b"/users")
    assert learner.resolve("other", b"/users") is None


def test_thirty_children_make_a_parameter_and_let_no_name_out():
    learner = TemplateLearner()
    for n in range(MOST_CHILDREN):
        learner.observe("h", b"/people/" + name(n))
    assert learner.observe("h", b"/people/zoe") == "/people/{person_id}".replace("person", "people")
    assert all(learner.resolve("h", b"/people/" + name(n)) == "/people/{people_id}" for n in range(MOST_CHILDREN))


def test_in_a_file_many_children_keep_their_names_and_not_without_end():
    learner = of_a_file()
    shown = [learner.observe("h", b"/people/" + name(n)) for n in range(MOST_SPLIT_CHILDREN + 10)]
    assert shown[0] == "/people/" + name(0).decode()
    assert shown[MOST_CHILDREN + 7] == "/people/" + name(MOST_CHILDREN + 7).decode()
    assert shown[-1] == "/people/{people_id}"


def test_what_left_before_the_thirtieth_child_keeps_its_name():
    learner = TemplateLearner()
    seen(learner, b"/api/debug")
    for n in range(MOST_CHILDREN):
        learner.observe("h", b"/api/" + name(n))
    assert learner.resolve("h", b"/api/debug") == "/api/debug"
    assert learner.resolve("h", b"/api/other") == "/api/{api_id}"


def test_what_lies_below_a_parameter_is_learned_again():
    learner = TemplateLearner()
    for n in range(40):
        learner.observe("h", b"/people/" + name(n) + b"/orders")
    assert learner.observe("h", b"/people/zoe/orders") == "/people/{people_id}/orders"


def test_resolving_learns_nothing():
    learner = TemplateLearner()
    assert [learner.resolve("h", b"/users") for _ in range(9)] == [None] * 9


def test_a_random_looking_segment_never_leaves():
    learner = TemplateLearner()
    assert seen(learner, b"/reset/kX9fQ2vLm3", 50) == "/reset/{reset_id}"


def test_root_and_trailing_slash():
    learner = TemplateLearner()
    assert learner.observe("h", b"/") == "/"
    assert seen(learner, b"/a/") == "/a/"
    assert learner.resolve("h", b"/a") == "/a"


def test_a_files_kind_stays_behind_its_identifier():
    learner = TemplateLearner()
    assert seen(learner, b"/files/17.pdf") == "/files/{file_id}.pdf"


def test_raw_bytes_and_braces_are_shown_escaped():
    learner = TemplateLearner()
    assert seen(learner, "/café/{x}".encode()) == "/caf%C3%A9/%7Bx%7D"


@pytest.mark.parametrize(
    ("paths", "template"),
    [
        (("/cars;color=red/7", "/cars;color=blue;year=2020/8"), "/cars/{car_id}"),
        (("/users;jsessionid=3f9a0c77de114b02", "/users;jsessionid=77de114b023f9a0c"), "/users"),
        (("/caf%C3%A9", "/caf%c3%a9", "/café"), "/caf%C3%A9"),
        (("/%7Eann", "/~ann"), "/~ann"),
        (("/Orders(5)", "/Orders(%27ABC%27)", "/Orders(Id=5,Kind='x')"), "/Orders({order_id})"),
        (("/Orders(5)/Lines(7)/Cup",), "/Orders({order_id})/Lines({line_id})/Cup"),
        (("/Orders(5)/orders/7",), "/Orders({order_id})/orders/{order_id_2}"),
        (("/users/7:archive", "/users/0b8f4a52-3c1d-4a5e-9f60-7c1d2e3f4a5b:archive"), "/users/{user_id}:archive"),
        (("/users/7:archive/notes/9:undoIt",), "/users/{user_id}:archive/notes/{note_id}:undoIt"),
        (("/users/10:30", "/users/fe80::1:abcd"), "/users/{user_id}"),
        (("/3/movies/17",), "/3/movies/{movie_id}"),
        (("/rest/api/2/issue/TEA-42", "/rest/api/2/issue/TEA-7"), "/rest/api/2/issue/{issue_id}"),
        (("/rest/API/2/6f1c0e6a-6d1b-4c80-a6f7-1d0c5a3a3a10",), "/rest/API/2/{id}"),
        (("/users/3/orders", "/users/4/orders"), "/users/{user_id}/orders"),
        (("/api/7", "/api/8"), "/api/{api_id}"),
        (("/7/", "/8/"), "/{id}/"),
        (("/2024/5/17", "/2023/6/18"), "/{id}/{id_2}/{id_3}"),
        (("/5/17", "/6/18"), "/{id}/{id_2}"),
    ],
)
def test_one_resource_is_one_template_however_it_is_written(paths, template):
    learner = TemplateLearner()
    for path in paths * 3:
        learner.observe("h", path.encode())
    assert {learner.resolve("h", path.encode()) for path in paths} == {template}


def test_a_name_before_parentheses_must_be_seen_as_often_as_any():
    learner = TemplateLearner()
    assert [learner.observe("h", b"/Orders(%d)" % number) for number in range(3)] == [
        None,
        None,
        "/Orders({order_id})",
    ]
    assert learner.observe("h", b"/kX9fQ2(5)") == "/{id}"


def test_what_is_done_with_a_thing_must_be_seen_as_often_as_any_name():
    """A custom method is an endpoint of its own: an open `:export` must not drown in `/users/{user_id}`."""
    learner = TemplateLearner()
    assert [learner.observe("h", b"/users/%d:export" % number) for number in range(3)] == [
        None,
        None,
        "/users/{user_id}:export",
    ]
    assert learner.observe("h", b"/users/7") == "/users/{user_id}"
    assert learner.resolve("h", b"/users/9:export") == "/users/{user_id}:export"


def test_memory_is_bounded_and_paths_beyond_it_are_parameters():
    learner = TemplateLearner(most_nodes=50)
    for n in range(500):
        learner.observe("h", b"/" + name(n) + b"/" + name(n + 1) + b"/" + name(n + 2))
    assert learner._room >= -60
    assert learner.observe("h", b"/fresh/words/here") is not None


def name(number: int) -> bytes:
    """A word without digits, one for each number."""
    letters = b"abcdefghij"
    return b"na" + bytes(letters[int(digit)] for digit in str(number)) + b"o"


segments = st.binary(max_size=12).filter(lambda raw: b"?" not in raw)


@given(st.lists(segments, max_size=80))
def test_any_path_gives_one_template_that_starts_with_a_slash_and_shows_ascii_only(parts):
    learner = TemplateLearner(seen_to_leave=1)
    path = b"/" + b"/".join(parts)
    template = learner.observe("h", path)
    assert template is not None
    assert template.startswith("/")
    assert template.isascii()
    assert template == learner.resolve("h", path)
    assert shape_of(path).startswith("/")


@given(st.lists(st.sampled_from([b"ann", b"bob", b"cyd", b"dan"]), max_size=30))
def test_no_name_seen_fewer_than_three_times_is_ever_in_a_template(names):
    learner = TemplateLearner()
    for index, person in enumerate(names):
        template = learner.observe("h", b"/users/" + person)
        if template is not None and person.decode() in template:
            assert names[: index + 1].count(person) >= 3


def strange(learner: TemplateLearner, path: bytes, times: int = 1) -> str | None:
    """As `seen`, where nothing says that the application has the path."""
    placed = [learner.place("h", path, sure=False) for _ in range(times)][-1]
    return placed.template if placed else None


def test_names_that_may_be_none_make_no_parent_varied_for_those_that_are_sure():
    learner = TemplateLearner()
    for n in range(2 * MOST_CHILDREN):
        strange(learner, b"/" + name(n), 2)
    assert strange(learner, b"/zoe") == "/{id}"
    assert [learner.observe("h", b"/orders/7") for _ in range(3)] == [None, None, "/orders/{order_id}"]
    assert strange(learner, b"/orders/7") == "/orders/{order_id}"


def test_those_that_left_give_way_to_sure_ones_the_least_seen_first_and_no_parent_has_more_than_it_may():
    learner = TemplateLearner()
    for n in range(MOST_CHILDREN - 1):
        strange(learner, b"/" + name(n), 2 if n else 3)
    for n in range(MOST_CHILDREN - 3):
        learner.observe("h", b"/sure" + name(n))
    assert learner.resolve("h", b"/" + name(0)) == "/" + name(0).decode()
    for n in range(MOST_CHILDREN - 2):
        seen(learner, b"/sure/" + name(n))
        seen(learner, b"/sure" + name(n))
    assert strange(learner, b"/" + name(1)) == "/{id}"
    assert learner.resolve("h", b"/sure" + name(0)) == "/sure" + name(0).decode()
    for n in range(MOST_CHILDREN, 2 * MOST_CHILDREN):
        learner.observe("h", b"/sure" + name(n))
    assert learner.resolve("h", b"/sure" + name(MOST_CHILDREN)) == "/{id}", "of sure ones there are no more than before"


def test_of_those_that_left_the_one_that_is_still_asked_for_is_the_last_to_give_way():
    learner = TemplateLearner()
    for n in range(MOST_CHILDREN - 1):
        strange(learner, b"/" + name(n), 3)
    strange(learner, b"/" + name(0), 20)
    for n in range(MOST_CHILDREN - 2):
        seen(learner, b"/sure" + name(n))
    assert strange(learner, b"/" + name(0)) == "/" + name(0).decode()
    assert strange(learner, b"/" + name(1)) == "/{id}"


def test_a_name_that_was_answered_well_once_gives_way_to_none():
    learner = TemplateLearner()
    strange(learner, b"/login", 3)
    learner.observe("h", b"/login")
    for n in range(2 * MOST_CHILDREN):
        strange(learner, b"/" + name(n), 3)
    for n in range(2 * MOST_CHILDREN):
        seen(learner, b"/sure" + name(n))
    assert learner.resolve("h", b"/login") == "/login"
