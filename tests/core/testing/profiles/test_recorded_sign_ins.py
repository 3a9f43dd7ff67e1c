"""Sessions that a record ends, and how their users sign in again."""

import json
from urllib.parse import urlencode

import msgspec
import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.belonging import own_first
from gatecrash.core.testing.profiles.profile import AuthProfile, Take
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_session import LoginAddress
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns
from gatecrash.core.testing.profiles.taking import take_all

ANNS, BOBS = "71354a2dfb0ab172a69d7032", "0b6a340d188355597f2a1eae"
TOKEN = "5b40bf267b96835ec52b997b7815e4f5"
TO_LOGIN, HOME = ((b"Location", b"/login.php"),), ((b"Location", b"/index.php"),)
FORM = "<form method=post><input name='user'><input type='password' name='password'>{}</form>"
FIELD = f"<input type='hidden' name='form_token' value='{TOKEN}'>"


def asked(path: str, sid: str = "", body: bytes = b"", kind: str = "", answer: Response | None = None) -> Exchange:
    headers: Headers = ((b"Host", b"shed.example"), (b"User-Agent", b"Harbour/1.0"))
    headers += ((b"Cookie", b"level=low; PHPSESSID=" + sid.encode()),) if sid else ()
    headers += ((b"Content-Type", kind.encode()),) if kind else ()
    request = Request("POST" if body else "GET", path.encode(), headers, body, "http", "shed.example", 80)
    return Exchange(request, answer or Response(200, body=b"<p>hello</p>"))


def signing_in(name: str, sid: str, answer: Response, **more: str) -> Exchange:
    body = urlencode({"user": name, "password": "a${b", **more}).encode()
    return asked("/login.php", sid, body, "application/x-www-form-urlencoded", answer)


def login_of(name: str, sid: str) -> list[Exchange]:
    page = Response(200, body=FORM.format(FIELD).encode())
    return [asked("/login.php", sid, answer=page), signing_in(name, sid, Response(302, HOME), form_token=TOKEN)]


def logout(sid: str) -> Exchange:
    return asked("/logout.php", sid, answer=Response(302, TO_LOGIN))


def seen(*exchanges: Exchange, dead: tuple[LoginAddress, ...] = ()) -> AuthProfile | None:
    sign_ins = SignIns(dead)
    for exchange in exchanges:
        sign_ins.see(exchange)
    return sign_ins.profile()


def test_who_is_found_to_be_out_signs_in_again_as_who_signed_out() -> None:
    record = (*login_of("ann", ANNS), asked("/index.php", ANNS))
    assert seen(*record) is None
    profile = seen(*record, dead=(("shed.example:80", b"/login.php"),))
    assert profile is not None
    assert (profile.recorded, profile.identities[0].known) == (False, ("ann",))


def test_who_is_refused_where_he_was_let_in_signs_in_again_and_a_visitor_does_not() -> None:
    sign_ins = SignIns()
    for exchange in (*login_of("ann", ANNS), asked("/index.php", ANNS)):
        sign_ins.see(exchange)
    sign_ins.over(asked("/index.php", BOBS))
    assert sign_ins.profile() is None
    sign_ins.over(asked("/index.php", ANNS))
    profile = sign_ins.profile()
    assert profile is not None
    assert profile.identities[0].known == ("ann",)


def test_what_tells_whether_a_session_is_open_was_read_in_it_and_not_refused() -> None:
    sign_ins = SignIns()
    for exchange in (
        *login_of("ann", ANNS),
        asked("/index.php", ANNS),
        asked("/index.php?again", ANNS),
        asked("/order", ANNS, b"tea"),
        asked("/locked", ANNS, answer=Response(403)),
        asked("/elsewhere", BOBS),
        *(asked(f"/page{number}", ANNS) for number in range(9)),
    ):
        sign_ins.see(exchange)
    ((login, checks),) = sign_ins.open()
    assert login == ("shed.example:80", b"/login.php")
    assert [each.request.target for each in checks] == [b"/index.php", b"/page0", b"/page1", b"/page2"]
    sign_ins.see(logout(ANNS))
    assert sign_ins.open() == []


def test_where_one_script_is_all_its_questions_tell_whether_a_session_is_open() -> None:
    sign_ins = SignIns()
    for exchange in (
        *login_of("ann", ANNS),
        *(asked(f"/login.php{query}", ANNS) for query in ("", "?table=tools", "?table=tools", "?table=beds")),
    ):
        sign_ins.see(exchange)
    ((_, checks),) = sign_ins.open()
    assert [each.request.target for each in checks] == [b"/login.php?table=tools", b"/login.php?table=beds"]


def test_who_signed_out_signs_in_again_with_the_forms_own_token():
    profile = seen(*login_of("ann", ANNS), asked("/index.php", ANNS), logout(ANNS))
    assert profile is not None
    assert not profile.recorded, "its baselines are not left in what they came with"
    page, login = profile.identities[0].login
    assert (page.method, page.url) == ("GET", "http://shed.example/login.php")
    fresh = Response(200, body=FORM.format(FIELD.replace(TOKEN, "0a1b2c3d4e5f6071")).encode())
    assert take_all(page.take, fresh) == {page.take[0].variable: "0a1b2c3d4e5f6071"}
    assert login.form == (("user", "ann"), ("password", "a$${b"), ("form_token", f"${{{page.take[0].variable}}}"))
    assert (login.method, login.body) == ("POST", None)
    assert (("User-Agent", "Harbour/1.0"),) == page.headers == login.headers, (
        "one browser: a session may be good for it alone"
    )


@pytest.mark.parametrize(
    "exchanges",
    [
        [*login_of("ann", ANNS), asked("/index.php", ANNS)],
        [*login_of("ann", ANNS), logout(BOBS)],
        [signing_in("ann", ANNS, Response(302, TO_LOGIN)), logout(ANNS)],
        [signing_in("ann", ANNS, Response(200, body=FORM.format("").encode())), logout(ANNS)],
        [signing_in("ann", ANNS, Response(200), repeated_password="a${b"), logout(ANNS)],
    ],
    ids=["nobody signs out", "another signs out", "sent back to the login", "shown the form again", "two passwords"],
)
def test_whose_session_was_not_ended_or_who_was_not_let_in_is_left_as_recorded(exchanges):
    assert seen(*exchanges) is None


def test_a_form_that_is_sent_within_a_session_is_not_the_login_that_began_it():
    profile = seen(*login_of("ann", ANNS), signing_in("eve", ANNS, Response(200)), logout(ANNS))
    assert profile is not None
    assert [identity.known for identity in profile.identities] == [("ann",)]


def test_two_users_are_told_apart_by_what_their_requests_carried():
    users = RecordedIdentities(compile_recogniser())
    record = [*login_of("ann", ANNS), asked("/a", ANNS), logout(ANNS), *login_of("bob", BOBS), asked("/b", BOBS)]
    for exchange in record:
        users.see(exchange)
    profile = users.profile()
    whose = {sid: [each.known for each in own_first(profile, asked("/c", sid).request)] for sid in (ANNS, BOBS)}
    assert whose == {ANNS: [("ann",), ("bob",)], BOBS: [("bob",), ("ann",)]}
    assert profile is not None
    assert profile.bare, "a request without known credentials says nothing of what is public"


def test_a_token_out_of_the_logins_answer_is_put_where_it_was():
    answer = Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"auth": {"token": TOKEN}}).encode())
    login = asked("/login", "", b'{"email":"ann@x.example","password":"${pw}"}', "application/json", answer)
    headers = ((b"Host", b"shed.example"), (b"Authorization", b"Token " + TOKEN.encode()))
    carrying = [Request("GET", path, headers, b"", "http", "shed.example", 80) for path in (b"/me", b"/logout")]
    profile = seen(login, *(Exchange(request, Response(200, body=b"{}")) for request in carrying))
    assert profile is not None
    identity = profile.identities[0]
    assert [(each.point, each.value) for each in identity.values] == [(("header", "AUTHORIZATION"), "Token ${token}")]
    assert identity.login[0].take == (Take("token", "json", '$["auth"]["token"]'),)
    assert identity.login[0].body == '{"email":"ann@x.example","password":"$${pw}"}'


def test_a_login_in_two_steps_is_gone_through_in_both():
    kind = ((b"Content-Type", b"application/json"),)
    half, whole = "half-0d2b1c4e5f60718293a4", "whole-9f8e7d6c5b4a39281706"
    first = asked(
        "/login",
        "",
        b'{"email":"ann@x.example","password":"pw"}',
        "application/json",
        Response(200, kind, json.dumps({"status": "code", "next": {"half": half}}).encode()),
    )
    second = asked(
        "/login/code",
        "",
        json.dumps({"half": half, "email": "ann@x.example", "code": "1234"}).encode(),
        "application/json",
        Response(200, kind, json.dumps({"token": whole}).encode()),
    )
    headers = ((b"Host", b"shed.example"), (b"Authorization", b"Bearer " + whole.encode()))
    carrying = [Request("GET", path, headers, b"", "http", "shed.example", 80) for path in (b"/me", b"/logout")]
    profile = seen(first, second, *(Exchange(request, Response(200, body=b"{}")) for request in carrying))
    assert profile is not None
    password, code = profile.identities[0].login
    assert (password.url, password.take) == ("http://shed.example/login", (Take("step", "json", '$["next"]["half"]'),))
    assert json.loads(code.body or "") == {"half": "${step}", "email": "ann@x.example", "code": "1234"}
    assert code.take == (Take("token", "json", '$["token"]'),)


def test_a_registration_is_no_login_to_repeat_and_neither_is_one_that_nothing_came_of():
    kind = ((b"Content-Type", b"application/json"),)
    body = b'{"email":"%b@x.example","password":"pw"}'
    made = asked(
        "/register", "", body % b"new", "application/json", Response(201, kind, b'{"token":"%b"}' % TOKEN.encode())
    )
    empty = asked("/login", "", body % b"eve", "application/json", Response(200, kind, b'{"status":"a code was sent"}'))
    profile = seen(made, empty, *login_of("ann", ANNS), asked("/index.php", ANNS), logout(ANNS))
    assert profile is not None
    assert [identity.known for identity in profile.identities] == [("ann",)]


def test_a_session_that_the_login_gave_in_percent_codes_is_known_where_it_comes_back():
    given = Response(302, (*HOME, (b"Set-Cookie", b"PHPSESSID=s%3A" + ANNS.encode())))
    profile = seen(signing_in("ann", "", given), asked("/index.php", "s%3A" + ANNS), logout("s%3A" + ANNS))
    assert profile is not None
    assert profile.holders[0].values[0].value == f"s:{ANNS}"


def test_a_token_of_another_login_that_nobody_ended_stays_as_it_was_recorded():
    given = Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"token": TOKEN}).encode())
    api = asked("/api/token", "", b'{"username": "ann", "password": "a${b"}', "application/json", given)
    profile = seen(*login_of("ann", ANNS), logout(ANNS), api)
    assert profile is not None
    assert profile.identities[0].login[-1].url.endswith("/login.php")
    called = asked("/api/me").request
    token = (b"Authorization", b"Token " + TOKEN.encode())
    with_token, both = (
        msgspec.structs.replace(one, headers=(*one.headers, token)) for one in (called, asked("/", ANNS).request)
    )
    assert own_first(profile, with_token) == ()
    assert own_first(profile, called) == profile.identities
    assert own_first(profile, both) == profile.identities, "a gateway's Basic stands beside every session"


@pytest.mark.parametrize("rotates", [True, False])
def test_who_signs_in_as_one_who_manages_has_a_higher_rank(rotates: bool) -> None:
    identities = RecordedIdentities(compile_recogniser())
    for name, before, after in (("ann", ANNS, ANNS[::-1]), ("admin", BOBS, BOBS[::-1])):
        sid = after if rotates else before
        issued = ((b"Set-Cookie", b"PHPSESSID=" + sid.encode()),) if rotates else ()
        login = signing_in(name, before, Response(302, HOME + issued))
        for exchange in (login, asked("/index.php", sid), asked("/orders.php", sid), logout(sid)):
            identities.see(exchange)
    profile = identities.profile()
    assert profile is not None
    assert [identity.rank for identity in profile.identities] == [0, 1]


def api(path: str, token: str = "", body: str = "", answer: str = '{"ok": true}') -> Exchange:
    headers: Headers = ((b"Host", b"shed.example"), (b"Content-Type", b"application/json"))
    headers += ((b"Authorization", f"Bearer {token}".encode()),) if token else ()
    method = "POST" if body or "auth" in path else "GET"
    request = Request(method, path.encode(), headers, body.encode(), "http", "shed.example", 80)
    return Exchange(request, Response(200, body=answer.encode()))


ENTERED = api(
    "/auth/login",
    body='{"user": "ann", "password": "k"}',
    answer='{"access_token": "at-11112222333", "refresh_token": "rt-11112222333"}',
)
FRESH = '{"access_token": "at-99998888777", "refresh_token": "rt-99998888777"}'
BY_BODY = api("/auth/refresh", body='{"refresh_token": "rt-11112222333"}', answer=FRESH)
BY_HEADER = api("/auth/refresh", "at-11112222333", answer=FRESH)


@pytest.mark.parametrize("refresh", [BY_BODY, BY_HEADER], ids=["by a token of its own", "by the token in use"])
def test_a_token_renewed_at_once_is_a_step_of_the_sign_in(refresh: Exchange) -> None:
    profile = seen(ENTERED, refresh, api("/me", "at-99998888777"), api("/auth/logout", "at-99998888777"))
    assert profile is not None
    (identity,) = profile.identities
    assert [each.value for each in identity.values] == ["Bearer ${token}"]
    login, renewal = identity.login
    again = Response(200, body=b'{"access_token": "at-again-1234567", "refresh_token": "rt-again-1234567"}')
    variables = take_all(login.take, again)
    assert set(variables.values()) < {"at-again-1234567", "rt-again-1234567"}
    sent = [renewal.body or "", *(text for _, text in renewal.headers)]
    assert any(f"${{{name}}}" in text for name in variables for text in sent)
    assert not any("1111222" in text for text in sent), "nothing that was recorded is sent again"
    assert take_all(renewal.take, Response(200, body=FRESH.encode())) == {"token": "at-99998888777"}


def test_a_token_renewed_after_use_is_the_same_sessions_and_the_login_alone_lets_in() -> None:
    used, later = api("/me", "at-11112222333"), api("/orders", "at-99998888777")
    profile = seen(ENTERED, used, BY_BODY, later, api("/auth/logout", "at-99998888777"))
    assert profile is not None
    (identity,) = profile.identities
    assert [step.url for step in identity.login] == ["http://shed.example/auth/login"]
    assert own_first(profile, later.request) == own_first(profile, used.request) == profile.identities
    held = {placed.value for holder in profile.holders for placed in holder.values}
    assert {"Bearer at-11112222333", "Bearer at-99998888777"} <= held


def test_a_login_that_is_sent_once_more_in_the_same_session_was_not_let_in_before_and_one_behind_what_was_read_changes_nothing() -> (
    None
):
    wrong, right = "wrong", "a${b"
    again = (
        asked("/login.php", ANNS, answer=Response(200, body=FORM.format("").encode())),
        signing_in(
            "ann", ANNS, Response(200, body=b"<p>Invalid password. <a href='/login.php'>Back</a></p>"), password=wrong
        ),
        signing_in("ann", ANNS, Response(302, HOME)),
    )
    for record, password in (
        ((*again, asked("/index.php", ANNS), logout(ANNS)), right),
        ((*again, asked("/index.php", ANNS), again[1], logout(ANNS)), right),
        ((*again[:2], asked("/index.php", ANNS), again[2], logout(ANNS)), wrong),
    ):
        profile = seen(*record)
        assert profile is not None
        form = dict(profile.identities[0].login[-1].form or ())
        assert form["password"].replace("$${", "${") == password


def test_two_whose_sessions_began_before_they_signed_in_are_told_apart_by_their_logins() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for user, session in (("ann", "n0k8e4t2p6q1a5"), ("ben", "k3m9w2x7r1z4b8")):
        headers = (
            (b"Content-Type", b"application/x-www-form-urlencoded"),
            (b"Cookie", f"PHPSESSID={session}".encode()),
        )
        home = Response(302, ((b"Location", b"/home.php"),))
        page = Response(200, ((b"Content-Type", b"text/html"),), b"<p>Welcome")
        for request, answer in (
            (Request("GET", b"/about.php", headers[1:]), page),
            (Request("POST", b"/enter.php", headers, f"user={user}&password=k".encode()), home),
            (Request("GET", b"/home.php", headers[1:]), page),
        ):
            identities.see(Exchange(request, answer))
    profile = identities.profile()
    assert profile is not None
    assert [identity.known for identity in profile.identities] == [("ann",), ("ben",)]


def at_site(cookie: str, path: bytes = b"/orders", body: bytes = b"<p>Orders") -> Exchange:
    request = Request("GET", path, ((b"Cookie", cookie.encode()),), b"", "https", "a", 443)
    return Exchange(request, Response(200, ((b"Content-Type", b"text/html"),), body))


def entering(user: str, cookie: str) -> Exchange:
    """A login by a form, which hands out a session."""
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = Request("POST", b"/login", form, f"email={user}&password=a-long-one".encode(), "https", "a", 443)
    return Exchange(request, Response(302, ((b"Set-Cookie", cookie.encode() + b"; HttpOnly"), (b"Location", b"/"))))


def with_two(identities: RecordedIdentities, name: str) -> AuthProfile:
    """What is known when two have signed in, each with a session in a cookie of this name."""
    for user, value in (("ann", "k3v9x0q2m7w5t1"), ("bob", "z8r4n6b1c0p3y5")):
        identities.see(entering(user, f"{name}={value}"))
        identities.see(at_site(f"{name}={value}"))
    profile = identities.profile()
    assert profile is not None
    return profile


@pytest.mark.parametrize(
    "name", ["_shop_session", "shop_session", "_shop_key", "__Host-session", "wordpress_logged_in_" + "0a" * 16]
)
def test_users_are_told_apart_by_sessions_whose_names_have_a_part_of_their_own(name: str) -> None:
    """Detection folds such names into one, or leaves a browser's prefix off; requests have them whole."""
    identities = RecordedIdentities(compile_recogniser())
    profile = with_two(identities, name)
    assert [each.known for each in profile.identities] == [("ann",), ("bob",)]
    assert [placed.point[-1] for each in profile.identities for placed in each.values] == [name, name]


def test_a_visit_before_both_of_them_takes_no_place_from_two_who_signed_in() -> None:
    """Who has just registered has a session and no name that a login told."""
    identities = RecordedIdentities(compile_recogniser())
    identities.see(at_site("_shop_session=v1s1t0r0v1s1t0r0", b"/welcome"))
    profile = with_two(identities, "_shop_session")
    assert [each.known for each in profile.identities] == [("ann",), ("bob",)]


def test_two_who_sign_in_to_a_part_of_the_site_as_one_stay_two() -> None:
    """Its cookie says who uses that part; theirs says who they are."""
    teller = "till_session=t3ll3r0t3ll3r0t3"
    identities = RecordedIdentities(compile_recogniser())
    anns, bobs = "shop_session=k3v9x0q2m7w5t1", "shop_session=z8r4n6b1c0p3y5"
    for user, own in (("ann", anns), ("bob", bobs)):
        identities.see(entering(user, own))
        for cookie in (own, f"{own}; {teller}", own):
            identities.see(at_site(cookie))
    me = Response(200, ((b"Content-Type", b"application/json"),), b'{"email": "bob@shop.example"}')
    identities.tell(Exchange(at_site(f"{bobs}; {teller}", b"/me").request, me))
    profile = identities.profile()
    assert profile is not None
    ann, bob = profile.identities
    assert [own_first(profile, at_site(each).request)[0] for each in (anns, bobs)] == [ann, bob]
    assert (ann.known, bob.known) == (("ann",), ("bob", "bob@shop.example"))


def test_a_session_that_begins_anew_beside_what_stays_is_the_same_users() -> None:
    """A device is known for longer than a session, whatever came in between."""
    kept = "device_session=d3v1c3d3v1c3d3"
    identities = RecordedIdentities(compile_recogniser())
    for user, first, second in (("ann", "k3v9x0q2m7w5t1", "m1m2m3m4m5m6m7"), ("bob", "z8r4n6b1c0p3y5", "")):
        identities.see(entering(user, f"shop_session={first}"))
        for value in filter(None, (first, second)):
            identities.see(at_site(f"shop_session={value}; {kept}-{user}"))
    profile = identities.profile()
    assert profile is not None
    assert [each.known for each in profile.identities] == [("ann",), ("bob",)]
