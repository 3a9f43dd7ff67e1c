"""What changes something says so; what looks something up does not."""

import pytest

from gatecrash.core.testing.oracles.outcomes.told_changes import (
    hands_out,
    names_change,
    shows_kept,
    tells_change,
    tells_failure,
    tells_now,
)

FORM = "<form><p>The price was changed. Order here:</p><input name=target value=10.0.0.1></form>"


@pytest.mark.parametrize(
    "said",
    [
        "Your entry was added to our blog!",
        "<b>Password</b> changed.",
        "You ordered 2 tickets",
        "Saved successfully",
        "Success",
        "<p>Thank you for your order</p>",
        "<p class=note>Contributions updated</p>",
        "<div>Saved</div>",
    ],
)
def test_what_was_done_is_told(said: str) -> None:
    assert tells_change(FORM + said, FORM)


@pytest.mark.parametrize(
    "said",
    [
        "Welcome John Doe",
        "3 movies found: A Thing Changed Twice, Sent Away",
        "127.0.0.1 localhost",
        "The price was changed",
        "<script>if (ok) show('it was saved!')</script>",
        "<input name=posted value='was saved!'>",
        "<p>Last updated</p>",
        "<div>Nothing has changed</div>",
        "<td>Profile saved</td>",
        "<li><b>Everything Changed</b></li>",
        "<p>A film of 1999, in which everything changed</p>",
    ],
)
def test_what_was_only_asked_for_is_not(said: str) -> None:
    assert not tells_change(FORM + said, FORM)


@pytest.mark.parametrize("path", ["/blog/add", "/changePassword.php", "/transfer", "/user_update.jsp", "/a/edit/"])
def test_names_of_changes(path: str) -> None:
    assert names_change(path)


@pytest.mark.parametrize(
    "path", ["/lookup", "/address", "/addresses/check", "/search.php", "/settings-list", "/search_post.php", "/"]
)
def test_names_of_others(path: str) -> None:
    assert not names_change(path)


def test_what_is_kept_is_read_by_people_and_offered_by_no_field() -> None:
    assert shows_kept("<td>hello &amp; bye</td>", ["hello & bye"])
    assert not shows_kept(FORM, ["10.0.0.1"])
    assert not shows_kept("<textarea name=list>Swift 10:22</textarea><select><option>Swift</select>", ["Swift"])
    assert not shows_kept("<td>two</td>", ["two"])


def test_what_is_now_as_it_was_sent_was_changed() -> None:
    assert tells_now("<p>Your address is now <b>ann@shop.example</b></p>", ["ann@shop.example"])
    assert tells_now("<p>Theme and font are now set to: &quot;dark&quot;</p>", ["dark"])
    assert tells_now("<p>Saved ann@shop.example</p>", ["ann@shop.example"])
    assert not tells_now("<td>Created</td><td>2026-11-29</td>", ["2026-11-29"])
    assert not tells_now("<p>Parcel 4711 is now in Bern</p>", ["4711"])
    assert not tells_now("<p>It is now 12</p>", ["12"])


@pytest.mark.parametrize(
    "button",
    [
        "<button name=do value=Convert>Convert</button>",
        "<input type='submit' name='do' value='Convert'>",
        '<input value="Convert" type=submit>',
    ],
)
def test_what_a_button_sends_is_not_kept(button: str) -> None:
    assert not shows_kept(f"<h1>Convert money</h1>{button}", ["Convert"])
    assert shows_kept(f"<h1>Convert money</h1>{button}", ["money"])


@pytest.mark.parametrize(
    "page", ['<img src="/up/me.png">', "<a href=/files/me.png?v=2>yours</a>", "<img src='../me.png' >"]
)
def test_a_file_that_is_linked_was_kept(page: str) -> None:
    assert hands_out(page, ["me.png"])


@pytest.mark.parametrize(
    "page", ["<p>me.png: 16 bytes</p>", '<img src="/up/some.png">', '<img src="data:image/png;base64,aa">', ""]
)
def test_one_that_is_only_named_was_not(page: str) -> None:
    assert not hands_out(page, ["me.png", ""])


@pytest.mark.parametrize(
    "said",
    [
        "<p>Not changed</p>",
        "Your password was not changed.",
        "The passwords don't match.",
        "Wrong password!",
        "<div>The current password is incorrect</div>",
        '{"error": "could not be saved"}',
        '{"status": "failed"}',
    ],
)
def test_what_failed_is_told(said: str) -> None:
    assert tells_failure(said)


@pytest.mark.parametrize(
    "said",
    [
        "<p>Password changed.</p>",
        "Your password was changed. Other sessions are invalid now.",
        '{"error": null, "user": 7}',
        '{"ok": true, "error": ""}',
        "<script>alert('Wrong password!')</script><p>Done</p>",
        "<h1>Your account</h1>",
        "",
    ],
)
def test_what_was_done_or_is_only_shown_is_no_failure(said: str) -> None:
    assert not tells_failure(said)


@pytest.mark.parametrize("beginning", ["<select ", "<textarea>", "<script>", "<p ", "<"])
def test_a_page_of_beginnings_that_nothing_ends_is_read_at_once(beginning: str) -> None:
    page = beginning * 20_000
    assert not shows_kept(page, ["Oakham"])
    assert not tells_change(page, "")
    assert not tells_failure(page)


def test_what_an_open_field_offers_is_not_kept() -> None:
    assert not shows_kept("<p>Towns</p><select><option>Oakham", ["Oakham"])
    assert shows_kept("<p>Oakham</p><select><option>Melton", ["Oakham"])
