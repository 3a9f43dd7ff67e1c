"""What a recorded request made, and which object that was: by its answer, or by the address that the answer leads to.

creation = creation_of(exchange)             None where it made nothing that can be named
creation.place_of(request, named)            by which of its identifiers a request means it; empty where by none
creation.identifiers(response)               those of the object that another answer to the same made
makes_another(request, response)             whether it adds to what stands at an address that names nothing itself
may_be_made_again(exchange)                  whether nobody outside learns of it, and nothing is paid for it
"""

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import CREATED, FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.fields.choices import has_no_way_back
from gatecrash.core.testing.authorization.objects.acts import acted_on, calls_act
from gatecrash.core.testing.authorization.objects.named import asks, kind_of, named_fields, named_objects, word_of
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.operations.questions import what_is_called
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.words.named import ByteWords
from gatecrash.core.words.names import parted

Place = tuple[str, ...]

_ADDRESS: Place = ("Location",)
_LED_ON = (302, 303)
_LARGEST = 64_000
_MOST_ABOVE = 4
# Digits of a number that counts one kind of object from one on, as another counts another kind.
_LONG = 6
_IDENTIFIERS = frozenset({"id", "_id", "uuid", "guid", "uid", "slug", "key", "number", "ref", "code", "reference"})
WORDS = re.compile(r"(?<![a-z])v\d+(?![a-z])|[a-z]+|\d+")
"""The words of an address in small letters; a version is one (`v1`)."""
_TO_MAKE = re.compile(r"create|add|new|make|save|submit|v\d+|\d+|api|rest|php|json")
_PASSWORD = ByteWords(rb"passw|passphrase|(?<![a-z])pwd", re.IGNORECASE)
_REACHES_OUT = re.compile(
    r"pay|charge(?!r)|checkout|purchase|transfer|refund|withdraw|deposit|donat|invit|mail|sms|notif|regist|sign-?_?(?:up|in)"
    r"|log-?_?in|enrol|subscri|webhook|hook|session|token",
    re.IGNORECASE,
)


class Creation(NamedTuple):
    """An object that was made. kind: the word for it, without its ending. told: the identifiers that the answer gave it."""

    kind: str
    told: tuple[Leaf, ...]

    def place_of(self, request: Request, named: Named) -> Place:
        """Where the answer tells the identifier by which a request means this object; empty where it means another. A
        short number is that of an object of any kind.
        """
        leaf = next((each for each in self.told if each.value == named.value), None)
        if leaf is None:
            return ()
        return leaf.path if is_long(named.value) or self._is_called_so(request, named) else ()

    def _is_called_so(self, request: Request, named: Named) -> bool:
        if named.point[0] != "path" and not word_of(named):
            return self.kind in address_of(request).lower()
        return WORDS.findall(kind_of(request, named))[-1:] == [self.kind]

    def identifiers(self, response: Response) -> dict[Place, str]:
        """What another answer to the same tells in the same places; empty where it is not good."""
        return {leaf.path: leaf.value for leaf in _told_by(response, self.kind)} if _is_taken(response) else {}


def creation_of(exchange: Exchange) -> Creation | None:
    """What a POST made that its answer names, and the request itself does not."""
    request, response = exchange.request, exchange.response
    if request.method.upper() != "POST" or response is None or not _is_taken(response):
        return None
    if destroys(request) or asks(request) or acted_on(request) or calls_act(request):
        return None
    kind = kind_made(request)
    held = {each.value for each in (*named_objects(request), *named_fields(request))}
    told = tuple(leaf for leaf in _told_by(response, kind) if leaf.value not in held) if kind else ()
    return Creation(kind, told) if told else None


def makes_another(request: Request, response: Response) -> bool:
    """Whether it adds to what stands at an address: by a POST, or by a PUT there that is answered as one that made something."""
    if request.method.upper() != "PUT":
        return request.method.upper() == "POST"
    last = request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")
    return response.status == CREATED and look_in_path(last) is None


def shown_by(request: Request, response: Response) -> set[tuple[str, str]]:
    """The objects that an answer shows, each with the word for its kind: they were there before whatever comes after."""
    kind = kind_made(request)
    return {(kind, leaf.value) for leaf in _plain(_shallow(response))}


def kind_made(request: Request) -> str:
    """The word for what stands at an address, without its ending: `load` of `/api/loads` and of `/loads/create`."""
    words = [what_is_called(request)]
    if not words[0]:
        segments = [segment for segment in address_of(request).split("/") if segment and not look_in_path(segment)]
        words = [
            word for segment in segments for word in WORDS.findall(segment.lower()) if not _TO_MAKE.fullmatch(word)
        ]
    return re.sub(r"(?:ies|s|y)$", "", words[-1]) if words else ""


def is_long(value: str) -> bool:
    """Whether an identifier is no number that counts several kinds of objects each from one on."""
    return not value.isdigit() or len(value) >= _LONG


def may_be_made_again(exchange: Exchange) -> bool:
    """Whether to send it once more makes an object and no more: nobody is paid, written to, invited, registered or let in."""
    request = exchange.request
    if account_request(exchange) is not None or signs_in(request) or asks_to_be_let_in(request):
        return False
    if _PASSWORD.search(request.body):
        return False
    address = address_of(request)
    words = [segment for segment in address.split("/") if segment and not look_in_path(segment)]
    return _REACHES_OUT.search(address) is None and not (words and has_no_way_back(words[-1]))


def _is_taken(response: Response) -> bool:
    good = 200 <= response.status < FIRST_REDIRECT
    leads_on = response.status in _LED_ON and response.first(b"Location") is not None
    return (good or leads_on) and refusal(response) is None and len(response.body) <= _LARGEST


def _told_by(response: Response, kind: str) -> list[Leaf]:
    """The identifiers of one object, at the same place: `id` and `slug`, or `load_id`, or the end of the address led to."""
    shallow = _shallow(response) if response.status < FIRST_REDIRECT else []
    own = [leaf for leaf in shallow if _is_own(leaf, kind)]
    plain = _plain(shallow)
    if own and not (plain and len(plain[0].path) < len(own[0].path)):
        plain = own
    of_kind = [leaf for leaf in plain if len(leaf.path) > 1 and kind in leaf.path[-2].lower()] or plain
    values: dict[Place, set[str]] = {}
    for leaf in of_kind:
        values.setdefault(leaf.path, set()).add(leaf.value)
    if len({path[:-1] for path in values}) == 1 and all(len(each) == 1 for each in values.values()):
        return list(dict.fromkeys(of_kind))
    return [] if values else _led_to(response)


def _shallow(response: Response) -> list[Leaf]:
    """What stands near the beginning of a document; a page shows what is of many things."""
    if "html" in media_type(response):
        return []
    return [leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE and leaf.value]


def _plain(told: list[Leaf]) -> list[Leaf]:
    """What is called an identifier, nearest to the beginning."""
    found = [leaf for leaf in told if leaf.path[-1].lower() in _IDENTIFIERS]
    least = min((len(leaf.path) for leaf in found), default=0)
    return [leaf for leaf in found if len(leaf.path) == least]


def _is_own(leaf: Leaf, kind: str) -> bool:
    """Whether a member is called after what was made: `load_id`, `loadId`."""
    before, _, last = parted(leaf.path[-1]).lower().rpartition("_")
    return last in _IDENTIFIERS and bool(before) and before.startswith(kind) and len(before) - len(kind) <= len("ies")


def _led_to(response: Response) -> list[Leaf]:
    address = urlsplit((response.first(b"Location") or b"").decode("latin-1"))
    segments = [unquote(segment) for segment in address.path.split("/") if segment]
    last = segments[-1] if segments else ""
    return [Leaf(_ADDRESS, last)] if look_in_path(last) else []
