"""True and false comparisons told apart at a database, and not at what only looks at words."""

import re
import sqlite3
from contextlib import closing
from random import Random
from urllib.parse import unquote

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.sql.comparison import compare
from gatecrash.core.testing.dialogues.sql.true_and_false import told_apart_in_sql
from gatecrash.core.testing.payloads.sqli import READING_NUMBERS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Proof

CONTEXT = READING_NUMBERS[0]
BASELINE = "<p>Lamp</p><p>brass</p>"
NOTHING = "<p>Nothing</p>"


def proof(page, *, among_others: bool = False) -> Proof | None:
    """What is proven of an application; page: from the value to what is shown."""

    def respond(request: Request) -> Response:
        shown = page(unquote(request.target.decode().partition("=")[2]))
        return Response(200, ((b"Content-Type", b"text/html"),), shown.encode())

    request = Request("GET", b"/?q=7")
    exchange = Exchange(request, respond(request))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=b"7",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    inquiry = Inquiry(situation, [exchange, exchange])

    def dialogue():
        first = yield from compare(inquiry, CONTEXT, CONTEXT.operator, true=True)
        return (yield from told_apart_in_sql(inquiry, CONTEXT, first, among_others=among_others))

    asking = dialogue()
    try:
        asked = next(asking)
        while True:
            asked = asking.send(Answer(Exchange(asked.request, respond(asked.request))))
    except StopIteration as end:
        return end.value


def database(value: str) -> str:
    with closing(sqlite3.connect(":memory:")) as rows:
        try:
            (found,) = rows.execute(f"SELECT 7 = ({value})").fetchone()
        except sqlite3.Error:
            return NOTHING
    return BASELINE if found else NOTHING


def test_a_database_tells_true_from_false() -> None:
    told = proof(database)
    assert told is not None
    assert CONTEXT.name in told.verified_by
    assert "the answer is the baseline's" in told.verified_by


def test_what_is_answered_alike_whatever_is_compared_tells_nothing() -> None:
    assert proof(lambda _: BASELINE) is None
    assert proof(lambda value: BASELINE if value == "7" else NOTHING) is None


def test_what_compares_numbers_without_a_database_tells_them_apart_with_lookalikes_too() -> None:
    """A filter that looks for equal numbers knows no word of SQL."""

    def works_out(value: str) -> str:
        sides = re.search(r"(\d+)=(\d+)", value)
        return BASELINE if sides is None or sides[1] == sides[2] else NOTHING

    assert proof(works_out) is None


def test_what_finds_other_rows_beside_is_judged_only_where_that_is_meant() -> None:
    def more(value: str) -> str:
        found = database(value)
        return "<p>Chair</p><p>Lamp</p>" if found == BASELINE and value != "7" else found

    assert proof(more) is None
    told = proof(more, among_others=True)
    assert told is not None
    assert "shows more than the baseline's" in told.verified_by
