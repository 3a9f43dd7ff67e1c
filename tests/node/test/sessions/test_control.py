"""Control requests: which is asked, and what its answer means."""

from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, Says, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.profiles.profile import AuthProfile, CheckAddress, Holder, Placed, ProfileIdentity
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health import hiccups
from gatecrash.node.test.sessions.control import Control
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.node.test.sessions.principal import Principal

SIGNED_IN = (b"Authorization", b"Bearer 0123456789abcdef")
OK, REFUSED = Response(200, body=b"fine"), Response(401)
CHECK: dict[str, Any] = {"values": [{"point": ["header", "X-Key"], "value": "k"}], "check": {"path": "/me"}}


def control(request: Request, sent: Traffic, recorded: Response = OK) -> Control:
    return Control(Principal(Baseline("bl_1", Exchange(request, recorded)), sent, compile_recogniser()), sent.sessions)


async def asked(request: Request, says: Says, profile: dict[str, Any] | None = None, recorded: Response = OK) -> tuple[Control, bool | None, Application]:  # fmt: skip
    application = Application(says)
    made = control(request, traffic(application, profile), recorded)
    return made, await made.alive(), application


@run
async def test_a_safe_baseline_is_repeated() -> None:
    made, lives, application = await asked(get("/a", SIGNED_IN), lambda _request: OK)
    assert (lives, made.good, made.asked, application.paths()) == (True, 1, 1, ["/a"])
    made, lives, _ = await asked(get("/a", SIGNED_IN), lambda _request: REFUSED)
    assert (lives, made.good, made.asked) == (False, 0, 1)


@pytest.mark.parametrize(("query", "lives"), [("{ me { id } }", True), ("mutation { go { id } }", None)])
@run
async def test_a_query_of_graphql_changes_nothing_and_is_repeated(query: str, lives: bool | None) -> None:
    body = b'{"query": "%s"}' % query.encode()
    headers = (SIGNED_IN, (b"Content-Type", b"application/json"))
    request = Request("POST", b"/graphql", headers, body, "http", "127.0.0.1", 80)
    told = Response(200, body=b'{"errors": [{"message": "You are not signed in"}]}')
    assert (await asked(request, lambda _request: OK))[1] is lives
    assert (await asked(request, lambda _request: told))[1] is (False if lives else None)


@pytest.mark.parametrize(
    ("request_", "recorded"),
    [
        (get("/a", SIGNED_IN, method="POST"), OK),
        (get("/logout", SIGNED_IN), OK),
        (get("/a", SIGNED_IN), REFUSED),
        (get("/a"), OK),
    ],
    ids=["changes", "ends the session", "was refused when recorded", "no credentials"],
)
@run
async def test_where_nothing_safe_can_be_asked_nobody_can_tell(request_: Request, recorded: Response) -> None:
    made, lives, application = await asked(request_, lambda _request: OK, recorded=recorded)
    assert (lives, made.possible, made.asked, application.asked) == (None, False, 0, [])


@run
async def test_what_a_living_session_was_refused_when_it_was_recorded_says_nothing_of_it() -> None:
    profile = {"values": CHECK["values"]}
    made, lives, application = await asked(get("/a"), lambda _request: REFUSED, profile, recorded=REFUSED)
    assert (lives, made.asked, application.paths()) == (None, 0, ["/a"])
    made, lives, _ = await asked(get("/a"), lambda _request: OK, profile, recorded=REFUSED)
    assert (lives, made.good) == (True, 1)


@run
async def test_a_safe_request_of_the_same_credentials_stands_in() -> None:
    application = Application(lambda _request: OK)
    sent = traffic(application)
    await control(get("/a", SIGNED_IN), sent).alive()
    assert await control(get("/b", SIGNED_IN, method="POST"), sent).alive()
    other = control(get("/b", (b"Authorization", b"Bearer fedcba9876543210"), method="POST"), sent)
    assert await other.alive() is None
    assert application.paths() == ["/a", "/a"]


@pytest.mark.parametrize(
    ("check", "answer", "lives"),
    [
        ({}, OK, True),
        ({}, REFUSED, False),
        ({}, Response(404), True),
        ({}, Response(503), None),
        ({"status": 200}, Response(503), False),
        ({"status": 204}, Response(204), True),
        ({"contains": "fine"}, OK, True),
        ({"contains": "alice"}, OK, False),
    ],
)
@run
async def test_the_check_address_is_asked_in_the_session(
    check: dict[str, Any], answer: Response, lives: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hiccups, "PAUSES", (0.0, 0.0))
    profile = {**CHECK, "check": {"path": "/me", **check}}
    request = get("/a", method="DELETE")
    _, came, application = await asked(request, lambda _request: answer, profile)
    assert came is lives
    # A gateway's passing error is asked past.
    assert len(application.asked) == (3 if answer.status == 503 else 1)
    assert {(sent.method, sent.path, sent.first(b"X-Key")) for sent in application.asked} == {("GET", b"/me", b"k")}


@run
async def test_the_check_brings_the_headers_of_the_applications_own_that_are_no_credentials() -> None:
    own = ((b"X-Application-Id", b"shop"), (b"X-Key", b"recorded"), SIGNED_IN, (b"Accept", b"text/html"))
    _, _, application = await asked(get("/a", *own), lambda _request: OK, CHECK)
    [sent] = application.asked
    assert (sent.first(b"X-Application-Id"), sent.first(b"Accept")) == (b"shop", None)
    assert list(sent.all(b"X-Key")) == [b"k"], "the session's own, once"
    assert sent.first(b"Authorization") is None


@run
async def test_the_check_is_asked_as_the_recorded_browser_for_whom_alone_the_session_is_good() -> None:
    def of_one_browser(request: Request) -> Response:
        return OK if request.first(b"User-Agent") == b"Harbour/1.0" else REFUSED

    recorded = get("/a", (b"user-agent", b"Harbour/1.0"), SIGNED_IN)
    _, lives, application = await asked(recorded, of_one_browser, CHECK)
    assert lives is True
    assert [list(sent.all(b"User-Agent")) for sent in application.asked] == [[b"Harbour/1.0"]]


@run
async def test_the_check_does_not_bring_what_is_done_and_for_whom() -> None:
    """With the recorded method in a header, a question whether the session lives would delete something."""
    steering = ((b"X-HTTP-Method-Override", b"DELETE"), (b"X-Original-URL", b"/users/7"), (b"X-User-Id", b"7"))
    _, _, application = await asked(get("/a", *steering, SIGNED_IN), lambda _request: OK, CHECK)
    [sent] = application.asked
    assert not any(name.lower().startswith(b"x-") and name != b"X-Key" for name, _ in sent.headers), sent.headers


@run
async def test_no_answer_says_nothing_and_is_not_counted() -> None:
    made, lives, _ = await asked(get("/a", SIGNED_IN), lambda _request: "timeout")
    assert (lives, made.asked) == (None, 0)


@run
async def test_another_identity_is_asked_for_at_its_own_address() -> None:
    identities = [{"name": "a"}, {"name": "b", "check": {"path": "/b"}}]
    application = Application(lambda request: OK if request.path == b"/me" else REFUSED)
    sent = traffic(application, {**CHECK, "identities": identities})
    made = control(get("/a"), sent)
    other = sent.sessions.named("b", get("/a"))
    assert other is not None
    assert await made.other_alive(other) is False
    assert await made.alive()
    assert (made.good, made.asked) == (1, 1), "what is asked for another says nothing of the run's own session"


@run
async def test_a_probes_own_repetitions_count_where_there_is_a_session() -> None:
    sent = traffic(Application(lambda _request: OK))
    made = control(get("/a", SIGNED_IN), sent)
    made.watch(OK)
    made.watch(REFUSED)
    assert (made.good, made.asked) == (1, 2)
    nobody = control(get("/a"), sent)
    nobody.watch(OK)
    assert nobody.asked == 0


HERS, HIS = ((b"Authorization", b"Bearer " + name * 16) for name in (b"a", b"b"))


@pytest.mark.parametrize("signed_in", [True, False])
@run
async def test_whether_a_recorded_users_session_lives_is_told_by_what_is_tested(*, signed_in: bool) -> None:
    """Where he was let in first, nobody is refused either: what is there is hidden."""
    let_in = [HERS, HIS]
    application = Application(lambda request: OK if any(pair in let_in for pair in request.headers) else Response(404))
    sent, users = traffic(application), (user("hers", HERS), user("his", HIS))
    sent.sessions = Sessions(AuthProfile(id="r", name="r", identities=users, recorded=True), sent.send_urgently)
    hers, his = control(get("/hers", HERS), sent), control(get("/his", HIS), sent)
    assert [await hers.alive(), await his.alive()] == [True, True]
    if not signed_in:
        let_in.clear()
    assert await hers.alive() is signed_in
    other = sent.sessions.named("his", get("/his", HIS))
    assert other is not None
    assert await hers.other_alive(other) is signed_in
    assert "/first" not in application.paths()


@run
async def test_a_recorded_user_of_two_programs_is_asked_for_with_what_the_tested_one_came_with() -> None:
    """The browser's cookie lets in by itself; beside the token, another program has one that lets nobody in."""
    cookie, visitor = ((b"Cookie", b"session=" + value * 16) for value in (b"a", b"v"))
    wanted = {b"/program": HERS, b"/page": cookie}
    application = Application(lambda request: OK if wanted[request.path] in request.headers else REFUSED)
    hers, place = user("hers", HERS), ("header", "COOKIE", "cookie", "session")
    users = (msgspec.structs.replace(hers, values=(*hers.values, Placed(place, "v" * 16))), user("his", HIS))
    holders = (Holder("hers", (Placed(place, "a" * 16),)),)
    sent, profile = (
        traffic(application),
        AuthProfile(id="r", name="r", identities=users, holders=holders, recorded=True),
    )
    sent.sessions = Sessions(profile, sent.send_urgently)
    assert await control(get("/program", HERS, visitor), sent).alive()
    assert await control(get("/page", cookie), sent).alive()
    change = msgspec.structs.replace(get("/page", cookie), method="POST")
    assert await control(change, sent).alive()


def user(name: str, credential: tuple[bytes, bytes]) -> ProfileIdentity:
    placed = Placed(("header", "AUTHORIZATION"), credential[1].decode())
    return ProfileIdentity(name=name, values=(placed,), check=CheckAddress(url="https://shop.example/first"))


@run
async def test_what_holds_a_token_of_its_own_session_is_no_question_about_others() -> None:
    sent = traffic(Application(lambda _request: OK), {"values": [{"point": ["header", "X-Key"], "value": "k"}]})
    for headers in ([], [(b"X-CSRF-Token", b"of-the-page")]):
        asks = control(get("/find", SIGNED_IN, *headers), sent)
        assert await asks.alive()
    known = [each.exchange.request for each in sent.sessions.known_good.all()]
    assert known
    assert not any(each.first(b"X-CSRF-Token") for each in known)
