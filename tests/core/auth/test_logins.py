"""What is a login."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.logins import CALLBACKS, is_attempt, is_login, is_password, is_typed_again, says_done
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
XML = (b"Content-Type", b"text/xml; charset=utf-8")
JSON = (b"Content-Type", b"application/json; charset=utf-8")


def post(body: bytes, *headers, target: bytes = b"/login") -> Request:
    return Request("POST", target, headers, body)


@pytest.mark.parametrize(
    "request_",
    [
        post(b"user=ann&password=x", FORM),
        post(b"user%5Bpassword%5D=x", FORM),
        post(b"j_username=a&j_password=b", FORM),
        post(b"do=login&u=ann&p=x", FORM, target=b"/index.php"),
        post(b"route=account%2Flogin&u=ann&p=x", FORM, target=b"/index.php"),
        post(b'{"u":"ann","p":"x"}', JSON, target=b"/api/sign-in"),
        post(b'{"user":"ann","password":"x"}', JSON),
        post(b'{"query":"mutation","variables":{"input":{"pwd":"x"}}}', JSON),
        post(
            b'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--b--',
            (b"Content-Type", b"multipart/form-data; boundary=b"),
        ),
        post(b'mutation { signIn(user: "ann", password: "x") { id } }', (b"Content-Type", b"application/graphql")),
        post(b'{"query":"mutation { signIn(user: \\"ann\\", password: \\"x\\") { id } }"}', JSON),
        post(
            b'{"query":"mutation M($a: String!, $b: String!) { signIn(u: $a, password: $b) { id } }","variables":{}}',
            JSON,
        ),
        post(b"<s:Body><w:SignIn><w:user>ann</w:user><w:password>x</w:password></w:SignIn></s:Body>", XML),
        Request("GET", b"/callback?code=abc&state=xyz"),
        post(b"SAMLResponse=PHNhbWw%2B&RelayState=x", FORM),
        post(b"id_token=eyJ", FORM),
        Request("GET", b"/?ticket=ST-1"),
        post(b'{"id":"k","response":{"clientDataJSON":"e30","authenticatorData":"SZYN","signature":"MEUC"}}', JSON),
        post(b"credential=eyJhbGci&g_csrf_token=0f", FORM),
    ],
)
def test_attempts(request_):
    assert is_attempt(request_)


SECRET = b"k3f9Qz71LmXw08TrVb52Hn6yPd4sJcGe"


def opened(target: bytes, to: bytes, status: int = 302, method: str = "GET") -> bool:
    request = Request(method, target, host="shop.example")
    return is_login(Exchange(request, Response(status, ((b"Location", to),))), ())


@pytest.mark.parametrize(
    "target",
    [
        b"/magic?token=" + SECRET,
        b"/users/magic_link?user%5Bemail%5D=a%40b.example&user%5Btoken%5D=" + SECRET,
        b"/login/email/" + SECRET,
        b"/m/callback/email?token=" + SECRET + b"&operation=login",
        b"/passwordless/verify?code=" + SECRET,
    ],
)
def test_a_link_that_signs_in_is_a_login_where_it_leads_on_within_its_host(target: bytes):
    assert opened(target, b"/account")
    assert opened(target, b"https://shop.example/account", 303)
    assert not opened(target, b"/login?error=expired")
    assert not opened(target, b"https://idp.example/start")
    assert not opened(target, b"//elsewhere.example/account")
    assert not opened(target, b"http://[")
    assert not opened(target, b"/account", 404)
    assert not opened(target, b"", 200)
    assert not opened(target, b"/account", method="HEAD")


@pytest.mark.parametrize("target", [b"/login", b"/login?next=/account", b"/magic", b"/welcome?token=" + SECRET])
def test_without_a_secret_or_elsewhere_a_link_signs_nobody_in(target: bytes):
    assert not opened(target, b"/account")


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/"),
        Request("GET", b"/search?code=abc"),
        Request("GET", b"/list?u=ann&p=2"),
        post(b"q=lamp&p=2", FORM, target=b"/list?u=ann"),
        post(b"e=view&u=https%3A%2F%2Fshop.example%2Flogin&p=web", FORM, target=b"/collect"),
        post(b'{"events":[{"u":"/start","p":"web"}]}', JSON, target=b"/collect"),
        post(b"<div><p>Now</p><u>new</u></div>", XML, target=b"/pages/7"),
        post(b'{"id":"k","response":{"clientDataJSON":"e30","attestationObject":"o2Nm"}}', JSON),
        post(b"credential=gold", FORM),
        post(b"user=ann&password=", FORM),
        post(b"password=x", (b"Content-Type", b"text/plain")),
        post(b'{"password":null}', JSON),
        post(b'{"query":"{ me { password } }"}', JSON),
        post(b'{"query":"{ me(password: \\"\\") { id } }"}', JSON),
        post(b'{"query":"how do I set password: \\"x\\"?"}', JSON),
        post(b"<user><password/><password></password></user>", XML),
        post(b"{broken", JSON),
    ],
)
def test_no_attempts(request_):
    assert not is_attempt(request_)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (Response(200), True),
        (Response(302), True),
        (Response(401), False),
        (Response(422), False),
        (Response(200, body=b'<form><input name=p type="password">'), False),
        (None, False),
    ],
)
def test_a_login_is_an_attempt_that_was_not_refused(response, expected):
    assert is_login(Exchange(post(b"password=x", FORM), response), ()) is expected


def test_credentials_in_authorization_are_a_login_and_a_placeholder_is_none():
    recogniser = compile_recogniser()
    for value, expected in ((b"Basic dXNlcjpwYXNz", True), (b"Bearer null", False)):
        request = Request("GET", b"/", ((b"Authorization", value),))
        assert is_login(Exchange(request, Response(200)), recogniser.recognise(request)) is expected


@pytest.mark.parametrize("told", [b'{"ok": true, "user": {"id": 7, "admin": false}}', b'{"error": null}', b""])
def test_a_script_is_told_that_its_login_is_done(told: bytes):
    assert says_done(Exchange(post(b"{}", JSON, target=b"/api/login"), Response(200 if told else 204, (JSON,), told)))


@pytest.mark.parametrize(
    ("told", "target"),
    [
        (b'{"ok": false}', b"/api/login"),
        (b'{"success":0}', b"/api/login"),
        (b'{"errors": ["no"]}', b"/api/login"),
        (b'{"message": "Invalid credentials"}', b"/api/login"),
        (b'{"next": "otp"}', b"/api/login"),
        (b'{"id": 7}', b"/api/register"),
    ],
)
def test_a_script_that_is_told_more_or_signs_nobody_in_is_not_done(told: bytes, target: bytes):
    assert not says_done(Exchange(post(b"{}", JSON, target=target), Response(200, (JSON,), told)))
    page = Response(200, ((b"Content-Type", b"text/html"),), told)
    assert not says_done(Exchange(post(b"{}", JSON, target=b"/api/login"), page))


def test_every_callback_is_documented():
    assert all(names and source for names, source in CALLBACKS)


def test_password_names():
    assert is_password(b"LoginPassword")
    assert is_password(b"PIN")
    assert not is_password(b"shipping")


@pytest.mark.parametrize("name", [b"user_pass", b"txtPass", b"login[pass]", b"newpw", b"ctl00$main$txtUserPass"])
def test_a_pass_is_a_password_behind_whose_it_is(name):
    assert is_password(name)


@pytest.mark.parametrize(
    "name", [b"boarding_pass", b"season-pass", b"bypass", b"compass", b"dayPass", b"user_passport"]
)
def test_elsewhere_a_pass_is_a_ticket(name):
    assert not is_password(name)


def test_a_secret_beside_a_name_is_a_password_where_nothing_else_is():
    assert is_attempt(post(b"member=1041&secret=Ladder-Moss-4&next=", FORM))
    assert is_attempt(post(b'{"member":"1041","secret":"Ladder-Moss-4"}', JSON))
    assert not is_attempt(post(b"secret=Ladder-Moss-4", FORM))
    assert not is_attempt(post(b"secret=1&url=2&events=3&name=4&active=5&format=6", FORM))
    assert not is_attempt(post(b"member=1041&secretary=ann", FORM))


@given(
    st.binary(max_size=100),
    st.sampled_from([FORM, JSON, (b"Content-Type", b"multipart/form-data")]),
    st.binary(max_size=30),
)
def test_nothing_that_a_client_sends_makes_it_raise(body, header, target):
    assert is_attempt(post(body, header, target=b"/?" + target)) in (True, False)


@pytest.mark.parametrize(
    "target",
    [b"/login", b"/wp-login.php", b"/users/sign_in", b"/a/j_security_check", b"/session/", b"/login_check", b"/api/v1/sessions"],
)  # fmt: skip
def test_where_bodies_are_not_seen_a_form_that_goes_to_a_login_and_leads_on_is_one(target):
    led = Response(302, ((b"Location", b"https://shop.example/account"),))
    assert is_login(Exchange(post(b"", FORM, target=target), led), ())
    back = Response(302, ((b"Location", b"https://shop.example" + target + b"?error=1"),))
    assert not is_login(Exchange(post(b"", FORM, target=target), back), ()), "back to where it came from"
    assert not is_login(Exchange(post(b"", FORM, target=target), Response(200)), ()), "perhaps the form once more"
    assert is_login(Exchange(post(b"", JSON, target=target), Response(200)), ())
    assert not is_login(Exchange(post(b"", JSON, target=target), Response(401)), ())


@pytest.mark.parametrize(
    "request_",
    [
        post(b"", FORM, target=b"/logout"),
        post(b"", FORM, target=b"/auth/logout"),
        post(b"", FORM, target=b"/login/history"),
        post(b"", FORM, target=b"/account/login-history"),
        post(b"", FORM, target=b"/training/sessions"),
        post(b"", FORM, target=b"/chat-session"),
        post(b"", FORM, target=b"/plugins/session-table/clear"),
        post(b"", FORM, (b"Content-Length", b"0")),
        post(b""),
        post(b"next=%2Fcart", FORM),
        Request("GET", b"/login", (FORM,)),
    ],
)
def test_what_is_sent_elsewhere_or_has_no_body_is_no_login(request_):
    led = Response(302, ((b"Location", b"/account"),))
    assert not is_login(Exchange(request_, led), ())


def test_where_bodies_are_not_seen_a_login_that_is_handed_over_to_a_provider_has_not_happened():
    sent = Response(302, ((b"Location", b"https://id.example/oauth2/v1/authorize?state=af0"),))
    assert not is_login(Exchange(post(b"", FORM, target=b"/login"), sent), ())


@pytest.mark.parametrize(
    ("value", "expected"),
    [(b"Example-Password-1", True), (b"Example-Password-2", False), (b"short", False), (b"", False)],
)
def test_a_password_typed_once_more_is_known_by_its_value(value: bytes, expected: bool) -> None:
    assert is_typed_again(value, (b"Example-Password-1", b"short", b"")) is expected
