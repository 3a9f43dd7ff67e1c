"""What it costs to look at an answer of ordinary size from all sides, against the standard library reading it once.

Each answer is another one: a page with a token and a time of its own, as applications make them, so that nothing is
remembered but the parts that pages have in common.
"""

import gc
import json
import statistics
import time
from collections.abc import Callable
from html.parser import HTMLParser

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.errors.code import tells_of_code
from gatecrash.core.testing.oracles.errors.network import network_errors
from gatecrash.core.testing.oracles.errors.query import LDAP, NOSQL, XPATH, complaints
from gatecrash.core.testing.oracles.errors.sql import errors_in
from gatecrash.core.testing.oracles.leaks.leaks import leaks
from gatecrash.core.testing.oracles.outcomes.refused import block, refusal

ANSWERS = 100
PAYLOAD = "tea'\"><qzxv"


def page(number: int, rows: int) -> bytes:
    """A page with navigation, a form with a token, and rows."""
    links = "".join(f'<li class="nav"><a href="/kinds/{each}">Kind {each}</a></li>\n' for each in range(20))
    form = f'<form method="post"><input type="hidden" name="csrf-token" value="{hash((number, rows)):x}"></form>'
    said = "".join(f"<tr><td>{each}</td><td>Cup &amp; saucer {each}</td><td>12.50</td></tr>\n" for each in range(rows))
    tail = f"<footer>Made at 10:00:{number % 60:02} for request {number}</footer>"
    return f"<html><body><ul>{links}</ul>{form}<table>{said}</table>{tail}</body></html>".encode()


def document(number: int, rows: int) -> bytes:
    """A list of objects."""
    items = [{"id": each, "name": f"Cup {each}", "price": 12.5, "tags": ["blue", "large"]} for each in range(rows)]
    return json.dumps({"items": items, "request": number}).encode()


def looked_at(response: Response) -> None:
    """What probes ask of one answer or another."""
    read(response, {PAYLOAD: "tea"})
    refusal(response)
    block(response)
    text = text_of(response)
    for look in (errors_in, network_errors, leaks, tells_of_code):
        look(text)  # type: ignore[operator] # of several kinds
    for kind in (NOSQL, LDAP, XPATH):
        complaints(text, kind)


def parsed(response: Response) -> None:
    """The same answer read by the standard library."""
    if response.headers[0][1] == b"text/html":
        HTMLParser().feed(response.body.decode())
    else:
        json.loads(response.body)


def took(look: Callable[[Response], None], answers: list[Response]) -> float:
    """Microseconds of CPU for one answer, the median of all."""
    spent: list[float] = []
    for answer in answers:
        begun = time.thread_time()
        look(answer)
        spent.append(time.thread_time() - begun)
    return statistics.median(spent) * 1e6


def main() -> None:
    """Measures and prints, without collecting garbage, which a run does rarely."""
    gc.disable()
    for name, make, rows in (
        ("page", page, 100),
        ("page", page, 1500),
        ("document", document, 30),
        ("document", document, 1500),
    ):
        kind = b"text/html" if make is page else b"application/json"
        bodies = [make(number, rows) for number in range(ANSWERS)]
        answers = [
            Response(200 + number % 2 * 200, ((b"Content-Type", kind),), body) for number, body in enumerate(bodies)
        ]
        ours, theirs = took(looked_at, answers), took(parsed, answers)
        print(
            f"  {name} of {len(bodies[0]) / 1000:3.0f} KB: {ours:6.0f} µs from all sides, {theirs:6.0f} read by the standard library: "
            f"{ours / theirs:.2f}"
        )
    gc.enable()


if __name__ == "__main__":
    main()
