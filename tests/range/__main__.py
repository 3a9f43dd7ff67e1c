"""python -m tests.range [--quick] [--only TYPE,…] [--policy NAME]: recall and false claims of every class, requests spent.

Exits with 1 where anything was claimed that is not there, or less than 95% of a class was found. A narrower policy than
`thorough` does not look into all that the range breaks, so it is judged by its false claims alone.
"""

import argparse
import sys
import time

from gatecrash.core.testing.policy import BUILT_IN, THOROUGH
from tests.range.measure import Line, Trial, measure, places, tally, upper_bound

ENOUGH = 0.95


def shown(name: str, line: Line) -> str:
    bound = upper_bound(line.false, line.sound)
    return (
        f"{name:16} {line.found:4} of {line.flaws:<4} {line.found / max(1, line.flaws):6.1%}   "
        f"{line.false:3} of {line.sound:<5} ≤ {bound:5.2%}   {line.undecided:4}   {line.requests:7}"
    )


def enough(line: Line) -> bool:
    """Whether so many were found, of the engines that run here and of the answers that were replayed."""
    return line.found >= ENOUGH * line.flaws and line.replayed_found >= ENOUGH * line.replayed


def longest(trials: list[Trial], number: int) -> list[str]:
    """The baselines that took longest, each beside others."""
    slow = sorted(trials, key=lambda trial: -trial.seconds)[:number]
    return [f"{t.seconds:6.1f} s {sum(t.spent.values()):5}   {t.place} {t.request.method}" for t in slow]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.range", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one baseline a place, none that needs real waits")
    parser.add_argument("--only", default="", help="these classes, separated by commas")
    parser.add_argument("--at-once", type=int, default=4, help="baselines tested at once")
    parser.add_argument("--policy", choices=sorted(BUILT_IN), default=THOROUGH.id, help="what is asked, and where")
    parser.add_argument("--longest", type=int, default=0, metavar="N", help="tell the N baselines that took longest")
    given = parser.parse_args()
    only = set(given.only.split(",")) - {""}
    policy = BUILT_IN[given.policy]
    chosen = [place for place in places() if not (given.quick and place.slow) and (not only or place.type in only)]
    started = time.perf_counter()
    trials = measure(chosen, first_only=given.quick, at_once=given.at_once, policy=policy)
    lines = tally(trials)
    print("class            found        recall   false claims   95% upper   undecided twins   requests")
    for name, line in sorted(lines.items()):
        print(shown(name, line))
    for name, line in sorted(lines.items()):
        if line.replayed:
            print(
                f"{name:16} {line.replayed_found:4} of {line.replayed:<4} replayed: answers as seen, no engine runs here"
            )
    missed = sum(1 for trial in trials if trial.place.missed)
    spent = sum(sum(trial.spent.values()) for trial in trials)
    print(f"{len(trials)} baselines ({missed} known misses), {spent} requests, {time.perf_counter() - started:.0f} s")
    print("\n".join(longest(trials, given.longest)))
    judged = policy is THOROUGH
    wrong = [text for line in lines.values() for text in line.wrong if judged or text.startswith("false claim")]
    print("\n".join(wrong))
    good = all(not line.false and (not judged or enough(line)) for line in lines.values())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
