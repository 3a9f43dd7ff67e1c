"""Comparisons of fresh numbers as SQL has them, in the place of a value; where they are worth asking for; and whether a
path's word is a value at all.

In the place of `debug` in `/users/debug` any other word reaches the endpoint of `/users/{name}`, whose statement may break. The
finding is that endpoint's: at its own, SQL that means what the word alone means is answered as the word is.
"""

from collections.abc import Generator, Iterable

from gatecrash.core.message import Request
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.by_lines import may_be_checked_by_lines
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.payloads.sqli import (
    CHANGING_BROKEN_NUMBERS,
    CHANGING_CODES,
    CHANGING_NUMBERS,
    CHANGING_TEXTS,
    COMMENTED_LINE,
    LISTS,
    READING_LISTS,
    READING_NUMBERS,
    READING_TEXTS,
    WHOLE_NUMBER,
    WHOLE_STATEMENTS,
    WHOLE_TEXT,
    WRITTEN,
    Context,
    changing_names,
    in_their_place,
    joins_with_care,
    may_be_typed,
    named,
    names_a_column,
    reading_seldom,
    seldom,
    typed,
)
from gatecrash.core.testing.payloads.sqli_by_lines import by_lines
from gatecrash.core.testing.payloads.sqli_decoded import DECODED
from gatecrash.core.testing.payloads.sqli_double_quotes import (
    NUMBERS_IN_BRACKETS,
    READ_IN_DOUBLE_QUOTES,
    in_double_quotes,
)
from gatecrash.core.testing.payloads.sqli_typed import typed_in_quotes
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, TestRequest

# To SQL a comment is a blank: what it cuts in two is two words, and what it parts is no sign of a comment. To a filter that takes
# comments out the first is the value again; so is the second, which a value of one character needs.
_CUT_BY_A_COMMENT = Context("cut by a comment", "{head}/*{mark}*/{tail}{word}", "", (), quotes=False)
_PARTED_BY_A_COMMENT = Context("parted by a comment", "{value} -/*{mark}*/- {mark}{word}", "", (), quotes=False)
# No name of a column to SQL, and one to whatever takes what stands before a slash, as in `name/de`.
_DIVIDED = Context("divided", "{value}/{mark}{word}", "", (), quotes=False)


def contexts_for(request: Request, value: str, *, broke: bool = False) -> tuple[Context, ...]:
    """The contexts worth trying; requests that may change something get those that are harmless wherever they land.

    broke: odd input broke something, so that a number may stand in quotes.
    """
    contexts = _of_value(request, value, broke=broke)
    return contexts if is_safe(request) and not deletes(request) else tuple(map(_enclosed, contexts))


def where_refused(inquiry: Inquiry, contexts: tuple[Context, ...], *, number: bool) -> tuple[Context, ...]:
    """What of these may hold a value though even whole input is refused there. A text in double quotes, for which whole input
    in single ones is another text, with the thorough policy alone.
    """
    column = names_a_column(inquiry.value, inquiry.situation.point[-1])
    kept = READ_IN_DOUBLE_QUOTES if is_thorough(inquiry.situation.policy) and not column else ()
    return tuple(typed(each) for each in contexts if each in kept or may_be_typed(each, number=number, column=column))


def _enclosed(context: Context) -> Context:
    """The same for a request that may change something: a shell would take the value behind a blank for the name of another file
    to remove, and takes nothing in brackets there.
    """
    pattern = context.pattern
    if not context.quotes and pattern.count("{word} WHEN ") == 1:
        pattern = pattern.replace("{word} WHEN ", "({word} WHEN ").replace(" END", " END)")
    return context._replace(pattern=pattern)


def _of_value(request: Request, value: str, *, broke: bool) -> tuple[Context, ...]:
    alone = in_their_place(value)
    if alone is WHOLE_STATEMENTS:  # or a text that begins with the word, as `Select wines` does
        return (*alone, *_anywhere(request, value, broke=broke))
    if alone:
        return READING_LISTS if alone is LISTS and is_safe(request) else alone
    return _anywhere(request, value, broke=broke)


def _anywhere(request: Request, value: str, *, broke: bool) -> tuple[Context, ...]:
    number = is_number(value)
    if is_safe(request):
        return READING_NUMBERS if number else (*READING_TEXTS, *READ_IN_DOUBLE_QUOTES)
    if number:
        return CHANGING_BROKEN_NUMBERS if broke else CHANGING_NUMBERS
    return CHANGING_TEXTS if joins_with_care(value) else CHANGING_CODES


def seldom_contexts(
    inquiry: Inquiry, screen: Reply, taken: Reply | None, *, broke: bool, refused: bool
) -> tuple[Context, ...]:
    """What is worth trying where odd input broke something and none of the likely contexts told what.

    taken: the first of these that broke nothing. refused: whole input broke it as well, as it does in the place of a name;
    who checks names refuses and does not break.
    """
    baseline, point = inquiry.situation.baseline, inquiry.situation.point
    request = baseline.request
    contexts = seldom(inquiry.value, point[-1]) if broke and (screen.broke or not refused) else ()
    if may_find_more(baseline):
        contexts += reading_seldom(inquiry.value, point, broke=broke, refused=refused, failed=screen.broke)
        contexts += NUMBERS_IN_BRACKETS if inquiry.value.isdecimal() and not refused else ()
        contexts += DECODED if is_thorough(inquiry.situation.policy) and not inquiry.value.isdecimal() else ()
    elif taken is not None and not same_but_for_numbers(screen.reading, taken.reading):
        # Single quotes alone are answered otherwise than both kinds.
        contexts += in_double_quotes(inquiry.value)
    if broke and not is_safe(request) and is_name(point):
        contexts += WRITTEN
    if refused and screen.broke and not is_safe(request):
        contexts += changing_names(inquiry.value) + typed_in_quotes(inquiry.value)
    if may_be_checked_by_lines(inquiry):
        contexts += by_lines(inquiry.value, changes=not may_find_more(baseline))
    return contexts


def compare(inquiry: Inquiry, context: Context, word: str, *, true: bool, purpose: str = "test") -> Asking:
    """The answer to a comparison of fresh numbers in this context.

    The numbers compared have one length and one beginning, so that an echo cut short is the same echo. What is true is as long as
    what is false: a limit of length, which is ordinary, refuses neither or both.
    """
    beginning, last, mark, letters = inquiry.number(1000, 9999), inquiry.number(1, 10), inquiry.mark(), inquiry.mark()
    left, same = f"{beginning}{last}", str(inquiry.number(10000, 99999))
    right = left if true else f"{beginning}{1 + (last + inquiry.number(0, 8)) % 9}"
    names = named(inquiry.value)
    # Many read as a number what a text begins with: of 1003 cut behind 100 they would change another object.
    cut = 0 if inquiry.value.isdigit() and not may_find_more(inquiry.situation.baseline) else -1
    payload = context.pattern.format(
        value=inquiry.value,
        statement=inquiry.value.strip().rstrip(";"),
        head=inquiry.value[:cut],
        tail=inquiry.value[cut:],
        init=inquiry.value.rpartition(",")[0],
        last=inquiry.value.rpartition(",")[2],
        before=names.before,
        column=names.column,
        after=names.after,
        version=("99" if true else "40") + right[-3:],
        word=word,
        left=left,
        right=right,
        same=same,
        mark=mark,
        yes=letters if true else "",
        no="" if true else letters,
        again=word if true else "",
        once="" if true else letters[: len(word)],
    )
    return (yield from inquiry.send(payload, {left: "0", right: "0", same: "0", mark: "", letters: ""}, purpose))


def compare_unfiltered(inquiry: Inquiry, context: Context) -> Asking:
    """The answer to a true comparison in this context; None where what takes comments out, or takes only the beginning,
    would answer it alike.
    """
    true = yield from compare(inquiry, context, context.operator, true=True)
    if true is None or not (context == COMMENTED_LINE or context in WRITTEN) or not inquiry.like_baseline(true.reading):
        return true
    within = _CUT_BY_A_COMMENT if len(inquiry.value) > 1 else _PARTED_BY_A_COMMENT
    other = within if context == COMMENTED_LINE else _DIVIDED
    reply = yield from compare(inquiry, other, other.operator, true=True, purpose="control")
    if reply is None:
        return None
    # What only reads is answered as usual or not, in its words, though it was seen once.
    alike = inquiry.as_usual(reply) if context == COMMENTED_LINE else inquiry.like_baseline(reply.reading)
    return None if alike else true


def means_the_same(inquiry: Inquiry, contexts: Iterable[Context]) -> Generator[TestRequest, Answer, bool]:
    """Whether the value with a true comparison is answered as the value alone, in any of these contexts."""
    for context in contexts:
        reply = yield from compare(inquiry, context, context.operator, true=True, purpose="control")
        if reply is not None and inquiry.like_baseline(reply.reading):
            return True
    return False


def breaks_over(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether the application broke over the input: a server's error, or one that it tells under another status."""
    if tells_errors(reply.text) and not tells_errors(inquiry.good_text):
        return True
    return reply.reading.status >= FIRST_ERROR and reply.reading.status != inquiry.good.status


def is_refused_whole(inquiry: Inquiry, screen: Reply) -> Generator[TestRequest, Answer, bool]:
    """Whether the value is refused in the same words though it closes what it opens: no statement was asked then."""
    value = inquiry.value
    if not breaks_over(inquiry, screen) or in_their_place(value):
        return False
    whole = WHOLE_NUMBER if is_number(value) else WHOLE_TEXT
    reply = yield from inquiry.send(whole.replace("{value}", value), purpose="control")
    return reply is not None and same_but_for_numbers(screen.reading, reply.reading)
