"""Lists that are asked for by name: `orders` of `order(id: …)`, `parcel.list` of `parcel.get`, as `/orders` is of `/orders/7`.

lists_its_kind(page, request, named)     whether a recorded question is for the whole list of what a request names
holds_its_kind(page, response, request, named)  whether the list stands in what a question for nobody in particular gives
lists_of(pages, request, named)          the pages that are
chooses(page)                            whether a question is for some of them
asked_for(pages, request, named, new)    recorded questions for one of the kind, asked for another one
speaks_of_kind(page, request, named)     whether its document asks for one of the kind, or several, at any depth
shown_below(pages, request, named, new)  recorded addresses of one of the kind, below a tenant as well, for another one
"""

import re
from collections.abc import Iterable

from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, named_objects, only_reads
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import (
    MUTATES,
    READS,
    argument_of,
    operation_of,
    says_what_is_called,
    words_of,
)
from gatecrash.core.testing.operations.questions import called, is_question, names_function, what_is_called
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

# How much of the list is shown, in which order, and with which word in it: all that a client may say of it without choosing whose it is.
_TURNS = re.compile(
    r"page(?:_?(?:size|no|number|index))?|limit|offset|size|first|last|after|before|cursor|skip|take|per_?page|sort(?:_?(?:by|order))?"
    r"|order_?by|order|desc|asc|q|search|term|keywords?",
    re.IGNORECASE,
)
_LISTING = frozenset({"list", "find", "search", "query", "all", "mine"})
_TAKING = frozenset({"get", "fetch", "list", "find", "all", "search", "query", "load"})
# The one question by which everything with a global identifier is read (Relay).
_OF_ANY_KIND = ("node",)
_NOTHING = (b"", b"{}", b"[]", b"null")
_NAME = re.compile(r"[A-Za-z_]{3,}")
_WORD = re.compile(r"[a-z]{3,}")


def lists_its_kind(page: Request, request: Request, named: Named) -> bool:
    """Whether a question asks for all of the kind that a request names one of, and for nobody's in particular."""
    kind = _kind(request, named)
    # What is one's own of things that everybody reads (`articles.mine`) is no list of all that one may read.
    return bool(kind) and _listed(page) == kind and called(page)[:1] != ("mine",) and not chooses(page)


def holds_its_kind(page: Request, response: Response, request: Request, named: Named) -> bool:
    """Whether what is named stands in a list of its kind within the answer to a question for nobody in particular:
    `viewer { orders { … } }` of `order(id: …)`.
    """
    kind = _kind(request, named) if operation_of(page) is not None and not chooses(page) else ""
    above = (leaf.path[:-1] for leaf in leaves(response) if kind and leaf.value == named.value)
    return any(singular(name) != name and _in_words(singular(name)) == kind for path in above for name in path)


def _kind(request: Request, named: Named) -> str:
    """The word for what is named, in the singular; empty where the request is no call and no GraphQL."""
    told = GlobalId.read(named.value)
    operation = operation_of(request)
    if told is not None and operation is not None:
        # `gid://shop/LoanRequest/` is a kind of two words, as `loanRequests` is a list of such.
        return _in_words("".join(_NAME.findall(told.kind)[-1:]))
    if operation is not None:
        words = words_of(request)
        words = words[1:] if operation.type == MUTATES or (len(words) > 1 and words[0] in _TAKING) else words
        return "-".join(_before(words, "by"))
    return what_is_called(request)


def _in_words(name: str) -> str:
    return "-".join(_WORD.findall(parted(name).lower()))


def _listed(page: Request) -> str:
    """The word for what a list is asked for; empty for anything else."""
    operation = operation_of(page)
    if operation is None:
        words = called(page) if is_question(page) else ()
        is_list = bool(words) and (words[0] in _LISTING or any(singular(word) != word for word in words[1:]))
        return what_is_called(page) if is_list else ""
    words = words_of(page) if operation.type == READS else ()
    bare = tuple(word for word in words if word not in _TAKING)
    if not bare or (singular(bare[-1]) == bare[-1] and bare == words):
        return ""
    return "-".join((*bare[:-1], singular(bare[-1])))


def _before(words: tuple[str, ...], end: str) -> tuple[str, ...]:
    return words[: words.index(end)] if end in words else words


def chooses(page: Request) -> bool:
    """Whether a question says more than how much is shown of what it asks for, and who calls: whose, or which of them."""
    callers = {one.point for one in of_a_call(page)}
    said = (each for each in walked(page) if each.point[0] in ("get", "post") and len(each.point) > 1)
    told = (each for each in said if not each.container and each.value not in _NOTHING and each.point not in callers)
    return any(
        not _TURNS.fullmatch(argument_of(page, each.point[-1].rpartition(":")[2]))
        and not says_what_is_called(page, each.point)
        and not names_function(each.point, each.value)
        for each in told
    )


def asked_for(pages: Iterable[Page], request: Request, named: Named, new: str) -> list[Request]:
    """Recorded questions for one of the kind that a request names, whichever it was, asked for a new one; those for one
    of any kind come last: who may read it is better told where that kind alone is read.
    """
    kind = _kind(request, named)
    ones = (page.request for page in pages if kind and _is_about_one(page.request, kind))
    found = (asking_for(one, choosing, new) for one in ones for choosing in named_objects(one)[-1:])
    return sorted((each for each in found if each is not None), key=lambda each: words_of(each) == _OF_ANY_KIND)


def shown_below(pages: Iterable[Page], request: Request, named: Named, new: str) -> list[Request]:
    """Recorded addresses at which one of the kind is read: `/orgs/4/notes/7` where `/notes/7/archive` does something to it."""
    kind = kind_of(request, named)
    found: dict[bytes, Request] = {}
    for page in pages:
        one = page.request
        shown = next((each for each in reversed(named_objects(one)) if each.point[0] == "path" and each.sure), None)
        if shown is None or not kind or kind_of(one, shown) != kind:
            continue
        asked = asking_for(one, shown, new)
        if asked is not None and one.method.upper() == "GET" and one.path.endswith(b"/" + shown.value.encode()):
            found.setdefault(asked.target, asked)
    return list(found.values())


def names_list_of(page: Request, request: Request, named: Named) -> bool:
    """Whether a question is for a list of that kind, be it some of them only: `myCards` of `deleteCard`."""
    kind, listed = (text.rpartition("-")[2] for text in (_kind(request, named), _listed(page)))
    return bool(kind) and listed == kind and not named_objects(page)


def speaks_of_kind(page: Request, request: Request, named: Named) -> bool:
    """Whether a question's document asks for something of that kind, be it below another: `reviews` of `event(id: …)`."""
    kind = _kind(request, named)
    fields = (parted(each, "-").lower().replace("_", "-") for each in _NAME.findall(page.body.decode("latin-1")))
    return bool(kind) and any(kind in (field, singular(field)) for field in fields)


def lists_of(pages: Iterable[Page], request: Request, named: Named) -> list[Page]:
    """The recorded lists of what a request names one of."""
    return [page for page in pages if lists_its_kind(page.request, request, named)]


def _is_about_one(page: Request, kind: str) -> bool:
    if not only_reads(page) or page.method.upper() == "GET":
        return False
    return any(kind in (_kind(page, each), _kind(page, each._replace(value=""))) for each in named_objects(page)[-1:])
