"""Patterns that values are held against, which may take very long.

Each in a process of its own, as in a worker of a web server: Python's engine keeps all other threads waiting meanwhile, and
so would keep whoever tests it and whatever else is tested.
"""

import hashlib
import subprocess
import sys

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin

_LONGEST = 26
"""Cut off behind, so that the range goes on: it is tested all the same."""
_SEARCH = "import re, sys; sys.exit(re.search(sys.argv[1], sys.argv[2]) is None)"


@flaw("anomaly")
def many_ways(given: Given) -> Response:
    """It divides one run of letters in very many ways."""
    return answer({"fits": _fits(r"^(\w+[-_ ]?)+$", given.q)})


@twin("anomaly")
def one_way(given: Given) -> Response:
    return answer({"fits": _fits(r"^\w+(?:[-_ ]\w+)*$", given.q)})


@twin("anomaly")
def many_ways_within_bounds(given: Given) -> Response:
    """Nothing longer than a name is held against the pattern."""
    return answer({"fits": len(given.q) <= 11 and _fits(r"^(\w+[-_ ]?)+$", given.q)})


@twin("anomaly")
def as_long_work_for_any(given: Given) -> Response:
    """What letters and a sign are is worked out at length, however many there are."""
    rounds = 60_000 if given.q.startswith("aaa") else 1
    return answer({"sum": hashlib.pbkdf2_hmac("sha256", given.q.encode("utf-8", "replace"), b"salt", rounds).hex()})


_ADDRESS = r"^\w([-.\w]*\w)*@(\w+\.)+\w+$"


@flaw("anomaly", "ann@a.example")
def an_address_in_many_ways(given: Given) -> Response:
    """Some engines begin only where they find the sign that a pattern cannot do without."""
    return answer({"fits": "@" in given.q and _fits(_ADDRESS, given.q)})


@twin("anomaly", "ann@a.example")
def an_address_in_one_way(given: Given) -> Response:
    return answer({"fits": "@" in given.q and _fits(r"^\w+(?:[-.]\w+)*@(\w+\.)+\w+$", given.q)})


@twin("anomaly", "ann@a.example")
def an_address_within_bounds(given: Given) -> Response:
    """So little may stand before the sign that no way of dividing it takes long."""
    before = given.q.partition("@")[0]
    return answer({"fits": len(before) <= 11 and "@" in given.q and _fits(_ADDRESS, given.q)})


@miss("anomaly")
def many_ways_of_spaces(given: Given) -> Response:
    return answer({"fits": _fits(r"^( +)+$", given.q)})


def _fits(pattern: str, value: str) -> bool:
    held = value[:_LONGEST].replace("\0", "").encode("utf-8", "replace")
    words = [sys.executable, "-I", "-S", "-c", _SEARCH, pattern, held]
    return subprocess.run(words, capture_output=True, timeout=30, check=False).returncode == 0
