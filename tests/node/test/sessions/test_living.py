"""One identity's session: one login for all who wait, renewed in time, bounded where it is refused."""

import asyncio
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, Says, get

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import Step
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.node.test.sessions import living as live_session
from gatecrash.node.test.sessions.living import MOST_QUESTIONS, MOST_REFUSALS, LiveSession, LoginFailed

TOKEN = Point.of("header", "AUTHORIZATION")
LOGIN: dict[str, Any] = {
    "login": [{"path": "/login", "form": {"p": "hunter2"}, "take": {"token": {"json": "$.token"}}}],
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${token}"}],
}


def session(says: Says, **profile: Any) -> tuple[LiveSession, Application]:
    application = Application(says)
    (identity,) = read_profile({**LOGIN, **profile}, "p").identities
    return LiveSession(identity, "https://shop.example", application.transmit), application


def numbered() -> Says:
    """A login that hands out t1, t2, …"""
    given = iter(range(1, 100))
    return lambda _request: Response(200, body=b'{"token": "t%d"}' % next(given))


@run
async def test_all_who_wait_share_one_login() -> None:
    live, application = session(numbered())
    await asyncio.gather(*[live.ready("bl_1") for _ in range(20)])
    assert application.paths() == ["/login"]
    assert live.values("shop.example") == {TOKEN: b"Bearer t1"}
    await live.ready("bl_2")
    assert len(application.asked) == 1


@run
async def test_a_refusal_under_an_older_login_brings_no_second_one() -> None:
    live, application = session(numbered())
    await live.ready("bl_1")
    seen = live.generation
    await asyncio.gather(*[live.revive(seen, "bl_1") for _ in range(5)])
    await live.revive(seen, "bl_2")
    assert (len(application.asked), live.generation, live.deaths) == (2, 2, 0)


@run
async def test_a_death_is_counted_once_however_many_noticed_it() -> None:
    live, _ = session(numbered())
    for generation in (1, 1, 2, 1, 2):
        live.found_dead(generation)
    assert live.deaths == 2


@run
async def test_a_session_about_to_end_is_not_fresh_and_is_renewed_by_its_refreshing_steps() -> None:
    refresh = [{"path": "/refresh", "body": "${token}", "take": {"token": {"json": "$.token"}}}]
    live, application = session(numbered(), refresh=refresh, expires_in=3600)
    await live.ready("bl_1")
    fresh = [live.fresh]
    live._ends = 0.0
    fresh.append(live.fresh)
    assert fresh == [True, False]
    await live.ready("bl_1")
    assert application.paths() == ["/login", "/refresh"]
    assert application.asked[1].body == b"t1"
    assert live.values("shop.example") == {TOKEN: b"Bearer t2"}


@run
async def test_a_refresh_that_is_refused_is_followed_by_a_login() -> None:
    def says(request: Request) -> Response:
        return Response(400) if request.path == b"/refresh" else Response(200, body=b'{"token": "t"}')

    live, application = session(says, refresh=[{"path": "/refresh", "body": "x"}])
    await live.ready("bl_1")
    await live.revive(live.generation, "bl_1")
    assert application.paths() == ["/login", "/refresh", "/login"]


@run
async def test_what_was_refreshed_and_is_dead_all_the_same_is_signed_in_anew() -> None:
    live, application = session(numbered(), refresh=[{"path": "/refresh", "take": {"token": {"json": "$.token"}}}])
    await live.ready("bl_1")
    for _ in range(3):
        await live.revive(live.generation, "bl_1")
    assert application.paths() == ["/login", "/refresh", "/login", "/refresh"]


@run
async def test_a_refused_login_is_not_tried_again_at_once_and_three_times_at_most() -> None:
    live, application = session(lambda _request: Response(401))
    for _ in range(10):
        with pytest.raises(LoginFailed, match=r"^identity 'default', login\[0\]: answered 401$"):
            await live.ready("bl_1")
    assert len(application.asked) == 1
    for _ in range(10):
        live._failed = live._failed and (-1000.0, live._failed[1])  # as if a while had passed
        with pytest.raises(LoginFailed):
            await live.ready("bl_1")
    assert len(application.asked) == MOST_REFUSALS
    assert not live.can_sign_in


@run
@pytest.mark.parametrize("taken", [False, True], ids=["unknown", "taken"])
async def test_an_account_that_is_not_known_any_more_is_made_once_as_it_was_recorded(taken: bool) -> None:
    members: list[str] = []

    def says(request: Request) -> Response:
        if request.path == b"/register":
            members.extend(() if taken else ("ann",))
            return Response(409 if taken else 201)
        return Response(200, body=b'{"token": "t1"}') if members else Response(401)

    live, application = session(says)
    step = Step(method="POST", url="/register", body="name=ann")
    live = LiveSession(
        msgspec.structs.replace(live.identity, registration=(step,)), "https://shop.example", application.transmit
    )
    if taken:
        with pytest.raises(LoginFailed, match="answered 401"):
            await live.ready("bl_1")
        assert application.paths() == ["/login", "/register"]
    else:
        await live.ready("bl_1")
        assert application.paths() == ["/login", "/register", "/login"]


@run
async def test_a_page_that_is_only_visited_before_the_login_may_be_gone() -> None:
    live, application = session(
        lambda request: Response(404) if request.method == "GET" else Response(200, body=b'{"token": "t"}')
    )
    page = Step(method="GET", url="/form", visit=True)
    for visited, lets_in in ((page, True), (msgspec.structs.replace(page, visit=False), False)):
        application.asked.clear()
        identity = msgspec.structs.replace(live.identity, login=(visited, *live.identity.login))
        signing_in = LiveSession(identity, "https://shop.example", application.transmit).ready("bl_1")
        if lets_in:
            await signing_in
            assert application.paths() == ["/form", "/login"]
        else:
            with pytest.raises(LoginFailed, match=r"login\[0\]: answered 404"):
                await signing_in


@run
async def test_another_password_of_the_record_lets_in_where_the_first_is_refused_and_goes_first_then() -> None:
    live, application = session(
        lambda request: Response(200, body=b'{"token": "t"}') if request.path == b"/later" else Response(401)
    )
    later = tuple(msgspec.structs.replace(step, url="https://shop.example/later") for step in live.identity.login)
    live = LiveSession(
        msgspec.structs.replace(live.identity, otherwise=(later,)), "https://shop.example", application.transmit
    )
    await live.ready("bl_1")
    await live.revive(live.generation, "bl_1")
    assert application.paths() == ["/login", "/later", "/later"]


@run
async def test_a_page_that_asks_for_the_password_again_refuses_where_the_record_shows_another_way_in() -> None:
    form = Response(200, body=b"<p>Wrong password</p><form method=post><input type=password name=p></form>")
    live, application = session(
        lambda request: Response(302, ((b"Location", b"/home"),)) if request.path == b"/later" else form
    )
    (step,) = (msgspec.structs.replace(each, take=()) for each in live.identity.login)
    later = (msgspec.structs.replace(step, url="https://shop.example/later"),)
    for otherwise, paths in (((), ["/login"]), ((later,), ["/login", "/later"])):
        application.asked.clear()
        identity = msgspec.structs.replace(live.identity, login=(step,), otherwise=otherwise)
        await LiveSession(identity, "https://shop.example", application.transmit).ready("bl_1")
        assert application.paths() == paths


@run
async def test_a_login_service_that_is_away_for_a_moment_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_session, "PAUSES", (0.0, 0.0))
    answers = iter((Response(503), "refused", Response(200, body=b'{"token": "t"}')))
    live, application = session(lambda _request: next(answers))
    await live.ready("bl_1")
    assert len(application.asked) == 3


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (Response(200, body=b"{}"), "the answer (200) holds no 'token': nothing at json $.token"),
        (Response(200, body=b'{"token": ""}'), "the answer (200) holds no 'token'"),
        (Response(403, body=b"Too many failed logins"), "answered 403; it says that there were too many logins"),
        ("not_allowed", "its host may not be tested; name it in ALLOWED_HOSTS"),
        ("timeout", "the target does not answer in time"),
    ],
)
@run
async def test_what_went_wrong_is_told_without_secrets(
    says: Response | str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_session, "PAUSES", ())
    live, _ = session(lambda _request: says)
    with pytest.raises(LoginFailed) as caught:
        await live.ready("bl_1")
    assert str(caught.value).startswith(f"identity 'default', login[0]: {told}")
    assert "hunter2" not in str(caught.value)


@run
async def test_cookies_of_the_login_belong_to_the_session_unless_they_are_not_wanted() -> None:
    def says(_request: Request) -> Response:
        return Response(200, ((b"Set-Cookie", b"sid=s1; HttpOnly"),), b'{"token": "t"}')

    live, _ = session(says)
    await live.ready("bl_1")
    assert live.values("shop.example")[Point.of("header", "COOKIE", "cookie", "sid")] == b"s1"
    assert list(live.values("other.example")) == [TOKEN]
    live, _ = session(says, cookies=False)
    await live.ready("bl_1")
    assert list(live.values("shop.example")) == [TOKEN]


@run
@pytest.mark.parametrize("status", [200, 302])
async def test_a_login_that_gives_nothing_signs_nobody_in_whatever_its_answer_says(status: int) -> None:
    """Sites in any language answer a wrong password with the form again, or lead back to it."""
    steps = [{"path": "/login", "form": {"naam": "a", "woord": "b"}}]
    live, application = session(lambda _: Response(status, body=b"<p>Dat klopt niet</p>"), login=steps, values=[])
    with pytest.raises(LoginFailed, match="no answer sets a cookie"):
        await live.ready("bl_1")
    assert (live.generation, application.paths()) == (0, ["/login"])


@run
@pytest.mark.parametrize(
    "kept", [{"values": [{"point": ["header", "X-Key"], "value": "k"}]}, {"values": [], "cookies": False}]
)
async def test_a_login_that_gives_nothing_signs_in_who_has_credentials_of_his_own_or_wants_no_cookies(
    kept: dict[str, Any],
) -> None:
    live, _ = session(lambda _: Response(200), login=[{"path": "/login", "form": {"a": "b"}}], **kept)
    await live.ready("bl_1")
    assert live.generation == 1


@run
async def test_answers_renew_what_the_profile_says_and_nothing_else() -> None:
    live, _ = session(numbered(), renew={"token": {"header": "X-Next"}})
    await live.ready("bl_1")
    live.hear(Response(200, ((b"X-Next", b"t9"),)), live.generation)
    live.hear(Response(200), live.generation)
    assert live.values("shop.example") == {TOKEN: b"Bearer t9"}
    live.hear(Response(200, ((b"X-Next", b"late"),)), live.generation - 1)
    assert live.values("shop.example") == {TOKEN: b"Bearer t9"}, "an answer to the session before"
    assert live.one_at_a_time


@run
async def test_a_digest_challenge_is_asked_for_safely_counted_and_replaced() -> None:
    challenge = b'Digest realm="r", nonce="%b", qop="auth", algorithm=SHA-256'
    application = Application(lambda _request: Response(401, ((b"WWW-Authenticate", challenge % b"n1"),)))
    (identity,) = read_profile({"sign": {"scheme": "digest", "username": "u", "password": "p"}}, "p").identities
    live = LiveSession(identity, "", application.transmit)
    post = get("/a", (b"Content-Length", b"1"), (b"Authorization", b"Digest old"), method="POST")
    await live.challenged(post, "bl_1")
    await live.challenged(post, "bl_1")
    (asked,) = application.asked
    assert (asked.method, asked.first(b"Authorization"), asked.body) == ("GET", None, b"")
    proofs = [(live.signed(post).first(b"Authorization") or b"").decode() for _ in range(2)]
    assert ["nc=00000001" in proofs[0], "nc=00000002" in proofs[1]] == [True, True]
    assert live.hear(Response(401, ((b"WWW-Authenticate", challenge % b"n2"),)), live.generation)
    assert b'nonce="n2"' in (live.signed(post).first(b"Authorization") or b"")
    assert not live.hear(Response(200, ((b"Authentication-Info", b'nextnonce="n3"'),)), live.generation)
    assert b'nonce="n3"' in (live.signed(post).first(b"Authorization") or b"")


@run
async def test_who_asks_nobody_for_a_password_is_not_asked_for_ever() -> None:
    application = Application(lambda _request: Response(200))
    (identity,) = read_profile({"sign": {"scheme": "digest", "username": "u", "password": "p"}}, "p").identities
    live = LiveSession(identity, "", application.transmit)
    for _ in range(20):
        await live.challenged(get(), "bl_1")
    assert len(application.asked) == MOST_QUESTIONS


@run
async def test_a_key_that_a_login_hands_out_signs_and_one_that_fits_nothing_is_told() -> None:
    sign = {"scheme": "hmac", "key": "${token}", "header": "X-Sig", "signed": "${target}", "key_encoding": "hex"}
    live, _ = session(lambda _request: Response(200, body=b'{"token": "00ff"}'), sign=sign)
    await live.ready("bl_1")
    assert len(live.signed(get()).first(b"X-Sig") or b"") == 64
    live, _ = session(lambda _request: Response(200, body=b'{"token": "hunter2"}'), sign=sign)
    await live.ready("bl_1")
    with pytest.raises(LoginFailed, match="the key is not of its algorithm"):
        live.signed(get())


@run
async def test_closing_ends_a_login_under_way() -> None:
    never = asyncio.Event()

    async def transmit(_request: Request, _baseline_id: str) -> Any:
        await never.wait()

    (identity,) = read_profile(LOGIN, "p").identities
    live = LiveSession(identity, "https://a", transmit)
    waiting = asyncio.ensure_future(live.ready("bl_1"))
    await asyncio.sleep(0)
    await live.close()
    (came,) = await asyncio.gather(waiting, return_exceptions=True)
    assert isinstance(came, asyncio.CancelledError)
