"""The client of the control plane: what it refuses, what it tries again, and what it never tells."""

import logging
import ssl
from pathlib import Path

import pytest
from tests.node.loop import run
from tests.node.test.sending import OK, certificate

from gatecrash.core.errors import ProtocolMismatch, UserError
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.uplink import HEARTBEAT, HELLO, Pauses, Rejected, Unreachable, Uplink, check_api
from gatecrash.wire.session import Heartbeat, Hello, Orders, Welcome

HI = Hello("n", "native", "0.24.0", "sp")


def test_plain_http_to_another_machine_is_refused_unless_asked_for() -> None:
    with pytest.raises(UserError, match="in the clear"):
        check_api("http://10.0.0.1:8000", insecure=False)
    check_api("http://10.0.0.1:8000", insecure=True)
    check_api("http://127.0.0.1:8000", insecure=False)
    check_api("http://localhost:8000", insecure=False)
    check_api("https://gatecrash.example.com", insecure=False)
    with pytest.raises(UserError):
        check_api("gatecrash.example.com", insecure=False)


@run
async def test_a_message_and_its_reply() -> None:
    async with ControlPlane() as control:
        uplink = Uplink(control.api, TOKEN)
        welcome = await uplink.call(HELLO, HI, Welcome)
        assert welcome.session == control.session
        with pytest.raises(ProtocolMismatch):
            await uplink.call(HEARTBEAT, Heartbeat("", welcome.session, 0.0, 1), Welcome)
        with pytest.raises(Rejected) as caught:
            await uplink.call(HEARTBEAT, Heartbeat("", "old", 0.0, 1), Orders)
        assert caught.value.status == 409
        assert "session over" in str(caught.value)
        await uplink.close()


@run
async def test_what_may_pass_is_told_apart_and_the_next_call_gets_through() -> None:
    async with ControlPlane() as control:
        uplink = Uplink(control.api, TOKEN)
        control.down = True
        with pytest.raises(Unreachable):
            await uplink.call(HELLO, HI, Welcome)
        control.down = False
        assert (await uplink.call(HELLO, HI, Welcome)).session == control.session
        await uplink.close()


@run
async def test_nobody_there_and_no_control_plane_there() -> None:
    async with RawServer().answering(b"HTTP/1.1 404 X\r\nContent-Length: 5\r\n\r\nhello") as server:
        uplink = Uplink(f"http://127.0.0.1:{server.port}", TOKEN)
        with pytest.raises(Rejected, match="is this address the control plane"):
            await uplink.call(HELLO, HI, Welcome)
    with pytest.raises(Unreachable, match="cannot be reached"):
        await uplink.call(HELLO, HI, Welcome)
    await uplink.close()


@run
async def test_the_token_is_in_no_log_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with ControlPlane() as control:
        uplink = Uplink(control.api, "very-secret-token")
        with pytest.raises(Rejected) as caught:
            await uplink.call(HELLO, HI, Welcome)
        await uplink.close()
    assert "very-secret-token" not in caplog.text + str(caught.value) + repr(caught.value)


def test_pauses_grow_with_jitter_up_to_a_bound_and_honour_what_was_asked() -> None:
    pauses = Pauses(first=1.0, most=4.0)
    got = [pauses.next() for _ in range(6)]
    for pause, most in zip(got, (1, 2, 4, 4, 4, 4), strict=True):
        assert most / 2 <= pause <= most
    assert Pauses().next(7) == 7
    assert Pauses().next(10**6) == 60


@run
async def test_a_service_under_an_authority_of_its_own_is_reached_where_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(pem)
    async with RawServer(tls=tls).answering(OK) as server:
        api = f"https://127.0.0.1:{server.port}"
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        for named, expected in (("", Unreachable), (str(pem), ProtocolMismatch)):
            if named:
                monkeypatch.setenv("SSL_CERT_FILE", named)
            uplink = Uplink(api, TOKEN)
            with pytest.raises(expected):
                await uplink.call(HELLO, HI, Welcome)
            await uplink.close()
        assert len(server.received) == 1
