"""What scripts read from a page's fields is what stands in them."""

import pytest

from gatecrash.formats.scripts.page_values import with_values

PAGE = """<form id="f"><input id="q" name="word" value="tea"><input id="empty" name="city"><input type="hidden" name="t" value="1"></form>
<textarea id="doc">
&lt;a/></textarea>"""


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("send(document.getElementById('q').value)", 'send("tea")'),
        ('send(document.querySelector("#q").value.trim())', 'send("tea".trim())'),
        ("send(document.querySelector('input[name=word]').value)", 'send("tea")'),
        ("send($('#q').val())", 'send("tea")'),
        (
            "const q = document.getElementById('q');\nsend(q.value)",
            "const q = document.getElementById('q');\nsend(\"tea\")",
        ),
        ("send(document.getElementById('doc').value)", 'send("<a/>")'),
        ("const get = i => document.getElementById(i).value;send(get('q'))", None),
        ("function get(i){return document.getElementById(i).value}send(get('q'))", None),
    ],
)
def test_a_field_is_read_as_it_is(code: str, read: str | None) -> None:
    assert with_values(code, PAGE) == read if read else with_values(code, PAGE).endswith('send("tea")')


def test_an_empty_field_is_filled_in() -> None:
    told = with_values("send(document.getElementById('empty').value)", PAGE)
    assert "getElementById" not in told
    assert told != 'send("")'


@pytest.mark.parametrize("form", ["document.getElementById('f')", "this", "document.forms[0]", "e.target"])
def test_the_data_of_a_form_are_its_names_and_values(form: str) -> None:
    told = with_values(f"new FormData({form})", PAGE)
    assert told.startswith('new FormData({"word": "tea", "city": "')
    assert told.endswith('"t": "1"})')


@pytest.mark.parametrize(
    "code",
    [
        "document.getElementById('other').value",
        "document.getElementById('q').value = 'salt'",
        "document.querySelector('.q').value",
        "new FormData()",
        "send(q.value)",
    ],
)
def test_what_the_page_does_not_tell_stays(code: str) -> None:
    assert with_values(code, PAGE) == code


def test_which_of_two_forms_is_meant_is_not_guessed() -> None:
    assert with_values("new FormData(e.target)", PAGE + "<form><input name=x></form>") == "new FormData(e.target)"
