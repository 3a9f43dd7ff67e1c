"""Walking and rewriting points: how many a second, beside one plain reading of the same bodies.

The reference is `orjson.loads` of the same JSON bodies: a fast reader in C that keeps no spans and reads nothing else of
the request. Ours reads target, headers, cookies, tokens and body, and knows where every value stands.
"""

import base64
import time
from collections.abc import Callable

import orjson

from gatecrash.core.message import Request
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk

SECONDS = 1.0


def _token(number: int) -> bytes:
    pieces = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d","scope":"read write","exp":1999999999}' % number, b"s" * 32)
    return b".".join(base64.urlsafe_b64encode(piece).rstrip(b"=") for piece in pieces)


def _headers(number: int, kind: bytes) -> tuple[tuple[bytes, bytes], ...]:
    return (
        (b"Host", b"shop.example"),
        (
            b"User-Agent",
            b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
        ),
        (b"Accept", b"application/json, text/plain, */*"),
        (b"Accept-Language", b"en-GB,en;q=0.9"),
        (b"Accept-Encoding", b"gzip, deflate, br"),
        (b"Referer", b"https://shop.example/basket"),
        (b"Authorization", b"Bearer " + _token(number)),
        (b"Cookie", b"sid=%032x; theme=dark; consent=all; locale=en" % (number * 7919)),
        (b"Content-Type", kind),
        (b"X-Request-Id", b"%032x" % (number * 104729)),
    )


def requests(count: int) -> list[Request]:
    """Requests as a shop's pages send them: most with JSON, some with forms, all with a token and cookies."""
    made: list[Request] = []
    for number in range(count):
        target = b"/api/v2/customers/%d/orders?page=2&sort=-created&filter[state]=open&filter[min]=10" % number
        if number % 5 == 4:
            kind = b"application/x-www-form-urlencoded"
            body = b"name=Anna+Example&street=Long%%20Road+%d&city=York&zip=YO1&note=ring%%2C+please" % number
        else:
            kind = b"application/json"
            items = [{"sku": f"T-{number}-{item}", "count": item, "price": 3.5, "gift": False} for item in range(6)]
            body = orjson.dumps(
                {"customer": {"id": number, "name": "Anna Example", "mail": "anna@example.org"}, "items": items}
            )
        made.append(Request("POST", target, (*_headers(number, kind), (b"Content-Length", b"%d" % len(body))), body))
    return made


def _rate(work: Callable[[], int]) -> float:
    """Units a second, repeated for at least SECONDS."""
    work()
    done = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        done += work()
    return done / spent


def main() -> None:
    """Print the figures."""
    sample = requests(200)
    bodies = [request.body for request in sample if request.body.startswith(b"{")]
    found = [(request, walk(request).points) for request in sample]
    points = sum(len(listed) for _, listed in found)

    def walking() -> int:
        return sum(len(walk(request).points) for request in sample)

    def rewriting() -> int:
        for request, listed in found:
            for place in listed[5::8]:
                rewrite(request, place.point, b"1' OR '1'='1", raw=True)
        return sum(len(listed[5::8]) for _, listed in found)

    def reference() -> int:
        for body in bodies:
            orjson.loads(body)
        return len(bodies)

    walked, rewritten, plain = _rate(walking), _rate(rewriting), _rate(reference)
    requests_walked = walked / (points / len(sample))
    print(
        f"points: {points / len(sample):.1f} points a request, {sum(map(len, bodies)) / len(bodies):.0f} bytes of JSON"
    )
    print(
        f"  walking    {walked:12,.0f} points/s  {requests_walked:10,.0f} requests/s  {requests_walked / plain:.3f} of orjson.loads"
    )
    print(f"  rewriting  {rewritten:12,.0f} points/s  {'':10} {'':10}  {rewritten / plain:.3f} of orjson.loads")
    print(f"  reference  {'':12} {'':9} {plain:10,.0f} bodies/s by orjson.loads alone")


if __name__ == "__main__":
    main()
