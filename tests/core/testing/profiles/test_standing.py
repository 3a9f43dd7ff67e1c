"""Who of a record's users may do more than others, by the application's own words for their roles."""

import pytest
from tests.core.testing.profiles.recording import basic, seen

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.standing import Standing, role_cookies, standings


def user(word: str, *paths: str) -> Standing:
    one = Standing()
    one.hear([("role", word)] if word else [])
    for path in paths:
        request = Request("GET", path.encode(), (), b"", "https", "camp.example", 443)
        one.see(Exchange(request, Response(200, body=b"{}")))
    return one


def compared(*users: Standing, ordinary: frozenset[str] = frozenset()) -> tuple[list[bool], list[set[str]]]:
    own = standings(((one, set()) for one in users), ordinary)
    return [one.manages for one in users], own


def test_who_alone_has_functions_below_the_name_of_his_role_stands_above_the_others() -> None:
    guest, warden = user("guest", "/me", "/warden/notices"), user("warden", "/me", "/warden/notices", "/warden/pitches")
    assert compared(guest, warden) == ([False, True], [set(), {"role=warden/pitches"}])


def test_a_section_may_have_the_role_in_the_plural() -> None:
    guest = user("guest", "/me", "/wardens/search")
    warden = user("warden", "/wardens/search", "/wardens/available", "/wardens/fines/8")
    assert compared(guest, warden) == ([False, True], [set(), {"role=warden/fines"}])


def flagged(flag: str, says: str, *paths: str) -> Standing:
    one = user("", *paths)
    one.hear([(flag, says)])
    return one


def test_a_flag_tells_a_role_where_a_section_of_its_name_is_entered_by_him_alone() -> None:
    member, keeper = flagged("is_curator", "0", "/me"), flagged("is_curator", "1", "/me", "/curator/members")
    assert compared(member, keeper) == ([False, True], [set(), {"role=curator/members"}])


@pytest.mark.parametrize(
    ("flag", "section", "also"),
    [
        ("is_curator", "/shelves/7", ""),
        ("is_curator", "/curator/members", "/curator/hours"),
        ("is_premium", "/premium/films", ""),
        ("is_seller", "/seller/orders", ""),
    ],
    ids=["no such section", "others are let in", "who pays", "a side of a market"],
)
def test_a_flag_alone_raises_nobody(flag: str, section: str, also: str) -> None:
    member, keeper = flagged(flag, "false", "/me", *([also] if also else [])), flagged(flag, "true", "/me", section)
    assert compared(member, keeper) == ([False, False], [set(), set()])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (user("rider", "/rides"), user("driver", "/driver/rides")),
        (user("ranger", "/ranger/rota"), user("warden", "/warden/pitches")),
        (user("guest", "/warden/pitches"), user("warden", "/warden/pitches")),
        (user("", "/me"), user("warden", "/warden/pitches")),
        (user("warden", "/warden/rota"), user("warden", "/warden/pitches")),
        (user("captain", "/me"), user("member", "/member/orders")),
        (user("ranger", "/me"), user("warden", "/warden/3/contact")),
    ],
    ids=[
        "sides of a market", "functions of its own each", "the other was let in", "a role that nobody named", "one role", "a low role",
        "one of many by his number",
    ],
)  # fmt: skip
def test_equals_stay_equals(one: Standing, other: Standing) -> None:
    assert compared(one, other) == ([False, False], [set(), set()])


@pytest.mark.parametrize(
    ("told", "manage"),
    [
        ([("level", "1"), ("level", "1"), ("level", "3")], [False, False, True]),
        ([("role_id", "2"), ("role_id", "1"), ("role_id", "2")], [False, True, False]),
        ([("is_staff", "0"), ("is_staff", "1")], [False, True]),
        ([("level", "1"), ("level", "3")], [False, False]),
        ([("level", "1"), ("level", "2"), ("level", "3")], [False, False, False]),
        ([("group_id", "1"), ("group_id", "1"), ("group_id", "2")], [False, False, False]),
        ([("level", "1"), ("level", "1"), ("seat", "3")], [False, False, False]),
    ],
    ids=["a level", "a role", "a flag", "of two", "one each", "a tenant's, perhaps", "not told of all"],
)
def test_so_does_whose_role_has_another_number(told: list[tuple[str, str]], manage: list[bool]) -> None:
    users = [user("") for _ in told]
    for one, field in zip(users, told, strict=True):
        one.hear([field])
    assert compared(*users)[0] == manage


def test_whose_role_differs_from_the_one_that_all_others_have_stands_above_them() -> None:
    assert compared(user("listener"), user("listener"), user("director"))[0] == [False, False, True]
    assert compared(user("driver"), user("driver"), user("dispatcher"))[0] == [False, False, True]
    assert compared(user("rider"), user("rider"), user("driver"))[0] == [False, False, False]
    assert compared(user("listener"), user("host"), user("director"))[0] == [False, False, False]
    assert compared(user("director"), user("director"), user("member"))[0] == [False, False, False]


def test_a_login_and_a_cookie_name_roles_as_well() -> None:
    request = Request(
        "GET", b"/", ((b"Cookie", b"sid=4; type=desktop; rank=curator"),), b"", "https", "camp.example", 443
    )
    assert role_cookies(request) == [("rank", "curator")]
    one = user("", "/curator/members")
    one.let_in("curator", set())
    assert compared(user("member"), one) == ([False, True], [set(), {"role=curator/members"}])


def test_a_role_that_registrations_give_raises_nobody_and_one_of_another_name_stands_above_it() -> None:
    given = frozenset({"operator"})
    assert compared(user("operator"), user("operator"), user("dispatcher"))[0] == [True, True, True]
    assert compared(user("operator"), user("operator"), user("dispatcher"), ordinary=given)[0] == [False, False, True]
    assert compared(user("operator", "/operator/jobs"), user("guest"), ordinary=given)[0] == [False, False]
    assert compared(user("administrator"), user("operator"), ordinary=given)[0] == [True, False]


def test_what_raises_beside_an_ordinary_role_still_raises() -> None:
    one = user("operator")
    one.let_in("operator", {"is_admin=yes"})
    assert compared(one, ordinary=frozenset({"operator"}))[0] == [True]


def called(name: str, value: str) -> Standing:
    one = Standing()
    one.hear([(name, value)])
    return one


@pytest.mark.parametrize(
    ("users", "above"),
    [
        ([("status", "READER"), ("Status", "READER"), ("status", "WARDEN")], [False, False, True]),
        ([("status", "active"), ("status", "active"), ("status", "blocked")], [False, False, False]),
        ([("status", "reader"), ("status", "reader"), ("kind", "warden")], [False, False, False]),
    ],
    ids=["a role under another name", "a state", "two names"],
)
def test_a_role_may_stand_under_another_name_where_somebody_has_a_low_one_there(users, above) -> None:
    assert compared(*(called(*one) for one in users))[0] == above


def shown(*pages: tuple[str, str]) -> Standing:
    """A user who was shown pages, each with what it links to."""
    one = Standing()
    for target, link in pages:
        request = Request("GET", target.encode(), (), b"", "https", "camp.example", 443)
        body = f"<html><a href='{link}'>on</a></html>".encode()
        one.see(Exchange(request, Response(200, ((b"Content-Type", b"text/html"),), body=body)))
    return one


@pytest.mark.parametrize(
    ("one", "other", "above"),
    [
        (shown(("/", "/news")), shown(("/", "/admin/users"), ("/admin/users", "/")), True),
        (shown(("/", "/news")), shown(("/index.php?page=admin_users", "/")), True),
        (shown(("/", "/news")), shown(("/admin_users.php", "/")), True),
        # Who runs a place is there for all, each has a part of his own to manage, or may go there as well.
        (shown(("/", "/news")), shown(("/index.php?page=admin_contact", "/")), False),
        (shown(("/admin", "/")), shown(("/admin", "/")), False),
        (shown(("/", "/admin")), shown(("/admin", "/")), False),
    ],
)
def test_who_alone_was_let_in_where_others_manage_stands_above_them(one, other, above) -> None:
    assert compared(one, other)[0] == [False, above]


@pytest.mark.parametrize(
    ("pages", "led"),
    [
        ([("/", "/admin"), ("/admin/", "/admin/boats"), ("/admin/boats/7/edit", "/")], {"/admin", "/admin/boats"}),
        # Nobody is led to what he types.
        ([("/", "/news"), ("/admin/boats", "/")], set()),
        ([("/", "/admin"), ("/news", "/admin")], set()),
    ],
)
def test_whom_pages_lead_into_sections_of_those_who_manage_is_none_of_them_by_that(pages, led) -> None:
    one = shown(*pages)
    assert one.led == {f"led={section}" for section in led}
    one.manages = True
    assert one.led == set()


@pytest.mark.parametrize(
    ("refused_at", "above"),
    [(b"/admin/orders", True), (None, False)],
    ids=["through a door left open", "one who may"],
)
def test_who_was_only_asked_for_where_others_manage_may_do_so_unless_some_of_it_refuses_him(
    refused_at: bytes | None, above: bool
) -> None:
    one, other = shown(("/", "/news")), shown(("/admin/users", "/"), ("/admin/orders", "/"))
    for path in (b"/admin/users", b"/admin/orders"):
        request = Request("GET", path, (), b"", "https", "camp.example", 443)
        to_login = Response(302, ((b"Location", b"/login"),))
        one.see(Exchange(request, to_login if path == refused_at else Response(200, body=b"<p>all</p>")), asked=True)
    assert compared(one, other)[0] == [False, above]


def test_a_short_word_in_a_cookie_is_what_he_chose_unless_it_was_sent_for_him() -> None:
    one, cookies = Standing(), ((b"Cookie", b"sid=3f9a0c77de114b02; level=medium"),)
    exchange = Exchange(Request("GET", b"/people", cookies), Response(200))
    one.see(exchange, asked=True)
    assert one.choices == set()
    one.see(exchange)
    assert one.choices == {("level", "medium")}


def test_who_has_a_name_in_basic_that_only_those_who_manage_have_stands_above_the_others() -> None:
    profile = seen(basic("root"), basic("groot"), basic("ann"))
    assert profile is not None
    assert [identity.rank for identity in profile.identities] == [1, 0, 0]


def refused(one: Standing, path: str, status: int = 403, method: str = "GET") -> Standing:
    one.keep_out(Exchange(Request(method, path.encode(), (), b"", "https", "camp.example", 443), Response(status)))
    return one


def test_who_was_forbidden_what_another_reads_in_the_record_stands_below_him() -> None:
    assert compared(refused(user("", "/me"), "/dome/keys"), user("", "/me", "/dome/keys"))[0] == [False, True]


@pytest.mark.parametrize(
    "below",
    [
        refused(user("", "/me"), "/dome/keys", status=401),
        refused(user("", "/me", "/dome/keys"), "/dome/keys"),
        refused(user("", "/me", "/logout"), "/dome/keys"),
        refused(user("", "/me", "/dome/night"), "/dome/keys"),
    ],
    ids=["a session that is over", "let in before", "signed out before", "each reaches something of his own"],
)
def test_other_refusals_of_the_record_raise_nobody(below: Standing) -> None:
    above = user("", "/me", "/dome/keys")
    if b"/dome/night" in below.reach.entered:
        refused(above, "/dome/night")
    assert compared(below, above)[0] == [False, False]
