"""WebSockets are read out of a script's text."""

import pytest

from gatecrash.formats.scripts.sockets import opened_in


@pytest.mark.parametrize(
    ("code", "opened"),
    [
        ("new WebSocket('/live')", ["/live"]),
        ("new WebSocket('ws://' + location.host + '/live?x=' + y)", ["/live?x=1"]),
        ("new WebSocket(`ws://${location.host}/live/${room}`)", ["/live/1"]),
        ("new WebSocket(`${scheme}://${location.host}/live`)", ["/live"]),
        ("new WebSocket(`${location.protocol == 'https:' ? 'wss:' : 'ws:'}//${location.host}/live`)", ["/live"]),
        ("new WebSocket((location.protocol == 'https:' ? 'wss://' : 'ws://') + location.host + '/live')", ["/live"]),
        ("const base = 'ws://' + location.host;\nnew WebSocket(base + '/live')", ["/live"]),
        ("const url = `ws://${location.host}/live`;\nconst socket = new window.WebSocket(url, ['v1'])", ["/live"]),
        ("new ReconnectingWebSocket('/live')", ["/live"]),
        ("new WebSocket('wss://a.example:8443/live')", ["https://a.example:8443/live"]),
        ("new WebSocket('/a');new WebSocket('/b');new WebSocket('/a')", ["/a", "/b"]),
    ],
)
def test_an_address_counts_from_where_it_is_written_out(code: str, opened: list[str]) -> None:
    assert opened_in(code) == opened


@pytest.mark.parametrize(
    "code",
    [
        "new WebSocket(address)",
        "new WebSocket()",
        "new WebSocket(location.host + port)",
        "x = new WebSocket.Server({path: '/live'})",
        "open(url) { url = '/a'; url = '/b'; new WebSocket(url) }",
        "'new WebSocket(\"/live\")'",
        "new WebSocket(",
    ],
)
def test_what_is_not_written_out_is_none(code: str) -> None:
    assert opened_in(code) == []
