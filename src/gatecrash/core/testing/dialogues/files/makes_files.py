"""Whether a request makes the file that it names: then none that means something may be asked for, or it would be written over.

Who reads files answers a name that no file has otherwise than the value. Who makes them, or adds to them, answers any
name as the value, or well, but none in a folder that is not there. What answers both as the value minds no names,
unless it says nothing, or only that something was done: whoever hands out files or pages says more. Who deletes files
answers as who reads them: of a target its words alone tell (`/remove/tea.txt`).
"""

from collections.abc import Generator

from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.files.file_existence import words_in, words_of, words_of_text
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.effects.takes_all import may_change
from gatecrash.core.testing.payloads.ptrav import tells_of_writing
from gatecrash.core.testing.probe import Answer, TestRequest

_Pair = tuple[frozenset[str], frozenset[str]]


def makes_files(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether the value, or the target, names a file that is made. One request where what is missing is told, else two, or three
    where the value breaks the application; once a point.
    """
    path, mark, query = inquiry.value.partition("?")
    folder, slash, last = path.rpartition("/")
    extension = last[last.rfind(".") :] if "." in last else ""
    usual = words_in(inquiry.good) - words_of_text(inquiry.value)

    def named(name: str) -> Asking:
        return (yield from inquiry.send(f"{folder}{slash}{name}{extension}{mark}{query}", purpose="control"))

    def asked() -> Generator[TestRequest, Answer, bool]:
        fresh = yield from named(inquiry.mark(8))
        if fresh is None or not (words_of(fresh) <= usual or _shows_less(inquiry, fresh)):
            return False
        nowhere = yield from named(f"{inquiry.mark(8)}/{inquiry.mark(8)}")
        if fresh.broke and inquiry.good.status == fresh.reading.status and nowhere is not None:
            again = yield from named(f"{inquiry.mark(8)}/{inquiry.mark(8)}")
            return again is None or _told_apart((usual, words_of(fresh)), (words_of(nowhere), words_of(again)))
        if words_of(fresh) == usual:
            return nowhere is None or words_of(nowhere) != usual or _only_says_so(inquiry)
        return nowhere is not None and nowhere.reading.status >= FIRST_ERROR

    return (yield from inquiry.situation.memory.once(f"makes files {'/'.join(inquiry.situation.point)}", asked))


def _shows_less(inquiry: Inquiry, fresh: Reply) -> bool:
    """Whether an answer is a part of the recorded one and nothing else, as of who adds to a file and shows it."""
    return fresh.reading.status < FIRST_ERROR and fresh.text.strip() in inquiry.good_text


def _told_apart(ones: _Pair, others: _Pair) -> bool:
    """Whether words tell two answers from two others. A stack trace names whatever thread of the server had the request, so the words
    of two answers differ by chance.
    """
    (first, second), (third, fourth) = ones, others
    return bool((third & fourth) - (first | second) or (first & second) - (third | fourth))


def _only_says_so(inquiry: Inquiry) -> bool:
    """Whether the recorded answer is no file and no page: nothing at all, or that something was done."""
    return inquiry.good.status < FIRST_ERROR and (not inquiry.good.body or may_change(inquiry.situation.baseline))


def may_write_over(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    """Whether the request may overwrite or delete the file that the value names: by the words in the value, or as it makes files."""
    path, _, query = inquiry.value.partition("?")
    return tells_of_writing(f"{path.rpartition('/')[0]} {query}") or (yield from makes_files(inquiry))
