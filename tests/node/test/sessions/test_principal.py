"""A baseline dressed in a session; what a probe changed in it stays changed."""

from typing import Any

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.node.test.sessions.principal import SIGNED_OUT, Principal

TOKEN = Point.of("header", "AUTHORIZATION")
RECOGNISER = compile_recogniser()
PROFILE: dict[str, Any] = {
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${who}-0123456789-${hex}"}],
    "sign": {"scheme": "hmac", "key": "k", "header": "X-Sig", "signed": "${target}${header:Authorization}"},
    "once": [{"values": [{"point": ["header", "X-Id"], "value": "${uuid}"}]}],
    "identities": [{"name": "alice", "variables": {"who": "alice"}}, {"name": "bob", "variables": {"who": "bob"}}],
}
RECORDED = get("/a?q=1", (b"Authorization", b"Bearer recorded-0123456789"), (b"Cookie", b"theme=dark"))


async def dressed(profile: dict[str, Any] | None = PROFILE) -> tuple[Principal, Baseline, Application]:
    application = Application(lambda _request: Response(200))
    baseline = Baseline("bl_1", Exchange(RECORDED, Response(200)))
    principal = Principal(baseline, traffic(application, profile), RECOGNISER)
    return principal, await principal.dress(), application


@run
async def test_without_a_profile_nothing_changes() -> None:
    principal, baseline, application = await dressed(None)
    assert baseline.request == RECORDED
    assert principal.credentials == (TOKEN,)
    await principal.send(TestRequest(RECORDED))
    await principal.send(TestRequest(RECORDED, identity=""))
    assert application.asked[0] == RECORDED
    assert application.asked[1].headers == ((b"Host", b"shop.example"),)


@run
async def test_every_request_has_fresh_values_and_a_fresh_signature() -> None:
    principal, baseline, application = await dressed()
    assert set(principal.credentials) == {TOKEN, ("header", "X-SIG")}
    for target in (b"/a?q=1", b"/a?q=%27"):
        await principal.send(TestRequest(rewrite(baseline.request, Point.of("uri"), target)))
    first, second = application.asked
    for name in (b"Authorization", b"X-Sig", b"X-Id"):
        assert len({first.first(name), second.first(name), baseline.request.first(name)}) == 3, name
    assert (second.first(b"Authorization") or b"").startswith(b"Bearer alice-")
    assert second.first(b"Cookie") == b"theme=dark"


@run
async def test_what_a_probe_changed_is_not_put_back() -> None:
    principal, baseline, application = await dressed()
    bare = remove(remove(baseline.request, TOKEN), Point.of("header", "X-SIG"))
    await principal.send(TestRequest(bare))
    await principal.send(TestRequest(rewrite(baseline.request, TOKEN, b"Bearer garbled")))
    await principal.send(TestRequest(baseline.request, raw=True))
    first, second, third = application.asked
    assert (first.first(b"Authorization"), first.first(b"X-Sig")) == (None, None)
    assert second.first(b"Authorization") == b"Bearer garbled"
    assert second.first(b"X-Sig") != baseline.request.first(b"X-Sig"), "signed again, over what the probe wrote"
    assert third == baseline.request


@run
async def test_as_another_identity_nothing_of_the_first_is_left() -> None:
    principal, baseline, application = await dressed()
    await principal.send(TestRequest(baseline.request, identity="bob"))
    (sent,) = application.asked
    assert (sent.first(b"Authorization") or b"").startswith(b"Bearer bob-")
    assert b"alice" not in repr(sent).encode()
    assert sent.first(b"Cookie") is None
    assert sent.first(b"X-Sig")


@run
async def test_what_a_probe_writes_over_another_identitys_credentials_stays_there() -> None:
    principal, baseline, application = await dressed()
    missing = Point.of("header", "X-ROLE")
    written = ((TOKEN, b"Bearer of-bob-and-more"), (missing, b"admin"))
    await principal.send(TestRequest(baseline.request, identity="bob", written=written))
    (sent,) = application.asked
    assert sent.first(b"Authorization") == b"Bearer of-bob-and-more"
    assert (sent.first(b"X-Role"), bool(sent.first(b"X-Sig"))) == (None, True)


@run
async def test_an_identity_that_is_unknown_or_cannot_be_signed_in_sends_nothing() -> None:
    principal, baseline, application = await dressed()
    answer = await principal.send(TestRequest(baseline.request, identity="carol"))
    assert (answer.failure, answer.exchange.response, application.asked) == (SIGNED_OUT, None, [])


@run
async def test_nothing_is_inserted_where_the_session_writes_anew() -> None:
    principal, baseline, _ = await dressed()
    assert principal.limited(DEFAULT).exclude == (("header", r"X\-ID"), ("header", r"X\-SIG"))
    assert principal.intact(baseline.request)
    assert not principal.intact(remove(baseline.request, TOKEN))


@run
async def test_a_number_that_a_login_hands_out_is_a_credential_where_it_hands_out_nothing_else() -> None:
    login = {"login": [{"path": "/login", "json": {"user": "alice"}}], "base": "http://shop.example"}
    profile = {**login, "identities": [{"name": "alice"}]}
    number, session = (b"Set-Cookie", b"visit=100041"), (b"Set-Cookie", b"sid=fresh-0123456789")
    for given, named in (((number,), "visit"), ((number, session), "sid")):
        application = Application(lambda _request, given=given: Response(200, given))
        baseline = Baseline("bl_1", Exchange(get("/a"), Response(200)))
        principal = Principal(baseline, traffic(application, profile), RECOGNISER)
        await principal.dress()
        assert principal.credentials == (Point.of("header", "COOKIE", "cookie", named),)


@run
async def test_what_guards_against_forged_requests_is_no_credential_beside_one() -> None:
    guard = {"point": ["header", "X-CSRF-Token"], "value": "guard-0123456789"}
    cookie = {"point": ["header", "COOKIE", "cookie", "club"], "value": "session-0123456789"}
    principal, baseline, _ = await dressed({"values": [guard, cookie]})
    assert baseline.request.first(b"X-CSRF-Token") == b"guard-0123456789"
    assert principal.credentials == (TOKEN, Point.of("header", "COOKIE", "cookie", "club"))
    application = Application(lambda _request: Response(200))
    alone = Principal(
        Baseline("bl_1", Exchange(get("/a"), Response(200))), traffic(application, {"values": [guard]}), RECOGNISER
    )
    await alone.dress()
    assert alone.credentials == (Point.of("header", "X-CSRF-TOKEN"),), "nothing else lets in"


@run
async def test_a_plain_request_is_dressed_whole() -> None:
    principal, _, application = await dressed()
    session = principal.session
    assert session is not None
    await principal.send_plain(
        session, Request("GET", b"/me", ((b"Host", b"shop.example"),), b"", "https", "shop.example", 443)
    )
    (sent,) = application.asked
    assert all(sent.first(name) for name in (b"Authorization", b"X-Sig", b"X-Id"))


@run
async def test_a_login_keeps_its_own_cookie_where_cookies_make_the_session() -> None:
    kind = (b"Content-Type", b"application/x-www-form-urlencoded")
    login = Request(
        "POST", b"/login", ((b"Cookie", b"sid=visitor-12345678"), kind), b"name=ann&password=p", "http", "a.example", 80
    )
    by_cookie = {"values": [{"point": ["header", "Cookie", "cookie", "sid"], "value": "member-12345678"}]}
    by_header = {"values": [{"point": ["header", "X-Key"], "value": "member-12345678"}]}
    for values, sent in ((by_cookie, None), (by_header, b"member-12345678")):
        application = Application(lambda _request: Response(302, ((b"Location", b"/home"),)))
        profile = {**values, "identities": [{"name": "ann"}]}
        let_in = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", b"sid=another-12345678; Path=/")))
        baseline = Baseline("bl_1", Exchange(login, let_in))
        principal = Principal(baseline, traffic(application, profile), RECOGNISER)
        dressed_login = await principal.dress()
        await principal.send(TestRequest(dressed_login.request))
        (asked,) = application.asked
        assert (asked.first(b"Cookie"), asked.first(b"X-Key")) == (b"sid=visitor-12345678", sent)


@run
async def test_a_login_of_the_sessions_cookies_keeps_its_own_though_a_token_makes_the_session_too() -> None:
    cookie = (b"Cookie", b"sid=visitor-12345678")
    login = get("/login", cookie, (b"Content-Type", b"application/x-www-form-urlencoded"), method="POST")
    login = msgspec.structs.replace(login, body=b"name=ann&password=p")
    given = (b"Set-Cookie", b"sid=member-12345678; Path=/")
    profile = {
        "values": [{"point": ["header", "Authorization"], "value": "Bearer token-12345678"}],
        "identities": [{"name": "ann", "login": [{"path": "/login", "form": {"name": "ann", "password": "p"}}]}],
    }
    for answered, sent in (((given,), b"sid=visitor-12345678"), ((), b"sid=member-12345678")):
        application = Application(lambda _request: Response(200, (given,)))
        baseline = Baseline("bl_1", Exchange(login, Response(200, answered)))
        principal = Principal(baseline, traffic(application, profile), RECOGNISER)
        dressed_login = await principal.dress()
        await principal.send(TestRequest(dressed_login.request))
        assert application.asked[-1].first(b"Cookie") == sent


@run
async def test_a_login_behind_the_login_is_sent_by_who_is_signed_in() -> None:
    """It refuses visitors, as all behind the first does."""
    kind = (b"Content-Type", b"application/x-www-form-urlencoded")
    profile = {
        "identities": [
            {"name": "ann", "login": [{"method": "POST", "url": "/login", "form": {"name": "ann", "password": "p"}}]}
        ]
    }
    given = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", b"sid=member-12345678; Path=/")))
    for path, cookie in (("/vault/login", b"sid=member-12345678"), ("/login", b"sid=recorded-12345678")):
        application = Application(lambda _request: given)
        login = Request(
            "POST",
            path.encode(),
            ((b"Cookie", b"sid=recorded-12345678"), kind),
            b"name=ann&password=p",
            "http",
            "a.example",
            80,
        )
        baseline = Baseline("bl_1", Exchange(login, Response(200, (), b"Welcome, Ann")))
        principal = Principal(baseline, traffic(application, profile), RECOGNISER)
        dressed_login = await principal.dress()
        await principal.send(TestRequest(dressed_login.request))
        assert application.asked[-1].first(b"Cookie") == cookie, path


@run
async def test_a_request_with_a_token_beside_the_sessions_is_sent_as_another_with_his() -> None:
    """Users of one host may have a session for its pages and a token for an API of it."""
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    tokens = {"ann": b"YW5uOnNlc2FtZQ==", "bob": b"Ym9iOnNlc2FtZQ=="}
    users, asked = RecordedIdentities(RECOGNISER), {}
    for user, token in tokens.items():
        given = (b"Cookie", f"sid={user}-0123456789ab".encode())
        let_in = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", given[1] + b"; Path=/")))
        asked[user] = get(f"/api/users/{user}", (b"Authorization-Token", token))
        login = get("/login", form, method="POST")
        login = msgspec.structs.replace(login, body=f"name={user}&password=sesame".encode())
        users.see(Exchange(login, let_in))
        for request in (get("/home", given), get("/logout", given), asked[user]):
            users.see(Exchange(request, Response(200)))
    application = Application(lambda _request: Response(302, ((b"Set-Cookie", b"sid=fresh-0123456789"),)))
    sent = traffic(application)
    sent.sessions = Sessions(users.profile(), application.transmit)
    principal = Principal(Baseline("bl_1", Exchange(asked["bob"], Response(200))), sent, RECOGNISER)
    assert (await principal.dress()).request == asked["bob"]
    bob, ann = principal.identities
    assert (bob.known, ann.known) == (("bob",), ("ann",))
    await principal.send(TestRequest(asked["bob"], identity=ann.name))
    assert application.asked[-1].first(b"Authorization-Token") == tokens["ann"]


@run
async def test_what_visitors_changed_is_sent_without_the_session_of_anybody() -> None:
    """Within one its form would want a token; what they only read is asked for in a session as well."""
    users, form = RecordedIdentities(RECOGNISER), (b"Content-Type", b"application/x-www-form-urlencoded")
    for user in ("ann", "bob"):
        given = (b"Cookie", f"sid={user}-0123456789ab".encode())
        let_in = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", given[1] + b"; Path=/")))
        login = msgspec.structs.replace(get("/login", form, method="POST"), body=f"name={user}&password=s".encode())
        users.see(Exchange(login, let_in))
        for request in (get("/home", given), get("/logout", given)):
            users.see(Exchange(request, Response(200)))
    application = Application(lambda _request: Response(302, ((b"Set-Cookie", b"sid=fresh-0123456789"),)))
    sent = traffic(application)
    sent.sessions = Sessions(users.profile(), application.transmit)
    found = msgspec.structs.replace(get("/goods/find", form, method="POST"), body=b"q=lamp")
    member = msgspec.structs.replace(found, headers=(*found.headers, (b"Cookie", b"sid=ann-0123456789ab")))
    for request, signed_in in ((found, False), (member, True), (get("/goods"), True)):
        principal = Principal(Baseline("bl_1", Exchange(request, Response(200))), sent, RECOGNISER)
        await principal.send(TestRequest((await principal.dress()).request))
        assert (application.asked[-1].first(b"Cookie") == b"sid=fresh-0123456789") is signed_in, request.target


@run
async def test_another_asks_by_his_own_browser_and_by_what_a_probe_wrote() -> None:
    """An application may end the session that a second browser comes with."""
    given = {"bob": b"Theirs/2", "ann": b"Mine/1"}
    logins = [
        {"path": "/login", "headers": {"User-Agent": agent.decode()}, "json": {"user": user}}
        for user, agent in given.items()
    ]
    identities = [{"name": name, "login": [step]} for name, step in zip(given, logins, strict=True)]
    application = Application(lambda _request: Response(200, ((b"Set-Cookie", b"sid=fresh-0123456789"),)))
    recorded = get("/a", (b"Cookie", b"sid=old-0123456789"), (b"User-Agent", b"Mine/1"))
    profile = {"base": "http://shop.example", "identities": identities[::-1]}
    principal = Principal(
        Baseline("bl_1", Exchange(recorded, Response(200))), traffic(application, profile), RECOGNISER
    )
    asked = (await principal.dress()).request
    for request, agent in ((asked, b"Theirs/2"), (rewrite(asked, Point.of("header", "USER-AGENT"), b"x'"), b"x'")):
        await principal.send(TestRequest(request, identity="bob"))
        assert application.asked[-1].first(b"User-Agent") == agent
    await principal.send(TestRequest(asked))
    assert application.asked[-1].first(b"User-Agent") == b"Mine/1"


@run
async def test_whose_login_failed_is_told() -> None:
    login = {"login": [{"path": "/login", "json": {"user": "${who}"}}], "base": "http://shop.example"}
    application = Application(
        lambda request: Response(401 if request.path == b"/login" and b"bob" in request.body else 200)
    )
    baseline = Baseline("bl_1", Exchange(RECORDED, Response(200)))
    principal = Principal(baseline, traffic(application, {**PROFILE, **login}), RECOGNISER)
    asked = TestRequest((await principal.dress()).request, identity="bob")
    answer = await principal.send(asked)
    assert (answer.failure, answer.detail) == (SIGNED_OUT, "identity 'bob', login[0]: answered 401")


@run
async def test_what_names_itself_has_another_name_each_time_however_it_is_sent() -> None:
    """Whoever is sent a key again gives the answer of the first time, and nothing was tested."""
    application = Application(lambda _request: Response(200))
    order = get(
        "/orders", (b"Idempotency-Key", b"ord-7"), (b"Authorization", b"Bearer recorded-0123456789"), method="POST"
    )
    unsigned = {name: value for name, value in PROFILE.items() if name != "sign"}
    for profile in (PROFILE, unsigned, None):
        principal = Principal(
            Baseline("bl_1", Exchange(order, Response(200))), traffic(application, profile), RECOGNISER
        )
        asked = (await principal.dress()).request
        for identity in (None, None, "bob" if profile else "", ""):
            await principal.send(TestRequest(asked, identity=identity))
    keys = {request.first(b"Idempotency-Key") for request in application.asked}
    assert len(keys) == len(application.asked) == 12
    assert b"ord-7" not in keys
