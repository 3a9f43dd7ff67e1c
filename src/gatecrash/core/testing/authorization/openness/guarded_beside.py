"""Whether what stands around an endpoint asks for credentials: then the endpoint should have asked, too.

Asked are recorded pages and the addresses above it, without credentials and with them, by GET. One counts that refuses
a visitor and answers the caller, and not one that is shown with a login form beside; for what reads, no form of a
change (`/desk/7/edit`) below what visitors may read. For what changes something it may be the page of its form, its
object or the section that it stands in; for what reads its own object, the same in another format, or a page beside it
in a part of the site for some (`/staff`). Where one script does several things (`/issue?do=edit`), another query of it
is a page of its own: one that asks for less of the same says something of what reads (`/issue?id=7` of
`/issue?id=7&print=1`), any but another function's of what changes. A page of its own on paper or as a file
(`/order_print?id=7`) is asked for at the thing's address (`/order?id=7`), where that is nothing that is published and
what names the thing can be counted: a key or a signature in a link lets its reader in where he is not known.
"""

import re
from collections.abc import Generator
from urllib.parse import parse_qsl

from gatecrash.core.message import Request, reading
from gatecrash.core.testing.addresses.sections import above, in_part_for_some, is_form_of, names_the_object
from gatecrash.core.testing.asking import ask, ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.openness.everybodys import ends_published, of_the_sign_in
from gatecrash.core.testing.authorization.openness.guest_acts import ends_in_a_key
from gatecrash.core.testing.authorization.openness.login_beside import is_shown_beside_a_login
from gatecrash.core.testing.authorization.openness.member_cards import is_card_of_a_member, shows_member_cards
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.one_script import names_page
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, is_good, is_taken, refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST = 3
# What is given to visitors of things that are guarded otherwise, and what they do before they are known.
_FOR_VISITORS = re.compile(
    r"/(?:log-?in|log-?out|sign-?(?:in|up|out)|register|registration|join|forgot\w*|reset\w*|recover\w*|verify|activate|confirm\w*"
    r"|captcha|avatar|photo|picture|image|thumb(?:nail)?s?|logo|cover|icon|banner|preview|public|embed|rss|feed|help|terms|privacy"
    r"|faq|about|lang(?:uage)?|theme|consent|unsubscribe|web-?hooks?|callback|track(?:ing)?|views?|visits?|availability"
    r"|status|static|assets|css|js|schema|options|config|share|shared)(?:\.\w{2,5})?/?$",
    re.IGNORECASE,
)
# What anybody comes to by counting, and the words beside it that choose a view.
_NUMBER, _WORD = re.compile(r"\d[\d-]{0,11}"), re.compile(r"[a-z]{0,12}", re.IGNORECASE)

_Saying = Generator[TestRequest, Answer, str]


def guarded_around(situation: Situation) -> _Saying:
    """What stands around the baseline and is kept from visitors, in words; empty where nothing is seen to be."""
    request = situation.baseline.request
    reads = is_safe(request) or only_reads(request)
    path = request.path.decode("latin-1")
    if of_the_sign_in(path) or (reads and (is_for_visitors(path) or _is_a_card(situation, path))):
        return ""
    for target in _candidates(situation, reads)[:_MOST]:
        plain = reading(request, target)
        if destroys(plain):
            continue
        bare = without_credentials(plain, situation.credentials)
        stranger = response_of((yield from ask_raw(bare, "control")))
        kept = refusal(stranger)
        if kept and reads and names_a_change(plain) and (yield from _open_above(situation, target)):
            continue
        mine = response_of((yield from ask(plain, "control"))) if kept else stranger
        if kept == LOGIN_FORM and (yield from is_shown_beside_a_login(situation, bare, stranger, mine)):
            continue
        if kept and is_taken(mine):
            where = target.partition(b"?")[0].decode("latin-1")
            return f" {where}, {_related(request, where)}, is kept from visitors."
    return ""


def _is_a_card(situation: Situation, path: str) -> bool:
    """Whether it is what a member shows of himself to visitors, though the rest of him is kept: `/users/7/badge` below `/users/7`."""
    response = situation.baseline.response
    return response is not None and is_card_of_a_member(path) and shows_member_cards(response, path)


def _open_above(situation: Situation, target: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether what a form of a change stands below is given to visitors: who may not edit a page may read it, in every form."""
    own, path = situation.baseline.request, _path(target)
    for upper in above(path)[:1]:
        if own.path.startswith(upper + b"/"):
            # As all of its addresses are written, so that it is not sent there first.
            page = reading(own, upper + b"/" * path.endswith(b"/"))
            bare = without_credentials(page, situation.credentials)
            return is_good(response_of((yield from ask_raw(bare, "control"))))
    return False


def is_for_visitors(path: str) -> bool:
    """Whether an address names what visitors may read of things that are guarded otherwise."""
    return _FOR_VISITORS.search(path) is not None or ends_published(path)


def _candidates(situation: Situation, reads: bool) -> list[bytes]:
    """The addresses whose guard says something of the request, the nearest first."""
    request = situation.baseline.request
    tells = _tells_of_reading if reads else _tells_of_changing
    page = next((path for path in map(_path, situation.around) if is_form_of(request.path, path)), None)
    beside = [each for each in situation.around if in_part_for_some(request.path) or _path(each) != page]
    recorded = [target for target in beside if tells(request, target)]
    if page is not None and reads and not is_for_visitors(page.decode("latin-1")) and _is_counted(request.query):
        recorded.insert(0, page + b"?" + (request.query or b""))
    own = [] if reads else [request.path]
    # By the description of an API a list that is guarded says it of each of its objects; not of one at an address that nobody guesses.
    asked = situation.declared is not None and situation.declared.asks
    described = asked and not ends_in_a_key(request.path)
    upper = [
        target for target in above(request.path) if not reads or described or names_the_object(request.path, target)
    ]
    return list(dict.fromkeys([*recorded, *own, *upper]))


def _tells_of_reading(request: Request, target: bytes) -> bool:
    path, _, query = target.partition(b"?")
    if path == request.path:
        return in_part_for_some(path) or _asked(query) <= _asked(request.query)
    if request.path.startswith(path.rstrip(b"/") + b"/"):
        return names_the_object(request.path, path) or in_part_for_some(request.path)
    return True


def _tells_of_changing(request: Request, target: bytes) -> bool:
    path, _, query = target.partition(b"?")
    own = dict(_asked(request.query)) if path == request.path else {}
    return all(own.get(name, value) == value or not names_page(name) for name, value in _asked(query))


def _path(target: bytes) -> bytes:
    return target.partition(b"?")[0]


def _is_counted(query: bytes | None) -> bool:
    """Whether a query names what it asks for by one number, and by nothing that is hard to guess."""
    values = [value for _, value in _asked(query)]
    others = [value for value in values if not _NUMBER.fullmatch(value)]
    return len(values) - len(others) == 1 and all(map(_WORD.fullmatch, others))


def _asked(query: bytes | None) -> frozenset[tuple[str, str]]:
    return frozenset(parse_qsl((query or b"").decode("latin-1"), keep_blank_values=True))


def _related(request: Request, where: str) -> str:
    path = request.path.decode("latin-1")
    if where == path:
        return "asked by GET"
    return "which it stands below" if path.startswith(where.rstrip("/") + "/") else "which stands beside it"
