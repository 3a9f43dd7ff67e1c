"""Secrets of every scheme and place, observed by proxy, collector, mirror, followed log and file: none is found again.

Searched are the database, the data directory with the node's spool, all that was logged or printed, the metrics, and
every answer that the API gives, each also unpacked, for the forms of `tests.cases.planted`: as they are, in pieces, in
base64, hexadecimal and escapes, and as digests.
"""

import base64
import gzip
import json
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from psycopg import sql
from tests.cases.planted import PLANTED, found_in
from tests.cli.running import Up
from tests.e2e.routes import document
from tests.e2e.tenant import wait_until
from tests.plain_http import PLAIN

from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.message import Exchange

pytestmark = pytest.mark.database

ROUNDS = 3
"""A word in a path leaves a node once it was seen three times; a secret must not, however often it is seen."""
ADDRESS = "203.0.113.77"


class Target:
    """A server that answers each planted request as planned, told which by a header."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    @staticmethod
    def _answer(connection: socket.socket) -> None:
        with connection:
            head, _, body = received(connection)
            fields = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
            for _ in range(1000):
                if len(body) >= int(fields.get(b"Content-Length", 0)):
                    break
                body += connection.recv(65536)
            answer = PLANTED[int(fields[b"X-Place"])].exchange.response
            assert answer is not None
            lines = [b"HTTP/1.1 %d Fine" % answer.status, *(b"%b: %b" % pair for pair in answer.headers)]
            lines += [b"Content-Length: %d" % len(answer.body), b"Connection: close", b"", answer.body]
            connection.sendall(b"\r\n".join(lines))

    def close(self) -> None:
        self._socket.close()


def received(connection: socket.socket) -> tuple[bytes, bytes, bytes]:
    """A message's head, and what came of its body with it."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65536)):
        data += more
    return data.partition(b"\r\n\r\n")


@contextmanager
def target() -> Iterator[Target]:
    one = Target()
    try:
        yield one
    finally:
        one.close()


def through_proxy(proxy: str, place: int, exchange: Exchange, origin: str) -> bytes:
    """The answer's first line to the exchange's very bytes, sent through the proxy."""
    request, parts = exchange.request, urlsplit(proxy)
    lines = [b"%b %b%b HTTP/1.1" % (request.method.encode(), origin.encode(), request.target)]
    lines += [
        b"Host: " + urlsplit(origin).netloc.encode(),
        b"X-Place: %d" % place,
        b"X-Forwarded-For: " + ADDRESS.encode(),
    ]
    lines += [b"%b: %b" % pair for pair in request.headers]
    lines += [b"Content-Length: %d" % len(request.body), b"Connection: close", b"", request.body]
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
        connection.sendall(b"\r\n".join(lines))
        return received(connection)[0].partition(b"\r\n")[0]


def line(exchange: Exchange, host: str, at: float) -> str:
    """The exchange as a line of JSON, for a file and for the collector."""
    request, answer = exchange.request, exchange.response
    assert answer is not None
    given = {
        "method": request.method,
        "url": f"https://{host}{request.target.decode('latin-1')}",
        "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in request.headers],
        "body_base64": base64.b64encode(request.body).decode(),
        "time": at,
        "status": answer.status,
        "response_headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in answer.headers],
        "response_body_base64": base64.b64encode(answer.body).decode(),
        "client": ADDRESS,
        "connection": exchange.connection,
    }
    return json.dumps(given) + "\n"


def mirrored(collector: str, exchange: Exchange) -> int:
    """Mirror the request as a web server does; the collector's status."""
    request = exchange.request
    told = [(b"X-Original-Method", request.method.encode()), (b"X-Original-URI", request.target)]
    told += [(b"X-Original-Host", b"mirrored.example"), (b"X-Original-Client", ADDRESS.encode())]
    return httpx.post(
        f"{collector}/gatecrash/v1/mirror", headers=[*told, *request.headers], content=request.body, **PLAIN
    ).status_code


def answers(api: httpx.Client) -> Iterator[tuple[str, bytes]]:
    """Every readable address with its answer: lists first, then whatever identifiers they hold, exports, metrics."""
    paths = document(str(api.base_url))["paths"]
    readable = [path for path, item in paths.items() if "get" in item]
    known: dict[str, list[str]] = {"client_id": [api.headers["X-Client"]]}
    for path in sorted(readable, key=lambda path: path.count("{")):
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        if len(names) > 1 or any(name not in known for name in names):
            continue
        for value in known[names[0]] if names else [""]:
            for query in ("?format=csv", "?format=json", "?format=openapi") if path.endswith("/export") else ("",):
                answer = api.get((path.replace(f"{{{names[0]}}}", value) if names else path) + query)
                yield path, b"%d " % answer.status_code + repr(answer.headers).encode() + answer.content
                if not names and answer.status_code == 200 and "json" in answer.headers["Content-Type"]:
                    listed = answer.json().get("body", {}).get("objects", [])
                    owner = next((one for one in readable if one.startswith(f"{path}/{{") and one.endswith("}")), "")
                    known[owner.rpartition("{")[2][:-1]] = [one["id"] for one in listed if "id" in one]
    for path in ("/metrics", "/healthz", "/readyz"):
        yield path, api.get(path).content


def rows(url: str) -> Iterator[bytes]:
    """Every row of a PostgreSQL database, as text."""
    with psycopg.connect(url) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            # Text columns print as they are; bytes as hexadecimal, which is among the forms.
            for (row,) in connection.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(table))):
                yield row.encode()


def unpacked(data: bytes) -> Iterator[bytes]:
    """The bytes, and what every gzip or zlib stream within them unpacks to."""
    yield data
    for magic, bits in ((b"\x1f\x8b\x08", 31), (b"\x78\x9c", 15), (b"\x78\x01", 15), (b"\x78\xda", 15)):
        place = data.find(magic)
        while place >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj(bits).decompress(data[place:], 2**24)
            place = data.find(magic, place + 1)


def search(name: str, pieces: Iterable[bytes]) -> list[str]:
    """Where secrets come to light."""
    whole = b"\n".join(part for piece in pieces for part in unpacked(piece))
    return [f"{name}: {one}" for one in found_in(whole)]


def files(folder: Path) -> Iterator[Path]:
    """Whatever is on the disk there."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


@pytest.mark.timeout(600)  # thousands of requests, and all that came of them searched
def test_no_observed_secret_is_found_again(tmp_path: Path, database_url: str) -> None:
    outside, inside = tmp_path / "captures", tmp_path / "service"
    outside.mkdir()
    inside.mkdir()
    log, capture = outside / "followed.jsonl", outside / "sent.jsonl.gz"
    now = time.time() - 30
    log.write_text("".join(line(one.exchange, "logged.example", now) for _ in range(ROUNDS) for one in PLANTED))
    sent = "".join(line(one.exchange, "sent.example", now) for _ in range(ROUNDS) for one in PLANTED)
    capture.write_bytes(gzip.compress(sent.encode(), mtime=0))
    assert len(found_in(log.read_bytes())) > len(PLANTED), "the search would find them"
    up = Up(inside, "--follow-log", f"jsonl={log}", GATECRASH_DATABASE_URL=database_url, GATECRASH_RATE_LIMIT="0")
    with up, target() as origin:
        known = up.known()
        told = {"X-Service-API-Token": known["token"], "X-Client": known["client_id"]}
        with httpx.Client(base_url=known["api"], headers=told, **PLAIN) as api:
            custom = {"point": [["header", "X-PLANTED"]]}
            parameters = f"/v1/clients/{known['client_id']}/apid/config/auth-parameters"
            assert api.post(parameters, json=custom).status_code == 200
            for _ in range(ROUNDS):
                for place, one in enumerate(PLANTED):
                    assert b" Fine" in through_proxy(known["proxy"], place, one.exchange, origin.address), one.place
                    assert mirrored(known["collector"], one.exchange) == 204, one.place
                called = "".join(line(one.exchange, "called.example", time.time()) for one in PLANTED)
                called_address = f"{known['collector']}/gatecrash/v1/exchanges"
                assert httpx.post(called_address, content=called, **PLAIN).status_code in {200, 202, 204}
            feeding = ["observe", "--send", str(capture), "--api", known["api"], "--token", known["token"]]
            reading = ["observe", "--json", str(capture)]
            told_by_command = [
                subprocess.run(
                    [sys.executable, "-m", "gatecrash", *command], env=up.environment, capture_output=True, check=False
                )
                for command in (feeding, reading)
            ]
            assert [one.returncode for one in told_by_command] == [0, 0], told_by_command[0].stderr
            hosts = {
                urlsplit(origin.address).netloc,
                "mirrored.example",
                "called.example",
                "logged.example",
                "sent.example",
            }

            def seen() -> dict[str, int]:
                found: dict[str, int] = {}
                for one in api.get("/v1/endpoints?limit=1000").json()["body"]["objects"]:
                    found[one["host"]] = found.get(one["host"], 0) + one["requests"]
                return found

            # Otherwise there was nothing to leak: every source counted most of what it was given.
            most = len(PLANTED) * ROUNDS // 2
            wait_until(seen, lambda found: all(found.get(host, 0) >= most for host in hosts))
            listed = api.get("/v1/endpoints?limit=1000").json()["body"]["objects"]
            assert {kind for one in listed for kind in one["types"]} == {kind.value for kind in AuthType}
            details = [api.get(f"/v1/endpoints/{one['id']}").json()["body"] for one in listed]
            kinds = {note["kind"] for one in details for note in one["notes"]}
            assert {"credential_in_query", "basic_without_tls", "jwt_without_exp"} <= kinds
            read = list(answers(api))
            given = {name for name, _ in read}
            assert {"/v1/endpoints/{endpoint_id}", "/v1/endpoints/export", "/v1/audit", "/metrics"} <= given
            leaks = search("API", (content for _, content in read))
    leaks += search("logs", [up.said.encode(), up.complaints().encode()])
    leaks += search("commands", [part for one in told_by_command for part in (one.stdout, one.stderr)])
    for path in files(inside):
        leaks += search(str(path.relative_to(inside)), [path.read_bytes()])
    if database_url.startswith("postgres"):
        leaks += search("database", rows(database_url))
    else:
        leaks += search("database", (path.read_bytes() for path in tmp_path.glob("service.sqlite3*")))
    assert leaks == []
