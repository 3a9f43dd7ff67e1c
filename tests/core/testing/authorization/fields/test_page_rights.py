"""Rights that a page shows beside the fields of a form."""

from random import Random

import pytest

from gatecrash.core.testing.authorization.fields.page_rights import PageRight, may_show, rights_on

FIELDS = '<form><input name="mail" value="ann@guild.test"></form>'
SENT = {"mail": "ann@guild.test"}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("<p>Role: member</p>", PageRight("role", "member", ("role",), "admin", ("member",))),
        ("<dl><dt>Your role</dt><dd>USER</dd></dl>", PageRight("role", "USER", ("role",), "ADMIN", ("USER",))),
        ("<p>Rights: singer</p>", PageRight("rights", "singer", ("rights",), "admin", ("singer",))),
        ("<p>Staff: False</p>", PageRight("staff", "False", ("staff", "is_staff", "isStaff"), "1", ("0", "", "false"))),
    ],
)
def test_a_right_with_a_label_is_found(told: str, expected: PageRight):
    assert rights_on(FIELDS + told, SENT, Random(1)) == [expected]


def test_a_balance_is_a_number():
    (right,) = rights_on(FIELDS + "<p>Balance: 100</p>", SENT, Random(1))
    assert right.names == ("balance",)
    assert int(right.new) > 100
    assert right.is_set(f"<p>Balance: {right.new}</p>")
    assert not right.is_set("<p>Balance: 100</p>")
    assert right.is_back("<p>Balance: 100</p>")
    assert not right.is_back(f"<p>Balance: {right.new}</p><p>Balance: 100</p>")


@pytest.mark.parametrize(
    "page",
    [
        FIELDS,
        FIELDS + "<p>Role: admin</p>",
        FIELDS + "<p>Role: treasurer</p>",
        FIELDS + "<p>Rights: full</p>",
        FIELDS + "<p>Rights: manager</p>",
        FIELDS + "<p>Rights: all of them since May</p>",
        FIELDS + "<p>Staff: yes</p>",
        FIELDS + "<p>Colour: red</p>",
        FIELDS + "<p>Status: member</p>",
        FIELDS + "<p>Role: admin</p><h2>Bert</h2><p>Role: member</p>",
        FIELDS + "<p>Role: member</p><h2>Bert</h2><p>Role: guest</p>",
        "<p>Role: member</p>",
    ],
)
def test_no_right_and_no_page_of_the_form(page: str):
    assert rights_on(page, SENT, Random(1)) == []


def test_what_the_form_sets_itself_is_none():
    assert rights_on(FIELDS + "<p>Staff: no</p>", {**SENT, "is_staff": "0"}, Random(1)) == []


def test_names_are_written_as_the_form_writes_its_own():
    page = FIELDS + "<p>Full name: Ann Marsh</p><p>Staff: no</p>"
    (right,) = rights_on(page, {"FullName": "Ann Marsh"}, Random(1))
    assert right.names == ("Staff", "IsStaff")
    assert rights_on(page, {"FullName": "Ann Marsh"}, Random(1), besides=frozenset({"isstaff"})) == []


def test_a_field_in_brackets_is_shown_under_its_innermost_name():
    page = '<p>Name: Ann Marsh</p><p>Role: member</p><input name="member[full_name]" value="Ann Marsh">'
    assert [right.label for right in rights_on(page, {"full_name": "Ann Marsh"}, Random(1))] == ["role"]
    assert rights_on(page, {"nick_name": "Ann Marsh"}, Random(1)) == []


@pytest.mark.parametrize(
    ("page", "values", "expected"),
    [
        (FIELDS + "<p>Role: member</p>", {"mail": "bea@guild.test"}, True),
        (FIELDS + "<p>Role: member</p>", SENT, False),
        (FIELDS + "<p>Role: member</p>", {"note": "bread and milk"}, False),
        (FIELDS, {"mail": "bea@guild.test"}, False),
    ],
)
def test_a_page_may_show_rights_once_the_form_is_kept(page: str, values: dict[str, str], expected: bool):
    assert may_show(page, values, Random(1)) is expected


def test_a_flag_is_set_and_put_back_whatever_word_is_shown():
    (right,) = rights_on(FIELDS + "<p>Admin: no</p>", SENT, Random(1))
    assert right.is_set("<p>Admin: yes</p>")
    assert right.is_set("<p>Admin: true</p>")
    assert not right.is_set("<p>Admin: no</p>")
    assert right.is_back("<p>Admin: no</p>")
    assert not right.is_back("<p>Admin: 1</p>")


def test_a_role_by_a_word_of_the_applications_own_is_one_where_it_is_known_to_manage_nobody():
    (right,) = rights_on(FIELDS + "<p>Role: treasurer</p>", SENT, Random(1), frozenset({"treasurer"}))
    assert right == PageRight("role", "treasurer", ("role",), "admin", ("treasurer",))
    assert rights_on(FIELDS + "<p>Trade: treasurer</p>", SENT, Random(1), frozenset({"treasurer"})) == []


def test_the_rights_to_a_picture_are_its_makers_to_say():
    page = '<form><input name="title" value="A boat at Oakham"></form><p>Rights: reserved</p>'
    assert rights_on(page, {"title": "A boat at Oakham"}, Random(1)) == []
