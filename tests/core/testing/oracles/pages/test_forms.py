"""The forms of a page, as a browser would send them."""

import pytest

from gatecrash.core.testing.oracles.pages.forms import forms_on


def test_a_form_holds_what_a_browser_would_send():
    (form,) = forms_on(
        "<form action='/notes/7' method=post><input type=hidden name=csrf value=a1><input name=title value=tea>"
        "<textarea name=text>hot</textarea><input type=submit name=go value=Go></form>"
    )
    assert (form.action, form.method) == ("/notes/7", "POST")
    assert form.fields == {"csrf": "a1", "title": "tea", "text": "hot"}


def test_what_stands_in_an_area_of_text_is_read_as_a_browser_reads_it():
    (form,) = forms_on(
        "<form method=post><textarea name=order>\n&lt;order&gt;&lt;item&gt;tea &amp;amp; cake&lt;/item&gt;&lt;/order&gt;\n</textarea></form>"
    )
    assert form.fields == {"order": "<order><item>tea &amp; cake</item></order>\n"}


def test_what_may_be_chosen_is_told_beside_what_is_chosen():
    (form,) = forms_on(
        "<form><select name=role><option value=reader><option value=editor selected></select>"
        "<input type=checkbox name=active value=1><input type=radio name=plan value=a checked><input type=radio name=plan value=b></form>"
    )
    assert form.fields == {"role": "editor", "plan": "a"}
    assert form.choices == {"role": ["reader", "editor"], "active": ["1", ""], "plan": ["a", "b"]}


def test_a_form_that_is_not_closed_ends_where_the_next_begins_or_the_page_ends():
    assert [form.action for form in forms_on("<form action=/a><input name=x><form action=/b><input name=y>")] == [
        "/a",
        "/b",
    ]


def test_fields_outside_of_forms_are_nobodys():
    assert forms_on("<input name=x value=1><select name=y><option value=2></select>") == []


def test_their_number_is_bounded():
    assert len(forms_on("<form></form>" * 500)) == 200


def test_a_form_tells_how_it_is_sent_and_what_its_fields_want():
    (form,) = forms_on(
        "<form method=post enctype='Multipart/Form-Data'><input type=email name=mail required><input type=file name=picture>"
        "<textarea name=text maxlength=20></textarea><button type=button name=more>More</button>"
        "<button name=go value=now>Go</button><input type=submit name=second></form>"
    )
    assert (form.enctype, form.files) == ("multipart/form-data", ["picture"])
    assert form.button == ("go", "now")
    assert form.written["mail"]["type"] == "email"
    assert form.written["text"]["maxlength"] == "20"
    assert form.fields == {"mail": "", "text": ""}, "what a button says is no field"


def test_an_option_without_a_value_is_worth_what_it_says():
    (form,) = forms_on(
        "<form><select name=level><option> low &amp; slow </option><option selected>high</option></select></form>"
    )
    assert form.choices == {"level": ["low & slow", "high"]}
    assert form.fields == {"level": "high"}


@pytest.mark.parametrize(
    ("form", "stays"),
    [
        ("<form><input name=q><input type=button onclick=go()></form>", True),
        ("<form onsubmit='go(); return false'><input name=q><button>Go</button></form>", True),
        ("<form onsubmit='event.preventDefault(); go()'><input name=q></form>", True),
        ("<form onsubmit='return isGood()'><input name=q></form>", False),
        ("<form action=/find onsubmit='go(); return false'><input name=q></form>", False),
        ("<form action=/find><input name=q><input type=button onclick=go()></form>", False),
        ("<form><input name=q><input type=button onclick=go()><button>Go</button></form>", False),
        ("<form><input name=q><button onclick=look()>Go</button></form>", False),
        ("<form><input name=q></form>", False),
    ],
)
def test_a_form_that_a_script_alone_presses_goes_nowhere_by_itself(form: str, stays: bool):
    assert forms_on(form)[0].stays is stays
