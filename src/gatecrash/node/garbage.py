"""How often a process looks for garbage: seldom, since what it makes for each message has no cycles."""

import atexit
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


def collect_hardly() -> None:
    """For a process that ends soon, or has yet to import what it needs, which stays.

    Looking for garbage in what is imported is a tenth of what a short command costs, and the last search of all, when the
    interpreter ends, another fifth.
    """
    gc.set_threshold(*RARELY)
    atexit.register(gc.freeze)
