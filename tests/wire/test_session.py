"""Hello, heartbeat and orders keep all they carry."""

from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.testing.policy import BUILT_IN
from gatecrash.wire import codec
from gatecrash.wire.session import Config, Heartbeat, Hello, Orders, RunOrder, RunProgress, Welcome


def test_every_message_of_a_session_comes_back_as_it_was() -> None:
    learned = (LearnedCookie("h", "sid", State.PROVEN),)
    config = Config(
        3,
        (("header", "X-MINE"),),
        {"tr_1": b"\x00\xff"},
        (HostTemplate("h", "/teas/{tea}"),),
        (HostTemplate("", "/api/{api_id}"),),
        (DocumentPaths("h", "/v1", (("GET", "/teas/{tea_id}"),)),),
        learned,
    )
    progress = RunProgress("tr_1", 2, 30, ((1000, 10), (1001, 20)), (("bl_1", 5),), recording=True, unsent_baselines=4)
    order = RunOrder(
        run_id="tr_1",
        generation=2,
        record_id="rec_1",
        recording=True,
        sending=False,
        policy=BUILT_IN["thorough"],
        rps=5,
        marker_key=b"k" * 32,
    )
    for message in (
        Hello("n", "native", "0.24.0", "spool", "build", 5, "127.0.0.1:1"),
        Welcome("node_1", "cl_1", "s", config),
        Heartbeat("node_1", "s", 1.5, 3, (progress,), learned),
        Orders(1.5, (order,), config),
    ):
        assert codec.decode(codec.encode(message), type(message)) == message


def test_orders_without_a_newer_configuration_carry_none() -> None:
    assert codec.decode(codec.encode(Orders(1.0)), Orders).config is None
