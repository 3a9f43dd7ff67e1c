"""`python -m gatecrash.cli.tree.leash MODULE ARGUMENTS…`: runs a module, and ends with its supervisor.

The supervisor holds the other end of standard input and never writes. When it dies, by whatever signal, the kernel
closes that end; then the whole process group (granian has processes of its own) gets SIGTERM and, soon after, SIGKILL.
This needs neither a signal that only Linux has nor code that runs between fork and exec.
"""

import os
import runpy
import signal
import sys
import threading
import time

from gatecrash.node.garbage import collect_hardly

GRACE_SECONDS = 2.0


def main() -> None:
    """Put on the leash, then become the module."""
    module, *arguments = sys.argv[1:]
    threading.Thread(target=_follow, daemon=True, name="leash").start()
    sys.argv = [module, *arguments]
    collect_hardly()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _follow() -> None:
    while os.read(0, 1024):
        pass
    # The supervisor made this process the leader of a group of its own; without that, others would be hit.
    if os.getpgrp() != os.getpid():
        os._exit(1)
    os.killpg(0, signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
