"""What says that a function is for those who manage an application: its name, or a section above it or the page with its form
that is refused to a lower rank.

evidence = yield from evidence_above(request, lower, pages)   in words; empty where nothing says so
sections_above(request, pages)                                the addresses that are asked for it
as_judged(request)                                            the request as its risk is judged
"""

import re
from collections.abc import Generator, Iterable

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.ranks.ranked_functions import says_by_its_name, section_of_managers
from gatecrash.core.testing.authorization.ranks.role_sections import ordinary_roles, was_led_into
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page, landing_of
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.words.named import ByteWords

_MOST_SECTIONS = 3
_REFUSED = (401, 403)
_ITS_BUSINESS = re.compile(
    rb"role|account|profile|permission|privilege|deactivate|suspend|disable|\bban\b|(?:purge|clear|reset)[-_]?(?:all[-_]?)?caches?",
    re.IGNORECASE,
)

# What a page's scripts and forms ask beside it.
_CALLED_BY_PAGE = re.compile(
    rb"(?P<page>[a-z][\w-]*?)[_-](?:data|save|update|list|json|ajax|api|process|handler|action|edit|delete|remove|add|create|export)"
    rb"(?P<ending>\.(?:php\d?|phtml|aspx?|ashx|jspx?|do|cgi|pl|cfm))",
    re.IGNORECASE,
)
# What gives a page as a file beside it: `/desk/tides.csv` of `/desk/tides`.
_FILE_OF_PAGE = re.compile(rb"(?P<page>.*/[\w-]+)\.(?:csv|tsv|xlsx?|ods|pdf|json|xml|txt|zip)", re.IGNORECASE)
# The page with the form of what is sent to `/tides` or `/tides/7`, and the words of what is sent beside it: `/tides/create`.
_SHOWS_FORM = re.compile(rb"new|add|create|edit|compose|form", re.IGNORECASE)
# Whoever asks, of all that the section above lists: `/users/me` is everybody's where `/users` is for some alone.
_ONESELF = ByteWords(rb"^(?:me|self|myself|my|mine|whoami)$", re.IGNORECASE)
_SENT_BESIDE = re.compile(rb"create|store|save|insert|update|submit|add", re.IGNORECASE)

_Saying = Generator[TestRequest, Answer, str]


def evidence_above(request: Request, lower: Identity, pages: Iterable[Page] = ()) -> _Saying:
    """What says that the function is for the higher rank, in words; empty where nothing does. pages: those beside it."""
    led = was_led_into(section_of_managers(request), lower)
    said = says_by_its_name(request, ordinary_roles(lower), led=led)
    if said:
        return said
    pages = tuple(pages)
    for section in sections_above(request, pages):
        theirs = yield from _kept_out(request, section, lower)
        if theirs is None:
            continue
        own = response_of((yield from ask(listing(request, section), "control")))
        own_is_let_in = is_good(own) if _is_led_away(request, section, theirs) else not _is_refused(own)
        # A session that is lost for a moment is refused anything, once.
        if own_is_let_in and (yield from _kept_out(request, section, lower)) is not None:
            where = section.decode("latin-1")
            if section == request.path:
                return f"{where}, asked by GET, is refused to the same identity."
            if section == _form_page(request, pages):
                return f"{where}, the page with its form, is refused to the same identity."
            if not request.path.startswith(section + b"/"):
                return f"{where}, the page that it belongs to, is refused to the same identity."
            return f"The section {where} above it is refused to the same identity."
    return ""


def _kept_out(request: Request, section: bytes, lower: Identity) -> Generator[TestRequest, Answer, Response | None]:
    """The answer of a section that refuses the lower identity, or leads it away; None where it is let in."""
    theirs = response_of((yield from ask_as(listing(request, section), lower.name, "control")))
    return theirs if _is_refused(theirs) or _is_led_away(request, section, theirs) else None


def sections_above(request: Request, pages: Iterable[Page] = ()) -> list[bytes]:
    """Where the same is read by GET, for what changes something, and the paths above it, the nearest first; not the
    root, nor what is above a word for whoever asks. The page with its form comes before these. Among flat names a page
    stands above what it calls: `people.php` above `people_save.php`; and any page above itself as a file: `/tides` above
    `/tides.csv`.

    All that GraphQL does has one address.
    """
    if operation_of(request) is not None:
        return []
    folder, _, name = request.path.rpartition(b"/")
    flat = _CALLED_BY_PAGE.fullmatch(name)
    segments = request.path.rstrip(b"/").split(b"/")
    last = len(segments) - (1 if is_safe(request) else 0)
    of_oneself = max((at for at, each in enumerate(segments) if _ONESELF.search(each)), default=0)
    above = [b"/".join(segments[:end]) for end in range(last, max(1, of_oneself), -1)]
    calling = folder + b"/" + flat["page"] + flat["ending"] if flat else _form_page(request, pages)
    as_file = _FILE_OF_PAGE.fullmatch(request.path) if is_safe(request) else None
    calling = as_file["page"] if as_file else calling
    return [*([calling] if calling else []), *above][:_MOST_SECTIONS]


def _form_page(request: Request, pages: Iterable[Page]) -> bytes:
    """The page that a browser sent a form from, where it shows nothing else, by its address: `/tides/new` for what is
    sent to `/tides` or `/tides/create`; empty for any other page, as from those much is sent that others may do
    elsewhere.
    """
    page = form_page_of(request, pages) if not is_safe(request) else None
    path, own = (page or b"").partition(b"?")[0].rstrip(b"/"), request.path.rstrip(b"/")
    above, _, word = path.rpartition(b"/")
    folder, _, sent = own.rpartition(b"/")
    is_its_form = above == own or (above == folder and _SENT_BESIDE.fullmatch(sent) is not None)
    return path if is_its_form and _SHOWS_FORM.fullmatch(word) else b""


def _is_refused(response: Response) -> bool:
    return response.status in _REFUSED or (response.status < FIRST_ERROR and refusal(response) is not None)


def _is_led_away(request: Request, section: bytes, theirs: Response) -> bool:
    """Whether a site redirects who asks for a section to a page outside of it, as sites do with those who may not read it."""
    landing = landing_of(listing(request, section), theirs)
    path = (landing or section).partition(b"?")[0].rstrip(b"/")
    return path != section and not path.startswith(section + b"/")


def as_judged(request: Request) -> Request:
    """The request as its risk is judged: a role or an account that is changed, or that may not sign in any more, is what such
    functions are for; what was done to it when it was recorded is done to it once more.
    """
    changed: Request = request
    if request.method.upper() in ("POST", "PUT", "PATCH"):
        changed = msgspec.structs.replace(request, target=_ITS_BUSINESS.sub(b"", request.path))
        if operation_of(request) is not None or procedure_of(request):
            changed = msgspec.structs.replace(changed, body=_ITS_BUSINESS.sub(b"", request.body))
    return changed
