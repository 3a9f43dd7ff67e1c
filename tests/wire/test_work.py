"""Baselines, claims and results keep every byte."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict
from gatecrash.wire import codec
from gatecrash.wire.work import Accepted, Claim, Evidence, Recorded, Result, Results, Stored, Work

EVERY_BYTE = bytes(range(256))
REQUEST = Request("PoSt", b"/%ff?\xff", ((b"X-A", b"\xe9"), (b"x-a", EVERY_BYTE)), EVERY_BYTE, "https", "h", 8443)
EXCHANGE = Exchange(REQUEST, Response(200, ((b"A", b"b"),), EVERY_BYTE, b"OK", truncated=True, size=9), 1.5, 0.25, "c")
PROOF = Proof(test=EXCHANGE, control=EXCHANGE, verified_by="seen")
VERDICTS = (
    Verdict(outcome=Outcome.VULNERABLE, type="sqli", point=("get", "q"), threat=90, cwe=(89,), proof=PROOF),
    Verdict(outcome=Outcome.INCONCLUSIVE, type="auth", reason=Inconclusive.BLOCKED),
)


def test_every_message_of_work_comes_back_as_it_was() -> None:
    baseline = Baseline("bl_1", EXCHANGE)
    result = Result(
        baseline_id="bl_1", final=True, status="failed", verdicts=VERDICTS, sent=9, authenticated=(1, 2), detail="d"
    )
    for message in (
        Recorded("node_1", "s", "tr_1", "rec_1", (baseline,)),
        Stored(("bl_1",), (("bl_2", "why"),)),
        Claim("node_1", "s", "tr_1", 3, 5, ("bl_1",)),
        Claim("node_1", "s", "tr_1", 3, 5, ("bl_1",), parts=(("bl_1", 2),)),
        Work((baseline,), stale=True),
        Work((baseline,), parts=(("bl_1", 1, 2, 7),)),
        Results("node_1", "s", "tr_1", 3, (result,)),
        Accepted(stale=True),
        Evidence(EXCHANGE, EXCHANGE, None),
    ):
        assert codec.decode(codec.encode(message), type(message)) == message


def test_messages_of_nodes_and_control_planes_that_know_no_parts_are_understood() -> None:
    lists = {
        Claim: ["node_1", "s", "tr_1", 3, 5, ["bl_1"], 2, []],
        Work: [[], False, [], [], []],
        Result: ["bl_1", True, "passed", None, "", [], 9, [0, 0], 0.0],
    }
    read = {
        kind: codec.decode(bytes((codec.VERSION,)) + msgspec.msgpack.encode(told), kind) for kind, told in lists.items()
    }
    assert (read[Claim].parts, read[Work].parts) == (None, None)
    assert (read[Result].left, read[Result].part) == (0, 0)
