"""Steps that many tests of runs take."""

from collections.abc import Callable

from gatecrash.fakes.fake_node import FakeNode

Create = Callable[..., dict]
Show = Callable[[str], dict]
Act = Callable[[str, str], dict]


def recorded(node: FakeNode, run_id: str, count: int) -> None:
    """Record and hand over baselines."""
    node.beat()
    node.record(run_id, count)
    node.hand_over(run_id)


def stopped(node: FakeNode, act: Act, run_id: str) -> None:
    """Stop the recording and let the node confirm it."""
    act(run_id, "stop")
    node.beat()
    node.beat()
