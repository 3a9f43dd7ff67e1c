"""What takes back what a form did, as a page offers it."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.ranks.ways_back import has_contrary, ways_back

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"11"))


def ways(target: str, body: str, page: str) -> list[tuple[str, str]]:
    request = Request("POST", target.encode(), headers=FORM, body=body.encode(), host="a")
    shown = Exchange(
        Request("GET", b"/desk/members", host="a"), Response(200, ((b"Content-Type", b"text/html"),), page.encode())
    )
    return [(each.target.decode(), each.body.decode()) for each in ways_back(request, shown)]


def test_the_form_of_the_contrary_word_is_sent_as_it_stands_there():
    page = "<form method=post action=/desk/members/7/unlock><input type=hidden name=csrf value=now></form>"
    assert ways("/desk/members/7/lock", "csrf=before", page) == [("/desk/members/7/unlock", "csrf=now")]


def test_what_it_was_recorded_with_goes_along():
    page = "<form method=post action=unban.php><input type=hidden name=id value=9></form>"
    assert ways("/desk/ban.php", "id=7", page) == [("/desk/unban.php", "id=7")]


@pytest.mark.parametrize(
    "page",
    [
        "<form method=post action=/desk/members/8/unlock></form>",
        "<form method=post action=/desk/members/7/delete></form>",
        "<form method=post action=/desk/members/7/clock></form>",
        "<form method=get action=/desk/members/7/unlock></form>",
    ],
    ids=["of another", "deletes", "another word", "no POST"],
)
def test_other_forms_of_the_page_take_nothing_back(page: str):
    assert ways("/desk/members/7/lock", "a=b", page) == []


def test_another_choice_of_the_same_form_takes_it_back():
    page = (
        "<form method=post action=/desk/members/7/role><select name=role><option value=reader selected><option value=editor>"
        "<option value=admin></select></form>"
    )
    assert ways("/desk/members/7/role", "role=editor", page) == [("/desk/members/7/role", "role=reader")]


def test_a_box_is_left_out_where_it_was_ticked():
    page = "<form method=post action=/desk/x><input type=checkbox name=active value=1 checked></form>"
    assert ways("/desk/x", "active=1&n=2", page) == [("/desk/x", "n=2")]


def test_a_hidden_value_is_the_other_one_where_it_says_the_contrary():
    page = "<form method=post action=/desk/x><input type=hidden name=do value=unban></form>"
    assert ways("/desk/x", "do=ban&id=7", page) == [("/desk/x", "do=unban&id=7")]


def test_another_hidden_number_says_nothing():
    page = "<form method=post action=/desk/x><input type=hidden name=id value=8></form>"
    assert ways("/desk/x", "id=7", page) == []


def test_of_two_queries_one_word_says_the_contrary():
    page = "<form method=post action='?do=unban&id=7'></form><form method=post action='?do=unban&id=8'></form>"
    assert ways("/desk/members?do=ban&id=7", "", page) == [("/desk/members?do=unban&id=7", "")]


def test_what_turns_takes_itself_back():
    assert ways("/desk/lamp/toggle", "n=1", "") == [("/desk/lamp/toggle", "n=1")]
    assert ways("/desk/lamp/raise", "n=1", "") == []


@pytest.mark.parametrize(
    ("word", "has"),
    [
        ("lock", True),
        ("unlock", True),
        ("unpin", True),
        ("promote", True),
        ("resume", True),
        ("undo", False),
        ("display", False),
    ],
)
def test_words_with_a_contrary(word: str, has: bool):
    assert has_contrary(Request("POST", f"/desk/members/7/{word}".encode())) is has
