"""Comparisons of fresh numbers as SQL has them, in the place of a value; and whether a path's word is a value at all.

In the place of `debug` in `/users/debug` any other word reaches the endpoint of `/users/{name}`, whose statement may break. The
finding is that endpoint's: at its own, SQL that means what the word alone means is answered as the word is.
"""

from collections.abc import Generator, Iterable

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry
from gatecrash.core.testing.payloads.sqli import Context, named
from gatecrash.core.testing.probe import Answer, TestRequest


def compare(inquiry: Inquiry, context: Context, word: str, *, true: bool, purpose: str = "test") -> Asking:
    """The answer to a comparison of fresh numbers in this context.

    The numbers compared have one length and one beginning, so that an echo cut short is the same echo. What is true is as long as
    what is false: a limit of length, which is ordinary, refuses neither or both.
    """
    beginning, last, mark, letters = inquiry.number(1000, 9999), inquiry.number(1, 10), inquiry.mark(), inquiry.mark()
    left, same = f"{beginning}{last}", str(inquiry.number(10000, 99999))
    right = left if true else f"{beginning}{1 + (last + inquiry.number(0, 8)) % 9}"
    names = named(inquiry.value)
    payload = context.pattern.format(
        value=inquiry.value,
        head=inquiry.value[:-1],
        tail=inquiry.value[-1:],
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


def means_the_same(inquiry: Inquiry, contexts: Iterable[Context]) -> Generator[TestRequest, Answer, bool]:
    """Whether the value with a true comparison is answered as the value alone, in any of these contexts."""
    for context in contexts:
        reply = yield from compare(inquiry, context, context.operator, true=True, purpose="control")
        if reply is not None and inquiry.like_baseline(reply.reading):
            return True
    return False
