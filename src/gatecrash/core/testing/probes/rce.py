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
    no SQL reads, judged as above; where an interpreter complains of the quotes, in an error that quotes it, too. Where
    a parameter holds code, calls that wait are tried as well.
    Options: a program asked for its version tells it, or complains of an option of fresh letters by its name, five
    times, and of what only looks like an option it does not, three times; git writes in the format that it is
    given. Functions: a name of PHP's that no list holds in this spelling gives the digest of another value of the
    request, or of what another function told it is given; of Ruby's private methods each is called, and none of a
    name much like theirs. Code of which nothing is shown, but that breaks over open quotes, or refuses them in an
    interpreter's words, or of numbers over commands and not over sums, or that shows a multiple of the product, or
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
    `ping`). Code whose result and errors both stay hidden.

Standards and references
    CWE-78 (commands), CWE-88 (options), CWE-94 and CWE-95 (code), CWE-917 (look-ups); OWASP Top 10:2021 A03 Injection;
    OWASP API Security Top 10:2019 API8 Injection; POSIX.1-2017, Shell Command Language, sections 2.2 and 2.6.
"""

import re
from collections.abc import Generator

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.testing.dialogues.asking import TIMED_OUT, Stopped
from gatecrash.core.testing.dialogues.calling_out import asks_by_command, asks_by_look_up
from gatecrash.core.testing.dialogues.commands import fresh_numbers, runs_command
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.known_calls import takes_calls
from gatecrash.core.testing.dialogues.named_functions import calls_by_name, forecast_of_names, may_name_a_function
from gatecrash.core.testing.dialogues.option_based import forecast_of_options, takes_options
from gatecrash.core.testing.dialogues.waiting_code import waits_as_code
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.code_errors import tells_of_code
from gatecrash.core.testing.oracles.computed import comes_near
from gatecrash.core.testing.oracles.difference import counts_otherwise
from gatecrash.core.testing.oracles.lengths import is_cut, tells_of_length
from gatecrash.core.testing.oracles.platforms import never_in_java, on_php, on_windows, opens_pipes
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.payloads.calls import Call, calls_behind, scripts_behind
from gatecrash.core.testing.payloads.rce import (
    CALLING,
    CALLING_WINDOWS,
    FOR_COMMANDS,
    FOR_FILES,
    FOR_WHOLE_LINES,
    FOR_WINDOWS,
    IN_FEW_SIGNS,
    Way,
    is_fetched,
    is_named_for_commands,
    is_word_of_commands,
    may_name_a_file,
    unended,
    ways_of,
)
from gatecrash.core.testing.payloads.rce_code import (
    BREAKS,
    ENCLOSED,
    FOR_ARITHMETIC,
    FOR_ERRORS,
    FOR_EXPRESSIONS,
    FOR_OPERANDS,
    FOR_PHP,
    FOR_TEXTS,
    NUMERIC,
    ODD,
    PLAIN,
    WAITING,
    Place,
    is_code,
    is_named_for_code,
)
from gatecrash.core.testing.payloads.rce_code import computed as computed_text
from gatecrash.core.testing.payloads.rce_code import fill as fill_code
from gatecrash.core.testing.payloads.rce_options import names_a_revision
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.segments import holds_a_value
from gatecrash.core.testing.takes_all import may_change
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "rce"
CWE = (78, 88, 94, 95, 917)
CWE_COMMAND, CWE_OPTION, CWE_CODE, CWE_LOOK_UP = (78,), (88,), (94, 95), (917,)
# 100: output is read at once. 95: by other ways. 85: the name alone got out. 75: a program's options, of which some run others.
THREAT_SHOWN, THREAT_BLIND, THREAT_CALLED, THREAT_NAME, THREAT_OPTION = 100, 95, 95, 85, 75
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?|true|false|null", re.IGNORECASE)
_LEAST_ECHO = 3  # a shorter value may stand in a page by chance
# A number alone may stand in a page by chance, and is asked for twice as often.
_TURNS = ("test", "control", "confirm")

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


def _may_be_too_long(inquiry: Inquiry) -> bool:
    """Whether the answers tell of a length, or show what was sent without its end; in a command line, whether none shows its end."""
    cut = [is_cut(reply.payload, inquiry.value, reply.text) for reply in inquiry.replies if not reply.broke]
    told = any(tells_of_length(reply.text, inquiry.good_text) for reply in inquiry.replies)
    return told or any(cut) or (_is_of_a_line(inquiry.situation) and bool(cut) and False not in cut)


def _ways(situation: Situation) -> tuple[Way, ...]:
    """The ways worth trying, the likeliest first."""
    if on_windows(situation.baseline.response):
        return FOR_WINDOWS
    in_ruby = opens_pipes(situation.baseline.request, situation.baseline.response)  # or in Perl
    value, name = situation.value.decode("utf-8", "replace"), situation.point[-1]
    if is_word_of_commands(value) and not _NUMBER.fullmatch(value):
        opened = may_name_a_file(value) and (in_ruby or is_thorough(situation.policy))
        return FOR_FILES if opened or (in_ruby and is_fetched(value)) else FOR_COMMANDS
    if situation.point[0] != "path" and is_named_for_commands(name):
        return FOR_COMMANDS
    number = _NUMBER.fullmatch(value) is not None or bool(look_of(value))
    return ways_of(number=number, lines=in_ruby and situation.point[0] != "header")


def _by_listener(inquiry: Inquiry) -> _Deciding:
    """Texts, and what else is likely to stand in a command line: a command that asks for our address, and a look-up in a log."""
    situation = inquiry.situation
    if not _is_likely(situation) and (situation.point[0] == "path" or not _is_text(situation)):
        return None
    way = CALLING_WINDOWS if on_windows(situation.baseline.response) else CALLING
    way = _careful(situation, way)
    found = inquiry.vulnerable(ENTRY, THREAT_CALLED, None, way.name, CWE_COMMAND)
    verdict = yield from asks_by_command(inquiry, way, lambda: fresh_numbers(inquiry), found, dns_threat=THREAT_NAME)
    if verdict is not None or never_in_java(situation.baseline.request, inquiry.good):
        return verdict
    found = inquiry.vulnerable(ENTRY, THREAT_CALLED, None, "looked up where it is logged (JNDI)", CWE_LOOK_UP)
    return (yield from asks_by_look_up(inquiry, found, dns_threat=THREAT_NAME))


def _is_of_a_line(situation: Situation) -> bool:
    return _ways(situation) in (FOR_COMMANDS, FOR_FILES)


def _is_likely(situation: Situation) -> bool:
    return is_thorough(situation.policy) or _is_of_a_line(situation) or _ways(situation) is FOR_WINDOWS


def _is_text(situation: Situation) -> bool:
    """Whether the value is a text, and neither a number nor an identifier."""
    value = situation.value.decode("utf-8", "replace")
    return not _NUMBER.fullmatch(value) and (is_word_of_commands(value) or not look_of(value))


def _takes_options(situation: Situation) -> bool:
    """Whether the value may be an argument of a program: a text that is likely to stand in a command line, or answered as by one."""
    named = situation.point[0] != "path" and names_a_revision(situation.point[-1])
    return _is_text(situation) and (named or _shows_output(situation) or _is_likely(situation))


def _shows_output(situation: Situation) -> bool:
    """Whether the answer is a text whose last line ends as a program ends it, or a page that holds one."""
    answer = situation.baseline.response
    text = text_of(answer) if answer is not None else ""
    return "<pre" in text or (text.endswith("\n") and answer is not None and media_type(answer) == "text/plain")


def _by_options(inquiry: Inquiry) -> _Deciding:
    """A program's option in the place of its argument, or behind it: no shell is needed for that."""
    option = (yield from takes_options(inquiry)) if _takes_options(inquiry.situation) else None
    if option is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT_OPTION, option.told(), "read as an option of a program", CWE_OPTION)


def _is_text_of_php(inquiry: Inquiry) -> bool:
    """Whether PHP answers, and shows the value, which is a text."""
    shown = inquiry.value in inquiry.good_text and not _NUMBER.fullmatch(inquiry.value)
    return shown and on_php(inquiry.situation.baseline.request, inquiry.good)


def _holds_code(situation: Situation) -> bool:
    """Whether the parameter by its name, or the value by its look, holds code."""
    value, name = situation.value.decode("utf-8", "replace"), situation.point[-1]
    return is_code(value) or (situation.point[0] != "path" and is_named_for_code(name))


def _as_code(inquiry: Inquiry) -> _Deciding:
    """Whether the value is evaluated: bare where a product is computed, out of quotes where they break the answer."""
    if may_name_a_function(inquiry.situation):
        named = yield from calls_by_name(inquiry)
        if named is not None:
            return inquiry.vulnerable(ENTRY, THREAT_SHOWN, named.told(), "names a function that is called", CWE_CODE)
    # Small: a page may count to the product, or make as many rows.
    left, right, suspected = inquiry.number(101, 999), inquiry.number(101, 999), _holds_code(inquiry.situation)
    is_another = inquiry.value.isdigit() and not is_safe(inquiry.situation.baseline.request)
    plain = yield from inquiry.send((ENCLOSED if is_another else PLAIN).format(left=left, right=right))
    computed = plain is not None and str(left * right) in plain.text.replace(",", "")
    places: tuple[Place, ...] = FOR_EXPRESSIONS if computed or suspected else ()
    places += FOR_ARITHMETIC if computed else ()
    near = plain is not None and not computed and comes_near(plain.text, left * right, inquiry.good_text)
    places += FOR_OPERANDS if near else ()
    places += FOR_PHP if _is_text_of_php(inquiry) else ()
    breaks, broken, complains = False, None, False
    if not _NUMBER.fullmatch(inquiry.value) or is_thorough(inquiry.situation.policy):
        broken = yield from inquiry.send(BREAKS.format(value=inquiry.value))
        breaks = yield from _breaks_code(inquiry, broken)
        places += FOR_TEXTS if suspected or breaks else ()
        complains = broken is not None and tells_of_code(broken.text) and not tells_of_code(inquiry.good_text)
        places += FOR_ERRORS if complains else ()
    elif plain is not None and not plain.broke:
        broken = next((reply for reply in inquiry.replies if reply.broke), None)  # which arithmetic did not
    for place in places:
        verdict = yield from _evaluated(inquiry, place)
        if verdict is not None:
            return verdict
    odd, verdict = broken or plain, None
    if near or complains or (broken is not None and broken.broke):
        # The key of an element, or a bare name, breaks over any odd sign; of the keys, only where all is asked for.
        keys = breaks or is_thorough(inquiry.situation.policy)
        verdict = yield from _by_calls(inquiry, calls_behind(inquiry.value, keys=keys))
    elif odd is not None and _is_told_apart(inquiry, odd):
        quotes = odd is broken and (yield from _minds_quotes_alone(inquiry, odd))
        verdict = yield from _by_calls(inquiry, (calls_behind if quotes else scripts_behind)(inquiry.value))
    return verdict or ((yield from _waiting_code(inquiry)) if suspected else None)


def _is_told_apart(inquiry: Inquiry, odd: Reply) -> bool:
    """Whether odd input is answered otherwise under the same status, and not by showing it."""
    return odd.reading.status == inquiry.good.status and odd.payload not in odd.text and not inquiry.as_usual(odd)


def _minds_quotes_alone(inquiry: Inquiry, quoted: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether signs as odd as quotes change nothing: then code may hold the value as a text, and tell its errors as a success.

    quoted: the answer to the quotes. Where those change more, a number may change that counts the signs.
    """
    odd = yield from inquiry.send(ODD.format(value=inquiry.value), purpose="control")
    if odd is None:
        return False
    counted = counts_otherwise(inquiry.basis[0], odd.reading)
    return inquiry.as_usual(odd) or (counted and not counts_otherwise(inquiry.basis[0], quoted.reading))


def _by_calls(inquiry: Inquiry, calls: tuple[Call, ...]) -> _Deciding:
    """What is part of an expression and not shown: calls behind it are carried out, in what a value of its look may be."""
    called = yield from takes_calls(inquiry, calls)
    if called is None:
        return None
    detail = f"evaluated as code: {called.call.language}, part of an expression"
    return inquiry.vulnerable(ENTRY, THREAT_BLIND, called.told(), detail, CWE_CODE)


def _breaks_code(inquiry: Inquiry, broken: Reply | None) -> Generator[TestRequest, Answer, bool]:
    """Whether open quotes break the answer or take the echo out of it, and signs that are no quotes do not."""
    value = inquiry.value
    shown = len(value) >= _LEAST_ECHO and value in inquiry.good_text
    if broken is None:
        return False
    vanished = shown and value not in broken.text and not broken.broke
    if not (vanished or broken.broke or tells_of_code(broken.text)):
        return False
    odd = yield from inquiry.send(ODD.format(value=value), purpose="control")
    return odd is not None and not odd.broke and not (vanished and value not in odd.text)


def _evaluated(inquiry: Inquiry, place: Place) -> _Deciding:
    """A product in the language's own words must be computed twice, and not where it is text."""
    replies: list[Reply] = []
    for purpose in _TURNS * (2 if place.where == NUMERIC else 1):
        numbers, tame = fresh_numbers(inquiry), purpose == "control"
        reply = yield from inquiry.send(fill_code(place, inquiry.value, numbers, tame=tame), purpose=purpose)
        # What stands behind it may be written in capitals, or begin with one.
        shown = reply is not None and computed_text(place, numbers) in reply.text.lower()
        if reply is None or shown == tame:
            return None
        replies.append(reply)
    proof = Proof(
        test=replies[2].exchange,
        control=replies[1].exchange,
        verified_by=(
            f"{replies[2].payload!r} is answered with {computed_text(place, numbers)!r}, which it computes and which is "
            f"nowhere in the request, twice with random numbers; {replies[1].payload!r}, where it is text, was not computed."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_SHOWN, proof, f"evaluated as code: {place.name}", CWE_CODE)


def _waiting_code(inquiry: Inquiry) -> _Deciding:
    """Calls that wait, for parameters that hold code whose result is not shown."""
    code = yield from waits_as_code(inquiry)
    if code is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT_BLIND, code.waited.told(), f"evaluated as code: {code.language}", CWE_CODE)


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
    text = not _NUMBER.fullmatch(situation.value.decode("utf-8", "replace"))
    code = len(FOR_EXPRESSIONS) + len(FOR_TEXTS) + len(WAITING) if _holds_code(situation) else 0
    options = forecast_of_options(situation) if _takes_options(situation) else 0
    more = options + forecast_of_names(situation) + 1 + text + code
    few = _is_of_a_line(situation)
    return len(_ways(situation)) + few + (0 if situation.policy.one_family else more)


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
