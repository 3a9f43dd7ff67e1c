"""Messages that are none are refused in the envelope, before anything happens."""

import msgspec
import pytest
from tests.control.calling import Api

from gatecrash.wire import codec
from gatecrash.wire.session import Hello

PATHS = ("hello", "heartbeat", "baselines", "claim", "results", "counts")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "content", [b"\x01", b"\x02\x90", b"\x01\xc1", b"{}", codec.encode(Hello("n", "k", "v", "s"))[:-3]]
)
def test_what_is_no_message_is_refused(api: Api, path: str, content: bytes) -> None:
    answer = api.raw("POST", f"/v1/node/{path}", None, content_type=codec.CONTENT_TYPE, data=content)
    assert (answer.status_code, answer.json()["body"]["error"]) == (400, "invalid_value")


@pytest.mark.parametrize("path", PATHS)
def test_json_is_no_message(api: Api, path: str) -> None:
    assert api.post(f"/v1/node/{path}", {})[0] == 415


@pytest.mark.parametrize("path", PATHS)
def test_a_node_that_nobody_knows_is_not_found(api: Api, path: str) -> None:
    from gatecrash.wire.counts import Counts
    from gatecrash.wire.session import Heartbeat
    from gatecrash.wire.work import Claim, Recorded, Results

    messages: dict[str, msgspec.Struct] = {
        "heartbeat": Heartbeat("node_x", "s", 1.0, 0),
        "baselines": Recorded("node_x", "s", "tr_x", "rec_x", ()),
        "claim": Claim("node_x", "s", "tr_x", 1, 1),
        "results": Results("node_x", "s", "tr_x", 1, ()),
        "counts": Counts("node_x", "s", "spool", 1, ()),
    }
    if path in messages:
        content = codec.encode(messages[path])
        answer = api.raw("POST", f"/v1/node/{path}", None, content_type=codec.CONTENT_TYPE, data=content)
        assert answer.status_code == 404
