"""An intermediary takes out what concerns one hop, and nothing that a Connection header may not name."""

from gatecrash.node.http1.head import framing_of
from gatecrash.node.http1.hop_by_hop import end_to_end, is_websocket


def test_named_and_known_fields_go_and_the_rest_keeps_its_order() -> None:
    headers = (
        (b"A", b"1"),
        (b"Connection", b"X-Hop, Host, Authorization"),
        (b"x-hop", b"1"),
        (b"Host", b"h"),
        (b"Authorization", b"s"),
        (b"Keep-Alive", b"5"),
        (b"Transfer-Encoding", b"chunked"),
        (b"a", b"2"),
    )
    kept = [name for name, _ in end_to_end(headers, framing_of(headers))]
    assert kept == [b"A", b"Host", b"Authorization", b"Transfer-Encoding", b"a"]


def test_only_websocket_is_an_upgrade_that_passes() -> None:
    websocket = ((b"connection", b"keep-alive, Upgrade"), (b"UPGRADE", b"WebSocket"), (b"Keep-Alive", b"1"))
    assert is_websocket(framing_of(websocket))
    assert end_to_end(websocket, framing_of(websocket)) == ((b"connection", b"Upgrade"), (b"UPGRADE", b"WebSocket"))
    h2c = ((b"Connection", b"Upgrade, HTTP2-Settings"), (b"Upgrade", b"h2c"), (b"HTTP2-Settings", b"x"))
    assert not is_websocket(framing_of(h2c))
    assert end_to_end(h2c, framing_of(h2c)) == ()
    assert not is_websocket(framing_of(((b"Upgrade", b"websocket"),)))
