"""Refusals and blocks, and answers that only resemble them."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.outcomes.refused import asks_to_sign_in, block, is_carried_out, is_taken, refusal


def document(value: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(value).encode())


def redirect(to: str) -> Response:
    return Response(302, ((b"Location", to.encode()),))


REFUSALS = [
    Response(401),
    Response(403),
    redirect("/login?next=%2F"),
    redirect("https://id.example.com/oauth2/authorize?x=1"),
    document({"error": "Unauthorized"}),
    document({"status": 401}),
    document({"errors": [{"message": "Not authenticated", "extensions": {"code": "UNAUTHENTICATED"}}]}),
    document({"message": "You must log in first"}),
    document({"detail": "Authentication credentials were not provided", "code": "not_authenticated"}),
    document({"message": "You were logged out successfully. Please log in again."}),
    document({"message": "Registered successfully. Please log in."}, 400),
    document({"message": "This address is not registered, please sign in with another"}),
    document("access denied"),
    document({"errors": [{"message": "Sign in first"}], "data": {"order": None}}),
    document({"message": "You have to be signed in."}),
    document({"error": "The caller must be authenticated"}),
    Response(500, (), b"<s:Fault><faultcode>wsse:FailedAuthentication</faultcode></s:Fault>"),
    document({"error": {"reason": "invalid token"}}, 400),
    Response(200, (), b"Login required"),
    Response(200, (), b'<p>Please <a href="login.php">log in</a> first.</p>'),
    Response(200, (), b"<p>You must be <b>logged in</b> to see this page.</p>"),
    Response(200, (), b"<form><input name=p type='password'></form>"),
]


@pytest.mark.parametrize("response", REFUSALS, ids=str)
def test_refusals(response):
    assert refusal(response)


@pytest.mark.parametrize(
    "response",
    [
        Response(200),
        Response(404),
        Response(500),
        redirect("/orders/7"),
        document({"message": "Enlisted! Please sign in."}, 201),
        document({"orders": []}),
        document({"status": 200, "message": "ok"}),
        document({"articles": [{"title": "Why access is denied to squirrels"}]}),
        document({"token": "abc", "user": "forbidden"}),
        document({"message": "A gift for who will log in first time"}),
        document({"message": "Devices have been authenticated"}),
        document({"message": "User registered successfully! Please Login."}),
        document({"message": "Account created. Please sign in to go on."}, 201),
        Response(200, (), b'<h1>Bread</h1><p>You must be <a href="/login">logged in</a> to post a comment.</p>'),
        Response(200, (), b'<h1>Lamp</h1><p>Please <a href="/login">sign in</a> or register to write a review.</p>'),
        Response(200, (), b"<p>You are <b>logged in</b> as ann. <a href=/out>Log out</a></p>"),
        Response(200, (), b"x" * 5000 + b" access denied"),
    ],
    ids=str,
)
def test_what_refuses_nothing(response):
    assert refusal(response) is None


def test_what_the_good_answer_says_as_well_is_no_refusal():
    notice = document({"message": "Your session expired 3 times this week", "orders": []})
    assert refusal(notice)
    assert refusal(notice, notice) is None
    assert refusal(redirect("/login"), redirect("/login")) is None
    assert refusal(redirect("/authenticate?project=demo")) == "redirects to the login"
    assert refusal(redirect("/login"), redirect("/orders/7")) == "redirects to the login"


@pytest.mark.parametrize(
    "response",
    [Response(403), Response(406), Response(200, (), b"Request blocked"), Response(200, (), b"Incident ID: 7-1")],
)
def test_blocks(response):
    assert block(response)


@pytest.mark.parametrize(
    "response", [Response(200), Response(401), Response(404), Response(500), Response(200, (), b"3 results")]
)
def test_what_blocks_nothing(response):
    assert block(response) is None


@pytest.mark.parametrize(
    ("response", "taken"),
    [
        (document({"id": 1}, 201), True),
        (redirect("/orders/7"), True),
        (redirect("/login"), False),
        (document({"message": "You must log in first"}), False),
        (Response(422), False),
        (Response(500), False),
    ],
)
def test_what_is_no_error_and_refuses_nothing_is_taken(response: Response, taken: bool) -> None:
    assert is_taken(response) is taken


@pytest.mark.parametrize(
    ("frame", "refuses"),
    [
        (b'<a href="/logout">Bye</a>', False),
        (b"<form action='/users/sign_out' method=post></form>", False),
        (b'<form action="/exit" method="post"><input type="submit" value="Logout"></form>', False),
        (b'<form action="/exit" method="post"><button>Sign out</button></form>', False),
        (b'<a href="/bye"> Log out </a>', False),
        (b'<a onclick="leave()">Logout <span id=who></span></a>', False),
        (b"<button>Sign out (ann)</button>", False),
        (b"<p>Log out of other devices, to be safe.</p>", True),
        (b"<a href=/about>About</a>", True),
        (b"<p>You were signed out</p><form action=/exit><input type=submit value=Go></form>", True),
        (b"<h1>Log out</h1><p>Done</p>", True),
        # The same frame for everybody.
        (b'<a href="/login">In</a> <a href="/logout">Out</a>', True),
        (b'<a href="/login">In</a> <form action="/exit"><button>Sign out</button></form>', True),
        (b'<a href="/login.php?next=/about">In</a> <a href="/login.php?do=logout">Out</a>', True),
        (b'<a href="/login">In</a> <a href="/logout?next=introduction">Out</a>', True),
        # One script for both, and the way out of one session.
        (b'<a href="/login.php?do=logout">Out</a>', False),
        (b'<a href="/login">Again</a> <a href="/enter.php?do=logout&amp;key=f64cd4970e">Out</a>', False),
    ],
)
def test_a_page_that_leads_its_reader_out_has_a_password_field_to_change_it(frame: bytes, refuses: bool) -> None:
    page = Response(200, (), frame + b"<form><input type=password name=new></form>")
    assert (refusal(page) is not None) is refuses


def test_who_is_taken_for_nobody_is_asked_to_sign_in_and_who_may_not_is_not():
    assert all(map(asks_to_sign_in, (Response(401), Response(419), redirect("/login?next=/orders/7"))))
    assert not any(map(asks_to_sign_in, (Response(403), Response(404), redirect("/orders"))))


@pytest.mark.parametrize(
    ("button", "refuses"),
    [
        (b"<input type='submit' name='addnewuser' value='Add User'>", False),
        (b"<button>Add a new member</button>", False),
        (b"<button>Add user name</button>", True),
        (b"<button>Create account</button>", True),
        (b"<p>Ask somebody to add user rights.</p><button>Go</button>", True),
    ],
)
def test_who_adds_others_is_asked_for_their_passwords(button: bytes, refuses: bool) -> None:
    page = Response(200, (), b"<form><input name=who><input type=password name=secret>" + button + b"</form>")
    assert (refusal(page) == "shows a login form") is refuses


@pytest.mark.parametrize(
    ("fields", "refuses"),
    [
        (b"<input type=password name=old_password><input type=password name=new_password1>", False),
        (
            b'<input name="user[currentPassword]" type="password"> <input name="user[newPassword]" type="password">',
            False,
        ),
        (b"<input type=password name=new_password>", True),  # of a registration
        (b"<input type=password name=pass id=current-password><input type=password name=pass id=new-password>", True),
        (b"<input type=password name=p><input name=old_password><input name=new_password>", True),
    ],
)
def test_who_is_asked_for_his_password_and_a_new_one_is_in(fields: bytes, refuses: bool) -> None:
    assert (refusal(Response(200, (), b"<h1>Account</h1><form>" + fields + b"</form>")) is not None) is refuses


@pytest.mark.parametrize(
    ("body", "done"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "result": true}', True),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "unknown setting"}}', False),
        (b'{"data": {"save": {"id": 7}}}', True),
        (b'{"data": {"save": null}, "errors": [{"message": "no such thing"}]}', False),
    ],
)
def test_what_failed_under_a_good_status_was_not_carried_out(body: bytes, done: bool) -> None:
    response = Response(200, ((b"Content-Type", b"application/json"),), body)
    assert is_taken(response)
    assert is_carried_out(response) is done
    assert not is_carried_out(Response(400, response.headers, body))
