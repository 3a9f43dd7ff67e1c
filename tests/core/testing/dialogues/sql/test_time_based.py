"""Which waits are worth asking for, and that a statement that waits is told with its engine."""

import re
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.sql.time_based import likely_waits, waits_in_sql
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

READS, CHANGES = Request("GET", b"/?q=tea"), Request("POST", b"/?q=tea")


def engines(request: Request, value: str, *named: str) -> list[str]:
    return [wait.engine for wait in likely_waits(request, value, frozenset(named))]


def test_an_engine_that_was_named_is_the_only_one_asked_for():
    assert engines(READS, "tea") == ["PostgreSQL", "MySQL", "SQLite"]
    assert engines(READS, "tea", "Oracle") == ["Oracle"]


def test_engines_within_programs_are_asked_for_by_the_thorough_policy_and_where_they_were_named():
    thorough = [wait.engine for wait in likely_waits(READS, "tea", thorough=True)]
    assert thorough == ["PostgreSQL", "MySQL", "SQLite", "HSQLDB", "H2"]
    assert engines(READS, "tea", "HSQLDB") == ["HSQLDB"]


@pytest.mark.parametrize("value", ["true", "FALSE", "null"])
def test_literals_are_no_values_that_wait(value):
    assert engines(READS, value) == []


def test_a_changing_request_joins_no_text_that_mysql_would_read_as_a_number():
    assert engines(CHANGES, "7-up") == ["MySQL"]
    assert engines(READS, "7-up") == ["PostgreSQL", "MySQL", "SQLite"]


def waited(seconds):
    """What comes of a target that takes so long over a payload."""
    exchange = Exchange(READS, Response(200, (), b"tea"), elapsed=0.01)
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=b"tea",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    dialogue = waits_in_sql(Inquiry(situation, [exchange]), frozenset())
    try:
        asked = next(dialogue)
        while True:
            target = asked.request.target.decode()
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, (), b"tea"), elapsed=seconds(target))))
    except StopIteration as end:
        return end.value


def test_a_statement_that_waits_is_told_with_its_engine():
    def mysql(target: str) -> float:
        asked = re.search(r"SLEEP%28(\d)%29", target)
        return 0.01 + (int(asked[1]) if asked else 0) + len(target) * 1e-6

    found = waited(mysql)
    assert (found.engine, found.waited.p < 0.001) == ("MySQL", True)


def test_a_target_that_answers_at_once_waits_for_nothing():
    assert waited(lambda _: 0.01) is None
