"""The probe sqli at places of the range that name tables and columns, and whose breaking is hidden."""

import json
import sqlite3
from urllib.parse import unquote

from tests.core.testing.driving import runs
from tests.range.place import Given

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict


def at_tables(place, request: Request, policy=DEFAULT) -> dict[str, Verdict]:
    """What is claimed at a place of the range whose breaking is hidden, by the last word of the point."""

    def application(asked: Request) -> Response:
        value = asked.path.rpartition(b"/")[2].decode()
        values = json.loads(asked.body) if asked.body else {}
        try:
            return place(Given(asked, {"q": unquote(value), **values}))
        except (sqlite3.Error, KeyError, StopIteration):
            return Response(500, (), b"sorry")

    found = (run.verdict for run in runs(application, request, (PROBE,), policy))
    return {each.point[-1]: each for each in found if each.outcome is Outcome.VULNERABLE}


def sent_json(method: bytes, body: bytes, *more: tuple[bytes, bytes]) -> Request:
    return Request(method.decode(), b"/rows", ((b"Content-Type", b"application/json"), *more), body, host="127.0.0.1")
