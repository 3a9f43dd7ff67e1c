"""A host that bans who tests it is waited for; what its ban answered is asked again, and counts for nothing where it stays."""

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest
from tests.node.loop import run_without_waiting
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.health.bans import FIRST_WORTH
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.bans import BANNED, MOST_CUT_AGAIN, PATIENCE, PATIENCE_IN_ALL, PAUSES, Ban, Finding

OK, BLOCKED = Response(200, body=b"fine"), Response(403, body=b"blocked")
SIGNED_IN = ((b"Cookie", b"sid=5f1c9f2ab0e94d"),)
Says = Callable[[Request], Response | str]


def now() -> float:
    return asyncio.get_running_loop().time()


def banning(after: int, seconds: float, says: Response | str = BLOCKED) -> Says:
    """Answers so many requests, then bans for so long, each time."""
    state = {"left": after, "until": -1.0}

    def answer(_request: Request) -> Response | str:
        if now() < state["until"]:
            return says
        state["left"] -= 1
        if state["left"] < 0:
            state.update(left=after, until=now() + seconds)
            return says
        return OK

    return answer


async def asked(sending: Traffic, *paths: str) -> list[Answer]:
    return [await sending.send(get(path), path) for path in paths]


def statuses(answers: list[Answer]) -> list[int]:
    return [answer.exchange.response.status if answer.exchange.response else 0 for answer in answers]


@pytest.mark.parametrize(
    "says",
    [
        BLOCKED,
        Response(401),
        Response(200, body=b"Just a moment: solve the captcha"),
        Response(302, ((b"Location", b"/blocked"),)),
        "closed",
    ],
)
@run_without_waiting
async def test_what_a_ban_answered_is_asked_again_when_it_is_over(says: Response | str) -> None:
    sending = traffic(Application(banning(10, 20.0, says)))
    paths = [f"/{number}" for number in range(30)]
    answers = await asyncio.gather(*(sending.send(get(path), path) for path in paths))
    good = [answer for answer in answers if answer.exchange.response == OK]
    assert len(answers) - len(good) < FIRST_WORTH * 3, "those that came before anybody doubted"
    assert not any(answer.failure == BANNED for answer in answers)
    ban = await sending.settle(get(), "last")
    assert ban.count >= 1
    spoilt = [path for path, answer in zip(paths, answers, strict=True) if answer.exchange.response != OK]
    assert all(ban.struck(path, 0.0, now()) for path in spoilt), "their checks are made again"


@run_without_waiting
async def test_an_application_that_refuses_is_believed() -> None:
    sending = traffic(Application(lambda request: OK if request.path == b"/" else BLOCKED))
    answers = await asked(sending, "/", *(f"/{number}" for number in range(40)))
    assert statuses(answers) == [200] + [403] * 40
    assert now() == 0.0, "nothing is waited for"
    assert sending.tally.sent <= 41 + 12, "questions to the witness"
    assert (await sending.settle(get(), "last")).count == 0


@run_without_waiting
async def test_a_thing_that_is_locked_for_everybody_is_no_ban() -> None:
    locked = False
    sending = traffic(Application(lambda request: BLOCKED if locked and b"/things/7" in request.path else OK))
    assert statuses(await asked(sending, "/things/7", "/things/7/parts", "/help")) == [200] * 3
    locked = True
    assert statuses(await asked(sending, *(f"/things/7/{number}" for number in range(30)))) == [403] * 30
    assert now() == 0.0, "nothing is waited for"


@run_without_waiting
async def test_a_ban_that_stays_is_given_up_and_asked_for_now_and_then() -> None:
    application = Application(banning(10, 4000.0))
    sending = traffic(application)
    answers = await asked(sending, *(f"/{number}" for number in range(16)))
    assert answers[-1].failure == BANNED
    assert PATIENCE - PAUSES[-1] <= now() <= PATIENCE
    count = len(application.asked)
    await asked(sending, *(f"/{number}" for number in range(50)))
    assert len(application.asked) == count, "who is banned asks nothing"
    await asyncio.sleep(4000)
    assert statuses(await asked(sending, "/a", "/b")) == [200, 200], "until it is over after all"


@run_without_waiting
async def test_bans_are_waited_for_no_longer_than_a_host_is_worth() -> None:
    sending = traffic(Application(banning(5, 250.0)))
    answers = await asked(sending, *(f"/{number}" for number in range(200)))
    assert answers[-1].failure == BANNED
    assert now() < PATIENCE_IN_ALL + PATIENCE


@run_without_waiting
async def test_what_is_banned_each_time_is_not_asked_for_ever() -> None:
    """A request that the ban is for."""
    until = -1.0

    def says(request: Request) -> Response:
        nonlocal until
        if request.path.startswith(b"/attack"):
            until = now() + 5
        return BLOCKED if now() < until else OK

    application = Application(says)
    sending = traffic(application)
    await asked(sending, "/")
    answers = await asyncio.gather(*(sending.send(get(f"/attack/{number}"), "a") for number in range(4)))
    assert {answer.failure for answer in answers} <= {BANNED, ""}
    assert len(application.asked) < 60
    await asyncio.sleep(5)
    assert statuses(await asked(sending, "/b")) == [200]


@run_without_waiting
async def test_what_was_cut_off_and_changes_something_is_not_sent_twice() -> None:
    sending = traffic(Application(banning(4, 20.0, "closed")))
    await asked(sending, *"abcd")
    sent = [await sending.send(get(f"/{number}", method="POST"), "p") for number in range(3)]
    assert [answer.failure for answer in sent].count("closed") >= FIRST_WORTH


@run_without_waiting
async def test_what_a_restart_cut_off_is_asked_again_though_the_target_is_back_when_somebody_looks() -> None:
    lives = {"until": -1.0}
    sending = traffic(Application(lambda _: "closed" if now() < lives["until"] else OK))
    await asked(sending, "/")
    lives["until"] = now() + 0.5
    answers = await asyncio.gather(*(sending.send(get(f"/{number}"), str(number)) for number in range(8)))
    cut = [answer for answer in answers if answer.failure]
    assert len(cut) < FIRST_WORTH, "that one finds out at once whether the target is there"
    assert (await sending.settle(get(), "last")).count == 0


@run_without_waiting
async def test_who_closes_connections_over_what_he_is_sent_is_soon_believed() -> None:
    application = Application(lambda request: "closed" if b"odd" in request.path else OK)
    sending = traffic(application)
    await asked(sending, "/")
    paths = [f"/odd/{number}" for number in range(5 * MOST_CUT_AGAIN)]
    answers = await asked(sending, *paths)
    assert {answer.failure for answer in answers} == {"closed"}
    sent = Counter(request.path for request in application.asked if b"odd" in request.path)
    assert sent.total() == len(paths) + MOST_CUT_AGAIN


@run_without_waiting
async def test_a_session_that_ended_is_no_ban() -> None:
    """Who knows how strangers are answered tells one from the other: all that has a session is refused, and nothing else."""
    alive = True

    def says(request: Request) -> Response:
        if request.first(b"Cookie") and request.path != b"/secret":
            return OK if alive else Response(401)
        return Response(401) if request.path == b"/secret" else Response(404)

    application = Application(says)
    sending = traffic(application)

    async def signed_in(*paths: str) -> list[Answer]:
        return [await sending.send(get(path, *SIGNED_IN), path) for path in paths]

    await signed_in("/a", "/b")
    alive = False
    assert statuses(await signed_in(*(f"/{number}" for number in range(30)))) == [401] * 30
    assert now() == 0.0


@pytest.mark.parametrize(("known", "finding"), [(True, Finding.AGAIN), (False, Finding.COUNTS)])
@run_without_waiting
async def test_where_nothing_is_public_a_stranger_who_is_answered_otherwise_than_before_tells_of_the_ban(
    known: bool, finding: Finding
) -> None:
    ban, banned_until = Ban(), -1.0

    async def asks(request: Request) -> Answer:
        if now() < banned_until:
            return Answer(Exchange(request, BLOCKED))
        return Answer(Exchange(request, OK if request.first(b"Cookie") else Response(401)))

    ban.note(await asks(get("/me", *SIGNED_IN)), "bl", ban.known)
    face = None
    if known:
        for path in ("/a", "/b"):
            face = ban.note(Answer(Exchange(get(path), Response(401))), "bl", ban.known)
        assert face is not None
        assert await ban.judged(face, asks) is Finding.COUNTS
    banned_until = now() + 10
    for path in "abcd":
        face = ban.note(Answer(Exchange(get(path, *SIGNED_IN), BLOCKED)), "bl", ban.known) or face
    assert face is not None
    assert await ban.judged(face, asks) is finding


@run_without_waiting
async def test_a_witness_that_was_locked_is_asked_in_turns_with_another_and_costs_one_question() -> None:
    ban, questions = Ban(), list[tuple[str, bool]]()

    async def asks(request: Request) -> Answer:
        questions.append((request.target.decode(), bool(request.first(b"Cookie"))))
        is_known = bool(request.first(b"Cookie")) and request.target != b"/me"
        return Answer(Exchange(request, OK if is_known else Response(401)))

    for path in ("/me", "/orders"):
        ban.note(Answer(Exchange(get(path, *SIGNED_IN), OK)), "bl", ban.known)
    for number in range(3):
        face = None
        for path in range(30):
            refused = Answer(Exchange(get(f"/{number}/{path}", *SIGNED_IN), Response(401)))
            face = ban.note(refused, "bl", ban.known) or face
        assert face is not None
        assert await ban.judged(face, asks) is Finding.COUNTS
    assert questions == [("/me", True), ("/orders", True), ("/orders", False), ("/orders", True)]


@run_without_waiting
async def test_what_the_ban_asks_for_is_waited_for() -> None:
    asked_for = Response(403, ((b"Retry-After", b"100"),), b"blocked")
    application = Application(banning(10, 100.0, asked_for))
    sending = traffic(application)
    await asked(sending, *(f"/{number}" for number in range(14)))
    assert 100 <= now() <= 110
    assert sending.tally.sent <= 22


@run_without_waiting
async def test_who_waits_for_the_end_of_a_ban_and_is_cancelled_leaves_it_to_the_next() -> None:
    sending = traffic(Application(banning(10, 20.0)))
    await asked(sending, *(f"/{number}" for number in range(10)))
    waiting = [asyncio.ensure_future(sending.send(get(f"/x{number}"), "w")) for number in range(6)]
    await asyncio.sleep(1)
    for task in waiting[:4]:
        task.cancel()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(not isinstance(answer, Answer) or answer.failure != BANNED for answer in answers)
    assert statuses(await asked(sending, "/a")) == [200]
