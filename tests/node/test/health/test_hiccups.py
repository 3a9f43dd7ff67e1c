"""A gateway's passing error, or a locked database's, is asked past, where the request may be sent twice; a lasting one is not."""

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.health import hiccups
from gatecrash.node.test.health.hiccups import PAUSES, Hiccups

LOCKED = Response(500, body=b"sqlite3.OperationalError: database is locked")
BAD_GATEWAY = Response(502, body=b"<h1>502 Bad Gateway</h1>")


def answered(response: Response, elapsed: float | None = None, failure: str = "") -> Answer:
    return Answer(Exchange(get(), response, elapsed=elapsed), failure)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hiccups, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(hiccups, "PAUSES_OF_LOCKS", (0.0, 0.0, 0.0))


@run
async def test_a_request_is_sent_again_after_a_gateways_error_and_counted_each_time(unhurried: None) -> None:
    said = iter([BAD_GATEWAY, Response(200)])
    sending = traffic(Application(lambda _: next(said)))
    assert (await sending.send(get(), "bl_1")).exchange.response == Response(200)
    assert sending.tally.sent == sending.tally.by_baseline["bl_1"] == 2


@run
async def test_a_baseline_that_is_answered_so_each_time_is_asked_once_from_then_on(unhurried: None) -> None:
    application = Application(lambda _: BAD_GATEWAY)
    sending = traffic(application)
    for asked in (3, 4, 5):
        assert (await sending.send(get(), "bl_1")).exchange.response == BAD_GATEWAY
        assert len(application.asked) == asked
    await sending.send(get(), "bl_2")
    assert len(application.asked) == 8, "another baseline's answers may be others"


@run
async def test_what_a_busy_target_left_unanswered_is_asked_once_more_where_it_answers_that_path(
    unhurried: None,
) -> None:
    said: list[Response | str] = [Response(200), "timeout", Response(200), "timeout", "timeout", "timeout"]
    application = Application(lambda _: said.pop(0))
    sending = traffic(application)
    for _ in range(2):
        assert not (await sending.send(get(), "bl_1")).failure
    assert (await sending.send(get(), "bl_1")).failure == "timeout"
    assert len(application.asked) == 5
    assert (await sending.send(get(), "bl_1")).failure == "timeout"
    assert len(application.asked) == 6, "what hangs costs no more"


@run
async def test_what_never_answered_or_may_not_be_sent_twice_is_left_unanswered(unhurried: None) -> None:
    application = Application(lambda request: "timeout" if request.path == b"/hangs" else Response(200))
    sending = traffic(application)
    await sending.send(get("/"), "bl_1")
    await sending.send(get("/hangs"), "bl_2")
    await sending.send(get("/hangs", method="POST"), "bl_1")
    assert application.paths() == ["/", "/hangs", "/hangs"]


@run
async def test_a_path_that_hangs_is_asked_once_where_others_of_the_baseline_are_answered(unhurried: None) -> None:
    application = Application(lambda request: "timeout" if request.path == b"/hangs" else Response(200))
    sending = traffic(application)
    for path in ("/", "/hangs", "/hangs"):
        await sending.send(get(path), "bl_1")
    assert application.paths() == ["/", "/hangs", "/hangs"]


@run
async def test_what_a_locked_database_kept_from_an_answer_is_asked_again_where_it_may_be(unhurried: None) -> None:
    said = iter([*[LOCKED] * 3, Response(200), *[LOCKED] * 6])
    sending = traffic(Application(lambda _: next(said)))
    assert (await sending.send(get("/"), "bl_1")).exchange.response == Response(200)
    for method, sent in (("POST", 5), ("GET", 9), ("GET", 10)):
        assert (await sending.send(get("/", method=method), "bl_1")).exchange.response == LOCKED
        assert sending.tally.sent == sent


@pytest.mark.parametrize("status", [502, 503, 504])
def test_pauses_grow_and_end(status: int) -> None:
    one = Hiccups()
    error = answered(Response(status))
    assert [one.pause(get(), error, "a", attempt) for attempt in range(len(PAUSES) + 1)] == [*PAUSES, None]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (answered(Response(200)), "no error"),
        (answered(Response(500, body=b"bad gateway")), "the application's"),
        (answered(Response(502, body=b'{"error": "could not fetch http://10.1.2.3/"}')), "the application's own word"),
        (answered(Response(503, ((b"Retry-After", b"1"),))), "a limiter's"),
        (answered(Response(200, body=LOCKED.body)), "a page about it"),
        (answered(Response(504), elapsed=2.0), "it would be waited for again"),
        (answered(Response(502), failure="closed"), "not whole"),
    ],
)
def test_what_is_no_passing_error_is_not_asked_past(answer: Answer, why: str) -> None:
    assert Hiccups().pause(get(), answer, "a", 0) is None, why


@pytest.mark.parametrize(
    ("request_", "repeated"),
    [
        (get(), True),
        (get(method="PUT"), True),
        (get(method="POST"), False),
        (get(method="PATCH"), False),
        (get(method="DELETE"), False),
        (msgspec.structs.replace(get("/graphql", method="POST"), body=b'{"query": "{ me { id } }"}'), True),
        (msgspec.structs.replace(get("/graphql", method="POST"), body=b'{"query": "mutation { pay { id } }"}'), False),
    ],
)
def test_only_what_may_be_sent_twice_is(request_: Request, repeated: bool) -> None:
    assert (Hiccups().pause(request_, answered(Response(502)), "a", 0) is not None) is repeated


@run
async def test_a_host_that_refuses_for_good_is_not_asked_more_often(unhurried: None) -> None:
    application = Application(lambda _: Response(503))
    sending = traffic(application)
    for number in range(8):
        sending._paces.of(get()).congestion.refused(float(number) * 100, float(number) * 100, 0.0)
    await sending.send(get(), "bl_1")
    assert len(application.asked) == 1
