"""The HTTP call for gateways and SDKs, as docs/sources.md promises it."""

import gzip
import json
from pathlib import Path
from typing import Any

from tests.node.loop import run
from tests.node.observe.collecting import call, collecting, sender, taken

from gatecrash.node.observe import exchange_call
from gatecrash.node.observe.observations import Observations

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "sources.md").read_text()
LINE = json.dumps({"method": "GET", "url": "http://a.example/x", "status": 401}).encode() + b"\n"


def body_of(answer: bytes) -> dict[str, Any]:
    found = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert isinstance(found, dict)
    return found


@run
async def test_good_lines_are_taken_and_bad_ones_told() -> None:
    async with collecting() as collector, sender(collector) as client:
        odd = json.dumps({"method": "G(T", "url": "http://a.example/x"}).encode() + b"\n"
        answer = await client.ask(call(LINE + b"\nnope\n" + odd + LINE))
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        body = body_of(answer)
        assert (body["taken"], body["dropped"]) == (2, 0)
        assert [one["line"] for one in body["malformed"]] == [3, 4]
        exchanges = await taken(collector, 2)
        assert [one.response.status for one in exchanges if one.response] == [401, 401]
        assert all(one.started > 1_700_000_000 for one in exchanges), "without a time it was now"


@run
async def test_gzip_is_understood_and_bounded() -> None:
    async with collecting() as collector, sender(collector) as client:
        assert body_of(await client.ask(call(gzip.compress(LINE), b"Content-Encoding: gzip")))["taken"] == 1
        assert (await client.ask(call(gzip.compress(LINE)[:-9], b"Content-Encoding: gzip")))[9:12] == b"400"
    async with collecting() as collector, sender(collector) as client:
        bomb = gzip.compress(b"\n" * (exchange_call.MAX_UNZIPPED + 1))
        assert (await client.ask(call(bomb, b"Content-Encoding: gzip")))[9:12] == b"413"


@run
async def test_nothing_that_can_be_read_is_an_error() -> None:
    async with collecting() as collector, sender(collector) as client:
        answer = await client.ask(call(b"nope\n" * 100))
        body = body_of(answer)
        assert (answer[9:12], body["error"], len(body["malformed"])) == (b"400", "malformed", exchange_call.MOST_TOLD)


@run
async def test_with_a_key_it_must_be_shown() -> None:
    async with collecting(key="k3y") as collector:
        async with sender(collector) as client:
            assert (await client.ask(call(LINE)))[9:12] == b"401"
        async with sender(collector) as client:
            assert (await client.ask(call(LINE, b"X-Gatecrash-Key: k3y", b"Origin: http://a.example")))[9:12] == b"200"


@run
async def test_where_too_much_waits_the_sender_is_asked_to_come_again() -> None:
    async with collecting(observations=Observations(max_waiting=1)) as collector, sender(collector) as client:
        assert body_of(await client.ask(call(LINE * 3)))["dropped"] == 2
        answer = await client.ask(call(LINE))
        assert answer[9:12] == b"503"
        assert b"Retry-After: 1\r\n" in answer


@run
async def test_the_example_of_the_document_is_taken() -> None:
    example = DOCUMENT.partition("<<'END'\n")[2].partition("END\n")[0].encode()
    async with collecting() as collector, sender(collector) as client:
        assert body_of(await client.ask(call(example))) == {"taken": 1, "dropped": 0, "malformed": []}
        [exchange] = await taken(collector, 1)
        assert exchange.request.url == "https://api.example.com/users/7"
