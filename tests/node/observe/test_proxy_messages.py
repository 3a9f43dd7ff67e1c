"""What a process is told and what it tells come back as they were, secrets and bodies included."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.observe.observations import Observation
from gatecrash.node.observe.proxy_messages import Begin, End, Inside, Listening, Seen, orders, reports
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import TapSettings


def test_what_a_process_is_told_comes_back_as_it_was() -> None:
    settings = TapSettings(host="::1", port=0, upstream=Origin("https", "a.test", 443, "b.test"), credentials="me:pass")
    for letter in (Begin("tap7", settings, Inside("/ca", "a.test")), Begin("tap1", TapSettings(), None), End()):
        assert orders.decode(msgspec.msgpack.encode(letter)) == letter


def test_what_it_tells_comes_back_as_it_was() -> None:
    request = Request("POST", b"/\xff?q", ((b"X-\xe9", b"\0"),), b"\x00\xff", "https", "a.test", 443)
    exchange = Exchange(request, Response(200, (), b"\xfe", b"OK"), 1.5, 0.25, "tap7-1", "192.0.2.7")
    seen = Seen((Observation(exchange, whole=True, size=3), Observation(Exchange(request), whole=False)), 4)
    for letter in (seen, Listening()):
        assert reports.decode(msgspec.msgpack.encode(letter)) == letter
