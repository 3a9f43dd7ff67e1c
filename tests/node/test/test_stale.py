"""A generation that is over is not taken up again for a while; another one is, and so is what was forgotten."""

import msgspec
from tests.node.loop import run

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.node.test.stale import Stale
from gatecrash.wire.session import RunOrder

ORDER = RunOrder(run_id="tr_1", generation=2, record_id="r", recording=False, sending=True, policy=DEFAULT)


@run
async def test_only_a_later_generation_is_taken_up() -> None:
    stale = Stale()
    assert not stale.holds(ORDER)
    stale.note("tr_1", 2)
    assert stale.holds(ORDER)
    assert stale.holds(msgspec.structs.replace(ORDER, generation=1))
    assert not stale.holds(msgspec.structs.replace(ORDER, generation=3))
    stale.keep({"tr_1"})
    assert stale.holds(ORDER)
    stale.keep(set())
    assert not stale.holds(ORDER)
