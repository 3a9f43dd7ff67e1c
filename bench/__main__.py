"""Run the benchmarks: all of them, or those named. Each prints ratios measured in one run on this machine."""

import importlib
import os
import platform
import sys

# In the order in which they are worth reading.
BENCHES = (
    "recognise",
    "raw",
    "points",
    "poll",
    "sender",
    "engine",
    "probes",
    "answers",
    "pacing",
    "tap",
    "collector",
    "middleware",
    "observe",
    "counts",
    "inventory",
    "pages",
    "live",
    "wire",
    "large",
)


def main(names: list[str]) -> int:
    """Run the named benchmarks; answers 2 for a name that is none."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"No benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHES)}.", file=sys.stderr)
        return 2
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()} {platform.release()}"
    )
    for name in names or BENCHES:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
