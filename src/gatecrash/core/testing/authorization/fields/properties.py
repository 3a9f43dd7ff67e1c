"""Properties of objects: which ones answers show that a request does not set, and objects that hold them all the same."""

import re
from collections.abc import Iterable
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from gatecrash.core.auth.logins import is_password
from gatecrash.core.testing.authorization.fields.written_names import Manner, manner_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted, plain

# What a caller must never set for himself; what a user may well choose (a status, a type, a colour) is not among it.
_PRIVILEGED = Words(
    r"roles?|user_?role|account_?role|is_?admin|admin|is_?staff|staff|is_?super_?user|super_?user|is_?moderator|is_?owner"
    r"|is_?(?:manager|supervisor|editor|teacher|instructor|root|curator|librarian|operator|dispatcher|auditor|inspector)|salary"
    r"|permissions?|privileges?|scopes?|access_?level|user_?level|user_?type|account_?type"
    r"|verified|is_?verified|e?mail_?verified|phone_?verified|kyc_?(?:status|verified)|is_?approved|approved|confirmed"
    r"|balance|credits?|credit_?limit|wallet|points|loyalty_?points|quota|discount|is_?paid|paid|payment_?status"
    r"|owner|owner_?id|user_?id|account_?id|customer_?id|(?:tenant|org(?:ani[sz]ation)?|company|workspace)_?id|created_?by"
    r"|plan|tier|subscription|subscription_?plan|is_?premium|premium|account_?status|is_?vip|vip|clearance(?:_?level)?",
    re.IGNORECASE,
)
# Of people they say what somebody may do; a card has a rank in its list, and a picture rights that its maker keeps.
_RANK = re.compile(r"(?:user_?|member_?)?rank|(?:user_?|access_?)?rights", re.IGNORECASE)
_OF_PEOPLE = Words(
    r"e-?mail|mail|login|user_?name|phone(?:_?number)?|mobile|(?:first|last|family|sur)_?name|password", re.IGNORECASE
)
# What the application counts of what others do.
_COUNTED = re.compile(
    r"(?:likes?|views?|up_?votes?|votes?|followers?|downloads?)_?count|likes|views|up_?votes|votes|downloads|reputation|karma",
    re.IGNORECASE,
)
_ROLE = Words(r"role|type|level|rank|right|staff|admin|owner$|created", re.IGNORECASE)
_PLAN = Words(r"plan|tier|subscription", re.IGNORECASE)
_STATE = re.compile(r"status|^state$|approved|verified|paid", re.IGNORECASE)
_UNIQUE = re.compile(r"user_?name|login|e?mail|name|title|slug|handle|nick", re.IGNORECASE)
_ACCOUNTS = frozenset({"user", "account", "member"})
_NUMBERED = re.compile(
    r"phone|mobile|cell|^tel|^number$|ssn|passport|licen[cs]e|(?:national|tax|personal)_?(?:id|number)", re.IGNORECASE
)
_LEAST_DIGITS, _MOST_DIGITS = 6, 6
APPROVED = "approved"
"""What is sent where something waits for a decision, in small letters."""
_STATE_NAME = re.compile(r"(?:order_?|payment_?|delivery_?)?stat(?:us|e)", re.IGNORECASE)
_DONE = {
    "delivered": "returned",
    "shipped": "returned",
    "dispatched": "returned",
    "unpaid": "paid",
    "unverified": "verified",
    # Whoever asks for his money back does not say that the goods are there again.
    "return pending": "returned",
    "return requested": "returned",
    "refund pending": "refunded",
    "refund requested": "refunded",
}
_BETWEEN_WORDS = re.compile(r"[_-]")
# What somebody else decides, where the object tells when or by whom: a task that its owner calls pending is his own to call so.
_WAITS = re.compile(
    r"pending|requested|submitted|waiting|new|open|(?:pending|awaiting|waiting|in|under|needs)[ _-](?:for[ _-])?(?:approval|review|decision)",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(r"approv|review|decision", re.IGNORECASE)
_DECIDED = re.compile(
    r"(?:approved|reviewed|decided|granted|rejected)_?(?:by|at|on|date)(?:_?id)?|approver(?:_?id)?", re.IGNORECASE
)
# Whoever has something to do ticks off for himself what he has done and looked at again, where nobody else is told of.
_TICKED = re.compile(r"(?:is_?)?(?:verified|confirmed)", re.IGNORECASE)
_TO_DO = re.compile(r"(?:is_?)?(?:done|completed?|finished|checked|ticked)(?:_?(?:at|on))?", re.IGNORECASE)
_LOOKED_AT = re.compile(r"(?:verified|confirmed)_?by(?:_?id)?|verifier(?:_?id)?", re.IGNORECASE)
# What something with a title is about, by any word or number: the points of a task, the credits of a course, the plan of a trip.
_ABOUT_IT = re.compile(r"points|credits|plan", re.IGNORECASE)
# Rights whatever the object is, where a value of theirs is shown already.
_RIGHT = Words(
    r"(?:is_?)?(?:admin|staff|super_?user|moderator|verified|approved|premium|vip)|balance|credits?|credit_?limit|wallet",
    re.IGNORECASE,
)
_UNPAID = frozenset({"free", "basic", "trial", "starter"})
_PLANS = _UNPAID | {"standard", "bronze", "silver", "gold", "plus", "pro", "premium", "none"}
_ROLE_NAME = Words(r"(?:user_?|account_?)?roles?", re.IGNORECASE)
LOW_ROLES = frozenset(
    {
        "user", "customer", "member", "guest", "basic", "reader", "viewer", "regular", "student", "role_user", "patient", "client",
        "buyer", "shopper", "subscriber", "standard", "normal", "default", "consumer", "visitor", "volunteer", "resident", "participant",
        "attendee", "pupil", "learner", "applicant", "citizen", "donor", "tenant",
    }
)  # fmt: skip
"""What applications call those who may do nothing in particular, in small letters."""
# With which options the application calls a program of its own for a file: `-c:v libx264 -crf 23`.
_PROCESSING = re.compile(r"(?:^|_)(?:conver|encod|transcod|codec|render|compress|ffmpeg)", re.IGNORECASE)
_OPTIONS = re.compile(r"-{1,2}[A-Za-z][\w:-]*+(?: [\w:.,/%=-]++)*+")
# What a shop charges is the shop's to say, where a request says how many of what.
_PRICE = re.compile(
    r"(?:unit_?|item_?|net_?|gross_?|line_?|sub_?)?(?:price|total|cost)(?:_?(?:cents|amount|value))?", re.IGNORECASE
)
_HOW_MANY = re.compile(r"quantity|qty|units", re.IGNORECASE)
_DECIMAL = re.compile(r"\d+\.\d+")
_DEEPEST = 1
_MOST_PROPERTIES = 8


class Property(NamedTuple):
    """One that answers show and the request does not set. new: another value of the same type.

    path: the objects that it stands in, from the outside; 0 where it is the first of a list. beside: what else the
    innermost of them shows.
    written: the path and the name as the request writes them; empty where that is as they are shown.
    """

    name: str
    old: Any
    new: Any
    path: tuple[str | int, ...] = ()
    beside: Object = {}
    written: tuple[str | int, ...] = ()

    @property
    def full_name(self) -> str:
        """With the objects that it stands in: `profile.is_admin`."""
        return ".".join(map(str, (*self.path, self.name)))


def learned(shown: Object, body: Object, random: Random, *, priced: bool = False) -> list[Property]:
    """The privileged properties that an object shows, those of objects in it included, and a body does not set.

    priced: whether its price is the application's to say, though the body does not tell how many are ordered.
    """
    found: list[Property] = []
    todo = [_Within((), (), shown, body, None)]
    while todo:
        here = todo.pop(0)
        found += _learned_here(here, random, priced=priced)
        if len(here.path) < _DEEPEST:
            todo += _below_it(here)
    return found[:_MOST_PROPERTIES]


class _Within(NamedTuple):
    """An object of an answer, what a request sends of it, and how. path: the objects that it stands in, as shown and as written."""

    path: tuple[str | int, ...]
    written: tuple[str | int, ...]
    shown: Object
    sent: Object
    manner: Manner | None

    def name(self, shown: str) -> str:
        """What the request calls, or would call, what is shown under a name."""
        own = next((name for name in self.sent if plain(name) == plain(shown)), None)
        return own or (self.manner(shown) if self.manner is not None else shown)

    def as_written(self, shown: str) -> tuple[str | int, ...]:
        """The way to a property as the request writes it; empty where that is as it is shown."""
        way = (*self.written, self.name(shown))
        return () if way == (*self.path, shown) else way


def _below_it(above: _Within) -> list[_Within]:
    """The objects within one, and the first of each list in it that the request sends, too."""
    manner = manner_of(above.shown, above.sent) or above.manner
    above = above._replace(manner=manner)
    found: list[_Within] = []
    for name, value in above.shown.items():
        called = above.name(name)
        own = above.sent.get(called, {})
        if isinstance(value, dict) and isinstance(own, dict):
            found.append(_Within((*above.path, name), (*above.written, called), value, own, manner))
    for name, value in above.shown.items():
        called = above.name(name)
        first, own = _first(value), _first(above.sent.get(called))
        if first and own:
            found.append(_Within((*above.path, name, 0), (*above.written, called, 0), first, own, manner))
    return found


def _first(value: Any) -> Object:
    """The first object of a list; empty where there is none."""
    return value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else {}


def _learned_here(within: _Within, random: Random, *, priced: bool) -> list[Property]:
    here, sent, path = within.shown, within.sent, within.path
    within = within._replace(manner=manner_of(here, sent) or within.manner)
    priced = priced or any(_HOW_MANY.fullmatch(name) for name in sent)
    own = {plain(name) for name in sent}
    names = (
        name
        for name, value in here.items()
        if plain(name) not in own and (_is_the_applications(name, value, here) or (priced and _PRICE.fullmatch(name)))
    )
    found = ((name, here[name], _another(name, here[name], random)) for name in names)
    beside = (sent or here) if path else {}
    return [
        Property(name, old, new, path, beside, within.as_written(name)) for name, old, new in found if new is not None
    ]


def is_of_people(names: Iterable[str]) -> bool:
    """Whether an object with properties of these names is somebody's account or the like."""
    return any(map(_OF_PEOPLE.fullmatch, names))


def _is_the_applications(name: str, value: Any, here: Object) -> bool:
    """Whether only the application sets such a property of an object."""
    if _COUNTED.fullmatch(name):
        return type(value) is int
    if _RANK.fullmatch(name):
        return isinstance(value, str) and value.isalpha() and is_of_people(here)
    if _TICKED.fullmatch(name) and _is_ones_own_to_do(here):
        return False
    if _ABOUT_IT.fullmatch(name) and "title" in here and str(value).lower() not in _PLANS and not is_of_people(here):
        return False
    is_state = _is_done(name, value) or _waits(name, value, here)
    return _PRIVILEGED.fullmatch(name) is not None or is_state or _are_options(name, value)


def _are_options(name: str, value: Any) -> bool:
    """Whether it is how the application calls a program: what that is called with, its user never says."""
    is_called = _PROCESSING.search(parted(name)) is not None
    return is_called and isinstance(value, str) and _OPTIONS.fullmatch(value) is not None


def _is_ones_own_to_do(here: Object) -> bool:
    """Whether it is something that its owner ticks off himself: no account, and nobody else looks at it."""
    return any(map(_TO_DO.fullmatch, here)) and not any(map(_LOOKED_AT.fullmatch, here)) and not is_of_people(here)


def _waits(name: str, value: Any, here: Object) -> bool:
    """Whether it is a state in which an object waits for somebody else's decision, as the object itself says."""
    if _STATE_NAME.fullmatch(name) is None or not isinstance(value, str) or _WAITS.fullmatch(value) is None:
        return False
    return _SAYS_SO.search(value) is not None or any(_DECIDED.fullmatch(parted(each)) for each in here)


def _is_done(name: str, value: Any) -> bool:
    """Whether it is a state that only a shop's own work brings about: a user chooses others."""
    return _STATE_NAME.fullmatch(name) is not None and isinstance(value, str) and _as_state(value) in _DONE


def _as_state(value: str) -> str:
    return _BETWEEN_WORDS.sub(" ", value.lower())


def with_properties(body: Object, properties: Iterable[Property], made_up: str = "") -> Object:
    """The object with the new values; made_up: a property that nothing has, set beside each of them."""
    changed = dict(body)
    for each in properties:
        *path, last = each.written or (*each.path, each.name)
        here: Any = changed
        for name in path:
            own = here[name] if isinstance(name, int) else here.get(name)
            here[name] = [*own] if isinstance(own, list) else dict(own if isinstance(own, dict) else each.beside)
            here = here[name]
        here[last] = each.new
        if made_up:
            here[made_up] = made_up
    return changed


def keeps(shown: Object, each: Property, made_up: str) -> bool:
    """Whether the made-up property is shown beside one."""
    here = _below(shown, each.path)
    return here is not None and made_up in here


def is_sure(each: Property, low: frozenset[str] = frozenset()) -> bool:
    """Whether its name and its value mean a right whatever else the object may hold: `is_admin`, a balance, a role of a user, a
    plan that costs nothing. low: roles by the application's own words that manage nobody.
    """
    if _RIGHT.fullmatch(each.name) and isinstance(each.old, bool | int | float):
        return True
    old = str(each.old).lower()
    is_plan = _PLAN.search(each.name) is not None and old in _UNPAID
    is_low = in_english(old) in LOW_ROLES or old.removeprefix("role_") in low
    return is_plan or (is_low and (_ROLE_NAME.fullmatch(each.name) or _RANK.fullmatch(each.name)) is not None)


def is_right(name: str) -> bool:
    """Whether a property of that name is a right whatever its object is: a role, `isAdmin`, a balance."""
    return (_RIGHT.fullmatch(name) or _ROLE_NAME.fullmatch(name)) is not None


def _below(shown: Object | None, path: tuple[str | int, ...]) -> Object | None:
    here: Any = shown
    for name in path:
        here = _first(here) if isinstance(name, int) else here.get(name) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else None


def made_unique(body: Object, mark: str) -> Object:
    """The object, and those in it, with other names, addresses and telephone numbers, as one that exists already may be refused;
    who stands beside a password is a new one, too (`user`).
    """
    is_account = any(is_password(name.encode("utf-8", "replace")) for name in body)
    return {
        name: made_unique(value, mark) if isinstance(value, dict) else _marked(name, value, mark, is_account=is_account)
        for name, value in body.items()
    }


def holds(shown: Object | None, properties: Iterable[Property]) -> list[Property]:
    """Those of the properties that an object shows with the new value."""
    return [each for each in properties if _equal((_below(shown, each.path) or {}).get(each.name), each.new)]


def _equal(shown: Any, sent: Any) -> bool:
    """Forms send texts where JSON shows numbers and truth, and a whole number may come back as `1046.0`."""
    if isinstance(shown, int | float) and isinstance(sent, int | float):
        return shown == sent
    if isinstance(shown, list | dict) or isinstance(sent, list | dict):
        return bool(shown == sent)
    return str(shown).lower() == str(sent).lower()


def _another(name: str, old: Any, random: Random) -> Any:
    """Another value of the same type; None where none is known to make sense."""
    if isinstance(old, bool):
        return True if not old else None
    if isinstance(old, int):
        return 1 if old == 0 and _ROLE.search(name) else old + random.randint(11, 97)
    if isinstance(old, float):
        return old + random.randint(11, 97)
    if isinstance(old, list):
        return [*old, "admin"] if all(isinstance(each, str) for each in old) and "admin" not in old else None
    return _another_text(name, old, random) if isinstance(old, str) and old else None


def _another_text(name: str, old: str, random: Random) -> str | None:
    if _is_done(name, old):
        return _written_as(old, _DONE[_as_state(old)])
    if _are_options(name, old):
        return f"{old} {old}"  # the same once more: nothing else comes of it
    if old.isdigit() or _DECIMAL.fullmatch(old):
        return str(Decimal(old) + random.randint(11, 97))
    for looks, word in ((_PLAN, "enterprise"), (_STATE, APPROVED), (_ROLE, "admin")):
        if looks.search(name) and old.lower() != word:
            return _written_as(old, word)
    return None


def _written_as(old: str, word: str) -> str:
    """A word as the application writes its own: `ROLE_ADMIN` for `ROLE_USER`, and in capitals where those are."""
    told = f"role_{word}" if old.lower().startswith("role_") else word
    return told.upper() if old.isupper() else told


def _marked(name: str, value: Any, mark: str, *, is_account: bool) -> Any:
    if not isinstance(value, str):
        return value
    said = in_english(name)
    if _NUMBERED.search(said):
        return _renumbered(value, mark)
    if not (_UNIQUE.search(said) or (is_account and said.lower() in _ACCOUNTS)):
        return value
    local, at, host = value.partition("@")
    return f"{local}{mark}{at}{host}" if at else value + mark


def _renumbered(value: str, mark: str) -> str:
    """The number with other digits at its end, as many as before."""
    if sum(map(str.isdigit, value)) < _LEAST_DIGITS:
        return value
    digits = iter([str(ord(sign) % 10) for sign in mark[-_MOST_DIGITS:]])
    turned = (next(digits, sign) if sign.isdigit() else sign for sign in reversed(value))
    return "".join(turned)[::-1]
