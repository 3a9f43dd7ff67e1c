"""A lure, and the results that were told of it."""

import time

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.out_of_band import Hit, Listening, Lure, addresses
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.wire.work import Result

POINT = Point.of("get", "q")
VERDICT = Verdict(outcome=Outcome.VULNERABLE, type="ssrf", point=tuple(POINT), threat=70)
EXCHANGE = Exchange(Request("GET", b"/?q=1", ((b"Authorization", b"Bearer very-secret-token"),)), Response(200))
HERE = Listening(host="127.0.0.1", port=9)


def lure(number: int = 1, computed: str = "") -> Lure:
    oob = addresses(HERE, b"key", "tr_1", "bl_1", POINT, "ssrf")
    return oob.lure(number, VERDICT, dns_threat=30, computed=computed)


def hit(made: Lure, protocol: str = "http", asked: str = "", at: float | None = None) -> Hit:
    now = time.time() if at is None else at
    return Hit(name=made.name, protocol=protocol, asked=asked, source="192.0.2.1", at=now)


class Told(list[tuple[str, int, Result]]):
    """Late findings in their order."""

    def __call__(self, run_id: str, generation: int, result: Result) -> None:
        self.append((run_id, generation, result))
