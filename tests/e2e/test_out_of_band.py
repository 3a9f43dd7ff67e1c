"""Targets that show nothing come to the listener: a whole scan against real fetchers, a real parser and a real shell."""

import re
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import lxml.etree
import pytest
from tests.node.loop import run
from tests.node.oob.directory import bind, search

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.oob.settings import OobSettings
from gatecrash.node.scan.engine import Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.wire.session import RunOrder

RECOGNISER = compile_recogniser()
ORDER = b"<order><item>tea</item></order>"
LATE_SECONDS = 0.5


def fetch(url: str) -> None:
    with suppress(OSError, ValueError), urllib.request.urlopen(url, timeout=60) as answer:
        answer.read()


def look_up(text: str) -> None:
    """As a logging library that looks up what it is to log."""
    told = re.search(r"\$\{jndi:ldap://([\w.]+):(\d+)/([^}]+)\}", text)
    if told:
        with socket.create_connection((told[1], int(told[2])), timeout=60) as peer:
            for packet in (bind(1), search(2, told[3])):
                peer.sendall(packet)
                peer.recv(1000)


class Fetching(lxml.etree.Resolver):
    """As parsers that may use the network do."""

    def resolve(self, system_url: str, public_id: str, context: object) -> object:
        if system_url.startswith("http:"):
            with urllib.request.urlopen(system_url, timeout=60) as answer:
                return self.resolve_string(answer.read().decode(), context)
        return self.resolve_string("", context)


class Target(BaseHTTPRequestHandler):
    """Says the same whatever it is asked, so that nothing shows in its answers. late: what goes on behind an answer."""

    late: list[threading.Thread | subprocess.Popen[bytes]]

    def do_GET(self) -> None:
        given = dict(parse_qsl(urlsplit(self.path).query))
        place = urlsplit(self.path).path
        if place == "/logged":
            look_up(given.get("user", ""))
        elif place == "/hook":
            fetch(given.get("url", ""))
        elif place == "/queue":
            thread = threading.Timer(LATE_SECONDS, fetch, (given.get("url", ""),))
            thread.start()
            self.late.append(thread)
        elif place == "/ping":
            command = ["sh", "-c", f"echo looking for {given.get('host') or given.get('named', '')}"]
            nowhere = subprocess.DEVNULL
            self.late.append(subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere))
        self.say()

    def do_POST(self) -> None:
        parser = lxml.etree.XMLParser(resolve_entities=self.path == "/import", load_dtd=True)
        parser.resolvers.add(Fetching())
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with suppress(lxml.etree.XMLSyntaxError, OSError):
            if self.path != "/refusing" or b"<!DOCTYPE" not in body:
                lxml.etree.fromstring(body, parser if self.path == "/import" else lxml.etree.XMLParser())
        self.say()

    def say(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"taken\n")

    def log_message(self, *_: Any) -> None:
        """Nothing to say."""


@contextmanager
def target() -> Iterator[int]:
    handler: Any = type("Handler", (Target,), {"late": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        for each in handler.late:
            each.join() if isinstance(each, threading.Thread) else each.wait(60)
        server.server_close()


def policy(*types: str) -> Policy:
    return Policy(id="p", name="p", types=types)


async def scanned(
    port: int, method: str, path: bytes, body: bytes = b"", oob: OobSettings | None = None, types: Policy = DEFAULT
) -> Ledger:
    """One baseline scanned to its end."""
    headers = ((b"Host", f"127.0.0.1:{port}".encode()),)
    if body:
        headers += ((b"Content-Type", b"application/xml"), (b"Content-Length", str(len(body)).encode()))
    request = Request(method, path, headers, body, "http", "127.0.0.1", port)
    recorded = Exchange(request, Response(200, ((b"Content-Length", b"6"),), b"taken\n"))
    now = time.time()
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="p", created_at=int(now), updated_at=now)
    ledger = Ledger(facts, Planner(types, RECOGNISER).plan([recorded]), now)
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=types, marker_key=b"k" * 32
    )
    await Engine(ledger, order, RECOGNISER, Way(AllowedHosts()), oob=oob).run()
    return ledger


def found(ledger: Ledger) -> list[tuple[str, int]]:
    return [(one.verdict.type, one.verdict.threat) for one in ledger.findings.values()]


@run
async def test_a_server_that_fetches_and_shows_nothing_is_proven():
    with target() as port:
        ledger = await scanned(port, "GET", b"/hook?url=http://a.example/", oob=OobSettings(grace=20))
    assert found(ledger) == [("ssrf", 70)]
    (one,) = ledger.findings.values()
    assert one.verdict.proof is not None
    assert "fetched from our listener by 127.0.0.1" in one.verdict.proof.verified_by
    assert "Late" not in one.verdict.proof.verified_by


@run
async def test_one_that_fetches_from_a_queue_is_a_late_finding_and_the_run_stays_for_it():
    with target() as port:
        settings = OobSettings(grace=6 * LATE_SECONDS)
        ledger = await scanned(port, "GET", b"/queue?url=http://a.example/", oob=settings, types=policy("ssrf"))
    assert found(ledger) == [("ssrf", 70)]
    (one,) = ledger.findings.values()
    assert one.verdict.proof is not None
    assert "Late: it came" in one.verdict.proof.verified_by
    assert (ledger.run.state, ledger.run.failed, ledger.run.passed) == ("failed", 1, 0)
    assert ledger.shown_baselines(RECOGNISER)[0]["status"] == "failed"


@pytest.mark.parametrize("asked", [b"host=a.example", b"named=weekly"], ids=["host", "any text"])
@run
async def test_a_command_in_the_background_is_proven_by_what_it_computed(asked: bytes):
    with target() as port:
        ledger = await scanned(port, "GET", b"/ping?" + asked, oob=OobSettings(grace=10), types=policy("rce"))
    assert found(ledger) == [("rce", 95)]


@run
async def test_a_log_that_looks_up_what_it_is_told_is_proven():
    with target() as port:
        ledger = await scanned(port, "GET", b"/logged?user=ann", oob=OobSettings(grace=10), types=policy("rce"))
    assert found(ledger) == [("rce", 95)]
    (one,) = ledger.findings.values()
    assert one.verdict.cwe == (917,)
    assert "as in a directory (LDAP)" in one.verdict.proof.verified_by


@run
async def test_a_parser_that_shows_nothing_is_proven():
    with target() as port:
        ledger = await scanned(port, "POST", b"/import", ORDER, OobSettings(grace=10), policy("xxe"))
    assert found(ledger) == [("xxe", 80)]


@pytest.mark.parametrize("path", ["/refusing", "/closed"])
@run
async def test_a_parser_that_follows_nothing_is_none_and_costs_the_grace_at_most(path: str):
    with target() as port:
        started = time.monotonic()
        ledger = await scanned(port, "POST", path.encode(), ORDER, OobSettings(grace=0.5), policy("xxe"))
    assert found(ledger) == []
    assert ledger.run.state == "passed"
    assert time.monotonic() - started < 100


@run
async def test_without_a_listener_nothing_waits_and_nothing_is_found():
    with target() as port:
        ledger = await scanned(port, "GET", b"/hook?url=http://a.example/", types=policy("ssrf"))
    assert found(ledger) == []
    assert ledger.run.listening_until == 0.0
