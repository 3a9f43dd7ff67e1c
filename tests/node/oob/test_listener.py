"""The listener over real sockets: HTTP as fetchers speak it, DNS as resolvers do, and nonsense as the internet does."""

import asyncio
import socket
import struct
from pathlib import Path

import pytest
from tests.node.loop import run, until
from tests.node.oob.directory import bind, search, unbind
from tests.node.oob.lured import EXCHANGE, POINT, VERDICT, Told

from gatecrash.core.errors import UserError
from gatecrash.core.testing.out_of_band import OutOfBand, addresses, content_at
from gatecrash.node.oob.listener import MAX_HEAD, Listener
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.notebook import Notebook
from gatecrash.node.oob.settings import OobSettings


class At:
    """A listener with one lure out."""

    def __init__(self, **settings: object) -> None:
        self.told = Told()
        self.listener = Listener(OobSettings(**settings), Lures(self.told))
        self.oob: OutOfBand
        self.name = ""

    async def __aenter__(self) -> "At":
        await self.listener.start()
        self.oob = addresses(self.listener.listening, b"k", "tr_1", "bl_1", POINT, "ssrf")
        self.name = self.oob.name(1)
        self.listener.lures.plant(self.oob.lure(1, VERDICT, dns_threat=30), "tr_1", 1, "bl_1", EXCHANGE)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.listener.close()

    async def ask(self, packet: bytes) -> bytes:
        host, _, port = self.listener.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        writer.write(packet)
        try:
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def hits(self) -> list[tuple[str, str]]:
        return [(each.protocol, each.asked) for each in self.listener.lures.hits(self.name)]


@run
async def test_a_fetch_is_heard_and_answered_with_the_names_content():
    async with At() as at:
        said = await at.ask(f"GET /{at.name}/391?x=1 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert said.startswith(b"HTTP/1.1 200 OK\r\n")
        assert content_at(at.name).encode() in said
        assert await at.hits() == [("http", "391?x=1")]
        said = await at.ask(f"HEAD http://127.0.0.1/{at.name} HTTP/1.0\r\n\r\n".encode())
        assert said.endswith(b"\r\n\r\n")
        assert len(await at.hits()) == 2


@run
async def test_a_directorys_client_is_heard_at_the_same_port_and_finds_nothing():
    async with At() as at:
        said = await at.ask(bind(1) + search(2, f"{at.name}/x") + unbind(3))
        assert said == bytes.fromhex("300c02010161070a010004000400 300c02010265070a012004000400")
        assert await at.hits() == [("ldap", "x")]
        said = await at.ask(bind(1) + search(2, "dc=example,dc=com") + unbind(3))
        assert said.endswith(b"\x65\x07\x0a\x01\x20\x04\x00\x04\x00")
        assert len(await at.hits()) == 1


@run
async def test_the_address_of_the_payload_is_where_it_listens():
    async with At() as at:
        url = at.oob.url(1)
        assert url == f"http://{at.listener.address}/{at.name}"


@run
async def test_a_name_in_the_host_is_heard_whatever_path_the_fetcher_chose():
    async with At(zone="oob.example.com", dns_host="127.0.0.1", dns_port=0) as at:
        await at.ask(f"GET /favicon.ico HTTP/1.1\r\nHost: {at.name}.oob.example.com:80\r\n\r\n".encode())
        assert await at.hits() == [("http", "favicon.ico")]


@pytest.mark.parametrize(
    "packet",
    [
        b"GET /aaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\r\n\r\n",
    ],
)
@run
async def test_what_is_not_ours_learns_nothing(packet: bytes):
    async with At() as at:
        assert (await at.ask(packet)).startswith(b"HTTP/1.1 404 ")
        assert await at.hits() == []


@pytest.mark.parametrize("packet", [b"\x30\x84\x7f\xff\xff\xff", b"\x30\x03\x04\x01a"])
@run
async def test_what_only_begins_as_a_directorys_client_does_is_told_nothing(packet: bytes):
    async with At() as at:
        assert await at.ask(packet) == b""


@run
async def test_a_head_without_end_is_dropped():
    async with At() as at:
        assert await at.ask(b"GET / HTTP/1.1\r\nX: " + b"x" * 4 * MAX_HEAD) == b""


class Resolver(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.answers: list[bytes] = []

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.answers.append(data)


@run
async def test_a_look_up_is_heard_and_answered_with_the_listeners_address():
    async with At(zone="oob.example.com", dns_host="127.0.0.1", dns_port=0) as at:
        host, _, port = at.listener.dns_address.rpartition(":")
        transport, resolver = await asyncio.get_running_loop().create_datagram_endpoint(
            Resolver, remote_addr=(host, int(port))
        )
        try:
            transport.sendto(b"nonsense")
            labels = b"".join(
                bytes((len(label),)) + label.encode() for label in ("391." + at.oob.host(1)).upper().split(".")
            )
            transport.sendto(struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", 1, 1))
            await until(lambda: bool(resolver.answers))
        finally:
            transport.close()
        assert resolver.answers[0].endswith(socket.inet_aton("127.0.0.1"))
        assert await at.hits() == [("dns", "391")]


@run
async def test_an_address_that_is_taken_is_told_with_its_option():
    async with At() as at:
        port = int(at.listener.address.rpartition(":")[2])
        with pytest.raises(UserError, match="--oob-listen"):
            await Listener(OobSettings(port=port), Lures(Told())).start()


@run
async def test_a_restart_listens_where_payloads_that_are_out_lead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "keys"))
    addresses_: list[str] = []
    for _ in range(2):
        listener = Listener(OobSettings(), Lures(Told(), Notebook(tmp_path, "sp_1")))
        await listener.start()
        addresses_.append(listener.address)
        await listener.close()
    assert addresses_[0] == addresses_[1]
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", int(addresses_[0].rpartition(":")[2]))
    listener = Listener(OobSettings(), Lures(Told(), Notebook(tmp_path, "sp_1")))
    await listener.start()
    assert listener.address not in addresses_
    await listener.close()
    taken.close()
    await taken.wait_closed()
