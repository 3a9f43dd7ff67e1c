"""`gatecrash observe` on large files: requests per second and peak memory, for JSON lines and HAR, once and ten times as long.

Every request has a credential of its own, so nothing is remembered that real traffic would not let be remembered.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

REQUESTS = int(os.environ.get("BENCH_OBSERVE_REQUESTS", "1000000"))
# The ten times as long file is written only where it is asked for: it has several gigabytes.
TENFOLD = os.environ.get("BENCH_OBSERVE_TENFOLD") == "1"
LIMIT_MIB = 300
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


def write_jsonl(file: Path, count: int) -> None:
    """JSON lines."""
    with file.open("w") as out:
        for url, headers, at in requests(count):
            line = {"method": "GET", "url": url, "headers": headers, "time": at, "status": 200}
            out.write(json.dumps(line) + "\n")


def write_har(file: Path, count: int) -> None:
    """A HAR file as browsers write it, on one line."""
    with file.open("w") as out:
        out.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[')
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
            out.write(("," if number else "") + json.dumps(entry))
        out.write("]}}")


def measure(file: Path) -> tuple[float, float, int]:
    """Seconds, peak MiB and requests counted of one `gatecrash observe`, in a process of its own."""
    program = (
        "import resource, subprocess, sys, time;"
        "begun = time.perf_counter();"
        "done = subprocess.run([sys.executable, '-m', 'gatecrash', 'observe', '--json', sys.argv[1]], capture_output=True, check=True);"
        "taken = time.perf_counter() - begun;"
        "import json; document = json.loads(done.stdout);"
        "print(taken, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, sum(one['requests'] for one in document['endpoints']))"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    seconds, peak, counted = done.stdout.split()
    return float(seconds), float(peak), int(counted)


def main() -> None:
    """Writes the files, reads them, prints."""
    for name, write in (("JSON lines", write_jsonl), ("HAR", write_har)):
        for count in (REQUESTS, *([10 * REQUESTS] if TENFOLD else [])):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "capture"
                begun = time.perf_counter()
                write(file, count)
                written = time.perf_counter() - begun
                seconds, peak, counted = measure(file)
                print(
                    f"{name:<10}  {count:>12,} requests, {file.stat().st_size / 2**20:,.0f} MiB (written in {written:.0f} s): "
                    f"{count / seconds:,.0f} requests/s, peak {peak:.0f} MiB (at most {LIMIT_MIB}), {counted:,} counted",
                    flush=True,
                )


if __name__ == "__main__":
    main()
