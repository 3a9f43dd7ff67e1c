"""What ends a session, or its sender's account."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import ENDS_SESSION, destroys
from gatecrash.core.testing.effects.sign_out import becomes_another, ends_account, signs_out
from gatecrash.core.testing.ordering import rank

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


@pytest.mark.parametrize(
    ("target", "body", "ends", "signs"),
    [
        (b"/index.php?action=logout", b"", True, True),
        (b"/index.php?page=logout&token=7", b"", True, True),
        (b"/index.php?route=account/logout", b"", True, True),
        (b"/index.php?r=site%2Flogout", b"", True, True),
        (b"/login.php?do=out", b"", True, True),
        (b"/member.php", b"token=7&action=signout", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=ctl00%24lnkOut&__EVENTARGUMENT=", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=ctl00%24Head%24LoginStatus1%24ctl00&__EVENTARGUMENT=", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=&ctl00%24Main%24btnSignOut=Sign+out", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=ctl00%24Main%24btnCheckOut", False, False),
        (b"/Orders.aspx", b"__EVENTTARGET=&__VIEWSTATE=" + b"x" * 9000 + b"&ctl00%24ibLogOff.x=3", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=ctl00%24lnkAbmelden", True, True),
        (b"/Orders.aspx", b"__EVENTTARGET=&ctl00%24Main%24txtLogoutText=7", False, False),
        (b"/Orders.aspx", b"__EVENTTARGET=&ctl00%24Main%24txtNote=%24logout", False, False),
        (b"/Times.aspx", b"__EVENTTARGET=ctl00%24btnOut", False, False),
        (b"/member.php", b"logout=Log+out", True, False),
        (b"/?logout=1", b"", True, False),
        (b"/login?logout", b"", True, False),
        (b"/index.php?page=logouts", b"", False, False),
        (b"/search?q=logout", b"", False, False),
        (b"/login?next=/logout", b"", False, False),
        (b"/trips?page=out", b"", False, False),
        (b"/posts", b"text=what+action%3Dlogout+does", False, False),
    ],
)
def test_a_sign_out_is_known_by_what_one_address_is_told_to_do(
    target: bytes, body: bytes, ends: bool, signs: bool
) -> None:
    request = Request("POST" if body else "GET", target, FORM if body else (), body)
    assert (destroys(request) == ENDS_SESSION, signs_out(request)) == (ends, signs)


@pytest.mark.parametrize(
    ("method", "path", "ends"),
    [
        ("DELETE", b"/api/session", True),
        ("DELETE", b"/api/v2/sessions/current", True),
        ("DELETE", b"/auth", True),
        ("GET", b"/api/session", False),
        ("POST", b"/api/session", False),
        ("DELETE", b"/api/sessions/7", False),
        ("DELETE", b"/training/session/7", False),
    ],
)
def test_who_deletes_his_session_signs_out(method: str, path: bytes, ends: bool) -> None:
    request = Request(method, path)
    assert signs_out(request) is ends
    assert (destroys(request) == ENDS_SESSION) is ends


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("DELETE", b"/api/me", b"", True),
        ("DELETE", b"/v1/account", b"", True),
        ("POST", b"/account/close", b"sure=1", True),
        ("POST", b"/api/deleteMyAccount", b"{}", True),
        ("POST", b"/graphql", b'{"query": "mutation { deleteMe }"}', True),
        ("POST", b"/graphql", b'{"query": "mutation { deleteNote(id: 7) { id } }"}', False),
        ("DELETE", b"/accounts/7", b"", False),
        ("DELETE", b"/me/sessions/7", b"", False),
        ("DELETE", b"/me/avatar", b"", False),
        ("GET", b"/account/delete", b"", False),
        ("POST", b"/account", b"name=a", False),
    ],
)
def test_what_ends_its_senders_account_goes_last(method, path, body, expected):
    request = Request(method, path, ((b"Content-Type", b"application/json"),), body, host="a.example")
    assert ends_account(request) is expected
    assert (rank(request) > rank(Request("PUT", b"/me/password", (), b"{}"))) is expected


@pytest.mark.parametrize(
    ("target", "becomes"),
    [
        (b"/switch/user/7", True),
        (b"/users/7/impersonate", True),
        (b"/login-as/ann", True),
        (b"/?_switch_user=ann", True),
        (b"/impersonated", False),
        (b"/login/assets", False),
        (b"/search?q=impersonate", False),
    ],
)
def test_a_session_is_made_another_users(target: bytes, becomes: bool) -> None:
    assert becomes_another(Request("GET", target)) is becomes
