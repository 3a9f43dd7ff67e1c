"""Whether the target fetches a page of its own where a value names it: what that page says is shown, or only whether it is there.

found = yield from fetches_own_pages(inquiry)     the proof, and whether the page is shown; or None
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import reading
from gatecrash.core.statuses import FIRST_ERROR, NOT_THERE
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.oracles.difference import Fact, same_but_for_numbers, telling
from gatecrash.core.testing.oracles.pages.texts import shows, texts_of
from gatecrash.core.testing.payloads.ssrf import (
    CLOSED,
    CLOSED_PORTS,
    OWN,
)
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_ROUNDS = 8


class OwnPages(NamedTuple):
    """That it does. is_shown: the content of its front page is in the answer; else pages that are there are told from others."""

    proof: Proof
    is_shown: bool


_Finding = Generator[TestRequest, Answer, OwnPages | None]


def fetches_own_pages(inquiry: Inquiry) -> _Finding:
    """What shows that the target fetches its own front page where the value names it; None where nothing does."""
    if f"{inquiry.value}/".startswith(tuple(_own(inquiry, end) for end in "/?#")):
        return None
    front = yield from _ask_directly(inquiry, "/")
    if front is None or front.reading.status >= FIRST_ERROR:
        return None
    shown = yield from inquiry.send(_own(inquiry, "/"))
    if shown is None:
        return None
    telling_texts = _telling(inquiry, front)
    found: OwnPages | None = None
    if telling_texts and shows(shown.reading, telling_texts):
        found = yield from _confirm_content(inquiry, telling_texts)
    return found or (yield from _by_outcome(inquiry))


def _own(inquiry: Inquiry, path: str) -> str:
    return OWN.format(origin=inquiry.situation.baseline.request.origin, path=path)


def _confirm_content(inquiry: Inquiry, texts: frozenset[str]) -> _Finding:
    """Shown once more, and not for addresses that nobody can fetch; again in turns, as a page of random posts shows them by itself."""
    payload = _own(inquiry, "/")
    decoys = (
        payload.replace("http", "hxxp", 1),
        CLOSED.format(port=inquiry.random.choice(CLOSED_PORTS), mark=inquiry.mark(12)),
    )
    control = yield from inquiry.send(decoys[0], purpose="control")
    closed = yield from inquiry.send(decoys[1], purpose="control")
    if control is None or closed is None or any(shows(reply.reading, texts) for reply in (control, closed)):
        return None
    again = yield from inquiry.send(payload, purpose="confirm")
    if again is None or not shows(again.reading, texts):
        return None
    if not (
        yield from shown_by_it_alone(
            inquiry,
            lambda: inquiry.send(payload, purpose="confirm"),
            lambda: inquiry.send(inquiry.random.choice(decoys), purpose="control"),
            lambda reply: shows(reply.reading, texts),
        )
    ):
        return None
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"{again.payload!r} is answered with the content of that page ({min(texts)[:80]!r}), each time; neither the baseline, nor "
            f"{decoys[0]!r}, whose scheme does not exist, nor {decoys[1]!r}, where nobody listens, shows it: the server fetched it."
        ),
    )
    return OwnPages(proof, is_shown=True)


def _by_outcome(inquiry: Inquiry) -> _Finding:
    """A page that is there is answered otherwise than pages that are not: nobody knows which there are but who asks."""
    there = yield from _page(inquiry, "test", exists=True)
    gone = yield from _page(inquiry, "test", exists=False)
    if there is None or gone is None or not _told(inquiry, [there], [gone]):
        return None
    missing = yield from _ask_directly(inquiry, f"/{inquiry.mark(12)}")
    if missing is None or missing.reading.status not in NOT_THERE:
        return None
    replies = {True: [there], False: [gone]}
    for exists in in_random_order(inquiry.random, _ROUNDS - 1):
        reply = yield from _page(inquiry, "confirm", exists=exists)
        if reply is None:
            return None
        replies[exists].append(reply)
    facts = _told(inquiry, replies[True], replies[False])
    # The same shape where nobody listens, and with a scheme that nobody knows: a check of the text alone would take it.
    port = inquiry.random.choice(CLOSED_PORTS)
    for decoy in (
        f"http://127.0.0.1:{port}/?{inquiry.mark(12)}",
        _own(inquiry, f"/?{inquiry.mark(12)}").replace("http", "hxxp", 1),
    ):
        control = yield from inquiry.send(decoy, purpose="control")
        if control is None or not facts or control.reading.facts & facts == there.reading.facts & facts:
            return None
    return _outcome(replies[True][-1], replies[False][-1])


def _page(inquiry: Inquiry, purpose: str, *, exists: bool) -> Asking:
    """The answer to an address of the target: its front page, or a page of a fresh name, both with a query, which some write anew."""
    path = f"/?{inquiry.mark(12)}" if exists else f"/{inquiry.mark(5)}?{inquiry.mark(7)}"
    return (yield from inquiry.send(_own(inquiry, path), purpose=purpose))


def _told(inquiry: Inquiry, there: list[Reply], gone: list[Reply]) -> frozenset[Fact]:
    """The facts that tell the two apart, but for what they repeat of the address."""
    if same_but_for_numbers(there[0].reading, gone[0].reading):
        return frozenset()
    facts = telling([reply.reading for reply in there], [reply.reading for reply in gone])
    return frozenset(fact for fact in facts if not fact[1] or fact[1] not in _own(inquiry, "/"))


def _outcome(there: Reply, gone: Reply) -> OwnPages:
    proof = Proof(
        test=gone.exchange,
        control=there.exchange,
        verified_by=(
            f"{there.payload!r}, a page of the target itself, is answered otherwise than {gone.payload!r}, which is not "
            f"there, in {_ROUNDS} rounds of fresh names in random order; the same at a port where nobody listens, and with "
            f"a scheme that does not exist, is not answered as the first: the server asks for what it is told."
        ),
    )
    return OwnPages(proof, is_shown=False)


def _ask_directly(inquiry: Inquiry, path: str) -> Asking:
    """The answer to a plain question for a page of the target."""
    plain = reading(inquiry.situation.baseline.request, path.encode())
    return (yield from inquiry.submit(plain, f"GET {path}", purpose="control"))


def _telling(inquiry: Inquiry, front: Reply) -> frozenset[str]:
    """Texts that only the front page has: long ones that the baseline does not show."""
    return texts_of(front.reading) - {fact[1] for reading in inquiry.basis for fact in reading.facts}
