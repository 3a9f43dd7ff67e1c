"""Programs that know nothing of Gatecrash work through its proxy as they do without it, and are observed."""

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from tests.absent import require
from tests.e2e.proxy_application import Application
from tests.e2e.proxy_node import Background, NodeProcess, running_node
from tests.node.http2.speaking import Call, Http2Server, Speaker
from tests.node.observe.intercepting import server_tls
from tests.plain_http import PATIENCE

from gatecrash.node.tls.authority import CertificateAuthority

BEARER = {"Authorization": "Bearer 0123456789abcdef"}


class Place:
    """Everything a test needs: applications (plain, TLS, HTTP/2), nodes before them, and the loop in which they live."""

    def __init__(self, folder: Path, background: Background) -> None:
        self.folder = folder
        self.background = background
        self.environment = {**os.environ, "SSL_CERT_FILE": str(folder / "app" / "ca.pem")}

    def application(self, *, tls: bool = False, host: str = "127.0.0.1") -> Any:
        context = server_tls(self.folder / "app", "http/1.1", host=host if ":" in host else "localhost")
        return self.background.within(Application(context if tls else None, host))

    def node(self, name: str, **settings: Any) -> Any:
        return self.background.within(running_node(self.folder / name, self.environment, **settings))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Background() as background:
        yield Place(tmp_path_factory.mktemp("proxy"), background)


@pytest.fixture(scope="module")
def node(place: Place) -> Iterator[NodeProcess]:
    """A forward proxy that opens TLS to this machine."""
    with place.node("forward") as node:
        yield node


@pytest.fixture(scope="module")
def plain(place: Place) -> Iterator[str]:
    with place.application() as application:
        yield f"http://127.0.0.1:{application.port}"


@pytest.fixture(scope="module")
def secure(place: Place) -> Iterator[str]:
    with place.application(tls=True) as application:
        yield f"https://localhost:{application.port}"


async def _answer(speaker: Speaker, stream: int, call: Call) -> None:
    speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-type", b"application/json")])
    await speaker.send(stream, json.dumps({"size": call.size}).encode(), end=True)


@pytest.fixture(scope="module")
def http2(place: Place) -> Iterator[str]:
    tls = server_tls(place.folder / "app", "h2", "http/1.1")
    with place.background.within(Http2Server(_answer, tls)) as server:
        yield f"https://localhost:{server.port}"


def curl(node: NodeProcess, *options: str, forward: bool = True) -> list[str]:
    """What curl wrote, line by line; it must have succeeded."""
    require(shutil.which("curl"), "curl was not found")
    proxy = ["-x", node.url, "--noproxy", ""] if forward else []
    command = ["curl", "-sS", "--max-time", "20", *proxy, *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


VERSION = ("-w", "\n%{http_version}\n")


def test_curl_in_absolute_form(node: NodeProcess, plain: str) -> None:
    assert json.loads(curl(node, f"{plain}/json?n=3")[0]) == {"n": "3", "known": False}
    assert json.loads(curl(node, "-d", "x" * 100_000, f"{plain}/upload")[0]) == {"size": 100_000}


def test_curl_over_tls_trusts_the_nodes_ca(node: NodeProcess, secure: str, place: Place) -> None:
    before = node.counted(secure)
    answer, version = curl(node, "--cacert", str(node.ca), *VERSION, f"{secure}/json?n=3")
    assert (json.loads(answer), version) == ({"n": "3", "known": False}, "1.1")
    for _ in range(2):
        assert json.loads(curl(node, "-k", f"{secure}/json?n=4")[0])["n"] == "4"
    place.background.until(lambda: node.counted(secure) == before + 3)


def test_curl_without_our_ca_refuses_and_is_told_why(node: NodeProcess, secure: str, place: Place) -> None:
    require(shutil.which("curl"), "curl was not found")
    command = ["curl", "-sS", "-x", node.url, "--noproxy", "", f"{secure}/json"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 60, refused.stderr
    place.background.until(lambda: "a client broke off TLS" in node.log.read_text())


@pytest.mark.parametrize("trust", ["--cacert", "-k"])
def test_curl_with_http2(trust: str, node: NodeProcess, http2: str) -> None:
    trusting = [trust, str(node.ca)] if trust == "--cacert" else [trust]
    answer, version = curl(node, *trusting, "--http2", "-d", "x" * 100_000, *VERSION, f"{http2}/upload")
    assert (json.loads(answer), version) == ({"size": 100_000}, "2")


def test_requests(node: NodeProcess, plain: str, secure: str) -> None:
    with requests.Session() as session:
        session.trust_env = False
        session.proxies = {"http": node.url, "https": node.url}
        session.verify = str(node.ca)
        for base in (plain, secure):
            for number in range(5):
                answer = session.get(f"{base}/json", params={"n": number}, headers=BEARER, timeout=60)
                assert answer.json() == {"n": str(number), "known": True}
            chunked = session.post(f"{base}/upload", data=iter([b"x" * 1000] * 50), timeout=60)
            assert chunked.json() == {"size": 50_000}


@pytest.mark.parametrize("http2_too", [False, True])
def test_httpx(http2_too: bool, node: NodeProcess, plain: str, secure: str, http2: str) -> None:
    trusting = ssl.create_default_context(cafile=str(node.ca))
    with httpx.Client(proxy=node.url, verify=trusting, trust_env=False, http2=http2_too, timeout=PATIENCE) as client:
        for base in (plain, secure):
            assert client.get(f"{base}/json?n=1", headers=BEARER).json() == {"n": "1", "known": True}
            assert client.post(f"{base}/upload", content=bytes(2_000_000)).json() == {"size": 2_000_000}
        answer = client.post(f"{http2}/upload", content=bytes(2_000_000))
        if http2_too:
            assert (answer.http_version, answer.json()) == ("HTTP/2", {"size": 2_000_000})


class Tea(grpc.GenericRpcHandler):
    """A gRPC service without generated code: bytes in, bytes out."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        known = dict(details.invocation_metadata).get("authorization")
        calls: dict[str, Callable[[], grpc.RpcMethodHandler]] = {
            "/tea.Shop/Brew": lambda: grpc.unary_unary_rpc_method_handler(lambda tea, _: tea.upper()),
            "/tea.Shop/Pour": lambda: grpc.unary_stream_rpc_method_handler(lambda tea, _: (tea for _ in range(200))),
            "/tea.Shop/Drink": lambda: grpc.stream_stream_rpc_method_handler(lambda cups, _: (cup for cup in cups)),
            "/tea.Shop/Refuse": lambda: grpc.unary_unary_rpc_method_handler(_refuse),
        }
        return calls[details.method]() if known and details.method in calls else None


def _refuse(_tea: bytes, context: grpc.ServicerContext) -> bytes:
    context.set_trailing_metadata((("why", "cold"),))
    context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the water is cold")


@pytest.fixture(scope="module")
def tea(place: Place) -> Iterator[tuple[int, int]]:
    """A gRPC server's ports, with TLS and without."""
    from concurrent.futures import ThreadPoolExecutor

    authority = CertificateAuthority.open(place.folder / "app")
    key = authority._host_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    certificate = authority.certificate_for("localhost").public_bytes(serialization.Encoding.PEM)
    server = grpc.server(ThreadPoolExecutor(4), handlers=(Tea(),))
    secure = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, certificate)]))
    plain = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield secure, plain
    server.stop(None).wait()


def drink(channel: grpc.Channel) -> None:
    """Unary, streaming each way, an error with its trailers, a method that is not there."""
    metadata = (("authorization", BEARER["Authorization"]),)
    asked = {"metadata": metadata, "timeout": 120}
    assert channel.unary_unary("/tea.Shop/Brew")(b"mint", **asked) == b"MINT"
    assert channel.unary_unary("/tea.Shop/Brew")(b"m" * 3_000_000, **asked) == b"M" * 3_000_000
    assert list(channel.unary_stream("/tea.Shop/Pour")(b"x" * 5000, **asked)) == [b"x" * 5000] * 200
    cups = [bytes([number]) * 1000 for number in range(100)]
    assert list(channel.stream_stream("/tea.Shop/Drink")(iter(cups), **asked)) == cups
    with pytest.raises(grpc.RpcError) as refused:
        channel.unary_unary("/tea.Shop/Refuse")(b"", **asked)
    assert (refused.value.code(), refused.value.details()) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "the water is cold",
    )
    assert ("why", "cold") in [tuple(each) for each in refused.value.trailing_metadata()]
    with pytest.raises(grpc.RpcError) as unknown:
        channel.unary_unary("/tea.Shop/Spill")(b"", **asked)
    assert unknown.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_grpc_through_connect_with_our_ca(node: NodeProcess, tea: tuple[int, int], place: Place) -> None:
    options = (("grpc.http_proxy", node.url), ("grpc.max_receive_message_length", 10_000_000))
    credentials = grpc.ssl_channel_credentials(node.ca.read_bytes())
    with grpc.secure_channel(f"localhost:{tea[0]}", credentials, options) as channel:
        for _ in range(3):
            drink(channel)
    place.background.until(lambda: node.counted(f"https://localhost:{tea[0]}") >= 3 * 5)


def test_grpc_without_tls_to_the_reverse_proxy(place: Place, tea: tuple[int, int]) -> None:
    """h2c by prior knowledge, towards an application without TLS and one with it."""
    for name, url in (("h2c", f"http://127.0.0.1:{tea[1]}"), ("h2s", f"https://localhost:{tea[0]}")):
        with place.node(name, upstream=url) as node, grpc.insecure_channel(node.address) as channel:
            drink(channel)


def test_a_reverse_proxy_before_each_kind_of_application(place: Place, plain: str, secure: str, http2: str) -> None:
    for name, upstream in (("before-plain", plain), ("before-tls", secure)):
        with place.node(name, upstream=upstream) as node:
            assert requests.get(f"{node.url}/json?n=7", headers=BEARER, timeout=60).json()["known"]
            assert json.loads(curl(node, f"{node.url}/json?n=8", forward=False)[0])["n"] == "8"
    with place.node("before-http2", upstream=http2) as node:
        options = ("--http2-prior-knowledge", "-d", "x" * 1000, *VERSION, f"{node.url}/upload")
        answer, version = curl(node, *options, forward=False)
        assert (json.loads(answer), version) == ({"size": 1000}, "2")


def test_ipv6_listeners_and_targets(place: Place) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            require(None, "this machine has no [::1]")
    with (
        place.application(host="::1") as plain,
        place.application(tls=True, host="::1") as secure,
        place.node("ipv6", proxy_listen="[::1]:0") as node,
    ):
        assert node.address.startswith("[::1]:")
        for options in ((f"http://[::1]:{plain.port}",), ("--cacert", str(node.ca), f"https://[::1]:{secure.port}")):
            asked = [f"{options[-1]}/json?n={number}" for number in range(3)]
            assert [json.loads(line)["n"] for line in curl(node, *options[:-1], *asked, "-w", "\n")] == ["0", "1", "2"]
        for application in (plain, secure):
            place.background.until(lambda base=f"http://[::1]:{application.port}": node.counted(base) == 3)
        with place.node("ipv6-reverse", proxy_listen="[::1]:0", upstream=f"http://[::1]:{plain.port}") as reverse:
            assert requests.get(f"{reverse.url}/json?n=5", timeout=60).json()["n"] == "5"
        loop = http.client.HTTPConnection("::1", node.port, timeout=60)
        loop.request("GET", f"{node.url}/")
        assert loop.getresponse().status == 508
        loop.close()


def websocket(stream: socket.socket, said: bytes) -> bytes:
    """One message there and back over a raw connection, as RFC 6455 frames it."""
    stream.sendall(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    reader = stream.makefile("rb")
    head = b"".join(iter(reader.readline, b"\r\n"))
    assert head.startswith(b"HTTP/1.1 101 ")
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head  # RFC 6455 section 1.3
    stream.sendall(bytes((0x81, 0x80 | len(said))) + b"\0\0\0\0" + said)
    kind, size = reader.read(2)
    assert kind == 0x81
    return reader.read(size)


def test_a_websocket_over_raw_sockets(node: NodeProcess, plain: str, secure: str) -> None:
    for base in (plain, secure):
        target = base.partition("//")[2]
        with socket.create_connection(("127.0.0.1", node.port), timeout=60) as raw:
            raw.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
            assert raw.recv(1000).startswith(b"HTTP/1.1 200 ")
            if base == plain:
                assert websocket(raw, b"hello") == b"HELLO"
            else:
                context = ssl.create_default_context(cafile=str(node.ca))
                with context.wrap_socket(raw, server_hostname="localhost") as inside:
                    assert websocket(inside, b"hello") == b"HELLO"
