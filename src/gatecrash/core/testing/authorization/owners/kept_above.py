"""What is kept from the other, though not what stands below it: `/projects/lab` and its list `/projects/lab/tasks`
refuse him, and `/tasks/7`, which the list shows to its owner, does not; `/notes/5` refuses him, and `/attachments/9`,
which hangs on it, does not.

is_one_of_several(path)                 whether it may be an object, whatever it is called
is_kept_from(request, path, other)      whether a page is shown to its owner and refused to the other
below_a_wall(asked, named, other)       whether a list that refuses the other stands below what does so, too
"""

import re
from collections.abc import Generator

from gatecrash.core.inventory.identifiers import look_of, singular
from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.named import kind_of, listing
from gatecrash.core.testing.authorization.owners.own_list import is_for_readers
from gatecrash.core.testing.authorization.owners.ownership import is_kept_private
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, TestRequest

# What stands on the page of one thing and belongs to it, as a letter's enclosure does.
_HANGS = re.compile(r"attachment|enclosure|upload", re.IGNORECASE)


def is_kept_from(request: Request, path: bytes, other: Identity) -> Generator[TestRequest, Answer, bool]:
    """Whether a page is shown to its owner and refused to the other. request: in whose name it is asked."""
    return (yield from shown_and_kept_from(request, path, other)) is not None


def shown_and_kept_from(
    request: Request, path: bytes, other: Identity
) -> Generator[TestRequest, Answer, Response | None]:
    """What its owner is shown of a page that is refused to the other; None for any other page."""
    itself = listing(request, path)
    shown = response_of((yield from ask(itself, "control")))
    if not is_good(shown) or not keeps_out(response_of((yield from ask_as(itself, other.name, "control")))):
        return None
    return shown


def keeps_out(response: Response) -> bool:
    """Whether somebody known is refused, or told that there is nothing."""
    return response.status in (403, 404) or (response.status != UNAUTHORIZED and refusal(response) is not None)


def below_a_wall(
    asked: Request, request: Request, named: Named, theirs: Response, other: Identity
) -> Generator[TestRequest, Answer, bool]:
    """Whether a list of what is named refuses the other, and what it stands below does so, too, which is shown to
    its owner: then nothing of it is the other's. What is written for readers may be read wherever it is listed, unless
    what it stands below says that it is private. What hangs on one thing is whoever's that is.

    asked: the question for the list. theirs: its answer to the other.
    """
    kind = kind_of(request, named)
    above, _, last = asked.path.rstrip(b"/").rpartition(b"/")
    if asked.method.upper() != "GET" or not last or not kind or not keeps_out(theirs):
        return False
    if _HANGS.fullmatch(kind) and look_of(last.decode("latin-1")) is not None:
        return True
    if singular("".join(kind_words(asked)[-1:])) != kind or not is_one_of_several(above):
        return False
    shown = yield from shown_and_kept_from(asked, above, other)
    return shown is not None and (not is_for_readers(kind) or is_kept_private(shown))


def is_one_of_several(path: bytes) -> bool:
    """Whether a path stands right below a word for many: `/projects/lab`."""
    return any(singular(word) != word for word in path.decode("latin-1").lower().rstrip("/").split("/")[-2:-1])
