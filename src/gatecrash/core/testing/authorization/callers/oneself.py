"""Who somebody is: by his own credentials, and by what the application tells him about himself."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache

from gatecrash.core.auth.base64_text import decoded
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.hidden_names import hidden_names
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.named import ByteWords, Words

_WHO = Words(
    r"^(?:_?id|uid|uuid|user_?id|sub|e-?mail|mail|(?:user_?|nick_?)?name|nick|handle|login|(?:account|customer|member|employee|patient|student)_?id"
    r"|(?:org(?:ani[sz]ation)?|tenant|company|workspace)(?:_?(?:id|uid|uuid|slug|key|code|no|number|name))?)$",
    re.IGNORECASE,
)
# What else calls him by a number: `"customer": "C100"`, `"member_no": "M-17"`. Without one it may say what kind of customer he is.
_WHOSE = Words(
    r"(?:customer|client|member(?:ship)?|employee|patient|student|subscriber)(?:_?(?:no|nr|number|code|ref))?",
    re.IGNORECASE,
)
_WITH_A_NUMBER = re.compile(r"(?=\D*\d)[\w.:-]{2,40}")
# A name and a password as Basic joins them, in a header of the application's own: `Authorization-Token: YW5uOnNlc2FtZQ==`.
_PAIR = re.compile(r"([\w.@+-]{3,64}):[ -~]{1,200}", re.ASCII)
TENANT = "tenant="
"""What stands before the name of the tenant that somebody belongs to, in what is known of him."""
PLACE = "below="
"""What stands before the word of addresses below which somebody alone was recorded, in what is known of him; he is not called so."""
OWNED = "owned by "
"""What stands before the field, and what it holds, that names somebody as the owner of all that his own list shows and
of nothing in another's (`owned by user_id=7`), in what is known of him.
"""
TENANT_FIELD = re.compile(
    r"(?:tenant|org(?:ani[sz]ation)?|company|firm|business|enterprise|workspace)(?:_?(?:id|uid|uuid|slug|key|code|no|number))?",
    re.IGNORECASE,
)
PRESENT = "present tenant="
"""What stands before the name of one that he may belong to among others: it is two callers' together where both are
told it, and says nothing about who is not.
"""
_PRESENT_FIELD = re.compile(rf"(?:active|current|default|selected|primary)_?(?:{TENANT_FIELD.pattern})", re.IGNORECASE)
TOGETHER = "together "
"""What stands before a group that somebody is in with others (`together team=10`), in what is known of him: as little
as such a tenant does it say who is not.
"""
SETS = "sets "
"""What stands before a kind of thing and a field of such ones that somebody set in the record (`sets trips.paid`)."""
WROTE = "wrote as well "
"""What stands before a method and an address at which somebody changed something in the record, as another of its users did
(`wrote as well PATCH /cards/31`).
"""
OPENED = "told of "
"""What stands before the address of an object to which a list that somebody chose (`/mail?box=12`), or one of somebody's
(`/users/12/mail`), led him in the record, and which was opened to him there.
"""
_GROUP_FIELD = re.compile(
    r"(team|group|household|family|department)(?:_?(?:id|uid|uuid|slug|key|code|no|number))?", re.IGNORECASE
)
# What nobody shares: its number in an answer about oneself is one's own.
_KEPT = re.compile(r"(?:shopping_?|my_?)?(cart|basket|wallet|wishlist)(?:_?(?:id|no|number))?", re.IGNORECASE)
# Where applications say who is signed in: the end of a path, or the first field of a GraphQL query; what may be anybody's profile
# is his where nothing says whose.
_ONESELF = ByteWords(
    rb"(?:^|[/_-])(?:me|myself|self|whoami|who-am-i|profile|account|user-?info|current[_-]?user|session)(?:\.(?:php\d?|jspx?|aspx?|cgi|do|html?))?$",
    re.IGNORECASE,
)
_ONESELF_ASKED = re.compile(rb"[{\s](?:me|viewer|whoami|currentUser|current_user|myProfile|self)\s*[{(]")
_ONESELF_ALONE = re.compile(
    rb'"query"\s*:\s*"(?:query\b[^{(]{0,100})?\{(?:\s|\\n)*+(?:profile|account|my_?account|user_?info|get_?me)\s*\{',
    re.IGNORECASE,
)
# A function that the address calls: `/rpc/session.whoami`, `/rpc/user.getMe`.
_ONESELF_CALLED = re.compile(
    rb"[/.](?:whoami|who_am_i|get_?me|get_?self|get_?myself|get_?current_?user)$", re.IGNORECASE
)
# The same field in the answer, which may tell of other things beside it and below it; and what parts of himself are called there.
_ONESELF_TOLD = re.compile(r"me|viewer|whoami|current_?user|my_?profile|self", re.IGNORECASE)
_PART = re.compile(r"profile|user|account|details|info|contact|data|attributes", re.IGNORECASE)
# What things of all kinds are called by.
_ANYTHINGS = re.compile(r"_?id|uid|uuid|name|nick|handle", re.IGNORECASE)
# Claims that say something about the token and nothing about its holder.
_OF_THE_TOKEN = frozenset(
    {
        *("iat", "exp", "nbf", "iss", "aud", "jti", "typ", "scope", "scp", "role", "roles", "azp", "auth_time"),
        # What a login's answer says beside the user is signed along with it by some: `{"status": "success", "data": …}`.
        *(
            "status",
            "state",
            "success",
            "message",
            "type",
            "kind",
            "token_type",
            "token_use",
            "locale",
            "lang",
            "language",
        ),
    }
)
MADE_UP = "example"
"""The text that is written from a description where nothing says which: it stands in all that a scan makes, and names nobody."""

HIGH = Words(r"admin|staff|root|super|manager|operator|support|moderator", re.IGNORECASE)
# Of several, those who may do anything.
HIGHEST = Words(r"admin|root|super_?user", re.IGNORECASE)


# Several probes ask the same of one baseline.
@lru_cache(16)
def known_values(request: Request, credentials: tuple[Point, ...]) -> frozenset[str]:
    """What the credentials themselves say who their holder is: claims of a token, the name in Basic; in lower case."""
    values: set[str] = set()
    for point in credentials:
        word, _, last = (read(request, point) or b"").rpartition(b" ")
        token = parse(last)
        if token is not None:
            below = [value for value in token.payload.values() if isinstance(value, dict)]
            claims = {name: value for each in below for name, value in each.items() if _WHO.search(str(name))}
            claims |= {name: value for name, value in token.payload.items() if name not in _OF_THE_TOKEN}
            values |= {str(value) for value in claims.values() if isinstance(value, str | int) and value is not True}
        elif word.lower() == b"basic":
            values.add(_basic_name(last))
        else:
            values.add("" if word else wordless_user(last.decode("latin-1")))
    return frozenset(value.lower() for value in values if value and value != "False")


def wordless_user(value: str) -> str:
    """The name in what Basic has behind its word, where that stands alone; empty for all else."""
    pair = decoded(value.encode("utf-8", "replace")) or b""
    found = _PAIR.fullmatch(pair.decode("latin-1"))
    return found[1] if found else ""


def names_claimed(claims: Mapping[str, object]) -> frozenset[str]:
    """What a token's claims call its holder by words, in lower case, and which tenant he belongs to (`tenant=acme`)."""
    told = {name: value.lower() for name, value in claims.items() if isinstance(value, str) and _WHO.search(name)}
    return frozenset({*told.values(), *(TENANT + told[name] for name in told if TENANT_FIELD.fullmatch(name))})


def asks_about_oneself(request: Request) -> bool:
    """Whether a request names no object and asks who its sender is."""
    if request.method.upper() == "GET":
        return request.query is None and _ONESELF.search(request.path.rstrip(b"/")) is not None
    if _ONESELF_CALLED.search(request.path) and not procedure_of(request):
        return True
    if b'"query"' not in request.body or b"mutation" in request.body:
        return False
    return bool(_ONESELF_ASKED.search(request.body) or _ONESELF_ALONE.search(request.body))


def tells_of_oneself(request: Request) -> bool:
    """Whether the answer is about the sender: to a question who he is, and to a change of what is known of him (`PATCH /me`)."""
    if request.method.upper() in ("PATCH", "PUT"):
        return request.query is None and _ONESELF.search(request.path.rstrip(b"/")) is not None
    return asks_about_oneself(request)


def self_values(response: Response) -> frozenset[str]:
    """What an answer about the caller himself says who he is: his identifier, address and name, in lower case; what is his alone
    by its kind, too (`basket=22`), and which tenant he belongs to (`tenant=acme`), be it for now (`present tenant=acme`), and in
    which groups he is (`together team=10`).
    """
    told = _of_oneself(leaves(response))
    things = _of_several(told)
    who = {leaf.value.lower() for leaf in told if leaf.path and _calls_him(leaf) and leaf.path not in things}
    who |= {kept for leaf in told if (kept := _kept_in(leaf))}
    who |= groups_in(told) | hidden_names(response)
    for word, field in ((TENANT, TENANT_FIELD), (PRESENT, _PRESENT_FIELD)):
        who |= {word + leaf.value.lower() for leaf in told if leaf.path and field.fullmatch(leaf.path[-1])}
    return frozenset(each for each in who if each.rpartition("=")[2] != MADE_UP)


def his_alone(known: Set[str]) -> frozenset[str]:
    """Of what says who somebody is, what tells him from others of his tenant: neither that nor his groups, nor what they are called."""
    shared = {each.removeprefix(TENANT) for each in known if each.startswith(TENANT)}
    return frozenset(each for each in known - shared if not each.startswith((TENANT, PRESENT, TOGETHER)))


def _calls_him(leaf: Leaf) -> bool:
    """Whether a field of what a caller is told of himself says who he is."""
    name = leaf.path[-1]
    return bool(_WHO.search(name) or (_WHOSE.fullmatch(name) and _WITH_A_NUMBER.fullmatch(leaf.value)))


def _of_several(told: Sequence[Leaf]) -> set[tuple[str, ...]]:
    """Where an answer names several things, each by a number or a name that anything may have: what he keeps or follows."""
    values: dict[tuple[str, ...], set[str]] = {}
    for leaf in told:
        if leaf.path and _ANYTHINGS.fullmatch(leaf.path[-1]):
            values.setdefault(leaf.path, set()).add(leaf.value)
    return {path for path, each in values.items() if len(each) > 1}


def _of_oneself(told: Sequence[Leaf]) -> Sequence[Leaf]:
    """Of an answer of GraphQL what its field for the caller says of himself: neither of what was asked beside it, alone or in a
    batch, nor of his things (`me { orders { id } }`). Any other answer as it is.
    """
    own = [
        leaf for leaf in told if len(leaf.path) > 2 and leaf.path[0] == "data" and _ONESELF_TOLD.fullmatch(leaf.path[1])
    ]
    if not own:
        return told
    return [leaf for leaf in own if all(map(_PART.fullmatch, leaf.path[2:-1]))]


def groups_in(told: Sequence[Leaf]) -> frozenset[str]:
    """The groups that fields name, each with its kind: `together team=10`."""
    named = ((_GROUP_FIELD.fullmatch(leaf.path[-1]), leaf.value.lower()) for leaf in told if leaf.path and leaf.value)
    return frozenset(f"{TOGETHER}{field[1].lower()}={value}" for field, value in named if field)


def stands_in_his(response: Response, values: frozenset[str]) -> bool:
    """Whether what an answer shows stands in somebody's own basket or the like, by what says who he is."""
    return any(_kept_in(leaf) in values for leaf in leaves(response))


def _kept_in(leaf: Leaf) -> str:
    """The basket or the like that a field names, with its number: `basket=22`; empty for any other field."""
    return kept_by_one(leaf.path[-1], leaf.value) if leaf.path else ""


def kept_by_one(name: str, value: str) -> str:
    """The basket or the like, which nobody shares, that a field of a name and a value names: `basket=22`; empty for any other."""
    kept = _KEPT.fullmatch(name)
    return f"{kept[1]}={value}".lower() if kept is not None and value else ""


def is_privileged(request: Request, credentials: Iterable[Point]) -> bool:
    """Whether a token says that its holder is more than anybody: who manages others' data may read it."""
    tokens = [parse((read(request, point) or b"").rpartition(b" ")[2]) for point in credentials]
    return any(token is not None and HIGH.search(str(token.payload)) for token in tokens)


def _basic_name(value: bytes) -> str:
    try:
        return b64decode(value).partition(b":")[0].decode("utf-8", "replace")
    except (Error, ValueError):
        return ""
