"""Proof by calls that wait, in one language after the other, where a value is evaluated and its result shows nowhere.

A sound point costs one request here for each language.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.time_based import Waited, waits
from gatecrash.core.testing.payloads.rce_code import WAITING, Language, fill_wait
from gatecrash.core.testing.probe import Answer, TestRequest


class WaitedCode(NamedTuple):
    """The language whose call was waited for, and the proof."""

    language: str
    waited: Waited


def waits_as_code(inquiry: Inquiry) -> Generator[TestRequest, Answer, WaitedCode | None]:
    """The first language whose call that waits is carried out; None where none is."""
    for language in WAITING:

        def waiting(seconds: int, decoy: bool, language: Language = language) -> str:
            return fill_wait(language, seconds, decoy=decoy)

        waited = yield from waits(inquiry, waiting, language.unit)
        if waited is not None:
            return WaitedCode(language.name, waited)
    return None
