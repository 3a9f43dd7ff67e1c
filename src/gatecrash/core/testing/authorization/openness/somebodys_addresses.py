"""What an address says of whose it is: somebody's, kept by people for themselves, or the card of a member for others to read."""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations.graphql import VARIABLES, operation_of
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.leaves import leaves

# Parts of addresses at which things are done for somebody, or by those who run the site.
_OF_SOMEBODY = re.compile(
    r"(?:^|[/._-])(?:admin(?:istration)?|manage(?:r|ment)?|internal|private|staff|settings|config|backups?|debug|dashboard|console"
    r"|accounts?|users?|profiles?|me|members?|customers?|clients?|patients?|employees?|orders?(?![-_.]?by(?![a-z]))|invoices?|payments?|billing"
    r"|cards?|wallets?|balances?|transactions?|transfers?|messages?|inbox|mailbox|secrets?|keys?|tokens?|exports?|reports?)"
    r"(?=$|[/._-])",
    re.IGNORECASE,
)
# What people keep for themselves or for their company: a catalogue has none of it. Told by clients that send a key or a token;
# a site may show some of it to its visitors.
_KEPT = re.compile(
    r"(?:^|[/._-])(?:notes?|tasks?|todos?|documents?|files?|uploads?|folders?|drafts?|contracts?|tickets?|cases?|claims?"
    r"|carts?|baskets?|checkouts?|bookings?|reservations?|appointments?|prescriptions?|records?|loans?|deposits?|savings"
    r"|beneficiar(?:y|ies)|vehicles?|devices?|subscriptions?|histor(?:y|ies)|activit(?:y|ies)|logs?|audits?|backups?|dumps?"
    r"|env|actuator|metrics|heapdump|trace|system|salar(?:y|ies)|payroll|payslips?|students?|grades?|tenants?|teams?"
    r"|projects?|credentials?|passwords?|sessions?|permissions?|roles?|notifications?|contacts?|addresses|leads|refunds?|volunteers?|passengers?|residents?"
    r"|shipments?|purchases?|quotes?|meetings?|journals?|diar(?:y|ies)|chats?|mails?|conversations?|submissions?"
    r"|respondents?|applicants?|registrations?|attendees?|participants?|subscribers?|timesheets?|expenses?"
    r"|(?:jobs?|positions?|vacanc(?:y|ies)|openings?|recruit(?:ing|ment)?|hr)/(?:[^/]+/)?candidates?"
    r"|(?:forms?|surveys?|questionnaires?|quiz(?:zes)?|exams?)/[^/]+/(?:results?|answers|responses))(?=$|[/._-])",
    re.IGNORECASE,
)
# A page about one member, as forums show it to their visitors.
_CARD = re.compile(r"/(?:users?|profiles?|members?)/(?!(?:me|self|edit|new|settings|account)\b)[^/]+/?$", re.IGNORECASE)
_ONE_MEMBER = re.compile(r"/(?:get-)?(?:user|profile|member|person|author|seller)(?:-by(?:-\w+){1,3})?", re.IGNORECASE)
_OF_MEMBERS = re.compile(r".?(?:users?|profiles?|members?)", re.IGNORECASE)
_ALL_MEMBERS = re.compile(r"(?:^|[/._-])(?:users|profiles|members|people|authors|sellers)/?$", re.IGNORECASE)
# Of these addresses the ones that catalogues and forums have for their visitors, too.
_OFTEN_SHOWN = re.compile(
    r"(?:^|[/._-])(?:exports?|reports?|members?|users?|profiles?|clients?|settings|config|keys?|tokens?|cards?)(?=$|[/._-])",
    re.IGNORECASE,
)
# Cards of a board or an album are nobody's by their name; those that pay tell so.
_ANY_CARD = re.compile(r".cards?", re.IGNORECASE)
_PAYS = re.compile(
    r"last_?(?:4|four)(?:_?digits)?|(?:card_?)?(?:no|num|number|holder|brand|network|type)|pan|expir\w*|exp_?(?:month|year)|valid_?(?:thru|until)"
    r"|cv[vc]|iban|balance|(?:credit_?|daily_?)?limit|currency|pin|(?:is_?)?(?:blocked|frozen|locked)|state|status"
    r"|(?:owner|user|customer|account|member|holder)(?:_?id)?",
    re.IGNORECASE,
)


def is_of_members(path: str) -> bool:
    """Whether an address is that of one member, or of all; not of the caller himself, nor for those who keep the site."""
    words = _OF_SOMEBODY.findall(path)
    one_or_all = _CARD.search(path) or _ALL_MEMBERS.search(path)
    return one_or_all is not None and all(map(_OF_MEMBERS.fullmatch, words)) and _KEPT.search(path) is None


def asks_for_one_member(request: Request, path: str) -> bool:
    """Whether a GraphQL query asks for one member by what it names him with: `user(name: "ann")`, and not `user` alone, which may be
    the caller.
    """
    if operation_of(request) is None or _ONE_MEMBER.fullmatch(path) is None:
        return False
    points = (found.point for found in walk(request).points if not found.container)
    return any(
        "graphql" in point[:-1] or any(point[: len(where)] == where != point for where in VARIABLES) for point in points
    )


def is_somebodys(path: str, good: Response, *, often: bool) -> bool:
    """Whether an address says that something is somebody's. often: also by one word alone that sites show to visitors, too.
    A table of what people keep needs no second word: `/export/claims.csv`.
    """
    found = _OF_SOMEBODY.findall(path)
    told = leaves(good)
    shows = told or media_type(good) == "text/html"
    if shows and not any(leaf.path and _PAYS.fullmatch(leaf.path[-1]) for leaf in told):
        found = [word for word in found if not _ANY_CARD.fullmatch(word)]
    is_table = ("csv" in media_type(good) or path.endswith(".csv")) and _KEPT.search(path) is not None
    return bool(found) and (often or len(found) > 1 or is_table or _OFTEN_SHOWN.search(path) is None)


def is_called_somebodys(path: str) -> bool:
    """Whether a path, or a part of one, names what is done for somebody, or by those who run the site."""
    return _OF_SOMEBODY.search(path) is not None


def is_called_kept(path: str) -> bool:
    """The same, or what people keep to themselves."""
    return is_called_somebodys(path) or _KEPT.search(path) is not None


def is_page_of_a_member(path: str) -> bool:
    """Whether a path is that of one member's page, as forums show it to their visitors."""
    return _CARD.search(path) is not None


def is_kept_beside_a_member(path: str) -> bool:
    """Whether what stands before the member in such a path is somebody's by itself."""
    return is_called_somebodys(_CARD.sub("/", path))


def is_kept_by_people(path: str) -> bool:
    """Whether a path names what people keep for themselves."""
    return _KEPT.search(path) is not None
