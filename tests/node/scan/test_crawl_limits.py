"""What the walk through a site leaves alone, and what it sends."""

import pytest

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_limits import is_page_of_a_form, is_read, is_sent, must_be_left

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def asked(method: str, target: str, body: bytes = b"") -> Request:
    return Request(method, target.encode(), (FORM,) if body else (), body)


@pytest.mark.parametrize(
    ("request_", "left"),
    [
        (asked("GET", "/logout"), True),
        (asked("GET", "/items/7/delete"), True),
        (asked("DELETE", "/items/7"), True),
        (asked("GET", "/lamp/toggle"), True),
        (asked("POST", "/lamp/toggle", b"a=b"), False),
        (asked("POST", "/server/shutdown", b"a=b"), True),
        (asked("GET", "/items/7"), False),
        (asked("POST", "/notes", b"text=tea"), False),
        (asked("POST", "/me/password", b"password=tea"), False),  # one's own is set to what it is
        (asked("POST", "/account/password", b"old=tea&new_password=tin&confirm_password=tin"), False),
        (asked("POST", "/me/password"), True),
        (asked("POST", "/users/7/password", b"password=tea"), True),
        (asked("POST", "/password/reset", b"email=ann%40x.example&password=tea"), True),
        (asked("POST", "/me/role", b"role=admin"), True),
    ],
)
def test_what_ends_deletes_or_stops_something_is_left(request_: Request, left: bool) -> None:
    assert must_be_left(request_) is left


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        (asked("POST", "/notes", b"text=tea"), True),
        (asked("GET", "/find?q=tea"), False),
        (asked("POST", "/login", b"user=ann&password=x"), False),
        (asked("POST", "/notes/7/edit", b"text=tea"), False),
        (asked("POST", "/club/pw", b"new=x&again=x"), False),
    ],
)
def test_a_form_is_sent_where_it_makes_something_and_asks_for_no_password(form: Request, sent: bool) -> None:
    assert is_sent(form) is sent


@pytest.mark.parametrize(
    ("form", "read"),
    [
        (asked("GET", "/find?q=tea"), True),
        (asked("GET", "/brute?user=ann&password=x"), True),
        (asked("GET", "/me?password_new=x&password_conf=x"), False),
        (asked("GET", "/me?user=ann&password_new=x"), False),
        (asked("GET", "/notes/7/edit?text=tea"), False),
        (asked("POST", "/notes", b"text=tea"), False),
    ],
)
def test_a_form_is_read_where_it_asks_and_sets_nobodys_password(form: Request, read: bool) -> None:
    assert is_read(form) is read


@pytest.mark.parametrize(
    ("target", "shows"),
    [
        ("/register", True),
        ("/users/7/edit", True),
        ("/users/7/ban", False),
        ("/unsubscribe?code=7", False),
        ("/dog_edit.php?id=41", True),
        ("/dogs/edit?dog_id=41", True),
        ("/editDog.jsp?id=41", True),
        ("/update.php?id=41", True),
        ("/dog_edit.php?id=41&name=Odo", False),
        ("/dog_edit.php?name=Odo", False),
        ("/update_status.php?id=41", False),
        ("/dog_approve.php?id=41", False),
    ],
)
def test_a_page_of_a_form_names_nothing_that_could_be_changed_at_once(target: str, shows: bool) -> None:
    assert is_page_of_a_form(asked("GET", target)) is shows
