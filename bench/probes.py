"""CPU per request by probe: the thorough policy on a small API, every dialogue's own time taken apart from the sending.

One run. A probe's time is what its dialogues take to make their requests and to judge the answers; what the engine takes
around them (planning, sessions, pacing, marking, sending, receiving) is the rest of the process's time, printed behind
them. The API is sound, so every dialogue is as long as on an ordinary target; probes that find nothing to ask there are
listed too.
"""

import asyncio
import json
import time
from collections.abc import Generator, Iterable

import httptools
import msgspec
import uvloop

from bench.engine import prepared
from bench.sender import Bare, served
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing import registry
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender

TOKENS = {"ann": "Bearer 3f9a0c77de114b02aa51c0de", "ben": "Bearer 90b1d2c4e7f8a6352214bead"}
# A token signed with a key that no list holds; nobody here reads what is in it.
JWT = (
    "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjYXIiLCJleHAiOjQxMDI0NDQ4MDB9"
    ".pT6Bl0l8v5y2Y0mXqk9aK7nW1eR4uC3sD6fG8hJ0zQE"
)
SESSION = "PHPSESSID=5d41402abc4b2a76b9719d91"


class Api(Bare):
    """Objects of two users behind tokens: says the same to every odd value, and shows nothing that it was sent."""

    def on_message_complete(self) -> None:
        user = {token: name for name, token in TOKENS.items()}.get(self.headers.get("authorization", ""))
        user = "car" if self.headers.get("authorization") == JWT else user
        # A browser says who makes it send its cookie.
        own = not {"origin", "referer"} & self.headers.keys()
        user = user or ("ann" if own and self.headers.get("cookie") == SESSION else None)
        if user is None:
            return self.say(401, {"error": "unauthorized"})
        path = self.url.partition(b"?")[0].decode("latin-1")
        if path.startswith("/orders/"):
            owner = {"31": "ann", "32": "ben"}.get(path.removeprefix("/orders/"))
            return self.say(200, {"id": path[8:], "owner": user}) if owner == user else self.say(404, {"error": "none"})
        known = {"/items": {"items": [1, 2, 3]}, "/notes": {"kept": True}, "/graphql": {"data": {"me": {"id": 7}}}}
        return self.say(200, known[path]) if path in known else self.say(404, {"error": "none"})

    def data_received(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            # As servers do over control characters in a header: they answer, and close.
            self.say(400, {"error": "bad request"})
            self.transport.close()

    def say(self, status: int, document: object) -> None:
        """Answers with a document."""
        body = json.dumps(document).encode()
        head = b"HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        self.transport.write(head % (status, len(body)) + body)


def requests(port: int) -> Iterable[Request]:
    """What clients of the API send: queries, paths, forms, JSON, XML, GraphQL, by two users in turns, a JWT and a cookie."""

    def one(method: str, target: str, credential: tuple[str, str], kind: str = "", body: bytes = b"") -> Request:
        headers = [(b"Host", b"127.0.0.1:%d" % port), (b"Accept", b"*/*"), tuple(map(str.encode, credential))]
        if body:
            headers += [(b"Content-Type", kind.encode()), (b"Content-Length", b"%d" % len(body))]
        return Request(method, target.encode(), tuple(headers), body, "http", "127.0.0.1", port)  # type: ignore[arg-type]

    ann, ben = (("Authorization", token) for token in TOKENS.values())
    cookie, form = ("Cookie", SESSION), "application/x-www-form-urlencoded"
    note = json.dumps({"title": "tea", "text": "two cups", "count": 2, "link": "http://example.com/a"}).encode()
    for _ in range(2):
        yield one("GET", "/items?q=green%20tea&page=2&sort=name", ann)
        yield one("GET", "/items?q=black%20tea&file=a.txt&next=/items", ben)
        yield one("GET", "/orders/31", ann)
        yield one("GET", "/orders/32", ben)
    yield one("PUT", "/orders/31", ann, "application/json", json.dumps({"id": 31, "note": "by noon"}).encode())
    yield one("GET", "/items?q=white", ("Authorization", JWT))
    yield one("POST", "/notes", ann, "application/json", note)
    yield one("PUT", "/notes", ben, "application/json", note)
    yield one("POST", "/notes", cookie, form, b"title=tea&text=two+cups&host=example.com")
    yield one("POST", "/notes", ann, "application/xml", b"<note><title>tea</title><text>two cups</text></note>")
    yield one("POST", "/notes", ann, form, b"state=" + b"rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRg")
    yield one("POST", "/graphql", ann, "application/json", json.dumps({"query": "query { me { id } }"}).encode())


class Spent:
    """What the dialogues of one probe took. dialogues, requests: how many. seconds: of CPU."""

    def __init__(self) -> None:
        self.dialogues = 0
        self.requests = 0
        self.seconds = 0.0


def measured(probe: Probe, spent: Spent) -> Probe:
    """The same probe, its dialogues' CPU time added up."""

    def run(situation: Situation) -> Dialogue:
        spent.dialogues += 1
        return (yield from timed(probe.run(situation), spent))

    changed: Probe = msgspec.structs.replace(probe, run=run)
    return changed


def timed(dialogue: Dialogue, spent: Spent) -> Generator[TestRequest, Answer, object]:
    """The dialogue, the time of each of its steps taken."""
    answer: Answer | None = None
    try:
        while True:
            begun = time.thread_time()
            try:
                asked = dialogue.send(answer)  # type: ignore[arg-type] # None begins a generator
            except StopIteration as end:
                return end.value
            finally:
                spent.seconds += time.thread_time() - begun
            spent.requests += 1
            answer = yield asked
    finally:
        dialogue.close()


def names() -> dict[int, str]:
    """What each registered probe is called: its module, since several report one type."""
    return {id(module.PROBE): name for name, module in vars(registry).items() if hasattr(module, "PROBE")}


async def recorded(port: int) -> list[Exchange]:
    """The requests with what they are answered."""
    sender = Sender(Destinations(lambda *_: None, lambda *_: None))
    exchanges = [(await sender.send(each)).exchange for each in requests(port)]
    await sender.close()
    statuses = [each.response.status if each.response else 0 for each in exchanges]
    assert set(statuses) == {200}, statuses
    return exchanges


async def tested(exchanges: list[Exchange], probes: Iterable[Probe]) -> tuple[int, float, list[str]]:
    """Requests sent, the CPU seconds of the whole engine, and the types that were found."""
    engine, ledger = prepared(exchanges, THOROUGH, probes)
    begun = time.process_time()
    await engine.run()
    used = time.process_time() - begun
    return engine.tally.sent, used, sorted({each.verdict.type for each in ledger.findings.values()})


def clock_seconds() -> float:
    """What taking the time twice costs, to be taken off each step."""
    begun = time.thread_time()
    for _ in range(20_000):
        time.thread_time()
    return (time.thread_time() - begun) / 20_000


def main() -> None:
    """Prints the probes, the most expensive first."""
    spent = {name: Spent() for name in names().values()}
    called = names()
    probes = [measured(probe, spent[called[id(probe)]]) for probe in REGISTRY]
    with served(Api) as port, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        sent, used, found = runner.run(tested(runner.run(recorded(port)), probes))
    clock = clock_seconds()
    print(
        f"thorough policy, {sent:,} requests, {used / sent * 1e6:.0f} µs of CPU each in all; found: {found or 'nothing'}"
    )
    wide = max(map(len, spent))
    print(f"  {'probe':{wide}}  dialogues  requests  µs a request")
    own = 0.0
    for name, each in sorted(spent.items(), key=lambda pair: -pair[1].seconds / max(1, pair[1].requests)):
        seconds = each.seconds - clock * (each.requests + each.dialogues)
        own += seconds
        cost = f"{seconds / each.requests * 1e6:12.0f}" if each.requests else "           -"
        print(f"  {name:{wide}}  {each.dialogues:9,}  {each.requests:8,}  {cost}")
    print(f"  the engine around them: {(used - own) / sent * 1e6:.0f} µs a request")


if __name__ == "__main__":
    main()
