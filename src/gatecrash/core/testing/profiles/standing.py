"""Who of the users of a record may do more than others: by the role that a token, a login's answer, a cookie or what
somebody is told about himself names, by where each was let in, by functions that stand below the name of a role, and by
addresses that say that they are for those who manage (`/admin/users`, `?page=admin_users`), where others never went.
"""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FORBIDDEN
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers, section_of_managers
from gatecrash.core.testing.authorization.ranks.role_sections import LED, ROLE, SIDES, functions_of, role_word
from gatecrash.core.testing.authorization.ranks.roles import Told, low_role, raising, role_named
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.profiles.dressing import chosen
from gatecrash.core.testing.profiles.profile import MANAGER
from gatecrash.core.testing.profiles.reach import Reach
from gatecrash.core.words.named import Words

_SEVERAL: Final = 2
_CALLED: Final = Words(
    r"(?:(?:user|account|member)_?)?(?:status|standing|position|kind|category|grade|class|function)", re.IGNORECASE
)
# A role that is told by a flag: `is_curator`; and flags of everybody, or of who pays.
_FLAG: Final = re.compile(r"is_?([a-z]{4,20})", re.IGNORECASE)
_TOLD: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_OF_ANYBODY: Final = frozenset(
    {
        "active", "verified", "confirmed", "approved", "enabled", "disabled", "blocked", "banned", "locked", "deleted", "online", "public",
        "private", "premium", "paid", "subscribed", "trial", "beta", "following", "followed", "default", "anonymous", "authenticated",
    }
)  # fmt: skip
# Roles by number. A group, a type or a class may be a tenant's, and its number tells nobody's rank.
_NUMBERED: Final = Words(
    r"(?:(?:user|account|access|member|security|clearance|permission|privilege)_?)?(?:role|level|rank|privilege)_?(?:id|level|number)?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"-?\d{1,4}")
_MOST_FUNCTIONS: Final = 300
_MOST_OWN: Final = 8
_LINK: Final = re.compile(r"(?:href|action)\s*+=\s*+[\"']?+([^\"'<>\s]*+)", re.IGNORECASE)
_TO_MANAGE: Final = re.compile(r"[/=](?:admin|back-?office|moderation|superuser)", re.IGNORECASE)
_MOST_READ: Final = 65536


class Standing(msgspec.Struct):
    """What a record says of one user. reach: where he was let in. raised: what says by its name that he manages others.

    manages: whether he may do more than others, once all were compared.
    role: the low one that he has; empty where he has one of another name, None where nothing says which. word: what the
    application calls his role. functions: words of the paths that he was let in at, each with the word right below it.
    called: what other fields say that he is, which may be a role: `status: reader`. numbers: roles by number:
    `level: 3`. governs: whether he was let in where the address says that it is for those who manage; entered, barred:
    whether he was let in, and refused, at such ones that he was only asked for. offered: whether a page of his leads
    there. sections: where he went so by himself. choices: the cookies in which he sent a short word, by name and value.
    is_out: whether he has signed out: what he is refused from then on says nothing of him.
    """

    reach: Reach = msgspec.field(default_factory=Reach)
    raised: set[str] = msgspec.field(default_factory=set)
    manages: bool = False
    role: str | None = None
    word: str = ""
    functions: set[tuple[str, str]] = msgspec.field(default_factory=set)
    called: dict[str, str] = msgspec.field(default_factory=dict)
    flags: dict[str, bool] = msgspec.field(default_factory=dict)
    numbers: dict[str, str] = msgspec.field(default_factory=dict)
    governs: bool = False
    entered: bool = False
    barred: bool = False
    offered: bool = False
    sections: set[str] = msgspec.field(default_factory=set)
    choices: set[tuple[str, str]] = msgspec.field(default_factory=set)
    is_out: bool = False

    def keep_out(self, exchange: Exchange) -> None:
        """One more request of his that was forbidden, where he was never let in."""
        is_forbidden = exchange.response is not None and exchange.response.status == FORBIDDEN
        if is_forbidden and not self.is_out and exchange.request.path not in self.reach.entered:
            self.reach.see(exchange)

    def see(self, exchange: Exchange, *, asked: bool = False) -> None:
        """One more request of his, with its answer. asked: it was sent for him, beside the record."""
        self.reach.see(exchange, asked=asked)
        self.is_out = self.is_out or (not asked and signs_out(exchange.request))
        let_in = exchange.response is not None and exchange.response.status < FIRST_ERROR
        if let_in and len(self.functions) < _MOST_FUNCTIONS:
            self.functions.update(functions_of(exchange.request.path))
        entered = _entered_to_manage(exchange)
        if asked:
            self.entered, self.barred = self.entered or entered is True, self.barred or entered is False
        else:
            self.governs = self.governs or entered is True
            if entered and len(self.sections) < _MOST_OWN:
                self.sections.add(section_of_managers(exchange.request))
        self.offered = self.offered or _leads_to_managing(exchange)
        if not asked and len(self.choices) < _MOST_OWN:
            self.choices |= chosen(exchange.request)

    def hear(self, told: Told) -> None:
        """What he, or what he came with, was told of himself."""
        told = list(told)
        self.raised |= raising(told)
        self.role = low_role(told) if self.role is None else self.role
        self.word = role_word(told) or self.word
        told_so = ((_FLAG.fullmatch(name), _TOLD.get(value.lower())) for name, value in told)
        self.flags |= {flag[1].lower(): says for flag, says in told_so if flag is not None and says is not None}
        numbered = ((name.lower(), value) for name, value in told if _NUMBER.fullmatch(value))
        self.numbers |= {name: value for name, value in numbered if _NUMBERED.fullmatch(name)}
        self.called |= {name.lower(): role_named(value) for name, value in told if _CALLED.fullmatch(name)}

    def let_in(self, word: str, raised: AbstractSet[str]) -> None:
        """What his login says: his role, and what of its answer and its name raises him."""
        self.raised |= raised
        self.word = word or self.word

    def become(self, ordinary: AbstractSet[str]) -> None:
        """Take for low what the application gives to whoever registers."""
        self.raised -= ordinary
        self.role = self.word if self.word in ordinary else self.role
        self.manages = bool(self.raised)

    @property
    def rules(self) -> bool:
        """Whether he manages others: he went to pages for managers himself and was let in, or all that were asked for him let
        him in. Who is let in at one of these and refused at another has found a door that was left open.
        """
        return self.governs or (self.entered and not self.barred)

    @property
    def rank(self) -> int:
        """His rank, once all were compared."""
        return MANAGER if self.manages else 0

    @property
    def led(self) -> set[str]:
        """The sections of those who manage that the application's pages led him into, who is none of them."""
        return {LED + section for section in self.sections if section} if self.offered and not self.manages else set()

    @property
    def is_low(self) -> bool:
        """Whether his role is one that anybody may have."""
        return self.word in LOW_ROLES or bool(self.role and self.role == self.word)

    def below_his_role(self) -> set[str]:
        """The functions below the name of his role, where that is none that everybody may have or that stands beside others."""
        if not self.word or self.is_low or self.word in SIDES:
            return set()
        return {word for role, word in self.functions if role == self.word}


def role_cookies(request: Request) -> list[tuple[str, str]]:
    """The cookies of a request that name a role: some applications keep there which one whoever signed in has."""
    pairs = (pair.partition(b"=") for header in request.all(b"Cookie") for pair in header.split(b";"))
    named = ((name.strip().decode("latin-1"), value.strip().decode("latin-1")) for name, _, value in pairs)
    return [cookie for cookie in named if role_word([cookie])]


def standings(
    users: Iterable[tuple[Standing, AbstractSet[str]]], ordinary: AbstractSet[str] = frozenset()
) -> list[set[str]]:
    """Raise who may do more than others, and tell for each what only his role does: `role=warden/pitches`.

    users: each with what he is called. ordinary: roles that whoever registers is given, whatever they are called. Whose
    role has a name of the application's own may do more than several whose role is a low one, or is one and the same: a
    chef among customers. Beside one customer alone it may be the other side of a market, and each of the two has to be
    asked as the other: but for who is let in wherever that customer is, and where he is refused as well, and for who
    has functions below the name of his role that only he was recorded at.
    """
    users = list(users)
    each = [standing for standing, _ in users]
    _read_own_words(each)
    flagged = _read_flags(each)
    for one in each:
        one.become(ordinary)
    several = sum(bool(one.role) for one in each) >= _SEVERAL
    own = [_flagged_functions(one) if id(one) in flagged else _own_functions(one, each) for one in each]
    odd, all_govern = (_odd(each), _odd_by_number(each)), all(one.rules or one.offered for one in each)
    for (standing, names), functions in zip(users, own, strict=True):
        above = not standing.role and any(standing.reach.is_above(other.reach, names) for other in each)
        one_of_a_kind = any(standing is one for one in odd) or (several and standing.role == "")
        governs = standing.rules and not all_govern and not standing.role
        standing.manages = standing.manages or above or one_of_a_kind or governs or bool(functions)
    return [{f"{ROLE}{one.word}/{word}" for word in functions} for one, functions in zip(each, own, strict=True)]


def _entered_to_manage(exchange: Exchange) -> bool | None:
    """Whether somebody was shown a page whose address says that it is for those who manage, or told to go; None for all else."""
    response = exchange.response
    if response is None or not is_safe(exchange.request) or not is_of_managers(exchange.request):
        return None
    if refusal(response) is not None:
        return False
    return True if response.status < FIRST_REDIRECT else None


def _leads_to_managing(exchange: Exchange) -> bool:
    """Whether a page has a link to such an address: then the application offers it to whoever is shown the page."""
    response = exchange.response
    if response is None or not renders(response):
        return False
    return any(_TO_MANAGE.search(link) for link in _LINK.findall(text_of(response)[:_MOST_READ]))


def _read_own_words(users: list[Standing]) -> None:
    """Roles under another name: where somebody's status is to be a reader, that of others is their role, too."""
    names = {name for one in users for name, word in one.called.items() if word in LOW_ROLES}
    for one in users:
        own = [one.called[name] for name in sorted(names & one.called.keys())]
        if own and not one.word and one.role is None:
            one.hear([("role", own[0])])


def _read_flags(users: list[Standing]) -> set[int]:
    """Those whose role a flag tells, which others are told not to have, and who alone were let in at a section of its name."""
    found: set[int] = set()
    for word in sorted({flag for one in users for flag in one.flags} - _OF_ANYBODY - SIDES - LOW_ROLES):
        bearers = [one for one in users if one.flags.get(word) and not one.word]
        others = [one for one in users if one.flags.get(word) is False]
        apart = [{role for role, _ in one.functions} for one in users if all(one is not each for each in bearers)]
        if others and not any(word in roles for roles in apart):
            entered = [one for one in bearers if any(role == word for role, _ in one.functions)]
            for one in entered:
                one.word, one.role = word, ""
            found |= {id(one) for one in entered}
    return found


def _flagged_functions(user: Standing) -> list[str]:
    """The functions below the name of a role that a flag tells, which nobody else was let in at."""
    return sorted(user.below_his_role())[:_MOST_OWN]


def _odd(users: list[Standing]) -> Standing | None:
    """The one whose role is another than the one that all others have, several of them; None where that may be a side of a market."""
    words = [one.word for one in users]
    odd = [one for one in users if words.count(one.word) == 1]
    others = {word for word in words if words.count(word) > 1}
    if "" in words or len(odd) != 1 or len(others) != 1 or odd[0].is_low or odd[0].word in SIDES:
        return None
    return odd[0]


def _odd_by_number(users: list[Standing]) -> Standing | None:
    """The one whose role has another number than that of all others, several of them; None where nothing says so."""
    for name in sorted({name for one in users for name in one.numbers}):
        told = [one.numbers.get(name, "") for one in users]
        odd = [one for one, number in zip(users, told, strict=True) if told.count(number) == 1]
        if "" not in told and len(odd) == 1 and len(told) > _SEVERAL and len(set(told)) == _SEVERAL:
            return odd[0]
    return None


def _own_functions(user: Standing, users: list[Standing]) -> list[str]:
    """The functions below the name of a user's role that nobody with another role was let in at, where somebody is known to have
    another one and has no such functions himself.
    """
    others = [other for other in users if other.word != user.word]
    if all(not other.word or other.below_his_role() for other in others):
        return []
    theirs = {word for other in others for role, word in other.functions if role == user.word}
    return sorted(user.below_his_role() - theirs)[:_MOST_OWN]
