"""What says that a function is meant for those who manage an application: its name, or what it tells of several people."""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.owners.private_fields import contacts_of_several, secret_of_several
from gatecrash.core.testing.operations.graphql import argument_names, document_of, operation_of, words_of
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.words.english import in_english
from gatecrash.core.words.names import parted

# Whole segments only, and only words that no service uses for what everybody may do.
_MANAGES = re.compile(
    r"admin|admins|administration|administrator|superuser|super-?admin|sys-?admin|back-?office|moderation|impersonate",
    re.IGNORECASE,
)
# The same in the name of a page, among flat ones: `admin_users.php`, `?page=admin-orders`. Who runs a place is written to by anybody.
_MANAGES_PAGE = re.compile(
    r"(?:admin|administration|administrator|moderation|back-?office)[_-](?!(?:contact|mail|email|message|help|info|login|note)s?$)\w+",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"(?:index|default|main)\.\w{2,5}", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:php\d?|phtml|aspx?|jspx?|do|action|html?|cgi|pl|cfm)$", re.IGNORECASE)
# Those that may be a place for everybody by themselves, and no longer are where something stands below them.
_MANAGES_BELOW = re.compile(
    r"manage|management|manager|managers|staff|internal|operator|operators|moderator|moderators|supervisor|supervisors"
    r"|back-?end|superusers?|sudo|root",
    re.IGNORECASE,
)
# Of these, those that are no people whom others look up: below them stand the accounts of all.
_KEPT_BELOW = re.compile(r"manage|management|internal|back-?end|sudo|root", re.IGNORECASE)
# At the end of a path, or in the field of a mutation.
_GOVERNS = re.compile(r"roles?|permissions?|privileges?|impersonat(?:e|ion)|(?:un)?ban|promote|demote|entitlements?")
# What is done to the accounts of others, where the path or the operation says that it is an account.
_RULES = re.compile(
    r"(?:re|de)?activate|(?:un)?suspend|reinstate|(?:un)?lock|disable|enable|(?:un)?freeze|terminate|approve|verify"
)
_ACCOUNTS = re.compile(
    r"(?:users?|members?|accounts?|customers?|employees?|patients?|students?|people|persons?|sellers?|merchants?)"
)
# What somebody applies for and the office decides, where the path says that it is such a thing; guests and friends decide on others.
_DECIDES = re.compile(r"(?:dis)?approve|reject|deny|grant")
_APPLIED_FOR = re.compile(
    r"(?:leave|vacation|holiday|absence|expense|loan|credit|refund|payout|withdrawal|transfer|purchase|limit)s?(?:_?(?:requests?|orders?|applications?))?"
    r"|applications?|(?:[a-z]+_)?claims?|reimbursements?|timesheets?|time_?offs?|requisitions?|kyc|verifications?|certificates?|chargebacks?"
)
# What nobody does to another account but who governs them all, whatever stands in the path: the body says who is meant.
_RAISES = re.compile(r"promote|demote|appoint|impersonat(?:e|ion)")
# In one word, as RPC-like paths have it: `/users/update_role`, `/changeUserRole`.
_ASSIGNS = re.compile(
    r"(?:update|change|set|assign|grant|add|edit|give|revoke|remove)_?(?P<whose>(?:user|member|account|customer|employee)s?_?)?"
    r"(?:roles?|permissions?|privileges?|ranks?)"
)
_ASSIGNING = frozenset(
    {"update", "change", "set", "assign", "grant", "add", "edit", "give", "revoke", "remove", "raise", "lower"}
)
_ASSIGNED = re.compile(r"roles?|permissions?|privileges?|ranks?|rights?")
# Arguments that say whose: `setRank(person: 7, …)`.
_WHOSE = re.compile(r"(?:users?|persons?|members?|accounts?|employees?|customers?|staff)(?:_?(?:id|no|name|login))?")
# What keeps the service itself running.
_OPERATES = re.compile(
    r"(?:(?:set|update|change|toggle|enable|disable|rebuild|flush|clear|purge|warm|run|start|put)_)?(?:all_)?"
    r"(?:feature_?flags?|(?:system|site|global|app|server)_?(?:config(?:uration)?s?|settings?)|maintenance(?:_?mode)?|caches?"
    r"|(?:search_?)?index(?:es)?|reindex)",
)
_LOOKS_INTO = re.compile(r"audit_?(?:logs?|trail|events?|entries)?|system_?(?:config(?:uration)?|settings|info|status)")
# What functions that read are called beside that: `audit.list`, `getAuditLog`.
_READING = frozenset({"list", "get", "all", "search", "find", "read", "fetch", "query", "show"})
_OWN = frozenset({"me", "my", "own", "self", "mine"})


def is_of_managers(request: Request) -> str:
    """The word of a path or an operation that no service uses for what everybody may do; empty where there is none."""
    segments = _segments(request)
    flat = next(filter(_MANAGES_PAGE.fullmatch, segments[-1:]), "")
    return next((segment for segment in (*segments, *_words(request)) if _MANAGES.fullmatch(segment)), flat)


def is_word_for_managing(segment: str) -> bool:
    """Whether a segment of a path names those who manage, by itself or by what stands below it."""
    word: str = in_english(segment)
    return (_MANAGES.fullmatch(word) or _MANAGES_BELOW.fullmatch(word)) is not None


def section_of_managers(request: Request) -> str:
    """The part of a path down to what stands right below such a word, `/admin/orders` of `/admin/orders/7`; empty where
    it holds none.
    """
    path = request.path.decode("latin-1").rstrip("/")
    words = enumerate(in_english(path).split("/"))
    at = next((at for at, word in words if _MANAGES.fullmatch(word)), None)
    return "/".join(path.split("/")[: at + 2]) if at is not None else ""


def is_below_managers(request: Request, ordinary: frozenset[str] = frozenset()) -> str:
    """The word of a path that names those who manage and has something below it; empty where there is none.

    ordinary: roles that manage nobody in this application, whatever they are called.
    """
    segments = _segments(request)
    named = (segment for segment in segments[:-1] if _MANAGES_BELOW.fullmatch(segment))
    return next((segment for segment in named if segment.lower().removesuffix("s") not in ordinary), "")


def manages_accounts(request: Request) -> bool:
    """Whether a path names accounts below a word for managing: `/management/users`."""
    segments = in_english(request.path.decode("latin-1")).lower().split("/")
    kept = next((at for at, word in enumerate(segments) if _KEPT_BELOW.fullmatch(word)), len(segments))
    return any(map(_ACCOUNTS.fullmatch, segments[kept + 1 :]))


def says_by_its_name(request: Request, ordinary: frozenset[str] = frozenset(), *, led: bool = False) -> str:
    """What its path or operation says of whom it is for, in words; empty where it says nothing. ordinary: as above. led:
    whether the application's own pages led there who is asked about: `admin` is what the whole of it is called then.
    """
    word = "" if led else is_of_managers(request)
    if word:
        return f"Its {_place(request)} says by {word!r} who it is for."
    word = _governs(request, _segments(request), ordinary)
    if word:
        return (
            f"Its {_place(request)} says by {word!r} that it governs what others may do, or looks into what they did."
        )
    word = is_below_managers(request, ordinary)
    return f"Its path stands below {word!r}." if word else ""


def raises_accounts(request: Request) -> bool:
    """Whether the last word of a path says what is done to the rights of accounts: `/staff/promote`, `/staff/appoint`, `/set-user-role`."""
    last = (_segments(request) or [""])[-1].lower().replace("-", "_")
    assigns = _ASSIGNS.fullmatch(last)
    return _RAISES.fullmatch(last) is not None or (assigns is not None and bool(assigns["whose"]))


def decides(request: Request) -> bool:
    """Whether its path says that it decides what somebody applies for, which nobody does of what is his own."""
    return _decides([segment.lower() for segment in _segments(request)])


def told_of_others(seen: Response) -> str:
    """What an answer gives away of several people, in words; empty where it is nothing."""
    secret = secret_of_several(seen)
    if secret:
        return f"It tells {secret!r} of several people."
    contact = contacts_of_several(seen)
    return f"It tells {contact!r} of several customers, who are nothing to each other." if contact else ""


def _segments(request: Request) -> list[str]:
    """The words between the slashes of a path, in English, and the page that a site's one script is asked for; not what
    the script is called.
    """
    path: str = in_english(spoken_path(request))
    return [_ENDING.sub("", segment) for segment in path.split("/") if _SCRIPT.fullmatch(segment) is None]


def _place(request: Request) -> str:
    return "operation" if _words(request) else "path"


def _governs(request: Request, segments: list[str], ordinary: frozenset[str]) -> str:
    """The word at the end of a path, or in an operation, for what only those who govern do; empty where there is none.

    ordinary: what the application calls whoever has an account.
    """
    words, own = _words(request), [segment.lower() for segment in segments]
    if any(word in _OWN for word in (*words, *own)):
        return ""
    last = own[-1].replace("-", "_")
    if only_reads(request):
        about = "_".join(word for word in words if word not in _READING)
        return next((end for end in ("_".join(words), about, last) if _LOOKS_INTO.fullmatch(end)), "")
    rules = next((end for end in (*words, last) if _RULES.fullmatch(end)), "")
    if rules and any(_ACCOUNTS.fullmatch(each) or each.removesuffix("s") in ordinary for each in (*words, *own)):
        return rules
    if _decides(own):
        return last
    assigns = _ASSIGNS.fullmatch(last)
    if assigns is not None and (assigns["whose"] or any(map(_ACCOUNTS.fullmatch, own[:-1]))):
        return last
    assigned = _assigned(request, words)
    if assigned:
        return assigned
    operates = next((name for name in ("_".join(words), *_tail(own)) if _OPERATES.fullmatch(name)), "")
    return operates or next((end for end in (*words, last) if _GOVERNS.fullmatch(end)), "")


def _decides(segments: list[str]) -> bool:
    applied_for = any(_APPLIED_FOR.fullmatch(each.replace("-", "_")) for each in segments[:-1])
    return applied_for and _DECIDES.fullmatch(segments[-1].replace("-", "_")) is not None


def _assigned(request: Request, words: tuple[str, ...]) -> str:
    """What an operation gives to somebody by its words: `rank` of `user.setRank` and of `setRank(person: 7)`."""
    if not _ASSIGNING.intersection(words):
        return ""
    document = parted(document_of(request)).lower() if operation_of(request) is not None else ""
    whose = (*words, *argument_names(document))
    return next(filter(_ASSIGNED.fullmatch, words), "") if any(map(_WHOSE.fullmatch, whose)) else ""


def _words(request: Request) -> tuple[str, ...]:
    """The words of an operation, or of a function that the address calls by its name and what it belongs to: `/rpc/user.setRank`."""
    if words_of(request) or b"." not in request.target.rpartition(b"/")[2]:
        return words_of(request)
    return called(request)


def _tail(segments: list[str]) -> tuple[str, ...]:
    """The last word of a path, and the one before what it names: `feature-flags` of `/feature-flags/beta`."""
    words = tuple(segment.replace("-", "_") for segment in segments if segment)
    return words[-2:]
