"""Whether a page that shows visitors a login form is shown to them all the same.

Small sites have that form in the head of every page: that it is there says nothing of who may read the rest. What a page says of
its own, beside what visitors are shown at an address that does not exist and at the site's front, tells: a login that stands
in a page's place says nothing of it.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.openness.access import nowhere
from gatecrash.core.testing.oracles.difference import MARKUP, read
from gatecrash.core.testing.oracles.text_parts import Fact
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_TEXT = re.compile(r"[^\W\d_]{3}")


def is_shown_beside_a_login(
    situation: Situation, bare: Request, stranger: Response, mine: Response
) -> Generator[TestRequest, Answer, bool]:
    """Whether visitors are shown most of what a page says of its own.

    bare: the page asked for without credentials; stranger: its answer, which shows a login form; mine: that to the caller.
    """
    front: Request = msgspec.structs.replace(bare, target=b"/")
    own = _texts(mine)
    for frame in (nowhere(bare, situation), front):
        own -= _texts(response_of((yield from ask_raw(frame, "control"))))
    return 0 < len(own) <= 2 * len(own & _texts(stranger))


def _texts(response: Response) -> frozenset[Fact]:
    return frozenset(fact for fact in read(response).facts if not fact[0].startswith(MARKUP) and _TEXT.search(fact[1]))
