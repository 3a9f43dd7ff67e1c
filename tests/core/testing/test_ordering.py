"""Safe methods first, what destroys what the tests stand on last, and marked."""

import json

import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.ordering import (
    CHANGES_ACCOUNT,
    ENDS_SESSION,
    asks_to_be_let_in,
    configures,
    deletes,
    destroys,
    ends_account,
    in_order,
    is_safe,
    names_a_change,
    overwrites,
    puts_back,
    rank,
    renames_sender,
    shows_a_login,
    signs_in,
    signs_out,
)


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/orders", 0),
        ("get", "/orders", 0),
        ("HEAD", "/orders", 0),
        ("POST", "/orders", 1),
        ("PATCH", "/orders/1", 1),
        ("DELETE", "/orders/1", 2),
        ("POST", "/logout", 4),
        ("GET", "/auth/sign-out", 4),
        ("GET", "/logoutAll", 4),
        ("POST", "/session/end", 4),
        ("GET", "/catalog-offers", 0),
        ("PUT", "/me/password", 3),
        ("PATCH", "/users/1/roles", 3),
        ("PUT", "/profile", 2),
        ("POST", "/orders/1/delete", 2),
        ("GET", "/profile", 0),
        ("GET", "/password-rules", 0),
    ],
)
def test_ranks(method, path, expected):
    assert rank(Request(method, path.encode())) == expected


def test_what_destroys_says_why():
    assert destroys(Request("GET", b"/logout")) == "ends the session"
    assert destroys(Request("DELETE", b"/orders/1")) == "deletes"
    assert destroys(Request("PUT", b"/me/password")) == "changes who may sign in, or what they may do"
    assert destroys(Request("POST", b"/account/mail")) == CHANGES_ACCOUNT
    assert destroys(Request("POST", b"/account/delete")) == "deletes"
    assert destroys(Request("POST", b"/index.php?page=delete_message")) == "deletes"
    assert destroys(Request("POST", b"/index.php?page=profile_edit")) == CHANGES_ACCOUNT
    assert destroys(Request("POST", b"/index.php?page=guestbook")) is None
    assert destroys(Request("GET", b"/orders")) is None


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        (b"/accounts/7/transfers", False),
        (b"/bank/accounts/7f3a-11/notes", False),
        (b"/accounts/7/transfers/9", False),
        (b"/accounts/7/settings", True),
        (b"/accounts/7/limits", True),
        (b"/accounts/7/close", True),
        (b"/accounts/7", True),
        (b"/accounts", True),
        (b"/account/notes", True),
    ],
)
def test_what_is_made_below_one_of_several_accounts_leaves_it_as_it_is(path: bytes, changes: bool) -> None:
    assert (destroys(Request("POST", path)) == CHANGES_ACCOUNT) is changes


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


def test_equals_stay_in_the_order_of_recording():
    lines = [("DELETE", b"/a"), ("POST", b"/b"), ("GET", b"/c"), ("POST", b"/d"), ("GET", b"/e")]
    baselines = [Baseline(path.decode(), Exchange(Request(method, path))) for method, path in lines]
    assert [baseline.id for baseline in in_order(baselines)] == ["/c", "/e", "/b", "/d", "/a"]


def test_the_first_of_each_kind_goes_first_but_for_what_destroys() -> None:
    lines = [
        ("DELETE", b"/items/1"),
        ("DELETE", b"/items/2"),
        ("DELETE", b"/notes/1"),
        ("GET", b"/items/1"),
        ("GET", b"/items/2"),
        ("GET", b"/notes/1"),
    ]
    baselines = [Baseline(str(number), Exchange(Request(method, path))) for number, (method, path) in enumerate(lines)]
    assert [int(baseline.id) for baseline in in_order(baselines)] == [3, 5, 4, 0, 1, 2]


@pytest.mark.parametrize(("drafted", "order"), [(True, [1, 2, 3, 0, 4]), (False, [0, 1, 2, 3, 4])])
def test_what_a_draft_does_to_an_object_goes_before_the_draft_that_deletes_it(drafted: bool, order: list[int]) -> None:
    lines = [
        ("DELETE", b"/users/5"),
        ("DELETE", b"/users/5/notes/7"),
        ("PUT", b"/users/5/role"),
        ("POST", b"/users/5/ban"),
        ("PUT", b"/users/6/role"),
    ]
    baselines = [
        Baseline(str(number), Exchange(Request(method, path), drafted=drafted))
        for number, (method, path) in enumerate(lines)
    ]
    assert [int(baseline.id) for baseline in in_order(baselines)] == order


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("DELETE", b"/items?ids=7", True),
        ("POST", b"/items/bulk-remove", True),
        ("GET", b"/files/delete?name=tea", True),
        ("GET", b"/files/rm/tea", True),
        ("GET", b"/crm/rma?name=tea", False),
        ("POST", b"/password/reset", False),
        ("GET", b"/items?name=tea", False),
    ],
)
def test_what_deletes_by_its_method_or_its_address(method: str, path: bytes, expected: bool) -> None:
    assert deletes(Request(method, path)) is expected


def test_what_a_link_deletes_or_resets_goes_behind_what_changes_something():
    assert {rank(Request("GET", each)) for each in (b"/reset-db", b"/initdb", b"/rm/tea")} == {2}


def test_unknown_methods_are_not_safe():
    assert not is_safe(Request("PURGE", b"/"))


def posted(path: bytes, document: object) -> Request:
    return Request("POST", path, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"jsonrpc": "2.0", "method": "orders.get", "params": {"id": 7}, "id": 1}, 0),
        ({"jsonrpc": "2.0", "method": "orders.delete", "params": {"id": 7}, "id": 1}, 2),
        ({"jsonrpc": "2.0", "method": "auth.login", "params": {"name": "ann", "password": "x"}, "id": 1}, 2),
        ({"jsonrpc": "2.0", "method": "users.setRole", "params": {"id": 7}, "id": 1}, 3),
        ({"jsonrpc": "2.0", "method": "session.logOut", "params": {}, "id": 1}, 4),
        ({"query": 'mutation { signIn(name: "ann", password: "x") { id } }'}, 2),
        ({"query": "mutation { setRole(id: 7) { id } }"}, 3),
        ({"query": 'mutation { changeMail(mail: "a@example.com") { id } }'}, 3),
        ({"query": 'mutation { updateUserName(name: "a") { id } }'}, 3),
        ({"query": "mutation { changeEmailing(on: true) { id } }"}, 1),
        ({"query": "{ deletedOrders { id } }"}, 0),
    ],
)
def test_what_is_called_at_one_address_ranks_by_its_name(document, expected):
    assert rank(posted(b"/api", document)) == expected


def test_a_mutation_by_get_is_not_safe():
    assert not is_safe(Request("GET", b"/graphql?query=mutation+%7B+addTea+%7B+id+%7D+%7D"))
    assert is_safe(Request("GET", b"/graphql?query=%7B+teas+%7B+id+%7D+%7D"))
    assert is_safe(Request("GET", b"/search?query=mutation"))


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("POST", "/settings", b"city=Bern&email=ann%40a.example", True),
        ("PUT", "/me", b"new_username=ann", True),
        ("POST", "/settings", b"city=Bern&name=ann", False),
        ("POST", "/settings", b"email=", False),
        ("POST", "/login", b"email=ann%40a.example&password=p", False),
        ("GET", "/settings", b"email=ann%40a.example", False),
    ],
)
def test_what_writes_the_name_that_its_sender_signs_in_with(method, path, body, expected):
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    assert renames_sender(Request(method, path.encode(), headers, body, host="a.example")) is expected


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
    ("path", "body", "expected"),
    [
        (b"/login", b"mail=a%40b.example&password=x", True),
        (b"/login.php", b"mail=a%40b.example&pw=x", True),
        (b"/sign-in", b'{"name": "a", "userPwd": "x"}', True),
        (b"/login", b"name=a&kennwort=x", True),
        (b"/login", b"mail=a%40b.example", False),
        (b"/login", b'{"badge": 2, "pin": 1002}', True),
        (b"/login", b"card=2&pinCode=1002", True),
        (b"/login", b"power=3", False),
        (b"/login", b"spin=3", False),
        (b"/orders", b"pw=x", False),
    ],
)
def test_what_signs_in_has_a_password_by_any_of_its_usual_names(path, body, expected):
    assert signs_in(Request("POST", path, (), body)) is expected
    assert signs_in(Request("GET", path + b"?" + body)) is expected, "as some APIs have it"


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/admin/configure", True),
        ("PUT", "/api/site-settings", True),
        ("PATCH", "/api/userSettings", True),
        ("POST", "/admin/options.php", True),
        ("POST", "/index.php/Special:Preferences", True),
        ("PATCH", "/api/users/me/", True),
        ("POST", "/me/orders", False),
        ("POST", "/theme", False),
        ("GET", "/settings", False),
        ("GET", "/settings/save?theme=dark", True),
        ("GET", "/prefs/set_language?to=de", True),
        ("GET", "/settings/search?q=theme", False),
        ("GET", "/settings/save", False),
        ("GET", "/cards/set?number=7", False),
        ("DELETE", "/settings/7", False),
        ("POST", "/adoptions", False),
        ("POST", "/configurator", False),
        ("POST", "/orders", False),
    ],
)
def test_what_writes_settings_goes_late_and_is_put_back(method, path, expected):
    """A theme that is not there could spoil all pages for whatever is tested afterwards."""
    request = Request(method, path.encode(), FORM, b"theme=plain&city=Bern", host="a.example")
    assert configures(request) is expected
    assert puts_back(request, signed_in=True) is puts_back(request, signed_in=False) is expected
    assert not expected or rank(request) == 2


def test_what_somebody_has_of_his_own_goes_as_late_and_is_put_back_where_somebody_sends_it():
    request = Request("POST", b"/me", FORM, b"theme=plain&city=Bern", host="a.example")
    assert (configures(request), rank(request)) == (True, 2)
    assert puts_back(request, signed_in=True)
    assert not puts_back(request, signed_in=False)


def test_what_its_sender_signs_in_with_is_put_back_for_a_sender_who_signs_in():
    request = Request("POST", b"/members/7", FORM, b"email=ann%40a.example", host="a.example")
    assert puts_back(request, signed_in=True)
    assert not puts_back(request, signed_in=False), "a subscription, or a message"


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
    ("method", "path", "body", "kind", "expected"),
    [
        ("PUT", b"/notes/7", b'{"text": "tea"}', b"application/json", True),
        ("PATCH", b"/me", b"name=ann", b"application/x-www-form-urlencoded", True),
        ("PUT", b"/me/password", b'{"new": "x"}', b"application/json", True),
        ("PATCH", b"/notes/7", b'[{"op": "add", "path": "/tags/-", "value": "a"}]', b"application/json-patch+json", False),
        ("PUT", b"/notes/7/publish", b"", b"application/json", False),
        ("PUT", b"/notes/7/delete", b'{"sure": true}', b"application/json", False),
        ("POST", b"/notes/7/edit", b"text=tea", b"application/x-www-form-urlencoded", True),
        ("POST", b"/notes", b"text=tea", b"application/x-www-form-urlencoded", False),
        ("POST", b"/users/7/role", b'{"role": "editor"}', b"application/json", True),
        ("POST", b"/me/password", b'{"new": "x"}', b"application/json", True),
        ("POST", b"/members/role", b'{"role": "editor"}', b"application/json", False),
        ("POST", b"/orders/7/items", b'{"product": 5}', b"application/json", False),
        ("POST", b"/orders/7/cancel", b"{}", b"application/json", False),
        ("DELETE", b"/notes/7", b"{}", b"application/json", False),
        ("POST", b"/graphql", b'{"query": "mutation { updateNote(id: 7, text: \\"a\\") { id } }"}', b"application/json", True),
        ("POST", b"/graphql", b'{"query": "mutation { createNote(text: \\"a\\") { id } }"}', b"application/json", False),
        ("POST", b"/graphql", b'{"query": "{ notes { id } }"}', b"application/json", False),
    ],
)  # fmt: skip
def test_what_overwrites_is_put_back(method, path, body, kind, expected):
    """What an injection test wrote last would stay in the profile, or as the password."""
    request = Request(method, path, ((b"Content-Type", kind),), body, host="a.example")
    assert overwrites(request) is expected
    assert puts_back(request, signed_in=False) is expected


def test_a_login_is_known_by_the_name_of_its_page():
    assert shows_a_login(Request("GET", b"/wiki.php?id=start&do=login"))
    assert not shows_a_login(Request("POST", b"/login"))
    assert not shows_a_login(Request("GET", b"/orders"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/login", True),
        (b"/api/userLogin.php", True),
        (b"/admin/log-in/check", True),
        (b"/auth/local", True),
        (b"/oauth/token", True),
        (b"/session", True),
        (b"/access-tokens", True),
        (b"/exchange/credits/login", True),
        (b"/auth/reset-password", False),
        (b"/auth/verify-email", False),
        (b"/login/confirm", False),
        (b"/tokens/revoke", False),
        (b"/tokens/7/uses", False),
        (b"/sessions/7/rooms", False),
        (b"/auth/register", False),
        (b"/change-login", False),
        (b"/catalog-index", False),
        (b"/orders", False),
    ],
)
def test_what_only_asks_to_be_let_in_is_said_by_its_address(path, expected):
    """A value that holds for every row would change every account where the statement is another than a login's."""
    assert asks_to_be_let_in(Request("POST", path)) is expected
    assert not asks_to_be_let_in(Request("PUT", path))


@pytest.mark.parametrize("path", [b"/unsubscribe?code=tea", b"/users/verify?token=tea", b"/items/delete?id=7"])
def test_an_address_may_name_a_change_whatever_the_method(path):
    assert names_a_change(Request("GET", path))
    assert not names_a_change(Request("GET", b"/items?id=7"))
