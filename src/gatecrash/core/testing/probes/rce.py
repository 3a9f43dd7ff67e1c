"""Command and code injection: a value becomes part of a command line that a shell reads, or of code that is evaluated.

What it finds
    Values that stand in a shell's command line, bare, in single or in double quotes, inside `$()` or backticks, whose
    command's output is shown, or is not; on Linux, and on Windows where the answers say that it is one. Names of files
    that Ruby or Perl takes for commands, and addresses that Ruby does. Values that are read as an option by a program
    that no shell starts. Values that are evaluated as Python (a filter of pandas, too), JavaScript, PHP, Perl, Ruby or
    an expression of Java (SpEL, OGNL, MVEL), bare or out of quotes, whose result is shown; names of functions of PHP or
    methods of Ruby that are called. Texts that a logging library of Java reads as look-ups (JNDI).

Why it matters
    Whoever runs commands has the server: its data, its keys, and the way to the machines beside it.

How it decides
    Each payload prints the product of two random numbers between random letters, and waits two seconds. An answer that
    shows the product between the letters has computed it: the request holds no such text. It must do so again with fresh
    numbers, and not when the arithmetic is written as plain text, which clears pages that compute what they are given.
    Where nothing is shown, an answer that took longer is a suspicion: waits of 0 to 3 seconds are then asked for in random
    order, and an exact randomisation test tells whether the answers follow them (`oracles/timing.py`).
    Code: a bare product is a suspicion where it is computed, and so are quotes that break the answer, and parameters
    that by name or look hold code; then each language computes a product in its own words, which no other language and
    no SQL reads, judged as above; where an interpreter complains of the quotes, in an error that quotes it, too; a value
    that is the source of a function (Python, JavaScript) stays one, and gives it back; a text's front matter waits in JavaScript.
    Where a parameter holds code, calls that wait are tried as well, and with the thorough policy where nothing that was sent
    changes the answer: one call a language, which waits once, bare or in quotes of either kind.
    Options: a program asked for its version tells it, or complains of an option of fresh letters by its name, five
    times, and of what only looks like an option it does not, three times; git writes in the format that it is
    given. Functions: a name of PHP's that no list holds in this spelling gives the digest of another value of the
    request, or of what another function told it is given; of Ruby's private methods each is called, and none of a
    name much like theirs. Code of which nothing is shown, but that breaks over open quotes, or refuses them in an
    interpreter's words, or of numbers over commands (in any words) and not over sums, or that shows a multiple of the product, or
    that answers open quotes otherwise under the same status and other odd signs as ever, and scripts whose errors
    are an empty list: a call that gives the value itself changes nothing, and one of a name drawn at random does,
    twenty-four times in random order (`dialogues/known_calls.py`). Where the node listens where the target can
    reach it, texts, and what else is likely to stand in a command line (with the thorough policy, all), get one
    command more: it asks for our address with a product behind it, which nobody computes but a shell. And where the
    answers name no platform but Java's, what a logging library looks up: an object of a directory, which our
    listener is. What is sent depends on the value: two ways for numbers and identifiers, three for texts (one more
    in Ruby, whose `^` and `$` are the ends of lines), six for parameters that by their name or look are likely to
    stand in a command line. Where answers tell of a length, or of such parameters show nothing of what was sent, a
    command that only waits, in 33 signs. Where a payload is never answered, the command may wait for input because
    its file was cut
    off: then only what leaves the rest of the line as it is.

Known misses
    Commands whose output and time both stay hidden (run in the background), where the node has no listener that the
    target reaches, and those at numbers. Shells on Windows that do not tell. Filters that take out blanks and dollar
    signs. Lines within quotes. Options of programs whose output is not shown, or that run and write nothing (`ls`,
    `ping`). Code whose result and errors both stay hidden, but with the thorough policy.

Standards and references
    CWE-78 (commands), CWE-88 (options), CWE-94 and CWE-95 (code), CWE-917 (look-ups); OWASP Top 10:2021 A03 Injection;
    OWASP API Security Top 10:2019 API8 Injection; POSIX.1-2017, Shell Command Language, sections 2.2 and 2.6.
"""

from collections.abc import Generator

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.testing.asking import TIMED_OUT, Stopped
from gatecrash.core.testing.dialogues.calling_out import asks_by_command, asks_by_look_up
from gatecrash.core.testing.dialogues.commands import fresh_numbers, runs_command
from gatecrash.core.testing.dialogues.evaluating import evaluates, forecast_of_code
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.option_based import forecast_of_options, takes_options
from gatecrash.core.testing.effects.takes_all import may_change
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.lengths import is_cut, tells_of_length
from gatecrash.core.testing.oracles.platforms import never_in_java, on_windows, opens_pipes
from gatecrash.core.testing.payloads.rce import (
    CALLING,
    CALLING_WINDOWS,
    FOR_COMMANDS,
    FOR_FILES,
    FOR_WHOLE_LINES,
    FOR_WINDOWS,
    IN_FEW_SIGNS,
    SUBSTITUTED_IN_QUOTES,
    Way,
    is_fetched,
    is_named_for_commands,
    is_word_of_commands,
    may_name_a_file,
    unended,
    ways_of,
)
from gatecrash.core.testing.payloads.rce_options import names_a_revision
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

TYPE = "rce"
CWE = (78, 88, 94, 95, 917)
CWE_COMMAND, CWE_OPTION, CWE_CODE, CWE_LOOK_UP = (78,), (88,), (94, 95), (917,)
# 100: output is read at once. 95: by other ways. 85: the name alone got out. 75: a program's options, of which some run others.
THREAT_SHOWN, THREAT_BLIND, THREAT_CALLED, THREAT_NAME, THREAT_OPTION = 100, 95, 95, 85, 75

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    verdict = yield from _by_commands(inquiry)
    if verdict is not None:
        return verdict
    if inquiry.situation.policy.one_family:
        return (yield from inquiry.nothing_found(TYPE))
    verdict = (yield from _by_listener(inquiry)) or (yield from _by_options(inquiry)) or (yield from _as_code(inquiry))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _by_commands(inquiry: Inquiry) -> _Deciding:
    """The ways in turn; where one is never answered, those that cut nothing off the line."""
    try:
        verdict = yield from _first(inquiry, _ways(inquiry.situation))
        if verdict is None and _is_shown_unread(inquiry):
            verdict = yield from _try(inquiry, SUBSTITUTED_IN_QUOTES)
        return verdict or ((yield from _try(inquiry, IN_FEW_SIGNS)) if _may_be_too_long(inquiry) else None)
    except Stopped as stopped:
        if stopped.detail != TIMED_OUT:
            raise
    return (yield from _first(inquiry, FOR_WHOLE_LINES))


def _first(inquiry: Inquiry, ways: tuple[Way, ...]) -> _Deciding:
    for way in ways:
        verdict = yield from _try(inquiry, way)
        if verdict is not None:
            return verdict
    return None


def _is_shown_unread(inquiry: Inquiry) -> bool:
    """Whether what is likely to stand in a command line is shown with its `$()` as it was sent: a shell leaves that so between single
    quotes, and a filter that takes out what parts commands, blanks among it, leaves no other way out of them.
    """
    if not _is_of_a_line(_ways(inquiry.situation)):
        return False
    return any("$(echo${IFS}" in reply.payload and reply.payload in reply.text for reply in inquiry.replies)


def _may_be_too_long(inquiry: Inquiry) -> bool:
    """Whether the answers tell of a length, or show what was sent without its end; in a command line, whether none shows its end."""
    cut = [is_cut(reply.payload, inquiry.value, reply.text) for reply in inquiry.replies if not reply.broke]
    told = any(tells_of_length(reply.text, inquiry.good_text) for reply in inquiry.replies)
    return told or any(cut) or (_is_of_a_line(_ways(inquiry.situation)) and bool(cut) and False not in cut)


def _ways(situation: Situation) -> tuple[Way, ...]:
    """The ways worth trying, the likeliest first."""
    if on_windows(situation.baseline.response):
        return FOR_WINDOWS
    in_ruby = opens_pipes(situation.baseline.request, situation.baseline.response)  # or in Perl
    value, name = situation.value.decode("utf-8", "replace"), situation.point[-1]
    if is_word_of_commands(value) and not is_literal(value):
        opened = may_name_a_file(value) and (in_ruby or is_thorough(situation.policy))
        return FOR_FILES if opened or (in_ruby and is_fetched(value)) else FOR_COMMANDS
    if situation.point[0] != "path" and is_named_for_commands(name):
        return FOR_COMMANDS
    number = is_literal(value) or bool(look_of(value))
    return ways_of(number=number, lines=in_ruby and situation.point[0] != "header")


def _by_listener(inquiry: Inquiry) -> _Deciding:
    """Texts, and what else is likely to stand in a command line: a command that asks for our address, and a look-up in a log."""
    situation = inquiry.situation
    if not _is_likely(situation, _ways(situation)) and (situation.point[0] == "path" or not _is_text(situation)):
        return None
    way = CALLING_WINDOWS if on_windows(situation.baseline.response) else CALLING
    way = _careful(situation, way)
    found = inquiry.vulnerable(ENTRY, THREAT_CALLED, None, way.name, CWE_COMMAND)
    verdict = yield from asks_by_command(inquiry, way, lambda: fresh_numbers(inquiry), found, dns_threat=THREAT_NAME)
    if verdict is not None or never_in_java(situation.baseline.request, inquiry.good):
        return verdict
    found = inquiry.vulnerable(ENTRY, THREAT_CALLED, None, "looked up where it is logged (JNDI)", CWE_LOOK_UP)
    return (yield from asks_by_look_up(inquiry, found, dns_threat=THREAT_NAME))


def _is_of_a_line(ways: tuple[Way, ...]) -> bool:
    return ways in (FOR_COMMANDS, FOR_FILES)


def _is_likely(situation: Situation, ways: tuple[Way, ...]) -> bool:
    return is_thorough(situation.policy) or _is_of_a_line(ways) or ways is FOR_WINDOWS


def _is_text(situation: Situation) -> bool:
    """Whether the value is a text, and neither a number nor an identifier."""
    value = situation.value.decode("utf-8", "replace")
    return not is_literal(value) and (is_word_of_commands(value) or not look_of(value))


def _takes_options(situation: Situation, ways: tuple[Way, ...]) -> bool:
    """Whether the value may be an argument of a program: a text that is likely to stand in a command line, or answered as by one."""
    if not _is_text(situation):
        return False
    named = situation.point[0] != "path" and names_a_revision(situation.point[-1])
    return named or _is_likely(situation, ways) or _shows_output(situation)


def _shows_output(situation: Situation) -> bool:
    """Whether the answer is a text whose last line ends as a program ends it, or a page that holds one."""
    answer = situation.baseline.response
    text = text_of(answer) if answer is not None else ""
    return "<pre" in text or (text.endswith("\n") and answer is not None and media_type(answer) == "text/plain")


def _by_options(inquiry: Inquiry) -> _Deciding:
    """A program's option in the place of its argument, or behind it: no shell is needed for that."""
    situation = inquiry.situation
    option = (yield from takes_options(inquiry)) if _takes_options(situation, _ways(situation)) else None
    if option is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT_OPTION, option.told(), "read as an option of a program", CWE_OPTION)


def _as_code(inquiry: Inquiry) -> _Deciding:
    """Whether the value is evaluated as code."""
    code = yield from evaluates(inquiry)
    if code is None:
        return None
    threat = THREAT_SHOWN if code.shown else THREAT_BLIND
    return inquiry.vulnerable(ENTRY, threat, code.proof, code.detail, CWE_CODE)


def _try(inquiry: Inquiry, way: Way) -> _Deciding:
    way = _careful(inquiry.situation, way)
    ran = yield from runs_command(inquiry, way)
    if ran is None:
        return None
    threat = THREAT_SHOWN if ran.shown else THREAT_BLIND
    return inquiry.vulnerable(ENTRY, threat, ran.proof, way.name, CWE_COMMAND)


def _careful(situation: Situation, way: Way) -> Way:
    """The way, so that it ends no statement of a request that may change something."""
    return unended(way) if may_change(situation.baseline) else way


def forecast(situation: Situation) -> int:
    """Requests for a sound point: one for each way that fits the value, options, a product, and quotes where it is no number."""
    ways = _ways(situation)
    count = len(ways) + _is_of_a_line(ways)
    if situation.policy.one_family:
        return count
    options = forecast_of_options(situation) if _takes_options(situation, ways) else 0
    return count + options + forecast_of_code(situation)


ENTRY = Entry(
    type=TYPE,
    title="Command or code injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever runs commands on the server has all that the application has: its data, its keys, its network, and often "
        "the machine itself."
    ),
    remediation=(
        "Do what the command does with a library. Where a program must be started, start it without a shell and hand "
        "values over as separate arguments, behind `--` so that none is read as an option. Take only values from a fixed "
        "list or of a strict form, and run the process with as few rights as it needs. Never evaluate input as code: parse "
        "what it may say with a parser of your own. Keep libraries that log up to date, and their look-ups off."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=holds_a_value, forecast=forecast, run=inquiring(TYPE, _dialogue))
