"""Answers that a capture does not hold are asked for once."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures.missing_answers import MissingAnswers

FRESH = Response(200, ((b"Content-Type", b"application/json"),), b'[{"id": 7}]')


def exchange(target: bytes, response: Response | None, method: str = "GET") -> Exchange:
    headers = ((b"Host", b"shop.example"), (b"If-None-Match", b'"1"'))
    return Exchange(Request(method, target, headers, host="shop.example"), response)


def asked(
    *exchanges: Exchange, answer: Callable[[Request], Response | None] = lambda _: FRESH
) -> tuple[MissingAnswers, list[Request]]:
    missing, sent = MissingAnswers(), []
    for each in exchanges:
        missing.see(each)

    async def send(request: Request) -> Answer:
        sent.append(request)
        response = answer(request)
        return Answer(Exchange(request, response), "" if response else "refused")

    asyncio.run(missing.ask(send))
    return missing, sent


@pytest.mark.parametrize("recorded", [None, Response(304), Response(200, truncated=True, size=90)])
def test_what_the_cache_answered_or_nobody_kept_is_asked_for_without_its_condition(recorded: Response | None) -> None:
    one = exchange(b"/orders", recorded)
    missing, sent = asked(one, one)
    assert [request.target for request in sent] == [b"/orders"]
    assert sent[0].first(b"If-None-Match") is None
    assert missing.filled(one) == msgspec.structs.replace(one, response=FRESH)


@pytest.mark.parametrize(
    "whole",
    [
        exchange(b"/orders", FRESH),
        exchange(b"/orders", Response(200)),
        exchange(b"/orders", Response(404, truncated=True, size=9)),
        exchange(b"/static/app.js", Response(304)),
        exchange(b"/logout", Response(304)),
        exchange(b"/orders", Response(200, truncated=True, size=9), "POST"),
        msgspec.structs.replace(exchange(b"/orders", None), drafted=True),
    ],
)
def test_what_is_there_or_may_not_be_repeated_is_not(whole: Exchange) -> None:
    missing, sent = asked(whole)
    assert sent == []
    assert missing.filled(whole) is whole


@pytest.mark.parametrize("answer", [Response(401), Response(302, ((b"Location", b"/login"),)), Response(500)])
def test_a_refusal_is_not_taken_for_the_answer(answer: Response) -> None:
    one = exchange(b"/orders", Response(304))
    missing, _ = asked(one, answer=lambda _: answer)
    assert missing.filled(one) is one


def test_a_target_that_does_not_answer_is_asked_no_more() -> None:
    _, sent = asked(exchange(b"/a", None), exchange(b"/b", None), answer=lambda _: None)
    assert [request.target for request in sent] == [b"/a"]
