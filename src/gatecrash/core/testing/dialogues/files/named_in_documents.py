"""Proof that a parser reads the file that a document names: the file's content is shown, known by its shape.

shown = yield from shows_file(inquiry, naming, sending)    None where it is not
file_for(inquiry)                                          the file that is asked for
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.oracles.files.files import missing_beside, shapes_asked_for, shapes_in
from gatecrash.core.testing.oracles.platforms import on_windows
from gatecrash.core.testing.payloads.xxe import LINUX_FILE, WINDOWS_FILE
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

Naming = Callable[[str], str]
"""A file's path to the document that names it."""
Sending = Callable[[str, str], Asking]
"""A document, sent for a purpose."""


class ShownFile(NamedTuple):
    """What is shown, and its proof."""

    what: str
    proof: Proof


def file_for(inquiry: Inquiry) -> str:
    """A file that the target's system has."""
    return WINDOWS_FILE if on_windows(inquiry.good) else LINUX_FILE


def shows_file(inquiry: Inquiry, naming: Naming, sending: Sending) -> Generator[TestRequest, Answer, ShownFile | None]:
    """The file's content must be there each time, and not for a file that does not exist, whose name has the same words."""
    file = file_for(inquiry)

    def nothing() -> Asking:
        return (yield from sending(naming(missing_beside(file, inquiry.mark(8))), "control"))

    def once_more() -> Asking:
        return (yield from sending(naming(file), "confirm"))

    def shown(reply: Reply | None) -> frozenset[str]:
        if reply is None:
            return frozenset()
        return shapes_asked_for(file, response_of(reply.exchange)) - shapes_in(inquiry.good)

    first = yield from sending(naming(file), "test")
    if not shown(first):
        return None
    control, again = (yield from nothing()), (yield from once_more())
    if control is None or again is None or shown(control) or not shown(again):
        return None
    if not (yield from shown_by_it_alone(inquiry, once_more, nothing, shown)):
        return None
    what = min(shown(again))
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"A document that names {file} is answered with the content of {what}, known by its shape, five times; "
            f"neither the baseline nor the same document with files that do not exist shows it."
        ),
    )
    return ShownFile(what, proof)
