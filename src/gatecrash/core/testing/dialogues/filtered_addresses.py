"""Our own address in spellings that filters of addresses do not know, where they refuse the usual one.

    verdict = yield from past_filter(inquiry, verdict, 30, 80, 17)

A filter that compares an address as text, or reads its numbers otherwise than who connects does, refuses `127.0.0.1` and lets
another way to write it pass (CVE-2021-28918: a zero before a number makes an octal one of it for `inet_aton`, and nothing for
the filter). That something was refused is known from what was asked before; a point that refuses nothing costs nothing here.
"""

from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.payloads.ssrf import UNUSUAL, is_loopback, spelled
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Verdict


def past_filter(
    inquiry: Inquiry, found: Verdict, dns_threat: int, shown_threat: int, beginning: int
) -> Generator[TestRequest, Answer, Verdict | None]:
    """Whether the target comes to the listener for another spelling; words and numbers are as `called_back` has them."""
    if not _is_refused(inquiry):
        return None
    for index, spelling in enumerate(UNUSUAL):

        def baiting(oob: OutOfBand, number: int, spelling: str = spelling) -> Bait | None:
            written = spelled(spelling, oob.url(number), inquiry.value)
            try:
                return Bait(inquiry.writer.write(written.encode())) if written else None
            except UserError:
                return None

        verdict = yield from called_back(
            inquiry,
            baiting,
            found,
            dns_threat=dns_threat,
            shown_threat=shown_threat,
            beginning=beginning + 2 * index,
        )
        if verdict is not None and verdict.threat > dns_threat:
            return verdict
    return None


def _is_refused(inquiry: Inquiry) -> bool:
    """Whether something in front of the fetch refused our address, as by 403, or a loopback address otherwise than the baseline."""
    if inquiry.blocked:
        return True
    return inquiry.good.status < FIRST_ERROR and any(
        is_loopback(reply.payload) and FIRST_ERROR <= reply.reading.status < FIRST_SERVER_ERROR
        for reply in inquiry.replies
    )
