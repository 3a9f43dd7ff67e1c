"""How often a process of the node looks for garbage: seldom, since what it makes for each message has no cycles."""

import gc

from gatecrash.node.test.collection import RARELY


def collect_seldom() -> None:
    """For a process that has imported all it needs: leaves that out of every search, and searches seldom.

    Objects of a message are freed by their counts; only connections, which are few, leave cycles. Measured in the proxy:
    Python's own thresholds cost a tenth of its CPU.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)
