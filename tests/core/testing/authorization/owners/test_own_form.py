"""Forms on pages of each caller's own, which name whom they are about."""

import msgspec
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.own_form import is_named_by_own_form
from gatecrash.core.testing.known.objects import Named

ASKED = Request("GET", b"/account")
HTML = ((b"Content-Type", b"text/html"),)


def named(field: str = "user_id") -> Named:
    return Named(Point.of("post", "form_urlencoded", field), "7", None)


def form(*values: str, field: str = "user_id", status: int = 200) -> Response:
    inputs = "".join(f"<input type=hidden name={field} value='{value}'>" for value in values)
    return Response(status, HTML, f"<form method=post>{inputs}<input name=phone></form>".encode())


@pytest.mark.parametrize("field", ["user_id", "userId", "uid", "member", "profile_id"])
def test_each_is_shown_a_form_about_himself(field):
    assert is_named_by_own_form(ASKED, form("7", field=field), form("8", field=field), named(field))


@pytest.mark.parametrize(("query", "found"), [(b"page=profile", True), (b"page=profile&id=7", False), (b"id=7", False)])
def test_a_page_of_a_site_of_one_script_names_nobody_by_its_query(query, found):
    asked = Request("GET", b"/index.php?" + query)
    assert is_named_by_own_form(asked, form("7"), form("8"), named()) is found


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (form("7"), form("7")),
        (form("7"), form()),
        (form("7"), form("")),
        (form("7"), form("8", status=403)),
        (form("7", "9"), form("8")),
        (form("7"), form("7", "8")),
        (form("9"), form("8")),
        (form("7"), Response(200, (), b'{"user_id": 8}')),
    ],
    ids=[
        "the same",
        "no field",
        "nothing",
        "refused",
        "several",
        "several of the other",
        "not what was sent",
        "no page",
    ],
)
def test_pages_that_do_not_say_so(mine, theirs):
    assert not is_named_by_own_form(ASKED, mine, theirs, named())


@pytest.mark.parametrize("field", ["branch_id", "team_id", "draft_id", "post", "room"])
def test_other_things_that_a_form_is_about_are_nobodys(field):
    assert not is_named_by_own_form(ASKED, form("7", field=field), form("8", field=field), named(field))


@pytest.mark.parametrize("target", [b"/users/7", b"/account?user_id=7", b"/account?tab=phone"])
def test_an_address_that_chooses_says_nothing_of_who_asks(target):
    asked = msgspec.structs.replace(ASKED, target=target)
    assert not is_named_by_own_form(asked, form("7"), form("8"), named())


def test_what_stands_elsewhere_than_in_the_body_is_not_compared():
    assert not is_named_by_own_form(ASKED, form("7"), form("8"), Named(Point.of("path", "1"), "7", None))
