"""`gatecrash observe` on large captures: requests per second and peak memory, for JSON lines and HAR, each once and ten
times as long.

Every request has a credential of its own, so nothing is remembered that real traffic would not let be remembered. The
peaks of a capture and of one ten times as long must be the same: what is read does not stay. The long ones come through
standard input, straight from where they are made, for a file of them has many gigabytes.

    python -m bench observe                            100,000 requests from a file, and 1,000,000 streamed
    BENCH_OBSERVE_REQUESTS=1000000 python -m bench observe     1,000,000, and 10,000,000 streamed
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

REQUESTS = int(os.environ.get("BENCH_OBSERVE_REQUESTS", "100000"))
TENFOLD = 10
LIMIT_MIB = 300
MOST_GROWTH = 1.2
HEADERS = [
    ["Host", "api.example.com"],
    ["User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip, deflate, br"],
    ["Accept-Language", "en-GB,en;q=0.5"],
    ["Referer", "https://shop.example.com/"],
    ["Cache-Control", "no-cache"],
]
PATHS = ("/v1/users/%d/orders", "/v1/items/%d", "/v1/carts/%d/lines", "/v1/search", "/v1/health")
AT = 1_795_168_800


def requests(count: int) -> Iterator[tuple[str, list[list[str]], float]]:
    """Address, headers and time of so many requests."""
    draw = random.Random(count)
    for number in range(count):
        path = draw.choice(PATHS)
        path = path % draw.randrange(10**6) if "%" in path else path
        headers = [*HEADERS, ["X-Request-Id", f"{draw.getrandbits(128):032x}"]]
        if draw.random() < 0.9:
            headers.append(["Authorization", f"Bearer {draw.getrandbits(200):050x}"])
        yield f"https://api.example.com{path}?page={draw.randrange(9)}", headers, AT + number / 1000


def jsonl(count: int) -> Iterator[str]:
    """JSON lines, one at a time."""
    for url, headers, at in requests(count):
        yield json.dumps({"method": "GET", "url": url, "headers": headers, "time": at, "status": 200}) + "\n"


def har(count: int) -> Iterator[str]:
    """A HAR file as browsers write it, on one line, an entry at a time."""
    yield '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":['
    for number, (url, headers, _) in enumerate(requests(count)):
        listed = [{"name": name, "value": value} for name, value in headers]
        entry = {
            "startedDateTime": "2026-11-20T10:00:00.000Z",
            "time": 3,
            "request": {"method": "GET", "url": url, "httpVersion": "HTTP/1.1", "headers": listed, "bodySize": 0},
            "response": {
                "status": 200,
                "headers": [{"name": "Content-Type", "value": "application/json"}],
                "content": {"size": 2, "mimeType": "application/json", "text": "{}"},
            },
            "timings": {"send": 0, "wait": 1, "receive": 1},
        }
        yield ("," if number else "") + json.dumps(entry)
    yield "]}}"


# In a process of its own, because a child's peak begins with what its parent holds when it is started.
MEASURED = """
import json, resource, subprocess, sys, time
begun = time.perf_counter()
done = subprocess.run([sys.executable, "-m", "gatecrash", "observe", "--json", sys.argv[1]], stdout=subprocess.PIPE, check=True)
taken = time.perf_counter() - begun
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
counted = sum(one["requests"] for one in json.loads(done.stdout)["endpoints"])
print(taken, spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 1024, counted)
"""


class Measured(NamedTuple):
    """One `gatecrash observe`: seconds from start to end, seconds of CPU, peak memory, requests counted."""

    seconds: float
    cpu: float
    peak_mib: float
    counted: int


def measure(name: str, given: Iterable[str] = ()) -> Measured:
    """Of a file, or of what is given through standard input."""
    command = [sys.executable, "-c", MEASURED, name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.writelines(given)
        process.stdin.close()
        seconds, cpu, peak, counted = process.stdout.read().split()
    return Measured(float(seconds), float(cpu), float(peak), int(counted))


def from_file(made: Iterable[str]) -> Measured:
    """Written to a file first."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "capture"
        with file.open("w") as out:
            out.writelines(made)
        return measure(str(file))


def main() -> None:
    """Measures and prints."""
    for name, made in (("JSON lines", jsonl), ("HAR", har)):
        once = from_file(made(REQUESTS))
        tell(f"{name}, a file", REQUESTS, once)
        tenfold = measure("-", made(TENFOLD * REQUESTS))
        tell(f"{name}, streamed", TENFOLD * REQUESTS, tenfold)
        growth = tenfold.peak_mib / once.peak_mib
        print(f"{name + ', tenfold':<22} {growth:.2f} of the peak for ten times the requests (at most {MOST_GROWTH})")


def tell(what: str, count: int, one: Measured) -> None:
    """One line."""
    print(
        f"{what:<22} {count:>12,} requests: {count / one.seconds:8,.0f} requests/s, {one.cpu / count * 1e6:.0f} µs of CPU each, "
        f"peak {one.peak_mib:.0f} MiB (at most {LIMIT_MIB}), {one.counted:,} counted",
        flush=True,
    )


if __name__ == "__main__":
    main()
