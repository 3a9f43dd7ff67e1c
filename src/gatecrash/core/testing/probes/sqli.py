"""SQL injection: a value reaches the database as part of the statement.

What it finds
    Parameters whose value can end the place it was meant for and go on as SQL: in text, search patterns, numbers,
    brackets, text in JSON, names of columns, functions and tables, calls and limits, of queries that show their result,
    their error, or only whether they worked. Where headers are looked at, the caller's address as a proxy tells it is a
    value as well.

Why it matters
    Whoever controls part of a statement reads the whole database, and often writes it or runs programs beside it.

How it decides
    Errors: quotes that do not close make the database's parser complain, in words that the baseline does not have; the same input
    with its quotes closed is as odd and does not; or it complains of a backslash that was not sent, which is put before quotes in
    vain. Both must hold six times, with fresh marks. Of a value that is a whole statement the name of no column must be complained
    of, which a formatter or a checker of SQL cannot know.
    Answers: a condition on random numbers that is true gives the baseline's answer, one that is false another; in ten rounds of
    fresh numbers, in random order, the same facts tell the two apart. The same inputs with a word that only looks like SQL must not
    tell true from false, and must not be answered as the true ones: this is what clears searches, filters, echoes and firewalls.
    Statements that show neither: valid SQL is taken, and with a lookalike or its word twice it is an error, each four times or
    more; the error may be one that is told under a cheerful status, where the rest is answered as the baseline word by word. Where
    no expression may stand, SQL's two kinds of comments are that valid SQL, and one within the value is not; where all is refused,
    a comment holds the value on a line of its own, which checks by Ruby's `^` and `$` find. The name of a column that is written to
    takes a comment behind it and none within. Of a value that is a whole statement the rows are narrowed; it is told as a
    console's.
    Where a question that only reads finds something else over quotes, they may get a backslash in vain: a condition in the
    place of the text, with a comment behind it, must find what the baseline shows where it is true, judged as above.
    Statements that find nothing and hide their errors: a row of one to six NULLs that UNION adds is shown in ten rounds, and
    is not where two numbers differ, or where the word only looks like it.
    Statements that show nothing at all: where neither errors nor answers told anything, conditions that wait are asked for, one for
    each engine (PostgreSQL, MySQL, SQLite by bounded work, in the thorough policy HSQLDB and H2 likewise; Oracle where it was
    named), each once a statement and 3 seconds at the most. An answer that took longer is asked again without the wait, and then in
    random order with waits of 0 to 3 units and a decoy, judged by an exact randomisation test (`oracles/timing.py`).
    Facts that move by themselves between two repeats of the baseline are left out; what the answer echoes is put back.

Known misses
    Statements whose effect neither shows nor takes time. Where a result is empty and errors are hidden, in changing requests and
    with more than six columns, only the waits tell.
    Path segments that read like words, unless they stand last and nothing follows, and where no SQL that means the same
    is answered as they are: what another word reaches there may be another endpoint. Numbers in applications that strip
    the word CASE, and texts there in requests that may change something.
    Requests that may change something, on SQL Server without a shown error: nothing harmless tells true from false there.

Standards and references
    CWE-89; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

from collections.abc import Generator, Iterable

import msgspec

from gatecrash.core.testing.asking import concluding, enough_samples, sample_beside
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.quoted_cookie import CODINGS, is_cookie
from gatecrash.core.testing.dialogues.sql.comparison import (
    breaks_over,
    compare,
    compare_unfiltered,
    contexts_for,
    is_refused_whole,
    means_the_same,
    seldom_contexts,
    where_refused,
)
from gatecrash.core.testing.dialogues.sql.error_based import complained_in_sql, new_errors
from gatecrash.core.testing.dialogues.sql.grammar_based import parsed_as_sql
from gatecrash.core.testing.dialogues.sql.time_based import likely_waits, waits_in_sql
from gatecrash.core.testing.dialogues.sql.true_and_false import told_apart_in_sql
from gatecrash.core.testing.dialogues.sql.union_based import adds_rows
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.errors.sql import errors_in
from gatecrash.core.testing.payloads.sqli import (
    SCREEN,
    SORTED_BY,
    SORTED_DOWN,
    WHOLE_STATEMENT,
    Context,
    names_a_column,
    names_something,
    reading_seldom,
    seldom,
)
from gatecrash.core.testing.payloads.sqli_by_lines import BY_LINES
from gatecrash.core.testing.payloads.sqli_double_quotes import DOUBLE_QUOTED
from gatecrash.core.testing.payloads.sqli_escaped_in_vain import ESCAPED_IN_VAIN
from gatecrash.core.testing.payloads.sqli_escaped_once import BEHIND_A_PATTERN, ESCAPED_ONCE
from gatecrash.core.testing.payloads.sqli_without_blanks import without_blanks
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.places.segments import holds_a_value, is_name, is_word
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive

TYPE = "sqli"
CWE = (89,)
# 95: an error shows the statement and lets data be read at once. 90: data is read bit by bit. 80: proven to be parsed as
# SQL, nothing was read yet.
THREAT_ERROR, THREAT_BOOLEAN, THREAT_GRAMMAR, THREAT_TIME = 95, 90, 80, 90
# A console of SQL, for those who may sign in to it, is what it was made to be; what it may do is still the database account's affair.
THREAT_OFFERED, OFFERED = 70, "Whole SQL statements of callers are run"

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    """What was found at a word of the path may be another endpoint's, which any other word there reaches."""
    samples = yield from enough_samples(situation, (yield from sample_beside(situation)))
    if not samples:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded"
        )
    inquiry = Inquiry(situation, samples)
    verdict = yield from _found(inquiry)
    if verdict is not None and is_word(situation):
        contexts = (
            *contexts_for(situation.baseline.request, inquiry.value),
            *seldom(inquiry.value, situation.point[-1]),
        )
        verdict = verdict if (yield from means_the_same(inquiry, contexts)) else None
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _found(inquiry: Inquiry) -> _Deciding:
    screen = yield from inquiry.send(SCREEN.replace("{value}", inquiry.value))
    shown = screen is not None and bool(new_errors(inquiry, screen))
    verdict = (yield from _by_errors(inquiry, screen)) if screen is not None and shown else None
    if inquiry.situation.policy.one_family:
        if not shown and inquiry.steady:
            verdict = yield from _by_answers(inquiry, screen, refused=False)
        return verdict
    refused = verdict is None and screen is not None and (yield from is_refused_whole(inquiry, screen))
    if verdict is None and inquiry.steady:
        verdict = yield from _by_answers(inquiry, screen, refused=refused)
    if verdict is None and screen is not None and not refused:
        verdict = yield from _unseen(inquiry, screen)
    return verdict


def _in_seldom_contexts(inquiry: Inquiry, screen: Reply, taken: Reply | None, *, refused: bool) -> _Deciding:
    """Try what is seldom met, where odd input broke something and none of the likely contexts told what."""
    broke = breaks_over(inquiry, screen)
    contexts = seldom_contexts(inquiry, screen, taken, broke=broke, refused=refused)
    for context in contexts:
        verdict = yield from _in_seldom_context(inquiry, screen, context, broke=broke)
        if verdict is not None:
            return verdict
    return None


def _in_seldom_context(inquiry: Inquiry, screen: Reply, context: Context, *, broke: bool) -> _Deciding:
    true = yield from compare_unfiltered(inquiry, context)
    if true is None:
        return None
    sorted_by = SORTED_BY.get(context, ()) if not same_but_for_numbers(screen.reading, true.reading) else ()
    for other in sorted_by:
        verdict = yield from _in_seldom_context(inquiry, screen, other, broke=broke)
        if verdict is not None:
            return verdict
    verdict = yield from _apart(inquiry, context, true)
    if verdict is None and _parses_at_most(inquiry, context, true, broke=broke):
        verdict = yield from _confirm_grammar(inquiry, context, true, loud=broke)
    if verdict is None and context in SORTED_DOWN and not same_but_for_numbers(screen.reading, true.reading):
        # What is no name is answered alike wherever it ends: this was sorted by, and perhaps up.
        return (yield from _in_seldom_context(inquiry, screen, SORTED_DOWN[context], broke=broke))
    return verdict


def _parses_at_most(inquiry: Inquiry, context: Context, true: Reply, *, broke: bool) -> bool:
    """Whether valid SQL was taken where a false comparison may change nothing that is shown: a name, a text that is kept."""
    if context in DOUBLE_QUOTED or context in BY_LINES:
        return not breaks_over(inquiry, true) if broke else inquiry.as_usual(true)
    return names_something(context) and inquiry.like_baseline(true.reading)


def _by_errors(inquiry: Inquiry, screen: Reply) -> _Deciding:
    """What makes the database's parser complain, and is taken when it closes what it opens."""
    told = yield from complained_in_sql(inquiry, screen)
    if told is None:
        return None
    return _vulnerable(inquiry, told.context, THREAT_ERROR, told.proof(), f"error of {told.engine}")


def _vulnerable(inquiry: Inquiry, context: str, threat: int, proof: Proof, detail: str) -> Verdict:
    """The verdict. Where the value is a whole statement, nothing was broken out of, and it is told as what it is."""
    if context != WHOLE_STATEMENT.name:
        return inquiry.vulnerable(ENTRY, threat, proof, detail)
    threat = min(threat, THREAT_OFFERED) if inquiry.situation.credentials else threat
    return inquiry.vulnerable(msgspec.structs.replace(ENTRY, title=OFFERED), threat, proof, detail)


def _by_answers(inquiry: Inquiry, screen: Reply | None, *, refused: bool) -> _Deciding:
    """Try each context that fits the value: first for answers that tell true from false, then for what is taken at all.

    refused: whole input is refused as broken input is, so that only the ways into typed columns are left.
    """
    request, broke = inquiry.situation.baseline.request, screen is not None and breaks_over(inquiry, screen)
    contexts, number = contexts_for(request, inquiry.value, broke=broke), is_number(inquiry.value)
    if refused:
        contexts = where_refused(inquiry, contexts, number=number)
    if screen is not None and len(inquiry.basis) > 1 and inquiry.like_baseline(screen.reading):
        # Quotes change nothing: the value is not used, or they are taken out; no quoted context can tell anything.
        contexts = tuple(context for context in contexts if not context.quotes)
    taken: list[tuple[Context, Reply]] = []
    for context in (waiting := list(contexts)):
        true = yield from compare(inquiry, context, context.operator, true=True)
        if true is None:
            continue
        verdict = yield from _apart(inquiry, context, true)
        if verdict is not None:
            return verdict
        if not breaks_over(inquiry, true):
            taken.append((context, true))
        elif is_safe(request) and not refused:
            waiting += without_blanks(context)
    if screen is None:
        return None
    verdict = yield from _behind_an_escape(inquiry, screen, contexts, [context for context, _ in taken])
    verdict = verdict or (yield from _past_an_escape(inquiry, screen, taken))
    if verdict is None and not inquiry.as_usual(screen):
        verdict = yield from _in_seldom_contexts(inquiry, screen, taken[0][1] if taken else None, refused=refused)
    return verdict or (yield from _taken_as_sql(inquiry, screen, taken))


def _behind_an_escape(inquiry: Inquiry, screen: Reply, asked: Iterable[Context], taken: list[Context]) -> _Deciding:
    """Where one quote is taken and several are not: the first alone may be escaped."""
    several = [context for context in asked if "'" in context.pattern]
    if not several or breaks_over(inquiry, screen) or any(context in taken for context in several):
        return None
    ways = (ESCAPED_ONCE, BEHIND_A_PATTERN) if may_find_more(inquiry.situation.baseline) else (ESCAPED_ONCE,)
    for way in ways:
        true = yield from compare(inquiry, way, way.operator, true=True)
        if true is not None and not breaks_over(inquiry, true):
            return (yield from _confirm_grammar(inquiry, way, true, loud=True))
    return None


def _past_an_escape(inquiry: Inquiry, screen: Reply, taken: Iterable[tuple[Context, Reply]]) -> _Deciding:
    """Where quotes are answered alike and not as usual, and break nothing that is told, a backslash may stand before them, which the
    database takes for a letter. Double quotes alone may find nothing instead: they end no text there.
    """
    if not may_find_more(inquiry.situation.baseline) or is_number(inquiry.value):
        return None
    if inquiry.as_usual(screen) or any(breaks_over(inquiry, reply) for reply in inquiry.replies):
        return None
    if not all(same_but_for_numbers(screen.reading, true.reading) for context, true in taken if "'" in context.pattern):
        return None
    true = yield from compare(inquiry, ESCAPED_IN_VAIN, ESCAPED_IN_VAIN.operator, true=True)
    if true is None or same_but_for_numbers(screen.reading, true.reading):
        return None
    # It finds the baseline's rows among others: what it shows of them decides.
    return (yield from _apart(inquiry, ESCAPED_IN_VAIN, true, among_others=True))


def _taken_as_sql(inquiry: Inquiry, screen: Reply, taken: Iterable[tuple[Context, Reply]]) -> _Deciding:
    """Whether what broke nothing is parsed: where odd input breaks, or where errors are told under the same status (an empty
    list, no word) and valid SQL is answered as the baseline. AND is a word of searches as well, and tells nothing then. Where
    quotes change nothing, only the name of a column is worth it: of a page the order of its rows tells nothing.
    """
    quiet = inquiry.as_usual(screen)
    if quiet and not names_a_column(inquiry.value, inquiry.situation.point[-1]):
        return None
    loud = quiet or breaks_over(inquiry, screen)
    for context, true in taken:
        if loud or (context.operator != "AND" and inquiry.as_usual(true)):
            verdict = yield from _confirm_grammar(inquiry, context, true, loud=loud)
            if verdict is not None:
                return verdict
    return None


def _apart(inquiry: Inquiry, context: Context, true: Reply, *, among_others: bool = False) -> _Deciding:
    """Whether a false comparison is answered otherwise than the true one."""
    proof = yield from told_apart_in_sql(inquiry, context, true, among_others=among_others)
    if proof is None:
        return None
    return _vulnerable(inquiry, context.name, THREAT_BOOLEAN, proof, "true and false conditions are told apart")


def _confirm_grammar(inquiry: Inquiry, context: Context, first: Reply, *, loud: bool) -> _Deciding:
    """Valid SQL must be taken and lookalikes must break it, in every round. loud: the server tells that it breaks."""
    proof = yield from parsed_as_sql(inquiry, context, first, loud=loud)
    if proof is None:
        return None
    return _vulnerable(inquiry, context.name, THREAT_GRAMMAR, proof, "the value is parsed as SQL")


def _unseen(inquiry: Inquiry, screen: Reply) -> _Deciding:
    """Ask for a row more, and for waits, where nothing else told anything: one request for each engine at a sound point."""
    added = yield from adds_rows(inquiry, screen)
    if added is not None:
        return inquiry.vulnerable(ENTRY, THREAT_BOOLEAN, added.told(), f"rows of {added.columns} columns can be added")
    named = frozenset(error.engine for error in errors_in(screen.text) | errors_in(inquiry.good_text))
    found = yield from waits_in_sql(inquiry, named)
    if found is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT_TIME, found.waited.told(), f"waits as {found.engine} does")


def applies(situation: Situation) -> bool:
    """Any single value; of path segments those that look like an identifier, and a last word that nothing follows."""
    return holds_a_value(situation)


def forecast(situation: Situation) -> int:
    """Requests for a sound point: a sample, the screen, one for each context, and one for each wait."""
    request = situation.baseline.request
    value = situation.value.decode("utf-8", "replace")
    contexts = contexts_for(request, value)
    more = reading_seldom(value, situation.point, broke=False, refused=False)
    # What a request that may change something answers is seen once, so true and false are both asked for.
    answers = 1 + len(contexts) + len(more) if is_safe(request) else 2 * len(contexts)
    if is_safe(request) and (situation.point[0] == "header" or is_name(situation.point)):
        # Few headers and names are used at all: whatever stands there is answered as the baseline, and no quote tells anything.
        answers = 2 + 2 * sum(not context.quotes for context in contexts)
        # Once a cookie is seen to whether it is read in another coding alone.
        answers += len(CODINGS) if is_cookie(situation.point) else 0
    if situation.policy.one_family:
        return answers + 1
    return answers + 1 + len(likely_waits(request, value, thorough=is_thorough(situation.policy)))


ENTRY = Entry(
    type=TYPE,
    title="SQL injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever controls part of a statement reads the whole database, whatever the application would show, and often "
        "changes it or runs programs beside it."
    ),
    remediation=(
        "Hand values to the database as bound parameters (prepared statements), never as part of the statement's text. "
        "Where a name of a table, a column or a direction must vary, choose it from a fixed list. Give the application a "
        "database account that may do only what it needs, and keep the database's error texts out of answers."
    ),
)
PROBE = Probe(
    type=TYPE, entry=ENTRY, forwarded=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue)
)
