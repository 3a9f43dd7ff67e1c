"""Proof by calls that wait, in one language after the other, where a value is evaluated and its result shows nowhere.

A sound point costs one request here for each language.
"""

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.time_based import Waited, waits
from gatecrash.core.testing.oracles.platforms import on_node, on_php
from gatecrash.core.testing.payloads.rce_code import (
    JAVASCRIPT,
    PHP,
    WAITING,
    WAITING_WITHIN,
    Language,
    fill_wait,
    fill_wait_within,
    waits_in_definitions,
)
from gatecrash.core.testing.payloads.rce_functions import in_front_matter
from gatecrash.core.testing.probe import Answer, TestRequest


class WaitedCode(NamedTuple):
    """The language whose call was waited for, and the proof."""

    language: str
    waited: Waited


def waits_as_code(inquiry: Inquiry) -> Generator[TestRequest, Answer, WaitedCode | None]:
    """The first language whose call that waits is carried out, be it within the function or the class whose source the value is;
    None where none is.
    """
    found = yield from _first(inquiry, WAITING, fill_wait)
    for language, fill in waits_in_definitions(inquiry.value):
        found = found or (yield from _first(inquiry, (language,), fill))
    return found


def waits_within_texts(inquiry: Inquiry) -> Generator[TestRequest, Answer, WaitedCode | None]:
    """The same where the value may stand in quotes, of the languages that may be there."""
    request, good = inquiry.situation.baseline.request, inquiry.good
    named = PHP.name if on_php(request, good) else JAVASCRIPT.name if on_node(good) else ""
    languages = [each for each in WAITING_WITHIN if not named or each.name == named]
    return (yield from _first(inquiry, languages, fill_wait_within))


def waits_in_front_matter(inquiry: Inquiry) -> Generator[TestRequest, Answer, WaitedCode | None]:
    """The same in the front matter of a text that has one."""
    if in_front_matter(inquiry.value, "", "") is None:
        return None

    def filled(language: Language, seconds: int, *, decoy: bool) -> str:
        return in_front_matter(inquiry.value, fill_wait(language, seconds, decoy=decoy), inquiry.mark(8)) or ""

    return (yield from _first(inquiry, (JAVASCRIPT,), filled))


def _first(
    inquiry: Inquiry, languages: Iterable[Language], fill: Callable[..., str]
) -> Generator[TestRequest, Answer, WaitedCode | None]:
    for language in languages:

        def waiting(seconds: int, decoy: bool, language: Language = language) -> str:
            return fill(language, seconds, decoy=decoy)

        waited = yield from waits(inquiry, waiting, language.unit)
        if waited is not None:
            return WaitedCode(language.name, waited)
    return None
