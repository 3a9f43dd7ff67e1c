"""Whom a recorded login names as the holder of what it hands out."""

import base64

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.belonging import beside, own_first
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_logins import MOST_REMEMBERED, RecordedLogins, signed_in

FORM, JSON = (b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Type", b"application/json")
SESSION = "sid-3f9a0c77de114b02"


def login(body: bytes, kind: tuple[bytes, bytes] = FORM, status: int = 302, *headers: tuple[bytes, bytes]) -> Exchange:
    told: Headers = headers or ((b"Set-Cookie", f"sid={SESSION}; HttpOnly".encode()),)
    return Exchange(Request("POST", b"/enter", (kind,), body), Response(status, told))


def brought(to: bytes, issued: bytes = b"") -> str:
    """Whose a visitor's session is behind a login that leads there, and issues this."""
    headers: Headers = (FORM, (b"Cookie", f"lang=en; sid={SESSION}".encode()))
    told: Headers = ((b"Location", to), *(((b"Set-Cookie", issued),) if issued else ()))
    logins = RecordedLogins()
    logins.see(Exchange(Request("POST", b"/enter", headers, b"nick=Anna&pass=k"), Response(302, told)))
    return logins.name_of([SESSION])


def test_a_session_that_a_visitor_brought_to_a_login_is_his_who_signed_in() -> None:
    assert brought(b"/home") == "anna"
    assert brought(b"/home", b"sid=another-9d20b1c4e7; HttpOnly") == ""
    assert brought(b"/enter") == brought(b"/login?failed=1") == ""


OUT, IN = b'<a href="/logout">Sign out</a>', b'<form><input name="nick"><input name="pass" type="password"></form>'


@pytest.mark.parametrize(("page", "whose"), [(OUT, "anna"), (IN, ""), (b"<p>Our shop</p>", "")])
def test_a_login_that_leads_back_to_itself_let_in_where_the_page_there_shows_a_way_out(page: bytes, whose: str) -> None:
    """As programs whose one address is all of it do; one that failed leads back as well."""
    cookie, html = (b"Cookie", f"sid={SESSION}".encode()), (b"Content-Type", b"text/html")
    logins = RecordedLogins()
    entering = Request("POST", b"/enter", (FORM, cookie), b"nick=Anna&pass=k")
    logins.see(Exchange(entering, Response(302, ((b"Location", b"/enter"),))))
    assert logins.name_of([SESSION]) == ""
    logins.see(Exchange(Request("GET", b"/look.css", (cookie,)), Response(200, ((b"Content-Type", b"text/css"),))))
    logins.see(Exchange(Request("GET", b"/enter", (cookie,)), Response(200, (html,), page)))
    logins.see(Exchange(Request("GET", b"/later", (cookie,)), Response(200, (html,), OUT)))
    assert logins.name_of([SESSION]) == whose


@pytest.mark.parametrize(("page", "whose"), [(OUT, "anna"), (IN, "")])
def test_a_login_that_is_answered_by_the_page_itself_let_in_where_that_shows_a_way_out(page: bytes, whose: str) -> None:
    entering = Request("POST", b"/enter", (FORM, (b"Cookie", f"sid={SESSION}".encode())), b"nick=Anna&pass=k")
    logins = RecordedLogins()
    logins.see(Exchange(entering, Response(200, ((b"Content-Type", b"text/html"),), page)))
    assert logins.name_of([SESSION]) == whose


def test_a_login_may_shorten_the_names_of_both_its_fields() -> None:
    logins = RecordedLogins()
    logins.see(login(b"id=start&do=login&u=Anna&p=k"))
    assert logins.name_of([SESSION]) == "anna"
    logins.see(login(b"log=Ben&pwd=k", FORM, 302, (b"Set-Cookie", b"sid=77aa5c1d90e3f412; HttpOnly")))
    assert logins.name_of(["77aa5c1d90e3f412"]) == "ben"
    logins.see(login(b"u=Anna&page=2", FORM, 302, (b"Set-Cookie", b"sid=5c1d77aa90e3f412; HttpOnly")))
    assert logins.name_of(["5c1d77aa90e3f412"]) == ""


def test_the_number_of_a_call_is_nobodys_name() -> None:
    for params in (b'[{"alias": "Anna", "passphrase": "k"}]', b'{"id": "Anna", "password": "k"}'):
        body = b'{"jsonrpc": "2.0", "method": "In", "params": ' + params + b', "id": "26"}'
        assert signed_in(Request("POST", b"/rpc", (JSON,), body)) == "anna"


def test_who_counts_visits_signs_nobody_in() -> None:
    visit = b"u=https%3A%2F%2Fshop.example%2Flogin&p=web"
    assert signed_in(Request("POST", b"/collect", (FORM,), visit)) == ""
    assert signed_in(Request("POST", b"/login", (FORM,), b"u=Anna&p=k")) == "anna"


def test_who_makes_an_account_for_another_stays_who_he_is() -> None:
    logins = RecordedLogins()
    logins.see(login(b"nick=Anna&pass=k"))
    fresh = "sid-77aa5c1d90e3f412"

    def sent(path: bytes) -> Exchange:
        headers: Headers = (FORM, (b"Cookie", f"sid={SESSION}".encode()))
        told: Headers = ((b"Set-Cookie", f"sid={fresh}; HttpOnly".encode()), (b"Location", b"/people"))
        return Exchange(Request("POST", path, headers, b"name=Carl&password=k"), Response(302, told))

    logins.see(sent(b"/people/new"))
    assert logins.name_of([SESSION]) == logins.name_of([fresh]) == "anna"
    for path in (b"/enter", b"/login"):  # where she did, and where people do by its name
        logins.see(sent(path))
        assert logins.name_of([fresh]) == "carl"


SECOND, THIRD = "eyJ1IjoiYW5uYSJ9.second", "eyJ1IjoiYW5uYSJ9.third0"


def gone_on(method: str, target: bytes, status: int, *headers: tuple[bytes, bytes]) -> list[str]:
    """Whose two further values of a session's cookie are: of the second, which an answer set, and the third, set where the second came."""
    logins = RecordedLogins()
    logins.see(login(b"nick=Anna&pass=k"))
    sent, told = SESSION, (SECOND, THIRD)
    for value in told:
        answer: Headers = ((b"Set-Cookie", f"sid={value}; Path=/".encode()), *headers)
        request = Request(method, target, ((b"Cookie", f"lang=en; sid={sent}".encode()),))
        logins.see(Exchange(request, Response(status, answer)))
        sent = value
    return [logins.name_of([value]) for value in told]


def test_a_session_whose_cookie_changes_with_its_answers_stays_its_holders() -> None:
    assert gone_on("GET", b"/orders", 200) == ["anna", "anna"]
    assert gone_on("POST", b"/orders", 302, (b"Location", b"/orders/7")) == ["anna", "anna"]


def test_what_is_set_behind_a_logout_or_a_refusal_is_a_visitors() -> None:
    assert gone_on("GET", b"/logout", 302, (b"Location", b"/")) == ["", ""]
    assert gone_on("GET", b"/orders", 302, (b"Location", b"/login")) == ["", ""]


@pytest.mark.parametrize(
    ("exchange", "name"),
    [
        (login(b"nick=Anna&pass=k"), "anna"),
        (login(b'{"email": "a@x.example", "password": "k"}', JSON), "a@x.example"),
        (login(b'{"user": {"email": "a@x.example", "password": "k"}}', JSON), "a@x.example"),
        (
            login(
                b'{"query": "mutation In($name: String!, $password: String!) { login(name: $name, password: $password) { t } }",'
                b' "variables": {"name": "anna", "password": "k"}}',
                JSON,
            ),
            "anna",
        ),
        (login(b"user%5Bname%5D=anna&user%5Bpass%5D=k"), "anna"),
        (
            login(
                b'{"operationName": "In", "query": "mutation In($login: String!, $code: String!) { a(l: $login, c: $code) { t } }",'
                b' "variables": {"login": "anna", "code": "77-41"}}',
                JSON,
            ),
            "anna",
        ),
        (
            login(
                b'{"query": "mutation In($a: String!, $b: String!) { enter(login: $a, password: $b) { t } }",'
                b' "variables": {"a": "anna", "b": "k"}}',
                JSON,
            ),
            "anna",
        ),
        (login(b"email=a@x.example&otp=774120"), "a@x.example"),
        (login(b"email=a@x.example&coupon_code=774120"), ""),
        (login(b"do=login&login=anna&pw=k"), "anna"),
        (login(b"benutzer_name=anna&user_kennwort=k"), "anna"),
        (login(b"nick=anna&pass=k", FORM, 401), ""),
        (login(b"nick=anna&password=k&password2=k"), ""),
        (login(b"nick=anna"), ""),
        (login(b"token=1&pass=k"), ""),
    ],
    ids=[
        "a form",
        "JSON",
        "an object in JSON",
        "variables of GraphQL",
        "names in brackets",
        "a code in variables",
        "arguments of GraphQL",
        "a one-time code",
        "a coupon",
        "a password called pw",
        "a password in German",
        "refused",
        "a registration",
        "no password",
        "no name",
    ],
)
def test_the_holder_of_a_cookie_is_who_signed_in_for_it(exchange: Exchange, name: str) -> None:
    logins = RecordedLogins()
    logins.see(exchange)
    assert logins.name_of([SESSION]) == name


def test_tokens_in_answers_belong_to_who_signed_in_and_short_texts_to_nobody() -> None:
    body = b'{"data": {"token": "77f1b0e2d94c4b6a", "state": "ok"}}'
    request = Request("POST", b"/login", (JSON,), b'{"user": "anna", "password": "k"}')
    logins = RecordedLogins()
    logins.see(Exchange(request, Response(200, (JSON,), body)))
    assert logins.name_of(["Bearer 77f1b0e2d94c4b6a"]) == "anna"
    assert logins.name_of(["ok"]) == ""


def test_no_more_is_remembered_than_may_be() -> None:
    logins = RecordedLogins()
    for number in range(MOST_REMEMBERED + 1):
        cookie = (b"Set-Cookie", f"sid=session-number-{number}".encode())
        logins.see(login(b"nick=anna&pass=k", FORM, 200, cookie))
    assert logins.name_of(["session-number-0"]) == ""
    assert logins.name_of([f"session-number-{MOST_REMEMBERED}"]) == "anna"


def test_a_session_in_percent_codes_is_its_holders_as_it_is_read():
    logins = RecordedLogins()
    logins.see(login(b"nick=Anna&pass=k", FORM, 302, (b"Set-Cookie", f"sid=s%3A{SESSION}".encode())))
    assert logins.name_of([f"s:{SESSION}"]) == "anna"


@pytest.mark.parametrize(
    ("refresh", "name"),
    [
        (Request("POST", b"/auth/refresh", (JSON,), b'{"refresh_token": "rt-77b1c0de99a3"}'), "anna"),
        (Request("POST", b"/auth/refresh", ((b"Authorization", b"Bearer at-77b1c0de99a3"),)), "anna"),
        (Request("POST", b"/oauth/token", (FORM,), b"grant_type=refresh_token&refresh_token=rt-77b1c0de99a3"), "anna"),
        (Request("POST", b"/auth/refresh", (JSON,), b'{"refresh_token": "rt-of-somebody-else"}'), ""),
        (Request("POST", b"/impersonate", ((b"Authorization", b"Bearer at-77b1c0de99a3"),), b"user=bob"), ""),
    ],
    ids=["in the body", "in the header", "as OAuth does it", "another's", "no renewal"],
)
def test_a_token_that_is_given_for_another_is_of_the_same_user(refresh: Request, name: str) -> None:
    logins = RecordedLogins()
    given = b'{"access_token": "at-77b1c0de99a3", "refresh_token": "rt-77b1c0de99a3"}'
    logins.see(
        Exchange(Request("POST", b"/enter", (JSON,), b'{"user": "anna", "password": "k"}'), Response(200, body=given))
    )
    logins.see(Exchange(refresh, Response(200, body=b'{"access_token": "at-fresh-5501ccaa"}')))
    assert logins.name_of(["Bearer at-fresh-5501ccaa"]) == name


@pytest.mark.parametrize(
    ("body", "headers", "answer", "name"),
    [
        (b'{"name": "Anna"}', (JSON,), b'{"name": "Anna", "apiKey": "77f1b0e2d94c4b6a"}', "anna"),
        (b"username=anna", (FORM,), b'{"data": {"token": "77f1b0e2d94c4b6a"}}', "anna"),
        (b'{"name": "laptop"}', (JSON, (b"X-Owner-Key", b"5501ccaa0d3e")), b'{"key": "77f1b0e2d94c4b6a"}', ""),
        (b'{"name": "laptop"}', (JSON, (b"Cookie", b"sid=5501ccaa0d3e")), b'{"key": "77f1b0e2d94c4b6a"}', ""),
        (b'{"title": "anna"}', (JSON,), b'{"key": "77f1b0e2d94c4b6a"}', ""),
        (b'{"name": "anna"}', (JSON,), b'{"note": "77f1b0e2d94c4b6a"}', ""),
        (b'{"name": "anna", "password": "k", "password2": "k"}', (JSON,), b'{"key": "77f1b0e2d94c4b6a"}', ""),
    ],
    ids=["an account", "in a form", "another's key", "in a session", "a thing", "no key", "a registration"],
)
def test_a_key_that_an_account_without_a_password_is_made_with_is_of_that_name(
    body: bytes, headers: Headers, answer: bytes, name: str
) -> None:
    logins = RecordedLogins()
    made = Response(201, (JSON,), answer)
    logins.see(Exchange(Request("POST", b"/teams", headers, body), made))
    assert logins.name_of(["77f1b0e2d94c4b6a"]) == name
    assert not logins.raising(name), "a name that anybody may take says nothing of rights"


def test_two_users_whose_session_cookies_change_are_two_and_each_request_is_its_senders() -> None:
    """As of frameworks that keep the session in its cookie: another value after each answer."""
    identities = RecordedIdentities(compile_recogniser())
    sent: dict[str, list[Request]] = {"anna": [], "bert": []}
    for name, requests in sent.items():
        value = ""
        for place in range(4):
            headers = ((b"Cookie", f"session={value}".encode()),) if value else ()
            body, path = (f"user={name}&password=k".encode(), b"/login") if not place else (b"", b"/orders/%d" % place)
            form = ((b"Content-Type", b"application/x-www-form-urlencoded"),) if body else ()
            value = base64.urlsafe_b64encode(f'{{"user":"{name}","seen":{place}}}'.encode()).decode() + ".h3kQz81TzVbWq"
            request = Request("POST" if body else "GET", path, (*headers, *form), body, "https", "shop.example", 443)
            answer = ((b"Set-Cookie", f"session={value}; HttpOnly".encode()),)
            identities.see(Exchange(request, Response(302 if body else 200, answer, b"{}")))
            requests += [request] if headers else []
    profile = identities.profile()
    assert profile is not None
    assert [each.name for each in profile.identities] == ["recorded 1", "recorded 2"]
    for number, requests in enumerate(sent.values(), 1):
        assert [own_first(profile, each)[0].name for each in requests] == [f"recorded {number}"] * 3
    assert beside(profile, sent["anna"][0], "recorded 2") == {}, "an earlier value of a session stands in for nothing"
    visitor = Request(
        "GET", b"/orders/1", ((b"Cookie", b"session=bm9ib2R5.h3kQz81TzVbWq"),), host="shop.example", port=443
    )
    assert own_first(profile, visitor) == ()


@pytest.mark.parametrize(
    ("target", "name"),
    [
        (b"/api/login?username=Anna&password=k", "anna"),
        (b"/api/login?username=Anna", ""),
        (b"/api/orders?username=Anna&password=k", ""),
    ],
    ids=["a login", "no password", "a password that every request brings"],
)
def test_some_apis_sign_in_by_a_get(target: bytes, name: str) -> None:
    logins = RecordedLogins()
    logins.see(Exchange(Request("GET", target), Response(200, (JSON,), b'{"sessionToken": "r:77f1b0e2d94c4b6a"}')))
    assert logins.name_of(["r:77f1b0e2d94c4b6a"]) == name


def with_a_key_of_the_application(*, on_the_login: bool) -> list[str]:
    """Who is told apart of two who send another session each beside the one key of their client."""
    identities = RecordedIdentities(compile_recogniser())
    for name, session in (("anna", "r:4940a068af9a9487"), ("bert", "r:9d692919b4d3bdbd")):
        key = (b"X-Api-Key", b"rk-11aa22bb33cc44dd")
        body = f'{{"username": "{name}", "password": "k"}}'.encode()
        brought = (key,) if on_the_login else ()
        enter = Request("POST", b"/login", (JSON, *brought), body, host="shop.example")
        by_get = Request("GET", f"/login?user={name}&password=k".encode(), brought, host="shop.example")
        for login in (enter, by_get):
            identities.see(Exchange(login, Response(200, (JSON,), b'{"welcome": true}')))
        headers = (key, (b"X-Session-Token", session.encode()))
        me = f'{{"id": "{name}", "name": "{name}"}}'.encode()
        for path, told in ((b"/users/me", me), (b"/notes", b"[]")):
            identities.see(Exchange(Request("GET", path, headers, host="shop.example"), Response(200, (JSON,), told)))
    profile = identities.profile()
    assert profile is not None
    assert {each.check.url.rpartition("/")[2] for each in profile.identities if each.check} == {"me"}, "and no login"
    return [each.name for each in profile.identities]


def test_a_key_that_comes_with_logins_is_the_applications_and_makes_nobody_of_two() -> None:
    assert with_a_key_of_the_application(on_the_login=True) == ["recorded 1", "recorded 2"]
    assert with_a_key_of_the_application(on_the_login=False) == ["recorded 1"], (
        "it may be somebody's, who signed in anew"
    )


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"badge=Anna&password=k", "anna"),
        (b"csrf=0d5f&handle=Anna&password=k&next=%2Fhome", "anna"),
        (b"handle=Anna&colour=red&password=k", ""),
        (b"log=Anna&colour=red&pwd=k", "anna"),
        (b"handle=Anna&cookies_work=1&password=k", "anna"),
        (b"amount=12&pin=4711", ""),
        (b"_csrf=0d5f&password=k", ""),
        (b"remember_me=on&username=Anna&password=k", "anna"),
        (b"remember=1&handle=Anna&password=k", "anna"),
        (b"login_type=local&email=ann%40a.example&password=k", "ann@a.example"),
        (b"member=Anna&password=k", "anna"),
    ],
)
def test_a_login_may_have_its_own_word_for_a_name(body: bytes, name: str) -> None:
    assert signed_in(Request("POST", b"/enter", (FORM,), body)) == name


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b'{"badge": 2, "pin": 1002}', "2"),
        (b'{"card": "C-0002", "pin": "1002"}', "c-0002"),
        (b'{"employeeId": "77", "pinCode": "120044", "_csrf": "0d5f"}', "77"),
        (b'{"challenge": "9f8e7d6c", "pin": "1002"}', ""),
        (b'{"mfaId": "9f8e7d6c", "pin": "100244"}', ""),
        (b'{"ticket": "9f8e7d6c", "pin": 100244}', ""),
        (b'{"card": "C-0002", "pin": "1002", "total": 12}', ""),
        (b'{"amount": 12, "pin": 1002}', ""),
        (b'{"card": "C-0002", "pin": "****"}', ""),
        (b'{"oldPin": "1001", "pin": "1002"}', ""),
        (b'{"card": true, "pin": "1002"}', ""),
    ],
)
def test_a_badge_lets_in_with_its_pin_and_nothing_else(body: bytes, name: str) -> None:
    assert signed_in(Request("POST", b"/unlock", (JSON,), body)) == name


@pytest.mark.parametrize(
    ("method", "path", "body", "name"),
    [
        ("POST", b"/login", b'{"door": 3, "pin": "1002"}', "3"),
        ("POST", b"/login/pin", b'{"mfaId": "9f8e7d6c", "pin": "100244"}', ""),
        ("POST", b"/login/pin", b'{"authRef": "9f8e7d6c", "pin": 100244}', ""),
        ("POST", b"/doors/open", b'{"door": 3, "pin": "1002"}', ""),
        ("POST", b"/delivery/check", b'{"sku": "A-77", "pincode": "411001"}', ""),
        ("POST", b"/areas", b'{"city": "Pune", "pinCode": 411001}', ""),
        ("POST", b"/transfer", b'{"to": "A-17", "pin": "1002"}', ""),
        ("POST", b"/cards/activate", b'{"card": "C-0002", "pin": "1002"}', ""),
        ("PUT", b"/staff/pin", b'{"employee": 2, "pin": "1002"}', ""),
    ],
)
def test_a_number_beside_a_pin_is_a_badge_by_its_name_or_where_people_sign_in(
    method: str, path: bytes, body: bytes, name: str
) -> None:
    assert signed_in(Request(method, path, (JSON,), body)) == name


@pytest.mark.parametrize(
    ("path", "headers", "name"),
    [
        (b"/api/session", ((b"X-Username", b"Anna"), (b"X-Password", b"k")), "anna"),
        (b"/orders", ((b"X-Username", b"Anna"), (b"X-Password", b"k")), ""),
        (b"/api/session", ((b"X-Username", b"Anna"),), ""),
    ],
)
def test_a_name_and_a_password_in_headers_ask_for_a_session(path: bytes, headers: Headers, name: str) -> None:
    assert signed_in(Request("POST", path, headers)) == name
