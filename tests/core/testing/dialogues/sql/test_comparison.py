"""A word of the path is a value where SQL that means the same is answered the same; else it may be another endpoint's."""

import json
import re
import sqlite3
import subprocess
from contextlib import closing
from random import Random

import msgspec
import pytest
from tests.core.testing.driving import answered, numbers_meant, runs
from tests.range import statements, tables
from tests.range.place import Given

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.sql.comparison import compare, contexts_for, means_the_same, seldom_contexts
from gatecrash.core.testing.payloads import sqli, sqli_double_quotes
from gatecrash.core.testing.payloads.sqli import READING_TEXTS, Context
from gatecrash.core.testing.payloads.sqli_double_quotes import NUMBERS_IN_BRACKETS
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome

WORD = Point.of("path", "1")
KIND = Point.of("post", "form_urlencoded", "kind")


def asked(place, word: str, dialogue_of):
    """What comes of a dialogue at a place of the range whose path ends with a word, and the words that were sent."""
    sent: list[str] = []

    def respond(request: Request) -> Response:
        value = (read(request, WORD) or b"").decode()
        sent.append(value)
        return place(Given(request, {"q": value}))

    request = Request("GET", b"/items/" + word.encode())
    exchange = Exchange(request, place(Given(request, {"q": word})))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=WORD, value=word.encode(), credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    return answered(dialogue_of(Inquiry(situation, [exchange, exchange])), respond), sent


@pytest.mark.parametrize(
    ("place", "word", "same"),
    [
        (statements.item_of_a_name, "tea", True),
        (statements.item_of_a_name, "nobody", True),
        (statements.a_list_beside_names, "tea", True),
        (statements.a_list_beside_names, "everything", False),
    ],
)
def test_whether_the_word_reaches_the_statement(place, word, same):
    found, sent = asked(place, word, lambda inquiry: means_the_same(inquiry, READING_TEXTS))
    assert found is same
    assert len(sent) <= len(READING_TEXTS)


@pytest.mark.parametrize("true", [True, False])
def test_numbers_compared_are_alike_and_fresh(true):
    context = next(each for each in READING_TEXTS if "{left}" in each.pattern and "{right}" in each.pattern)
    seen = set()
    for _ in range(2):
        _, (sent,) = asked(
            statements.item_of_a_name, "tea", lambda inquiry: compare(inquiry, context, context.operator, true=true)
        )
        left, right = re.findall(r"\d{5,}", sent)[:2]
        assert (left == right) is true
        assert (len(left), left[:4]) == (len(right), right[:4])
        seen.add(left)
    assert len(seen) == 1, "the same seed gives the same numbers"


def contexts() -> list[Context]:
    kinds = (vars(sqli), vars(sqli_double_quotes))
    return list(dict.fromkeys(each for names in kinds for each in names.values() if isinstance(each, Context)))


@pytest.mark.parametrize("context", contexts(), ids=lambda context: context.name)
def test_what_is_true_is_as_long_as_what_is_false(context):
    """A limit of length refuses both or neither, and tells nothing."""
    for word in (context.operator, *context.lookalikes, *context.others):
        lengths = set()
        for true in (True, False):
            _, (sent,) = asked(
                statements.item_of_a_name,
                "tea",
                lambda inquiry, word=word, true=true: compare(inquiry, context, word, true=true),
            )
            lengths.add(len(sent))
        assert len(lengths) == 1


@pytest.mark.parametrize("longest", range(9, 60, 3))
def test_a_limit_of_length_is_no_statement(longest):
    def limited(request: Request) -> Response:
        short = len(read(request, KIND) or b"") <= longest
        return Response(201, (), b"kept") if short else Response(422, (), b"too long")

    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = Request("POST", b"/papers", form, b"kind=passport", host="127.0.0.1")
    for policy in (DEFAULT, THOROUGH):
        found = [run for run in runs(limited, request, (PROBE,), policy) if run.check.point == KIND]
        assert [run.verdict.outcome for run in found] == [Outcome.SAFE]


@pytest.mark.parametrize("quotes", [b"'", b"'\""])
@pytest.mark.parametrize("value", [b"passport", b"17"])
def test_what_takes_out_quotes_and_comments_is_no_statement(value, quotes):
    def filtered(request: Request) -> Response:
        given = re.sub(rb"/\*.*?\*/", b"", read(request, KIND) or b"").translate(None, quotes)
        return Response(201, (), b"kept") if given == value else Response(404, (), b"no such kind")

    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = Request("POST", b"/papers", form, b"kind=" + value, host="127.0.0.1")
    found = [run for run in runs(filtered, request, (PROBE,), DEFAULT) if run.check.point == KIND]
    assert [run.verdict.outcome for run in found] == [Outcome.SAFE]


@pytest.mark.parametrize(("method", "more"), [("GET", sqli.IN_ARRAYS), ("POST", ())])
def test_a_list_is_asked_for_as_an_array_where_nothing_can_be_changed(method, more):
    asked_for = contexts_for(Request(method, b"/items"), "1,2")
    known = [each.name for each in sqli.LISTS]
    assert tuple(each for each in asked_for if each.name not in known) == more


@pytest.mark.parametrize("value", ["tea", "2", "1,2"])
@pytest.mark.parametrize(("method", "path"), [("POST", b"/items"), ("GET", b"/items/remove")])
def test_no_shell_takes_the_value_for_another_file_where_something_may_be_changed(method, path, value):
    for context in contexts_for(Request(method, path), value, broke=True):
        for word in (context.operator, *sqli.broken_words(context)):
            payload = context.pattern.format(
                value=value, head=value[:-1], tail=value[-1:], init="1", last="2", before="", column=value, after="",
                word=word, left=1, right=1, same=1, mark="mark", yes="", no="", once="", again="", version="",
            )  # fmt: skip
            words = subprocess.run(
                ["/bin/sh", "-c", f"printf '%s\\n' files/{payload}"],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            ).stdout.splitlines()
            assert value not in words[1:], (context.name, word)
            assert "2" not in words[1:], (context.name, word)


@pytest.mark.parametrize(
    ("place", "word", "same"),
    [(tables.named, "items", True), (tables.a_list_beside_tables, "everything", False)],
)
def test_whether_the_word_is_the_name_of_a_table(place, word, same):
    def hiding(given: Given) -> Response:
        try:
            return place(given)
        except sqlite3.Error:
            return Response(500, (), b"sorry")

    assert asked(hiding, word, lambda inquiry: means_the_same(inquiry, sqli.SELDOM))[0] is same


@pytest.mark.parametrize(
    ("method", "point", "broke", "found"),
    [
        ("PATCH", ("post", "json_doc", "json_obj", "kind", "name"), True, True),
        ("PATCH", ("post", "json_doc", "json_obj", "kind", "name"), False, False),
        ("PATCH", ("post", "json_doc", "json_obj", "kind"), True, False),
        ("GET", ("get", "kind", "name"), True, False),
    ],
)
def test_columns_that_are_written_are_asked_for_at_names_that_break(method, point, broke, found):
    request = Request(method, b"/items?kind=tea", (), b'{"kind": "tea"}', host="127.0.0.1")
    exchange = Exchange(request, Response(200, (), b"kept"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(point), value=b"kind", credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    inquiry = Inquiry(situation, [exchange])
    screen = Reply(exchange, "kind'", inquiry.basis[0], "sorry")
    contexts = seldom_contexts(inquiry, screen, None, broke=broke, refused=True)
    assert (sqli.WRITTEN[0] in contexts) is found


@pytest.mark.parametrize("policy", [DEFAULT, THOROUGH])
@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_no_other_object_is_changed_where_the_beginning_of_a_text_is_read_as_a_number(method, policy):
    assert numbers_meant(PROBE, method, policy) <= {0, 1003}


def of_columns(columns: list[str]) -> list[dict[str, object]]:
    """Columns behind the name of their table, as a statement gives them; nothing where it fails, as where there is nothing."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.row_factory = sqlite3.Row
        try:
            told = database.execute(
                f"SELECT m.{',m.'.join(columns)} FROM (SELECT 7 AS id, 'oak' AS grain) m"
            ).fetchall()
        except sqlite3.Error:
            return []
    return [dict(row) for row in told]


def of_known_columns(columns: list[str]) -> list[dict[str, object]]:
    return of_columns(columns) if {*columns} <= {"id", "grain"} else []


def without_comments_of_both_kinds(columns: list[str]) -> list[dict[str, object]]:
    return of_known_columns([re.sub(r"--.*", "", re.sub(r"/\*.*?\*/", "", each)).strip() for each in columns])


@pytest.mark.parametrize(
    ("method", "ask", "found"),
    [
        ("mill.get", of_columns, {"0", "1"}),
        ("mill.get", of_known_columns, set()),
        ("mill.get", without_comments_of_both_kinds, set()),
        ("mill.grind", of_columns, set()),  # whose name does not say that it reads: no payload comments its end out
    ],
)
def test_a_function_that_reads_is_asked_as_a_page_is(method, ask, found):
    def answered(request: Request) -> Response:
        call = json.loads(request.body)
        told = {"jsonrpc": "2.0", "id": call["id"], "result": ask(call["params"]["columns"])}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    call = {"jsonrpc": "2.0", "method": method, "params": {"columns": ["id", "grain"]}, "id": 3}
    kind = ((b"Content-Type", b"application/json-rpc"),)
    asked = runs(answered, Request("POST", b"/api", kind, json.dumps(call).encode()), (PROBE,))
    vulnerable = {run.check.point[-1] for run in asked if run.verdict.outcome is Outcome.VULNERABLE}
    assert vulnerable == found
    assert any(b"--" in sent.request.body for run in asked for sent in run.sent) is (method == "mill.get")


@pytest.mark.parametrize(("path", "found"), [(b"/items", True), (b"/items/delete", False)])
def test_nothing_comments_out_the_end_of_a_statement_by_which_a_link_deletes(path, found):
    exchange = Exchange(Request("GET", path, (), b"", host="127.0.0.1"), Response(200, (), b"tea"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(("get", "pick")), value=b"2", credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    inquiry = Inquiry(situation, [exchange])
    screen = Reply(exchange, "odd", msgspec.structs.replace(inquiry.basis[0], status=500), "sorry")
    assert (sqli.COMMENTED_LINE in seldom_contexts(inquiry, screen, None, broke=True, refused=True)) is found


@pytest.mark.parametrize(
    ("method", "value", "names"),
    [
        ("GET", b"2", ["alone, before a comment"]),
        ("GET", b"price", ["name to sort by in `", 'name to sort by in "', "name in double quotes, cast"]),
        ("POST", b"price", ["name of a column in `", 'name of a column in "']),
        ("POST", b"off", []),
        ("POST", b"2", ["number in quotes"]),
        ("POST", b"2026-03-01", ["text of a type, compared"]),
    ],
)
def test_names_in_quotes_and_limits_under_any_name_are_asked_for_where_the_server_fails(method, value, names):
    """Who checks names and numbers refuses what he does not know, and does not fail."""
    request = Request(method, b"/items", (), b"", host="127.0.0.1")
    good = Exchange(request, Response(200, (), b"tea"))

    def asked_over(status: int) -> list[str]:
        situation = Situation(
            baseline=Baseline("bl_1", good), point=Point(("get", "pick")), value=value, credentials=(), policy=DEFAULT, random=Random(1)
        )  # fmt: skip
        inquiry = Inquiry(situation, [good])
        odd = Exchange(request, Response(status, (), b"sorry"))
        screen = Reply(odd, "odd", msgspec.structs.replace(inquiry.basis[0], status=status), "sorry")
        contexts = seldom_contexts(inquiry, screen, None, broke=True, refused=True)
        return [each.name for each in contexts if each not in sqli.SELDOM]

    assert set(names) <= set(asked_over(500))
    assert not set(names) & set(asked_over(422))


def test_behind_a_value_of_a_type_stands_the_value_again():
    (context,) = (sqli.typed(each) for each in READING_TEXTS if each.name == "text")
    text = context.pattern.format(value="lamp", word="AND", left=1, right=2)
    assert text.endswith(" AND 'lamp'='lamp")
    assert all(sqli.typed(each) is each for each in READING_TEXTS if each.name != "text")


@pytest.mark.parametrize(
    ("method", "value", "refused", "found"),
    [
        ("GET", b"7", False, True),
        ("GET", b"7", True, False),
        ("GET", b"tea", False, False),
        ("POST", b"7", False, False),
    ],
)
def test_numbers_in_double_quotes_and_brackets_are_asked_for_by_what_reads(method, value, refused, found):
    good = Exchange(Request(method, b"/items", (), b"", host="127.0.0.1"), Response(200, (), b"tea"))
    situation = Situation(
        baseline=Baseline("bl_1", good), point=Point(("get", "pick")), value=value, credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    inquiry = Inquiry(situation, [good])
    screen = Reply(good, "odd", inquiry.basis[0], "nothing")
    contexts = seldom_contexts(inquiry, screen, None, broke=False, refused=refused)
    assert (NUMBERS_IN_BRACKETS[0] in contexts) is found


@pytest.mark.parametrize(
    ("value", "expected"),
    [("<=", sqli.OPERATORS), ("desc", sqli.DIRECTIONS), ("1,2", sqli.READING_LISTS), ("tea < rum", None)],
)
def test_a_value_of_one_kind_of_place_is_tried_there_alone(value, expected):
    tried = contexts_for(Request("GET", b"/items"), value)
    assert tried == expected if expected else set(READING_TEXTS) <= set(tried)
