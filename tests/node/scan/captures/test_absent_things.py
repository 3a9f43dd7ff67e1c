"""What a capture asks for in vain is asked for again by what its answers name."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures.absent_things import AbsentThings

ANN, BEN = b"Bearer 3f9a1c7be2", b"Bearer 91d04fe6aa"


def answer(body: Any, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


GONE = answer({"error": "no such rental"}, 404)
LIST = answer([{"id": 7, "tool": "drill"}])


def exchange(target: bytes, response: Response | None, token: bytes = ANN, method: str = "GET") -> Exchange:
    headers = ((b"Host", b"rent.example"), (b"Authorization", token))
    return Exchange(Request(method, target, headers, host="rent.example"), response)


def asked(
    *exchanges: Exchange, answered: Callable[[Request], Response | None] = lambda _: answer({"id": 7, "days": 2})
) -> tuple[list[tuple[bytes, bytes | None]], list[Exchange]]:
    """What was asked, by whom; and what is to be tested besides."""
    absent, sent = AbsentThings(compile_recogniser(())), []
    for each in exchanges:
        absent.see(each)

    async def send(request: Request) -> Answer:
        sent.append((request.target, request.first(b"Authorization")))
        response = answered(request)
        return Answer(Exchange(request, response), "" if response else "refused")

    count = asyncio.run(absent.ask(send))
    beside = [found for each in exchanges for found in absent.beside(each)]
    assert len(beside) == count
    return sent, beside


@pytest.mark.parametrize(
    "nothing",
    [GONE, answer({}, 500), answer(None), answer([]), answer({"success": True, "data": None}), answer({"data": []})],
)
def test_a_thing_of_the_list_is_asked_for_in_the_place_of_one_that_is_not_there(nothing: Response) -> None:
    sent, beside = asked(exchange(b"/rentals/99999?full=1", nothing), exchange(b"/rentals", LIST))
    assert sent == [(b"/rentals/7?full=1", ANN)]
    assert [(one.request.target, one.response and one.response.status) for one in beside] == [
        (b"/rentals/7?full=1", 200)
    ]


def test_what_stands_below_a_thing_is_asked_for_below_one_that_is_there() -> None:
    sent, _ = asked(exchange(b"/rentals", LIST), exchange(b"/rentals/99999/lines", GONE))
    assert sent == [(b"/rentals/7/lines", ANN)]


def test_a_thing_that_is_there_stays_where_one_below_it_is_not() -> None:
    lines = answer([{"id": 31}])
    sent, _ = asked(
        exchange(b"/rentals", LIST), exchange(b"/rentals/8/lines", lines), exchange(b"/rentals/8/lines/99999", GONE)
    )
    assert sent == [(b"/rentals/8/lines/31", ANN)]


def test_each_user_asks_for_what_he_was_shown() -> None:
    sent, _ = asked(
        exchange(b"/rentals", LIST),
        exchange(b"/rentals", answer([{"id": 8}]), BEN),
        exchange(b"/rentals/99999", GONE, BEN),
        exchange(b"/rentals/99999", GONE),
        exchange(b"/rentals/88888", GONE),
    )
    assert sent == [(b"/rentals/8", BEN), (b"/rentals/7", ANN)]


@pytest.mark.parametrize(
    "others",
    [
        [exchange(b"/rentals", LIST, BEN), exchange(b"/rentals/99999", GONE)],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999", GONE), exchange(b"/rentals/3", answer({"id": 3}))],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999", GONE, method="DELETE")],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999/cancel", GONE)],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999/delete", GONE)],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999/approve", GONE)],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/99999", answer({"error": "no"}, 403))],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/search", GONE)],
        [exchange(b"/rentals", LIST), exchange(b"/rentals/7/lines", answer([]))],
    ],
    ids=["another's", "one is there", "changes", "cancels", "deletes", "approves", "refused", "no identifier", "empty"],
)
def test_nothing_is_asked(others: list[Exchange]) -> None:
    assert asked(*others) == ([], [])


@pytest.mark.parametrize("still", [GONE, answer({"error": "not yours"}, 403), answer([]), None])
def test_what_is_not_answered_well_either_is_not_tested(still: Response | None) -> None:
    sent, beside = asked(
        exchange(b"/rentals", LIST), exchange(b"/rentals/99999", GONE), answered=lambda _request: still
    )
    assert sent == [(b"/rentals/7", ANN)]
    assert beside == []


def test_the_parts_of_a_record_that_grows_are_asked_about_once_each() -> None:
    absent, sent = AbsentThings(compile_recogniser(())), []
    gone = exchange(b"/rentals/99999", GONE)

    async def send(request: Request) -> Answer:
        sent.append(request.target)
        return Answer(Exchange(request, answer({"id": 7, "days": 2})))

    for further in (gone, exchange(b"/rentals", LIST), exchange(b"/tools", LIST)):
        absent.see(further)
        asyncio.run(absent.ask(send))
    assert sent == [b"/rentals/7"], "nothing named one at first"
    found = absent.in_place_of(gone.request)
    assert found is not None
    assert found == absent.in_place_of(gone.request) == next(iter(absent.beside(gone)))
