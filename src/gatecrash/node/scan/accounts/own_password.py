"""The password of the account that was made for a scan, put where a description sets the password of an account by its name.

So the request changes nothing, and may be sent as another user to see whether it is done for him. With the name of a
stranger it would tell nothing, and with a made-up password nobody would sign in any more: least of all the user whose
account an auth profile names, so that what changes what he signs in with sets it to what it is.
"""

import re
from collections.abc import Collection, Container, Iterable, Mapping

import msgspec

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.testing.authorization.callers.password_changes import password_change
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.effects.writes import renames_sender
from gatecrash.core.testing.forms.pages import sent_from
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.profiles.entrance import Account, fields, kind_of_name
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, Hole, is_of_a_page
from gatecrash.node.scan.accounts.account_words import calls_accounts
from gatecrash.node.scan.accounts.oneself import without_mine
from gatecrash.node.scan.drafts.known_values import ACCOUNTS, segments

_CHANGING = frozenset({"PUT", "PATCH", "POST"})
_SETS = re.compile(r"passw(?:or)?d|passphrase|/pwd")
_CHANGES = re.compile(r"^(?:set|change|update|edit)[-_]?(?:my[-_]?)?")
_NUMBERS = frozenset({"id", "uid", "uuid", "number"})
_OF_ONESELF = re.compile(rb"/(?:me|self|myself|account|profile|my-?(?:account|profile))(?:/|$)", re.IGNORECASE)
# Whoever manages sets those of others.
_OTHERWISE = re.compile(r"admin|staff|otp|verif|confirm|regist|sign[-_]?up|log[-_]?in|sign[-_]?in")
# Those who forgot theirs bring a code in its place, unless the application asks for none.
_FORGOTTEN = re.compile(r"forgot|reset|recover")
_OF_MANAGERS = re.compile(r"admin|staff")
_NUMBER_SENT = re.compile(r"(?:user|account|member|profile|owner)(?:id|uid|uuid|number)")


def keeping_the_password(
    draft: Draft,
    account: Account,
    number: str = "",
    made_at: Iterable[tuple[str, ...]] = (),
    called: Container[str] = (),
) -> Draft:
    """The draft for our own account and its own password; itself where it sets none, or names no account by its name or number.

    number: what the account is called by besides; empty where nobody told. made_at: the paths where accounts are made. called:
    what the login calls its users' names, plain.
    """
    ours = {"password": account.password, "mail": account.mail, "user": account.user}
    return _for_account(draft, ours | ({"number": number} if number else {}), frozenset(made_at), called)


def _for_account(
    draft: Draft,
    ours: Mapping[str, str],
    made_at: Container[tuple[str, ...]] = (),
    called: Container[str] = (),
) -> Draft:
    request = draft.request
    path = request.path.decode("latin-1").lower()
    if request.method.upper() not in _CHANGING or not _sets_one(request, path) or _OTHERWISE.search(path):
        return draft
    if _FORGOTTEN.search(path) and not (all(fields(request).values()) and _is_tested_alone(request)):
        return draft
    named = {hole.point: kind for hole in draft.holes if (kind := _called(hole, request, made_at, called)) in ours}
    sent = {point: kind for point, kind in fields(request, called).items() if kind in ours}
    if "password" not in sent.values() or not {"user", "mail", "number"} & {*named.values(), *sent.values()}:
        return draft
    values = {point: ours[kind].encode() for point, kind in (named | sent).items()}
    kept: Draft = msgspec.structs.replace(
        draft,
        request=rewrite_many(request, values),
        spare=None,
        holes=tuple(msgspec.structs.replace(hole, given=hole.given or hole.point in named) for hole in draft.holes),
    )
    return kept


def setting_the_same(draft: Draft, variables: Iterable[tuple[str, str]]) -> Draft:
    """The draft with what its sender signs in with, where it is the form of a login, would set him another password, also where
    his own address calls it otherwise (`/me/secret`), or another name or address at an address of his own, and at his own
    name where it names an account; itself where his variables do not tell one of each.
    """
    request, told = draft.request, told_of(variables)
    named = _for_account(draft, told)
    if named is not draft:
        return named
    ours = {kind: value.encode() for kind, value in told.items()}
    # A page shows its form to who is signed in: a token of the form proves nothing of him, and a hidden name may be his own.
    own = frozenset(told[kind].lower() for kind in ("user", "mail") if kind in told)
    change = password_change(request, own, proven=is_of_a_page(draft))
    kinds: dict[Point, str] = {}
    if change is not None:
        kinds = dict.fromkeys((change.new, *change.again, *(() if change.old is None else (change.old,))), "password")
    elif "password" in ours and signs_in(request) and sent_from(request) is not None:
        # Who signs in with his address has it in a field for his name, too.
        kinds = {at: "mail" if kind == "user" and "user" not in ours else kind for at, kind in fields(request).items()}
    elif _OF_ONESELF.search(request.path) and _sets_one(request, request.path.decode("latin-1").lower()):
        kinds = {point: kind for point, kind in fields(request).items() if kind == "password"}
    elif _OF_ONESELF.search(request.path) and renames_sender(request):
        kinds = {each.point: kind_of_name(plain(each.point[-1])) for each in walked(request) if each.point[0] == "post"}
    values = {point: ours[kind] for point, kind in kinds.items() if kind in ours}
    if not values:
        return draft
    kept: Draft = msgspec.structs.replace(draft, request=rewrite_many(request, values), spare=None)
    return kept


def of_its_sender(
    draft: Draft, variables: Iterable[tuple[str, str]], number: str, made_at: Iterable[tuple[str, ...]] = ()
) -> Draft:
    """What a description says to set the password of an account with, which it names by its number: the sender's own and to
    what it is, or kept back where nothing tells that number, as what only managers do, who set those of others. Itself where
    it is about no such account.

    number: what the sender's account is called by; empty where nobody told. made_at: the paths where accounts are made.
    """
    request, path = draft.request, address_of(draft.request).lower()
    named = [hole for hole in draft.holes if _is_a_number(hole, request, frozenset(made_at))]
    places = [point for point, kind in fields(request).items() if kind == "password"]
    is_changed = draft.operation and request.method.upper() in _CHANGING and _sets_one(request, path)
    of_managers = _OF_MANAGERS.search(path) is not None
    by_a_code = _FORGOTTEN.search(path) and not all(fields(request).values())
    if not (is_changed and named and places) or ((_OTHERWISE.search(path) or by_a_code) and not of_managers):
        return draft
    password = told_of(variables).get("password", "")
    if of_managers or not number or not password:
        held: Draft = msgspec.structs.replace(draft, kept=True)
        return held
    values = dict.fromkeys(places, password.encode()) | {hole.point: number.encode() for hole in named}
    holes = tuple(msgspec.structs.replace(hole, given=hole.given or hole in named) for hole in draft.holes)
    own: Draft = msgspec.structs.replace(draft, request=rewrite_many(request, values), spare=None, holes=holes)
    return own


def keeping_ones_own(
    draft: Draft, accounts: Iterable[Iterable[tuple[str, str]]], shown: Response | None = None
) -> Draft:
    """The draft with the password that an account has where it writes over one that somebody signs in with: which holds his name or
    his address; itself where nothing that is sent does, nor anything that is shown.

    accounts: the variables of each who signs in. shown: what stands there before it is written over.
    """
    places = [point for point, kind in fields(draft.request).items() if kind == "password"]
    if draft.request.method.upper() not in _CHANGING or not places:
        return draft
    held = {each.value.decode("utf-8", "replace") for each in walked(draft.request) if each.point[0] == "post"}
    held |= {leaf.value for leaf in leaves(shown)} if shown is not None else set()
    signing_in = [told for told in map(told_of, accounts) if "password" in told]
    his = next((one for one in signing_in if not held.isdisjoint({one.get("mail"), one.get("user")})), None)
    if his is None:
        return draft
    request = rewrite_many(draft.request, dict.fromkeys(places, his["password"].encode()))
    kept: Draft = msgspec.structs.replace(draft, request=request)
    return kept


def told_of(variables: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each kind of value is, where there is one of it."""
    return {kind: values.pop() for kind, values in _by_kind(variables).items() if len(values) == 1}


def _by_kind(variables: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """The values by what they are to a login; a user's name may be his address."""
    kinds: dict[str, set[str]] = {}
    for name, value in variables:
        kind = kind_of_name(plain(name))
        if kind and value:
            kinds.setdefault("mail" if kind == "user" and "@" in value else kind, set()).add(value)
    return kinds


def _sets_one(request: Request, path: str) -> bool:
    """Whether a path speaks of passwords, or ends in what the request calls one (`secret` of `/customers/7/secret` and of
    `/set-secret`), or a password is called new.
    """
    called = {plain(point[-1]) for point, kind in fields(request).items() if kind == "password"}
    last = plain(_CHANGES.sub("", path.rstrip("/").rpartition("/")[2]))
    if _SETS.search(path) is not None or last in called:
        return True
    return _is_tested_alone(request) and any(each.startswith("new") for each in called)


def _is_tested_alone(request: Request) -> bool:
    """Whether its tests come last, each by itself: while they set other passwords, nobody signs in with the account's own."""
    return destroys(request) is not None


def _is_a_number(hole: Hole, request: Request, made_at: Collection[tuple[str, ...]]) -> bool:
    """Whether it names an account by its number, in the path or in what is sent."""
    if hole.point[0] == "post":
        words = {singular(plain(path[-1])) for path in made_at if path}
        return bool(_NUMBER_SENT.fullmatch(plain(hole.name)) or calls_accounts(plain(hole.name), words))
    return _called(hole, request, made_at) == "number"


def _called(hole: Hole, request: Request, made_at: Container[tuple[str, ...]], called: Container[str] = ()) -> str:
    """What of an account a placeholder of the path is called by: its name, its address, or its number among all accounts."""
    if hole.point[0] != "path":
        return ""
    name = without_mine(hole.name)
    above = segments(request)[: int(hole.point[1])]
    if name in _NUMBERS or (above and name == plain(singular(above[-1])) + "id"):
        return "number" if above in made_at or (above and ACCOUNTS.fullmatch(above[-1])) else ""
    kind = "user" if name in called else kind_of_name(name)
    return kind if kind in ("user", "mail") else ""
