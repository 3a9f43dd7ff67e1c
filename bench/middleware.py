"""What the ASGI and the WSGI middleware add to a request, at the median, with a collector that takes everything."""

from tests.middleware import test_asgi, test_wsgi
from tests.middleware.receiving import collector

from gatecrash.middleware import asgi, wsgi

CALLS = 50_000
MOST_US = 50


def main() -> None:
    """Measures and prints."""
    for name, kind, tests in (("ASGI", asgi, test_asgi), ("WSGI", wsgi, test_wsgi)):
        with collector() as received:
            watched = kind.GatecrashMiddleware(tests.plain, received.address)
            plain = tests.median_of(tests.plain, CALLS)
            added = tests.median_of(watched, CALLS) - plain
            watched.sender.close(10)
            dropped = watched.sender.dropped
        print(
            f"{name}: adds {added * 1e6:.1f} µs at the median (at most {MOST_US}); {CALLS:,} calls, {dropped:,} not reported"
        )


if __name__ == "__main__":
    main()
