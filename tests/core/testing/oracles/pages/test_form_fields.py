"""The fields of a page's forms."""

from gatecrash.core.testing.oracles.pages.form_fields import form_fields


def test_fields_hold_what_they_show_and_several_of_one_name_are_told_apart():
    page = (
        "<form><input type=hidden name=user_id value=7><input name=phone><textarea name=about>I like &lt;b&gt;</textarea>"
        "<textarea name=empty></textarea><select name=room><option value=tower></select><button name=go value=1>Go</button></form>"
        '<form><input type=hidden name=user_id value="8"><input value=nameless></form><p>name=text</p>'
    )
    assert form_fields(page) == {
        "user_id": ["7", "8"],
        "phone": [""],
        "about": ["I like &lt;b&gt;"],
        "empty": [""],
        "room": [""],
        "go": ["1"],
    }
