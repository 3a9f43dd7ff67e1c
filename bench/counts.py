"""A node's batch of counts, applied, against the bare upsert of the same sums.

50,000 endpoints with 5 parameters each are there already, seen on 7 days. Ours: `apply_counts` of one batch that counts
50,000 rows of them in the present hour: looked up by name, added to hours and sums, statuses, types and history kept.
Reference: the sums of that batch, added up beforehand, upserted into the same tables by one prepared statement each in
one transaction, and nothing else. Both in turns, each on an hour of its own; the ratio is the median over the turns.

    python -m bench counts                          SQLite
    BENCH_DATABASE=postgresql python -m bench counts        on a PostgreSQL server started for it
    BENCH_DATABASE=postgresql://… python -m bench counts    on one that is there
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import Cluster

TARGET = 0.5
ENDPOINTS = 50_000
TURNS = 7
DAYS = 7
TYPES = ("bearer", "basic", "api_key", "cookie", "hmac")
POINTS = (
    ("header", "AUTHORIZATION"),
    ("header", "PROXY-AUTHORIZATION"),
    ("header", "X-API-KEY"),
    ("header", "COOKIE", "cookie", "session"),
    ("header", "X-SIGNATURE"),
)


def main() -> None:
    """Measure and print."""
    with database() as kind:
        from bench import filling

        client_id = filling.client()
        began = time.perf_counter()
        filling.fill(client_id, endpoints=ENDPOINTS, days=DAYS)
        print(
            f"{kind}: {ENDPOINTS} endpoints with 5 parameters on {DAYS} days filled in {time.perf_counter() - began:.0f} s"
        )
        for name, endpoints, parameters in (
            ("50,000 endpoints", ENDPOINTS, 0),
            ("8,333 endpoints with 5 parameters", ENDPOINTS // 6, 5),
        ):
            report(name, endpoints * (1 + parameters), measure(client_id, endpoints, parameters))


def measure(client_id: str, endpoints: int, parameters: int) -> list[tuple[float, float]]:
    """Seconds of both sides, turn by turn."""
    from bench import filling

    turns = []
    for turn in range(TURNS):
        batch = filling.batch(turn, endpoints, parameters)
        sums = filling.sums(client_id, filling.batch(turn, endpoints, parameters))
        sides = [
            ("ours", lambda batch=batch: filling.apply(client_id, batch)),
            ("bare", lambda sums=sums: filling.upsert(client_id, sums)),
        ]
        spent = {}
        for name, work in sides if turn % 2 else sides[::-1]:
            began = time.perf_counter()
            work()
            spent[name] = time.perf_counter() - began
        turns.append((spent["ours"], spent["bare"]))
    return turns


def report(name: str, rows: int, turns: list[tuple[float, float]]) -> None:
    """Print medians and the ratio's spread."""
    ratios = sorted(bare / ours for ours, bare in turns)
    ours, bare = (statistics.median(side) for side in zip(*turns, strict=True))
    print(f"{name}: {rows} rows")
    print(f"  batch applied              {rows / ours:9.0f} rows/s  ({ours:.2f} s)")
    print(f"  bare upsert                {rows / bare:9.0f} rows/s  ({bare:.2f} s)")
    print(
        f"  ratio                      {statistics.median(ratios):9.2f} (target {TARGET}; {ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


@contextmanager
def database() -> Iterator[str]:
    """A fresh database with our tables, as the environment names it; its kind."""
    with tempfile.TemporaryDirectory(prefix="gatecrash-bench-") as home, address(Path(home)) as url:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "gatecrash.control.settings",
            "GATECRASH_DATABASE_URL": url,
            "GATECRASH_DATA_DIR": home,
            "GATECRASH_KEY_DIR": str(Path(home) / "keys"),
            "GATECRASH_RATE_LIMIT": "0",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield "PostgreSQL" if url.startswith("postgres") else "SQLite"


@contextmanager
def address(home: Path) -> Iterator[str]:
    """The address of the database that the environment asks for: SQLite in the folder, a server of our own, or one given."""
    wanted = os.environ.get("BENCH_DATABASE") or f"sqlite:///{home}/bench.sqlite3"
    if wanted != "postgresql":
        yield wanted
        return
    cluster = Cluster(home / "postgres")
    try:
        with Cluster.database(cluster.url) as url:
            yield url
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
