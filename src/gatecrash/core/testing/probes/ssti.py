"""Server-side template injection: a value becomes part of a template, and the engine computes what it says.

What it finds
    Values that are joined into the text of a template before it is rendered, or stand within one of its expressions:
    Jinja2, Twig, Nunjucks, Tornado, Mako, Freemarker, Thymeleaf and Spring EL, Velocity, ERB, EJS, Pug, Smarty, Razor,
    Liquid, Django, Template Toolkit, Go, and those without arithmetic: Handlebars and Mustache. Directives of
    server-side includes, and texts whose `${…}` Apache Commons Text looks up (CVE-2022-42889 went through these). Texts
    of a body that are taken for an expression where all of them is one (`#{…}`).

Why it matters
    Most engines reach the language they are written in: whoever writes a template runs code on the server, and reads at
    least its configuration and keys.

How it decides
    Sums of random numbers are sent in the syntax of each family, each behind fresh letters: an engine answers with the
    letters and the product, which is nowhere in the request; engines that know no arithmetic leave out what stands under
    a condition that does not hold. Two requests carry the four commonest families, a
    third the others where letters are shown; where they break the page, and plain
    text of the same signs does not, each family is asked alone. A sum must be computed again with fresh
    numbers, and the same sum with its braces spread, which is plain text to every engine, must not be: this clears
    pages that compute what they are given. Where nothing is shown, and all is asked for or the value by its look or
    name is a template, divisions are sent: by a random
    number the answer must be the baseline's, by zero another, in ten rounds; the same as plain text must change nothing.
    In Ruby, where all was refused alike, sums stand on a line of their own: `^` and `$` check lines there.
    Where the value is a template of its own (`{{ name }}`), the engine must also reach its language's types or functions,
    or in Go a password, a hash or a key in the record that it is given.
    Texts are also joined by calls that wait, which an exact randomisation test judges (`oracles/timing.py`).
    What breaks over braces and shows nothing may be part of an expression: a filter that changes nothing is known there, and
    one of a name drawn at random is not, twenty-four times in random order (`dialogues/known_calls.py`).

Known misses
    Templates whose result is shown never and whose errors neither, or on a page that was not recorded and that the answer
    does not lead to, where the engine reaches no call that waits. Engines in a mode that takes filters only. Engines that are
    given templates by design and reach their language by ways of their own. Expressions in
    the browser (Angular, Vue) are none of the server's, and are not looked for.

Standards and references
    CWE-1336; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Generator

from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.boolean_based import DECOY, FALSE, tells_apart
from gatecrash.core.testing.dialogues.by_lines import all_refused_alike, is_checked_in_ruby
from gatecrash.core.testing.dialogues.following import Way, told_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.known_calls import takes_calls
from gatecrash.core.testing.dialogues.reading_after import may_be_shown_later, pages_showing, showing
from gatecrash.core.testing.dialogues.template_reach import is_a_template, reaches_further
from gatecrash.core.testing.dialogues.time_based import waits
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.payloads.calls import QUOTES, filters_behind
from gatecrash.core.testing.payloads.ssti import (
    ALONE,
    COMMENTED,
    CURLY,
    DIVIDING,
    OF_RUBY,
    OTHERS,
    SCREENS,
    SINGLE,
    WAITING,
    WITHIN,
    Sum,
    Task,
    divide,
    fill,
    fill_wait,
    fill_whole,
    shows,
)
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.template_signs import is_like_a_template, is_named_as_template
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "ssti"
CWE = (1336,)
# Most engines run code; none was run.
THREAT = 95
# A shorter value stands in many a page by chance.
_LONG_ENOUGH = 4

# What can stand within an expression that somebody began: {{ user.VALUE }}.
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    suspected: list[Sum] = []
    broke = picky = False
    for family in _families(inquiry.situation):
        if family is OTHERS and (suspected or broke or not _shown(inquiry)):
            break
        found, broken = yield from _screen(inquiry, family)
        suspected += found
        if broken and not broke and not suspected:
            # What breaks over plain text holds no template, but may stand within an expression of one.
            picky = yield from _breaks_over_anything(inquiry)
        broke = broke or broken
        if picky:
            break
    sums = list(ALONE) if broke and not picky and not suspected else suspected
    if CURLY in sums and SINGLE not in sums:
        # One pair of brackets is enough there, so that what is plain text to the others is none.
        sums.append(SINGLE)
    verdict = yield from _each(inquiry, [(sum_, "") for sum_ in sums])
    if verdict is None and not suspected and is_checked_in_ruby(inquiry.situation) and all_refused_alike(inquiry):
        verdict = yield from _each(inquiry, [(sum_, "\n") for sum_ in OF_RUBY])
    if verdict is None and not broke and _may_be_whole(inquiry.situation) and _shown(inquiry):
        verdict = yield from _whole(inquiry)
    if verdict is None and may_be_shown_later(inquiry):
        verdict = yield from _stored(inquiry)
    if verdict is None and not suspected and _may_be_within(inquiry, broke=broke):
        verdict = yield from _within(inquiry)
    if verdict is None and not suspected and (broke > picky or is_thorough(inquiry.situation.policy)):
        verdict = yield from _by_filters(inquiry, broke=broke)
    if verdict is None and not picky and _asks_unshown(inquiry.situation) and not _shown(inquiry):
        verdict = yield from _unshown(inquiry)
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _asks_unshown(situation: Situation) -> bool:
    """Whether what is shown nowhere is asked for: by the policy, or where the value is a template by its look or its name."""
    if is_thorough(situation.policy):
        return True
    named = is_named_as_template(situation.point)
    looks = is_like_a_template(situation.value.decode("utf-8", "replace"))
    return (named or looks) and not situation.policy.one_family


def _by_filters(inquiry: Inquiry, *, broke: bool) -> _Deciding:
    """Whether the value is part of an expression: a filter behind it that changes nothing is known, and one of fresh letters not.

    broke: over brackets; what stands in quotes there breaks over quotes alone.
    """
    if not broke:
        open_ = yield from inquiry.send(inquiry.value + QUOTES)
        if open_ is None or not open_.broke:
            return None
    called = yield from takes_calls(inquiry, filters_behind(inquiry.value))
    if called is None:
        return None
    return inquiry.vulnerable(ENTRY, THREAT, called.told(), f"part of a template's expression: {called.call.language}")


def _unshown(inquiry: Inquiry) -> _Deciding:
    """What is computed and shown nowhere: by what breaks it, by leaving a comment, by waits where it is a text."""
    verdict = None if is_a_template(inquiry.value) else (yield from _by_zero(inquiry))
    if verdict is None and not is_literal(inquiry.value):
        verdict = yield from _each(inquiry, [(sum_, place.before) for sum_, place in COMMENTED.items()])
        for pattern in WAITING if verdict is None else ():
            waited = yield from waits(inquiry, lambda *asked, pattern=pattern: _waiting(inquiry, pattern, *asked))
            if waited is not None:
                return inquiry.vulnerable(ENTRY, THREAT, waited.told(), "computed by a template engine: it waits")
    return verdict


def _waiting(inquiry: Inquiry, pattern: str, seconds: int, decoy: bool) -> str:
    return inquiry.value + fill_wait(pattern, seconds, decoy=decoy)


def _by_zero(inquiry: Inquiry) -> _Deciding:
    """Whether the answer follows what a division is by, where nothing of it is shown: one request for all families at first."""
    screen = "".join(divide(each, task, task.right) for each in DIVIDING for task in (_task(inquiry),))
    reply = yield from inquiry.send(inquiry.value + screen)
    if reply is None or inquiry.like_baseline(reply.reading):
        return None
    for sum_ in DIVIDING:

        def question(kind: str, purpose: str, sum_: Sum = sum_) -> Asking:
            task = _task(inquiry)
            # One digit apart, so that both are of one length.
            less = task.right if kind == FALSE else task.right - task.right % 10 + (task.right + 1) % 10
            return (
                yield from inquiry.send(inquiry.value + divide(sum_, task, less, whole=kind != DECOY), purpose=purpose)
            )

        apart = yield from tells_apart(inquiry, question)
        if apart is None:
            continue
        task = _task(inquiry)
        tame = yield from inquiry.send(inquiry.value + divide(sum_, task, task.right, tame=True), purpose="control")
        if tame is None or not inquiry.like_baseline(tame.reading):
            return None
        return inquiry.vulnerable(
            ENTRY, THREAT, apart.told(f"divisions ({sum_.engines})"), f"computed by a template engine: {sum_.engines}"
        )
    return None


def _families(situation: Situation) -> tuple[tuple[Sum, ...], ...]:
    return SCREENS[:1] if situation.policy.one_family else (*SCREENS, OTHERS)


def _stored(inquiry: Inquiry) -> _Deciding:
    """Whether a page computes later what was left; every family is asked again, and read where the letters are shown."""
    pages = yield from pages_showing(inquiry)
    if not pages:
        return None
    each_asked = False
    for family in SCREENS:
        tasks = {each: _task(inquiry) for each in family}
        reply = yield from inquiry.send(inquiry.value + "".join(fill(each, task) for each, task in tasks.items()))
        if reply is None:
            return None
        for page in pages:
            text = text_of((yield from showing(inquiry, reply, page)))
            found = [(each, "") for each, task in tasks.items() if shows(each, task, text)]
            gone = reply.reading.status < FIRST_ERROR and not any(task.mark in text.lower() for task in tasks.values())
            if gone and not each_asked and (yield from _shows_plain_text(inquiry, page)):
                # An engine that breaks over the signs of another shows neither: each by itself.
                found, each_asked = [(each, "") for each in ALONE], True
            verdict = yield from _each(inquiry, found, page)
            if verdict is not None:
                return verdict
    return (yield from _whole(inquiry, pages[0])) if _may_be_whole(inquiry.situation) else None


def _shows_plain_text(inquiry: Inquiry, page: Way) -> Generator[TestRequest, Answer, bool]:
    """Whether a page shows the same sums where they are plain text to every engine."""
    tasks = {each: _task(inquiry) for each in SCREENS[0]}
    tame = "".join(fill(each, task, tame=True) for each, task in tasks.items())
    reply = yield from inquiry.send(inquiry.value + tame, purpose="control")
    text = text_of((yield from showing(inquiry, reply, page))) if reply is not None else ""
    return all(task.mark in text.lower() for task in tasks.values())


def _may_be_whole(situation: Situation) -> bool:
    """Whether a sum may stand in the place of the value: of a text that is sent to be kept, where more than one family is asked."""
    number = is_literal(situation.value.decode("utf-8", "replace"))
    kept = situation.point[0] == "post" and not is_safe(situation.baseline.request)
    return kept and not number and not situation.policy.one_family


def _whole(inquiry: Inquiry, page: Way | None = None) -> _Deciding:
    """Whether a value that is nothing but a sum in brackets is computed: no letters stand before it then."""
    replies: list[Reply] = []
    for purpose in ("test", "control", "confirm"):
        task, tame = _task(inquiry), purpose == "control"
        reply = yield from inquiry.send(fill_whole(task, tame=tame), purpose=purpose)
        if reply is None:
            return None
        if (str(task.product) in text_of((yield from showing(inquiry, reply, page)))) == tame:
            return None
        replies.append(reply)
    where = f"on {told_of(page)}, which was read afterwards" if page else "in its answer"
    proof = Proof(
        test=replies[2].exchange,
        control=replies[1].exchange,
        verified_by=(
            f"{replies[2].payload!r} is computed: the product of its numbers stands {where} and nowhere in the request, twice "
            f"with random numbers. {replies[1].payload!r}, which is plain text, was not computed."
        ),
    )
    return inquiry.vulnerable(
        ENTRY, THREAT, proof, f"{'stored; ' if page else ''}a value that is an expression is computed"
    )


def _screen(inquiry: Inquiry, family: tuple[Sum, ...]) -> Generator[TestRequest, Answer, tuple[list[Sum], bool]]:
    """Several sums in one request: which were computed, and whether they broke the answer."""
    tasks = {each: _task(inquiry) for each in family}
    reply = yield from inquiry.send(inquiry.value + "".join(fill(each, task) for each, task in tasks.items()))
    if reply is None:
        return [], False
    return [each for each, task in tasks.items() if shows(each, task, reply.text)], _broke(inquiry, reply)


def _broke(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether the application broke over it, or told an error under another status than the baseline's, or under none."""
    if reply.reading.status >= FIRST_ERROR and reply.reading.status != inquiry.good.status:
        return True
    return _swallowed(inquiry, reply)


def _swallowed(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether what the baseline shows of the value is gone, and nothing that was sent is shown in its place."""
    value = inquiry.value
    if len(value) < _LONG_ENOUGH or value not in inquiry.good_text:
        return False
    return value not in reply.text and reply.payload[len(value) :][:6] not in reply.text


def _breaks_over_anything(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether what is plain text to every engine breaks the page as well: then no engine need be behind it."""
    tame = "".join(fill(each, _task(inquiry), tame=True) for family in SCREENS for each in family)
    reply = yield from inquiry.send(inquiry.value + tame, purpose="control")
    return reply is None or _broke(inquiry, reply)


def _shown(inquiry: Inquiry) -> bool:
    """Whether an answer so far shows any of the letters that were sent."""
    return any(reply.payload[len(inquiry.value) :][:6] in reply.text for reply in inquiry.replies)


def _task(inquiry: Inquiry) -> Task:
    """Numbers too large for anybody to have them in a page, and with a product below 2 to the 31."""
    draw = inquiry.number
    return Task(inquiry.mark(), draw(10_001, 31_000), draw(10_001, 31_000))


def _may_be_within(inquiry: Inquiry, *, broke: bool) -> bool:
    """Whether a name may stand within an expression: brackets break that, or are answered otherwise where all is asked for."""
    if not _NAME.fullmatch(inquiry.value):
        return False
    otherwise = is_thorough(inquiry.situation.policy) and not _shown(inquiry)
    return broke or (otherwise and any(not inquiry.like_baseline(each.reading) for each in inquiry.replies[:1]))


def _within(inquiry: Inquiry) -> _Deciding:
    """Behind what leaves an expression that was begun."""
    return (yield from _each(inquiry, [(sum_, place.before) for sum_, place in WITHIN.items()]))


def _each(inquiry: Inquiry, ways: list[tuple[Sum, str]], page: Way | None = None) -> _Deciding:
    """Each way in turn. page: which shows what is computed, where the answer itself does not."""
    for sum_, before in ways:
        if (yield from _ask(inquiry, sum_, before, page)) is not None:
            verdict = yield from _confirm(inquiry, sum_, before, page)
            if verdict is not None:
                return verdict
    return None


def _ask(
    inquiry: Inquiry, sum_: Sum, before: str, page: Way | None, purpose: str = "test"
) -> Generator[TestRequest, Answer, Reply | None]:
    """The answer that shows a fresh product; None where none does."""
    task = _task(inquiry)
    reply = yield from inquiry.send(inquiry.value + fill(sum_, task, before), purpose=purpose)
    if reply is None:
        return None
    return reply if shows(sum_, task, text_of((yield from showing(inquiry, reply, page)))) else None


def _confirm(inquiry: Inquiry, sum_: Sum, before: str, page: Way | None) -> _Deciding:
    """The tame sum must not be computed, a fresh one must."""
    task = _task(inquiry)
    control = yield from inquiry.send(inquiry.value + fill(sum_, task, before, tame=True), purpose="control")
    told = "" if control is None else text_of((yield from showing(inquiry, control, page)))
    if control is None or shows(sum_, task, told, apart=True):
        return None
    again = yield from _ask(inquiry, sum_, before, page, "confirm")
    if again is None or not (yield from reaches_further(inquiry, sum_, page)):
        return None
    where = f", on {told_of(page)}, which was read afterwards," if page else ""
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"{again.payload!r} is answered{where} with the product of its numbers, right behind its letters; the product is "
            f"nowhere in the request. It held twice with random numbers. {control.payload!r}, which is plain text to "
            f"every engine, was not computed. Engines that write sums so: {sum_.engines}."
        ),
    )
    return inquiry.vulnerable(
        ENTRY, THREAT, proof, f"{'stored; ' if page else ''}a sum was computed, as {sum_.engines} do"
    )


def forecast(situation: Situation) -> int:
    """Requests for a sound point that does not show its value: one for each screen, and where all is asked for one for
    filters, one for divisions, and for what is no number the ends of comments and the waits.
    """
    screens = min(len(SCREENS), len(_families(situation)))
    if not _asks_unshown(situation):
        return screens
    is_text = not is_literal(situation.value.decode("utf-8", "replace"))
    return screens + 1 + is_thorough(situation.policy) + is_text * (len(COMMENTED) + len(WAITING))


ENTRY = Entry(
    type=TYPE,
    title="Server-side template injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes part of a template makes the server compute: with most engines that is running code, and with all "
        "of them reading what the template was given, keys and configuration among it."
    ),
    remediation=(
        "Never join values into a template's text: keep templates fixed and hand values over as variables. Where users "
        "must write templates, use a language without logic, in a process of its own with no rights."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=holds_a_value, forecast=forecast, run=inquiring(TYPE, _dialogue))
