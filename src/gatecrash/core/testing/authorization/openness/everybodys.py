"""What is for everybody by its nature, told by the address: what is published, what a page asks for before anybody signs in,
and what visitors send: feedback, their subscription to a newsletter, a review that names who wrote it, what a page counts, a
question for a price.

Words decide here, so they are kept to those that hardly mean anything else. Addresses of somebody's (`/orders/3/review`) are not
asked about here: `exposure` knows them.
"""

import re
from collections.abc import Collection

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Request, Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import CREATED
from gatecrash.core.testing.operations.graphql import argument_of, deed_of, says_what_is_called
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.names import parted

# What is published for everybody, and what tells of a service itself.
_PUBLISHED = re.compile(
    r"^/+$|(?:^|[/._-])(?:public|open[_-]?data|about|announcements?|articles?|assets|authors?|auto[_-]?complete|banners?|blogs?|books?|branch(?:es)?|brands?"
    r"|bulletins?|catalog(?:ue)?s?|categor(?:y|ies)|cities|countr(?:y|ies)|courses?|currenc(?:y|ies)|docs|events?|exchange[_-]?rates?"
    r"|explore|faqs?|features?|flags|flights?|games?|genres?|health(?:z|check)?|(?:lb)?heartbeat|help|holidays?|home|hotels?|hours|landing|languages?|leader-?boards?|listings?"
    r"|live(?:z|ness)?|locales?|locations?|menus?|movies?|museums?|news|notices|offers?|openapi|openings|ping|places?|plans?|posts?|prices?"
    r"|pricing|products?|promotions?|rankings?|rates|ratings?|ready(?:z|ness)?|recipes?|regions?|restaurants?|reviews?|robots\.txt|rss|schedules?"
    r"|sellers|sitemap|songs?|static|stations?|status|stores?|shops?|suggest(?:ions?)?|swagger|tags?|terms|testimonials?|time(?:table)?s?|topics?"
    r"|trending|typeahead|units?|vacanc(?:y|ies)|versions?|weather|zones?)(?=$|[/._-])",
    re.IGNORECASE,
)
# What things are called by, and what else a catalogue says of each.
_CALLED = re.compile(r"name|title|label", re.IGNORECASE)
_OF_THINGS = re.compile(
    r"_?id|uuid|name|title|label|slug|sku|code|category|type|kind|tags?|price|currency|unit|size|colou?r|brand|model"
    r"|image(?:_?url)?|icon|thumbnail|photo|city|town|country|region|language|speciali[sz]ation|specialty|speciality|rating|stars|season"
    r"|(?:hourly|daily|nightly)(?:_(?:rate|price|fee|tariff))?|tariff|places|spaces|seats|beds|rooms|floors?|hidden|visible|published"
    r"|months?|hours|opening_?hours|available|availability|in_?stock|stock|capacity|latin_?name|origin|material|genre|year",
    re.IGNORECASE,
)
# Around a list of them: how many there are, and that all went well.
_AROUND_THINGS = re.compile(
    r"success|ok|status|message|total|count|page|pages|limit|offset|per_?page|size|has_?more|next|prev", re.IGNORECASE
)
_CALLED_PUBLIC = re.compile(r"public(?:[-_]\w++(?:-\w++)*+)?|\w+[-_]public", re.IGNORECASE)
# Servers of files say `public, max-age=0` of all that they have: nothing is kept then. `s-maxage` is for shared caches alone.
_SHARED = re.compile(
    rb"(?=(?=.*\bpublic\b).*\bmax-age\s*=\s*[1-9]|.*\bs-maxage\s*=\s*[1-9])(?!.*\b(?:private|no-store)\b)",
    re.IGNORECASE,
)
# A number, a UUID, a version, a title made fit for an address: no word of it.
_NO_WORD = re.compile(
    r"\d+|v\d+|[0-9a-f-]{16,}|[^/]*\d{4,}[^/]*|(?:[a-z0-9]+-){3,}[a-z0-9]+|(?:[a-z]+-){2,}(?=[a-z]*\d)[a-z0-9]+",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"comments|replies", re.IGNORECASE)
_VERSION_NAMED = re.compile(r"(?:\w*_)?version|\w*Version")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][\w.+-]{1,40})?")
# What a page reads first of all, to know how to look.
_OF_THE_PAGE = re.compile(
    r"(?:(?:app|client|front-?end|public|shop|site|store|ui|web)[-_]?)?(?:config(?:uration)?|settings|bootstrap|i18n"
    r"|translations?)(?:\.js(?:on)?)?",
    re.IGNORECASE,
)
# What a login, a registration or a forgotten password asks for before anybody is known.
_OF_THE_SIGN_IN = re.compile(
    r"(?:security|secret)[-_]?questions?|exists|(?:re)?captchas?|(?:forgot|forgotten|lost)(?:[-_]?(?:password|passwd|username))?"
    r"|(?:check|find)[-_]?(?:e?mail|user(?:name)?|login)|(?:e?mail|user(?:name)?|login)[-_]?(?:exists?|available|availability|taken)"
    r"|password[-_]?(?:policy|rules|requirements)|(?:login|sign[-_]?in)[-_]?(?:options|methods|providers)",
    re.IGNORECASE,
)
_OF_REGISTERING = re.compile(
    r"(?:accounts?|auth|users?|regist(?:er|ration)|sign-?up|security|password|reset)[/_-]?question(s?)/?$",
    re.IGNORECASE,
)
_BESIDE_A_QUESTION = re.compile(r"_?id|uuid|number|status|success|ok|total|count|lang(?:uage)?|locale|\w+(?:_at|At)")
_FEEDBACK = re.compile(
    r"feedbacks?|contact(?:[-_]?(?:us|me|form))?|newsletters?|(?:un)?subscribe|wait(?:ing)?[-_]?list|csp(?:[-_]?(?:reports?|violations?))?"
    r"|analytics|telemetry|beacons?|page[-_]?views?|impressions?|web[-_]?vitals|(?:client|js|browser)[-_]?(?:errors?|logs?)"
    r"|quote|estimate|availability|(?:free[-_]?)?(?:time[-_]?)?slots|(?:cookie[-_]?)?consent|(?:bug|problem|abuse|issue|crash)[-_]?reports?"
    r"|problems?|complaints?|(?:in|en)quir(?:y|ies)|petitions?|report[-_]?(?:an?[-_]?)?(?:bug|problem|abuse|issue|error)",
    re.IGNORECASE,
)
# The same where it is called by its name: `sendFeedback`, `subscribeToNewsletter`. Whoever creates a contact keeps one.
_SENDS, _MAKES = frozenset({"send", "submit", "leave", "give", "post", "join"}), frozenset({"create", "add"})
_SUBSCRIBES = frozenset({"subscribe", "unsubscribe"})
_TO_LETTERS = frozenset(
    {"to", "from", "the", "our", "news", "newsletter", "newsletters", "mailing", "mail", "email", "list", "updates"}
)
# What somebody has to say of a page, which he names.
_REPORT = re.compile(r"reports?", re.IGNORECASE)
_SAID = re.compile(r"text|message|comments?|description|reason|details?", re.IGNORECASE)
_OF_A_PAGE = re.compile(r"page(?:_?url)?|url|uri|path|href|referr?er|location", re.IGNORECASE)
# What may be asked for, and may as well be set: the answer tells.
_PRICED = re.compile(
    r"pric(?:e|ing)|fare|premium|costs?|fees?|tax(?:es)?|(?:shipping|delivery)[-_]?(?:costs?|rates?|fees?)",
    re.IGNORECASE,
)
_PART = re.compile(r"[^A-Za-z]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# `orderId` is one, `valid` is none.
_IDENTIFIER = re.compile(r"(?:.*[_-])?(?:uu?)?id|.*[a-z](?-i:Id)|key|number|code|reference", re.IGNORECASE)
# The identifier of what was made; `orderId` is one, `valid` is none.
_NEW = re.compile(r"(?:.*_)?(?:uu?)?id|(?-i:.*[a-z]Id)", re.IGNORECASE)
# What an answer calls itself by, for whoever looks for it in a log, and where it says such things.
_OF_ITSELF = re.compile(r"(?:.*_)?(request|req|trace|correlation|span)_?id", re.IGNORECASE)
_ENVELOPE = re.compile(r"_?meta|_?debug|_?trace|extensions", re.IGNORECASE)
_FOR_WHO_HAS_IT = re.compile(r"key|slug|hash|link|url", re.IGNORECASE)
_KEEPING = re.compile(
    r"(?:un)?(?:hide|ban|block|pin|lock|publish|archive|assign)|approve|reject|feature|close|re-?open|delete|remove|restore"
    r"|cancel|renew|transfer|(?:de)?activate|suspend|promote|demote|rename",
    re.IGNORECASE,
)
# What is asked by a POST, as it is too long or too structured for an address, and changes nothing.
_QUESTION = re.compile(
    r"auto-?complete|balance|check|compare|detect|echo|filter|find|format|geocode|greet(?:ing)?|hello|lookup|match|parse|predict|preview"
    r"|query|recommend(?:ations?)?|render|search|strength|(?:sub)?totals?|suggest(?:ions?)?|typeahead|validat(?:e|ion)",
    re.IGNORECASE,
)
# What some sites let every visitor do and others do not, and no request tells which.
_OPINION = re.compile(r"(?:up|down)?votes?|likes?|dislikes?|rate|ratings?|reactions?|report", re.IGNORECASE)
# What is worked out of the request alone, and kept nowhere; unless it belongs to one object.
_COMPUTED = re.compile(r"calc(?:ulat(?:e|or|ions?))?|compute|convert(?:er)?|translate|eval(?:uate)?", re.IGNORECASE)
# What says in other words what it was handed (an invoice's text, a VIN, a token), to whoever has that already.
_DECODED = re.compile(r"(?:de|en)coder?", re.IGNORECASE)
_OF_ONE_OBJECT = re.compile(r"/(?:\d+|[0-9a-f-]{16,})(?=/)", re.IGNORECASE)
# What a page counts, where it is told nothing in return.
_COUNTED = re.compile(
    r"(?:events?|logs?|errors?|metrics|collect|track(?:ing)?|vitals|pixel|views?|hits|clicks)", re.IGNORECASE
)
_ONE_COUNTED = frozenset({"event", "error", "view", "hit", "click", "visit", "impression"})
# What nobody calls anything else that is counted; it may be answered with a word of thanks.
_TRACKED = re.compile(r"track(?:ing)?|collect|vitals|pixel", re.IGNORECASE)
_THANKS = re.compile(r"|ok(?:ay)?|success(?:ful)?|accepted|received|recorded|tracked|done|true|\d{1,3}", re.IGNORECASE)
_OF_THE_ANSWER = re.compile(r"(?:trace|request|correlation)[-_]?id|ts|time(?:stamp)?|now", re.IGNORECASE)
# What may be kept in the visitor's own cookie.
_TASTE = re.compile(r"settings|preferences|theme|lang(?:uage)?|locale|currency", re.IGNORECASE)
# What sites keep for guests: in the session that they begin for whoever comes without one.
_OF_GUESTS = re.compile(
    r"(?:^|[/._-])(?:carts?|baskets?|bag|wish(?:es|-?lists?)?|compar(?:e|ison)s?|favou?rites?|recent(?:ly[-_]viewed)?|progress"
    r"|drafts?|quiz(?:zes)?|answers?|attempts?|guess(?:es)?|moves?|games?|scores?|histor(?:y|ies)"
    r"|theme|lang(?:uage)?|locale|currency|consents?|exercises?|labs?|challenges?|lessons?|tutorials?)(?=$|[/._-])",
    re.IGNORECASE,
)
# And what a page does for whoever looks at it, where no object of somebody's is named.
_OF_THE_PAGES_VISITOR = re.compile(
    r"(?:^|[/._-])(?:devices?|sessions?|chats?|quotes?|logs?|events?|notify)$", re.IGNORECASE
)
_SIGNED_BY_HAND = re.compile(r"reviews?|comments?|ratings?|testimonials?|guest-?book|questions?", re.IGNORECASE)
_HAND = re.compile(r"author(?:_?name)?|(?:nick|your|full|display)?_?name|nick|e?mail", re.IGNORECASE)


def is_published(path: str) -> bool:
    """Whether any word of an address names what is published."""
    return _PUBLISHED.search(path) is not None


def is_shared(good: Response) -> bool:
    """Whether caches that many use may keep this answer, and give it to whoever asks for the same."""
    return _SHARED.match(good.first(b"Cache-Control") or b"") is not None


def describes_things(good: Response, beside: Collection[tuple[str, ...]] = ()) -> bool:
    """Whether an answer says what things are called and what they are like, and nothing else: a list of clinics with their towns.

    Every field must be one of a catalogue's. One for a person, an amount, a state, a time or another object's number is
    none; a number that stands alone (`garageId`) is the thing's own. beside: fields that are not asked about.
    """
    told = [leaf for leaf in leaves(good) if leaf.path and leaf.path not in beside]
    within = [leaf for leaf in told if len(leaf.path) > 1 or _AROUND_THINGS.fullmatch(leaf.path[0]) is None]
    told = within if any(len(leaf.path) > 1 for leaf in told) else told
    names = {parted(leaf.path[-1]) for leaf in told}
    numbers = [name for name in names if _NEW.fullmatch(name)]
    names -= {*numbers} if len(numbers) == 1 else set()
    is_named = any(_CALLED.fullmatch(name) for name in names)
    return "json" in media_type(good) and is_named and all(_OF_THINGS.fullmatch(name) for name in names)


def ends_published(path: str) -> bool:
    """Whether the last word of an address does: then it is what is shown there (`/posts/7`), not something within it.
    What people say of it is shown beside it (`/posts/7/comments`).
    """
    before, word = _split(path)
    if _BESIDE.fullmatch(word) and before != "/":
        return ends_published(before)
    return not word or is_published("/" + word)


def called_public(path: str) -> bool:
    """Whether what an address ends in is public by its own name (`/users/3/public-profile`)."""
    return _CALLED_PUBLIC.fullmatch(parted(_split(path)[1], "-")) is not None


def of_the_page(path: str) -> bool:
    """Whether a page reads this before anybody signs in, to know how to look; not the settings of somebody or something."""
    before, word = _split(path)
    return _OF_THE_PAGE.fullmatch(word) is not None and all(each in ("", "api", "rest") for each in before.split("/"))


def tells_a_version_alone(good: Response) -> bool:
    """Whether an answer in JSON is which version runs, and nothing besides: pages show it to whoever comes, wherever they read it."""
    told = leaves(good) if "json" in media_type(good) else []
    named = [leaf for leaf in told if leaf.path and _VERSION_NAMED.fullmatch(leaf.path[-1])]
    return len(told) == len(named) == 1 and _VERSION.fullmatch(named[0].value) is not None


def of_the_sign_in(path: str) -> bool:
    """Whether the page of a login, a registration or a forgotten password reads this: who asks cannot be signed in yet."""
    word = parted(_split(path)[1], "-")
    return _OF_THE_SIGN_IN.fullmatch(word) is not None and not _OF_ONE_OBJECT.search(path)


def asks_security_questions(path: str, good: Response) -> bool:
    """Whether an answer lists the questions that who registers may choose from, at `/account/questions` and the like, or has the one
    that who forgot his password is asked at `/account/question`, or none: nothing of who chose it or what he answers.
    """
    found = _OF_REGISTERING.search(path)
    texts = [leaf.value for leaf in leaves(good) if leaf.path and not _BESIDE_A_QUESTION.fullmatch(leaf.path[-1])]
    if found is None or not all(text.endswith("?") for text in texts):
        return False
    return len(texts) > 1 if found[1] else len(texts) < 2


def for_visitors(request: Request, good: Response) -> str | None:
    """The address of what a visitor's request belongs to; None for requests of other kinds.

    What is sent is feedback and the like; or is what something is computed of (a price); or is counted, and answered
    with nothing (or a word of thanks); or names its author itself, or the page it is about; or is kept in cookies of
    the visitor's.
    """
    path = request.path.decode("latin-1")
    before, word = _split(path)
    if request.method.upper() in ("POST", "PUT") and _is_kept_in_cookies(word, request, good):
        return before
    if request.method.upper() != "POST":
        return None
    if words := deed_of(request):
        sent = _is_sent_by_visitors(words) or (_is_counted(words) and says_no_more(request, good))
        return path if sent and not names_an_object(request) else None
    if _FEEDBACK.fullmatch(word) or (_COUNTED.fullmatch(word) and not good.body.strip()):
        return before
    if _COMPUTED.fullmatch(word) and not _OF_ONE_OBJECT.search(path):
        return before
    if _TRACKED.fullmatch(word) and says_no_more(request, good):
        return before
    if _PRICED.fullmatch(word) and not _OF_ONE_OBJECT.search(path) and tells_a_number(request, good):
        return before
    names = [str(found.point[-1]) for found in walk(request).points if found.point[0] == "post" and found.value]
    if _REPORT.fullmatch(word) and any(map(_SAID.fullmatch, names)) and any(map(_OF_A_PAGE.fullmatch, names)):
        return before
    if _SIGNED_BY_HAND.fullmatch(word):
        return before if any(_HAND.fullmatch(name) for name in names) else None
    return None


def _is_kept_in_cookies(word: str, request: Request, good: Response) -> bool:
    """Whether what is sent is kept by its sender's own browser: a taste, or all of it, word for word."""
    if _TASTE.fullmatch(word) and good.first(b"Set-Cookie") is not None:
        return True
    kept = {unquote(cookie.value) for cookie in issued(good)}
    sent = {found.value for found in walk(request).points if found.point[0] == "post" and not found.container}
    return bool(sent) and sent <= kept


def _is_sent_by_visitors(words: tuple[str, ...]) -> bool:
    """Whether what is called by these words is feedback and the like, or a subscription to letters."""
    first, *rest = words
    if first in _SUBSCRIBES:
        return _TO_LETTERS.issuperset(rest)
    said = "-".join(rest if first in _SENDS | _MAKES else words)
    return _FEEDBACK.fullmatch(said) is not None and not (first in _MAKES and said == "contact")


def _is_counted(words: tuple[str, ...]) -> bool:
    """Whether what is called by these words is told for a page to be counted: `trackEvent`, `logPageView`."""
    first, *rest = words
    if not rest or first not in ("track", "log", "record", "collect"):
        return False
    return all(word == "page" or _COUNTED.fullmatch(word) or word in _ONE_COUNTED for word in rest)


def names_an_object(request: Request) -> bool:
    """Whether a value that is sent is called as an identifier is."""
    sent = (found.point for found in walk(request).points if found.point[0] == "post" and not found.container)
    return any(
        _IDENTIFIER.fullmatch(argument_of(request, point[-1]))
        for point in sent
        if not says_what_is_called(request, point)
    )


def of_guests(path: str) -> bool:
    """Whether an address names what sites keep for their guests, too (`/cart`, `/lessons/3/progress`)."""
    if _OF_GUESTS.search(path) is not None:
        return True
    return _OF_THE_PAGES_VISITOR.search(path) is not None and not _OF_ONE_OBJECT.search(path)


def makes_something(request: Request, good: Response) -> bool:
    """Whether an answer says that something new is there: by its status, or by an identifier that nobody sent. What is only named
    by a key is for whoever has the key, as guests have one.
    """
    told = leaves(good) if "json" in media_type(good) else []
    sent = _sent(request)
    names = [
        leaf.path[-1] for leaf in told if leaf.path and leaf.value not in sent and not _is_of_itself(leaf, request)
    ]
    if any(map(_NEW.fullmatch, names)):
        return True
    return good.status == CREATED and not any(map(_FOR_WHO_HAS_IT.fullmatch, names))


def _is_of_itself(leaf: Leaf, request: Request) -> bool:
    """Whether a field names the answer, and nothing that was made: all within `_meta`, a `request_id` that cannot be counted."""
    named = _OF_ITSELF.fullmatch(parted(leaf.path[-1])) if not leaf.value.isdigit() else None
    is_kind = named is not None and named[1].lower() in request.path.decode("latin-1").lower()
    return (named is not None and not is_kind) or any(map(_ENVELOPE.fullmatch, leaf.path[:-1]))


def acts_as_keeper(request: Request) -> bool:
    """Whether something is done to one object that its owner does, or those who keep the site (`/comments/4/hide`)."""
    path = request.path.decode("latin-1")
    return _OF_ONE_OBJECT.search(path) is not None and _KEEPING.fullmatch(_split(path)[1]) is not None


def asks_a_question(request: Request) -> bool:
    """Whether a POST only asks, as its last word says (`/search`, `/coupons/validate`, `/checkEmail`)."""
    word = _split(request.path.decode("latin-1"))[1]
    parts = _PART.split(parted(word, "-"))
    return request.method.upper() == "POST" and any(map(_QUESTION.fullmatch, parts))


def only_decodes(request: Request) -> bool:
    """Whether a POST has what it brings written otherwise (`/payments/decode`), which tells nobody what he did not have."""
    path = request.path.decode("latin-1")
    decodes = _DECODED.fullmatch(_split(path)[1]) is not None and not _OF_ONE_OBJECT.search(path)
    return decodes and request.method.upper() == "POST" and bool(request.body)


def perhaps_for_visitors(request: Request) -> bool:
    """Whether a request says what somebody thinks of something (`/posts/7/like`, `likePost`): some sites let every visitor do so."""
    word = (deed_of(request) or (_split(request.path.decode("latin-1"))[1],))[0]
    return request.method.upper() == "POST" and _OPINION.fullmatch(word) is not None


def tells_a_number(request: Request, good: Response) -> bool:
    """Whether an answer in JSON tells a number that nobody sent, and names nothing that was made."""
    sent = _sent(request)
    told = [leaf for leaf in leaves(good) if "json" in media_type(good) and leaf.value not in sent and leaf.path]
    return not any(_IDENTIFIER.fullmatch(leaf.path[-1]) for leaf in told) and any(
        _NUMBER.fullmatch(leaf.value) and not _OF_THE_ANSWER.fullmatch(leaf.path[-1]) for leaf in told
    )


def says_no_more(request: Request, good: Response) -> bool:
    """Whether an answer in JSON says no more than that something came, and what was sent; not that what was asked for is empty."""
    told = leaves(good) if "json" in media_type(good) else []
    sent = _sent(request)
    said = [leaf.value for leaf in told if not (leaf.path and _OF_THE_ANSWER.fullmatch(leaf.path[-1]))]
    is_empty = bool(said) and not any(said)
    return bool(told) and not is_empty and all(value in sent or _THANKS.fullmatch(value) for value in said)


def _sent(request: Request) -> set[str]:
    return {found.value.decode("utf-8", "replace") for found in walk(request).points if found.point[0] != "header"}


def _split(path: str) -> tuple[str, str]:
    """The last segment that is a word, and what stands before it without numbers and versions."""
    words = [each for each in path.split("/") if each and not _NO_WORD.fullmatch(each)]
    return "/" + "/".join(words[:-1]), words[-1] if words else ""
