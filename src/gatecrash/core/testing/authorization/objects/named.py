"""Which objects a request names: identifiers in its path and its query, in headers and cookies of the application's own, in
what a GraphQL query or another question's body asks with, and where such objects are listed.

for named in named_objects(request):
    named.collection         GET it to see which of them a caller has; None where it stands below another identifier
    asking_for(request, named, value)
"""

import re
from functools import lru_cache
from random import Random
from uuid import UUID

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.inventory.identifiers import is_identifier
from gatecrash.core.message import Request, reading
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.authorization.objects.amounts import says_how_much
from gatecrash.core.testing.authorization.objects.asked_for_several import SEVERAL, asks_for_several
from gatecrash.core.testing.authorization.objects.called_for import calls_somebody
from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.core.testing.authorization.objects.named_headers import named_beside
from gatecrash.core.testing.forms.tokens import is_form_token, is_of_framework
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.operations.graphql import VARIABLES, argument_of, only_queries, operation_of, words_of
from gatecrash.core.testing.operations.one_script import page_asked
from gatecrash.core.testing.operations.procedures import ENVELOPE, procedure_of
from gatecrash.core.testing.operations.questions import is_question, what_is_called
from gatecrash.core.testing.places.before_colon import chooses_one, is_key
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

_NUMBER = re.compile(r"[1-9]\d{0,17}|0")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{7,}", re.IGNORECASE)
# Parameters that by their name choose an object, whatever their value looks like.
_CHOOSES = re.compile(
    r"(?:^|[_.-])(?:id|uid|uuid|guid|key|ref|no|number|user|username|login|nick|nickname|email|account|order|owner)$",
    re.IGNORECASE,
)
# Those that choose whose objects are meant where they hold what the sender is called: `member=ann`, `for=ann`.
_CHOOSES_WHOSE = re.compile(
    r"(?:^|[_.-])(?:member|customer|client|patient|student|pupil|employee|staff|person|tenant|holder|guest|resident|player|driver"
    r"|teacher|doctor|buyer|borrower|traveller|passenger|subscriber|participant|profile|of|for|whose|who)$",
    re.IGNORECASE,
)
# Those that choose several at once: `ids=7,8`, `order_ids[]`.
_CHOOSES_SEVERAL = re.compile(r"(?:^|[_.-])(?:ids|uids|uuids|guids|keys|refs|numbers)(?:\[\d*\])?$", re.IGNORECASE)
# Words at the end of a path that name a view or an act, and no object.
_NO_NAME = re.compile(
    rf"me|self|list|all|search|new|count|export|status|health|login|logout|index|latest|current|v\d+|{SEVERAL}"
)
FORMS = (
    r"download|export|print(?:able)?|raw|source|original|content|file|pdf|csv|xlsx?|docx?|txt|text|plain|html?|md|markdown|xml"
    r"|json|ya?ml|ics|png|jpe?g|svg|zip|label|bar-?code|qr-?code"
)
"""What stands behind an object for the same in another form, as an expression."""
# Views of the object that stands before them.
_VIEWS = re.compile(rf"{FORMS}|preview|view|details?|draft|thumbnail|attachments?|history")
_IN_CONTROLS = re.compile(r"^.+\$(?:(?:hid|hdn|hf|txt|ddl|cbo|cmb|tb|rbl)(?=[A-Z]))?", re.DOTALL)
# Whom something is for: what it is taken from says more of whose it is.
_RECEIVES = re.compile(
    r"^(?:to|dest(?:ination)?|recipient|receiver|beneficiary|payee|creditor|target)(?:$|_)", re.IGNORECASE
)
# A document that begins so, comments aside, only reads (GraphQL specification, section 2.3); so does one without a word.
_READS = re.compile(rb'"query"\s*:\s*"(?:\\[nrt]|[\s,]|#(?:[^"\\]|\\[^n])*+\\n)*+(?:query\b|fragment\b|\{)')
_CHANGES = re.compile(rb"\b(?:mutation|subscription)\b")
# A POST whose address ends so asks for an answer, and its body says for which.
_ASKS = re.compile(
    r"(?:^|[^a-z])(?:search|find|get|fetch|view|show|details?|query|lookup|list|read|info|report|download|export|history"
    r"|select|load|retrieve)(?:$|[^a-z])"
)
# GraphQL over HTTP, section 6.2: what a GET carries the document in; its arguments stand in them.
_OF_GRAPHQL = frozenset({"query", "variables", "operationName", "extensions"})
_SUFFIX = re.compile(r"(?:[-_]|^)(?:id|no|nr|number|ref|uid|uuid|guid|key)$", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\s<>]{1,128}")
_FIELDS = (("post", "json_doc", "json_obj"), ("post", "form_urlencoded"), ("post", "multipart"))
# The first object of a body that is a list, as bulk requests have it: `[{"id": 31, "note": "ring"}]`.
_FIRST_OF_MANY = ("post", "json_doc", "json_array", "0", "json_obj")
# The arguments by name of a call whose client sends them as one argument by position, as that of Go's standard library does.
_ONLY_ARGUMENT = ("post", "json_doc", "json_obj", "params", "json_array", "0", "json_obj")
# The first of a list in a body that asks for several: `{"requests": [{"id": 31}]}`.
_FIRST_ASKED_FOR = ("json_array", "0", "json_obj")
# A plain path that ends with a word.
_WITHOUT_SLASH = re.compile(rb"[^?]*/[^/?.]+")


def only_reads(request: Request) -> bool:
    """Whether a request asks for an answer and changes nothing: by its method, as a GraphQL query, or by calling what only reads."""
    if request.method.upper() == "GET" or is_question(request):
        return True
    asks = request.method.upper() == "POST" and (_READS.search(request.body) is not None or only_queries(request))
    return asks and _CHANGES.search(request.body) is None


def asks(request: Request) -> bool:
    """Whether a request asks for an answer, be it by a POST whose address says so."""
    if only_reads(request):
        return True
    if request.method.upper() != "POST" or _CHANGES.search(request.body):
        return False
    last = (
        _persisted(request) or procedure_of(request) or request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")
    )
    return asks_for_several(request) or _ASKS.search(parted(last, "-").lower()) is not None


def _persisted(request: Request) -> str:
    """The name of an operation whose document the server has kept, so that only its name says what it does; else empty."""
    if b'"operationName"' not in request.body or b'"query"' in request.body:
        return ""
    steps = ("post", "json_doc", "json_obj", "operationName")
    return next((each.value.decode("utf-8", "replace") for each in walked(request) if tuple(each.point) == steps), "")


def named_objects(request: Request, own: frozenset[str] = frozenset()) -> list[Named]:
    """The identifiers that a request names, the innermost last. own: words in lower case that are known to be some."""
    return [*_named_objects(request, own)]


@lru_cache(16)  # asked of one baseline by several probes, and by what looks for pages that show its objects
def _named_objects(request: Request, own: frozenset[str]) -> list[Named]:
    found = [found for found in walked(request) if len(found.point) == 2 and found.point[0] in ("path", "get")]
    segments = [(each.point, each.value.decode("utf-8", "replace")) for each in found if each.point[0] == "path"]
    keys = _keys(request)
    operation = operation_of(request)
    named: list[Named] = []
    for number, (point, value) in enumerate(segments):
        for key, chosen in keys.get(point[1], ()):
            sure = is_identifier(chosen) or chosen.lower() in own
            named.append(Named(key, chosen, None if named else list_above(request, key), sure))
        if point[1] in keys:
            continue
        sure = is_identifier(value) or value.lower() in own
        if sure or (operation is None and _may_be_name(value, number, len(segments), request)):
            # The root lists nothing of a kind.
            above = None if named or not number else list_above(request, point)
            named.append(Named(point, value, above, sure))
    in_path = bool(named)
    within = [] if operation is not None else _within_query(request, own, in_path)
    for each in found:
        if operation is not None and each.point[1] in _OF_GRAPHQL:
            continue
        if each.container and each.value.lstrip()[:1] == b"{":
            continue
        value = _chosen(each.point[1], each.value.decode("utf-8", "replace"), own) if each.point[0] == "get" else ""
        if value:
            named.append(Named(each.point, value, None if in_path else _without(request, each.point)))
    named += within
    if not asks(request):
        return named
    beside = [Named(point, value, None) for point, value in named_beside(request, own)]
    return beside + named + named_fields(request, own)


def _within_query(request: Request, own: frozenset[str], in_path: bool) -> list[Named]:
    """What an object in a parameter of the query chooses by: `/rpc/ticket.byId?input={"id":7}`, `/notes?filter={"where":{"ownerId":7}}`."""
    named: list[Named] = []
    for each in walked(request):
        steps, value = tuple(each.point), each.value.decode("utf-8", "replace")
        if steps[:1] != ("get",) or steps[2:4] != ("json_doc", "json_obj") or steps[-2] != "json_obj":
            continue
        # `{"price": {"gte": 20}}` bounds something, as `price_gte=20` does.
        name = "_".join(steps[4::2])
        chosen = _chosen(name, value, own) if not each.container and _ONE_WORD.fullmatch(value) else ""
        if chosen:
            named.append(Named(each.point, chosen, None if in_path else _without(request, Point(steps[:2]))))
    return named


def named_fields(request: Request, own: frozenset[str] = frozenset()) -> list[Named]:
    """The fields of a body that choose an object, by their names or the look of their values; those by name last.

    Of a GraphQL document its arguments; of any other its own fields, those of the objects in it, and lists of identifiers.
    own: words in lower case that are known to be identifiers.
    """
    if operation_of(request) is not None:
        return _arguments(request, own)
    if not request.body:
        return []
    named: list[Named] = []
    is_call, several = bool(procedure_of(request)), asks_for_several(request)
    callers = {one.point for one in of_a_call(request)} if is_call else frozenset[Point]()
    for each in walked(request):
        if each.point in callers:
            continue
        steps, value = tuple(each.point), each.value.decode("utf-8", "replace")
        name = steps[-1] if several and steps[-4:-1] == _FIRST_ASKED_FOR else _field_of(steps)
        if is_call:
            name = steps[-1] if steps[:-1] == _ONLY_ARGUMENT else name
            name = "" if steps[:-1] in _FIELDS and name in ENVELOPE else name or _element_of(steps)
        # A text looks random to whoever looks for words in it, and so does a token of the form.
        is_token = is_form_token(each.point) and not _by_name(name)
        chosen = _chosen(name, value, own) if name and _ONE_WORD.fullmatch(value) and not is_token else ""
        chosen = value if is_call and name and calls_somebody(request, value, own) else chosen
        if chosen:
            named.append(Named(each.point, chosen, None))
    return sorted(named, key=lambda one: (not _receives(_own_name(one.point[-1])), _by_name(_own_name(one.point[-1]))))


def _own_name(field: str) -> str:
    """A field's name without the controls that it stands in, and what it is by its first letters: `CustomerId` of
    `ctl00$Main$hidCustomerId`.
    """
    return _IN_CONTROLS.sub("", field) if "$" in field else field


def _receives(name: str) -> bool:
    return _RECEIVES.match(parted(name)) is not None


def _field_of(steps: tuple[str, ...]) -> str:
    """The name of a field in the body's object or in one below it; of a list's entry the list's; of a body that is a
    list the name of what chooses its first object. Empty for anything else.
    """
    if steps[:-1] in _FIELDS:
        return _own_name(steps[-1])
    if steps[:-1] == _FIRST_OF_MANY:
        return steps[-1] if _by_name(steps[-1]) else ""
    if len(steps) < 3 or steps[:-3] not in _FIELDS:
        return ""
    return steps[-1] if steps[-2] == "json_obj" else steps[-3] if steps[-2] == "json_array" else ""


def _element_of(steps: tuple[str, ...]) -> str:
    """The local name of an element in a message's body; empty for anything else, as what a SOAP header says of the message."""
    is_element = steps[:2] == ("post", "xml") and len(steps) > 3 and steps[-2] == "xml_tag"
    local = [step.rpartition(":")[2] for step in steps[3::2]]
    return local[-1] if is_element and local[:2] != ["Envelope", "Header"] else ""


def _arguments(request: Request, own: frozenset[str]) -> list[Named]:
    """What a GraphQL query asks with: its variables, and the literal arguments in it."""
    named: list[Named] = []
    for each in walked(request):
        steps = tuple(each.point)
        # A variable, or a field of one that is an object.
        below = [steps[len(each) :] for each in VARIABLES if steps[: len(each)] == each]
        is_variable = any(len(each) == 1 or each[1:-1] == ("json_obj",) for each in below)
        if is_variable or "graphql" in steps[:-2]:
            value = each.value.decode("utf-8", "replace")
            name = steps[-1] if _by_name(steps[-1]) else argument_of(request, steps[-1])
            chosen = _chosen(name, value, own) if _ONE_WORD.fullmatch(value) else ""
            chosen = value if calls_somebody(request, value, own) else chosen
            if chosen and not is_of_framework(each.point):
                named.append(Named(each.point, chosen, None))
    return sorted(named, key=lambda one: _by_name(one.point[-1]))


def asking_for(request: Request, named: Named, value: str) -> Request | None:
    """The request for another object; None where its place cannot hold the value."""
    try:
        return rewrite(request, named.point, value.encode())
    except UserError:
        return None


def kind_of(request: Request, named: Named) -> str:
    """The word for what an identifier chooses (`order` in `/orders/7`, in `order_id=7` and in `/order?id=7`); empty where none is."""
    in_path = named.point[0] == "path"
    path = list_above(request, named.point) if in_path else request.path
    before = [re.split(r"[(.]", segment.decode("latin-1"))[0].lower() for segment in path.split(b"/") if segment]
    if not in_path:
        own = word_of(named)
        # GraphQL: `ticket(id: 7)` and `updateTicket(id: 7)` say so by the field.
        about = what_is_called(request)
        before = [*before, *([about] if about else words_of(request))]
        before += kind_words(request)[-1:] if page_asked(request) else ()
        # `ticketid` of `ticket.get` without any sign between.
        own = own[:-2] if own[-2:] == "id" and own[:-2] in before else own
        before = [*before, own.removeprefix("x-")] if own not in ("", "x") else before
    words = [word for word in before if word and not is_identifier(word) and _NO_NAME.fullmatch(word) is None]
    return re.sub(r"(?:ies|s|y)$", "", words[-1]) if words else ""


def word_of(named: Named) -> str:
    """The word in the name of what holds an identifier: `order` of `order_id` and of `orderId`; empty of `id`."""
    name: str = _SUFFIX.sub("", parted(_own_name(named.point[-1]).rpartition(":")[2]))
    return name.strip("_-").lower()


def absent(value: str, random: Random) -> str:
    """An identifier of the same look that is surely nobody's."""
    told = GlobalId.read(value)
    if told is not None:
        return told.of(absent(told.inner, random))
    if _NUMBER.fullmatch(value):
        return str(random.randint(10**8, 10**9))
    if _UUID.fullmatch(value):
        return str(UUID(int=random.getrandbits(128), version=4))
    if _HEX.fullmatch(value):
        return "".join(random.choice("0123456789abcdef") for _ in value)
    drawn = fresh_letters(random, 12)
    # RFC 2606: nobody has an address there.
    return f"{drawn}@example.com" if "@" in value else drawn


def neighbours(value: str, reach: int = 2) -> list[str]:
    """The numbers beside a number, which such objects are counted by, the nearest first; none for any other identifier."""
    told = GlobalId.read(value)
    if told is not None:
        return [told.of(each) for each in neighbours(told.inner, reach)]
    if not _NUMBER.fullmatch(value):
        return []
    number = int(value)
    return [str(each) for step in range(1, reach + 1) for each in (number + step, number - step) if each > 0]


def _chooses(name: str, value: str) -> bool:
    """Whether a parameter chooses an object, by its name or by the look of its value."""
    if says_how_much(name):
        return False
    return is_identifier(value) or _by_name(name)


def _by_name(name: str) -> bool:
    return _CHOOSES.search(parted(name)) is not None


def _chosen(name: str, value: str, own: frozenset[str] = frozenset()) -> str:
    """The identifier that a parameter chooses by, the first where it gives several; empty where it chooses none."""
    if value.lower() in own and _CHOOSES_WHOSE.search(parted(name)):
        return value
    first = value.partition(",")[0].strip()
    if _CHOOSES_SEVERAL.search(parted(name)) and is_identifier(first):
        return first
    return value if value and _chooses(name, value) else ""


def _may_be_name(value: str, number: int, count: int, request: Request) -> bool:
    """Whether the last of several segments may be a name that somebody chose, or the one before a view of it (`/download`);
    its list tells whether it is.
    """
    if count < 2 or request.query is not None:
        return False
    if number + 2 == count:
        last = request.path.rpartition(b"/")[2].decode("latin-1")
        return number > 0 and bool(value) and _VIEWS.fullmatch(last) is not None and _NO_NAME.fullmatch(value) is None
    shown = count > 2 and _VIEWS.fullmatch(value) is not None
    return number + 1 == count and bool(value) and not shown and _NO_NAME.fullmatch(value) is None


def _keys(request: Request) -> dict[str, list[tuple[Point, str]]]:
    """The keys in parentheses behind a segment's name (OData) or before a custom method, by the number of the segment."""
    keys: dict[str, list[tuple[Point, str]]] = {}
    for each in walked(request):
        value = each.value.decode("utf-8", "replace")
        if is_key(each.point) and chooses_one(request, each.point, value):
            keys.setdefault(each.point[1], []).append((each.point, value))
    return keys


def list_above(request: Request, point: Point) -> bytes:
    """The path of the list that an object of the path stands in: `/orders` of `/orders/7`, `/orders/7:cancel` and `/orders(7)`."""
    segments = request.path.split(b"/")
    place = int(point[1]) + 1
    name, parenthesis, _ = segments[place].partition(b"(") if is_key(point) else (b"", b"", b"")
    return b"/".join([*segments[:place], name] if parenthesis else segments[:place])


def _without(request: Request, point: Point) -> bytes:
    target: bytes = remove(request, point).target
    return target


def listing(request: Request, collection: bytes) -> Request:
    """A plain question for a list, with what the request itself says about its sender. Applications whose addresses end
    with a slash answer others with no more than the way there.
    """
    if request.path.endswith(b"/") and _WITHOUT_SLASH.fullmatch(collection):
        collection += b"/"
    return reading(request, collection)
