"""The account that was made for a scan, put where a description asks for an account's name or address.

A name that was made up is nobody's, and one that a list shows is a stranger's: what is asked for it is not found, and
nothing behind it can be tested. A change that takes a made-up name for the caller's new one is worse, as nobody signs
in by the old one any more. What our account is called suits both. What makes accounts, sets passwords or takes rights
away keeps the values of the description.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import read, walk
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.writes import overwrites
from gatecrash.core.testing.operations.graphql import address_of, operation_of
from gatecrash.core.testing.profiles.entrance import entrance_of, fields, registers, registers_into
from gatecrash.core.words.names import plain
from gatecrash.formats.descriptions.sample_text import text_for
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_values import ACCOUNTS, Path, segments

_CHANGING = frozenset({"PUT", "PATCH"})
_FORGOTTEN = re.compile(r"forgot|forget|recover|reset|lost")
_SENDER = re.compile(
    r"from|fromuser|sender|author|creator|reviewer|commenter|(?:created|posted|written|sent|submitted)by"
)
_RIGHTS = re.compile(r"role|admin|permission|rank|scope|group|active|enable|disable|status|suspend|ban(?:$|ned)|b?lock")


def as_oneself(draft: Draft, registered: Request, called: Container[str] = ()) -> Draft:
    """The draft with what our account is called; itself where it asks for none. registered: the request that made the account.
    called: what the login calls its users' names, plain.

    A change is sent so first, and as the description has it where that is refused; what makes something the other way round.
    """
    # A stranger whose address the description shows shall be sent no code.
    is_forgotten = _FORGOTTEN.search(address_of(draft.request).lower()) is not None
    changes = draft.request.method.upper() in _CHANGING or is_forgotten or overwrites(draft.request)
    if (
        registers(draft.request)
        or fields(draft.request)
        or (operation_of(draft.request) is not None and not changes)
        or (destroys(draft.request) and not changes)
    ):
        return draft
    kinds = fields(registered, called)
    ours = {
        plain(point[-1]): read(registered, point) or b"" for point, kind in kinds.items() if kind in ("user", "mail")
    }
    draft = _sent_by(_at_own(draft, ours, accounts_of(registered)), ours)
    request = draft.request
    own = _with_own(request, registered, ours)
    if own is request:
        return draft
    if changes:
        return _changed(draft, own, draft.spare or request)
    return _changed(draft, request, own if draft.spare is None else _with_own(draft.spare, registered, ours))


def accounts_of(registration: Request) -> tuple[Path, ...]:
    """Where the accounts are that a request makes: at its own address, and above the word that only says so. Of one that is known by
    its fields alone (`/fans/join`) that may be either.
    """
    path = segments(registration)
    is_below = registers_into(registration) or not registers(registration)
    return (path, path[:-1]) if len(path) > 1 and is_below else (path,)


def about_nobody_met(draft: Draft, called: Container[str] = ()) -> Draft:
    """What makes an account, or signs in by one, without the places of its name and address as such that may be filled in: another
    name that is met meanwhile is somebody's already. called: what the login calls its users' names, plain.
    """
    naming = {point for point, kind in fields(draft.request, called).items() if kind}
    kept = tuple(hole for hole in draft.holes if hole.point not in naming)
    return draft if kept == draft.holes else msgspec.structs.replace(draft, holes=kept)


def where_accounts_are_made(requests: Iterable[Request]) -> Iterator[Path]:
    """Where the accounts are that registrations among the requests make."""
    posted = [each for each in requests if each.method == "POST" and fields(each)]
    joining = [each for each in posted if registers(each)]
    yield from (path for each in joining for path in accounts_of(each))
    other = None if joining else entrance_of(posted).registration
    if other is not None:
        yield from accounts_of(other)


def _at_own(draft: Draft, ours: Mapping[str, bytes], where: Container[Path]) -> Draft:
    """The draft at our account's own address, where accounts are asked for by what was registered (`/accounts/{username}`);
    what changes one also where the document shows a name, which is somebody else's. ours: what our account was called when
    it was made, by the plain names of these fields. where: accounts are.
    """
    changes = draft.request.method.upper() in _CHANGING
    if _RIGHTS.search(address_of(draft.request).lower()):
        return draft
    for hole in draft.holes:
        is_open = hole.point[0] == "path" and (changes or not hole.given)
        before = segments(draft.request)[: int(hole.point[1])] if is_open else ()
        if plain(hole.name) not in ours or not (before in where or (before and ACCOUNTS.fullmatch(before[-1]))):
            continue
        value = {hole.point: ours[plain(hole.name)]}
        draft = msgspec.structs.replace(
            draft,
            request=rewrite_many(draft.request, value),
            spare=None if draft.spare is None else rewrite_many(draft.spare, value),
            holes=tuple(msgspec.structs.replace(each, given=each.given or each is hole) for each in draft.holes),
        )
    return draft


def _sent_by(draft: Draft, ours: Mapping[str, bytes]) -> Draft:
    """The draft with our account as its sender where it names one (`from`, `author`) that nobody is called."""
    own = next(iter(ours.values()), b"")
    made_up = {
        one.point: own
        for one in _body(draft.request)
        if _SENDER.fullmatch(plain(one.point[-1])) and one.value == text_for({}, one.point[-1]).encode()
    }
    if not own or not made_up:
        return draft
    spare = draft.spare
    if spare is not None:
        held = {one.point for one in _body(spare)}
        spare = rewrite_many(spare, {point: own for point in made_up if point in held})
    return _changed(draft, rewrite_many(draft.request, made_up), spare)


def _with_own(request: Request, registered: Request, said: Mapping[str, bytes]) -> Request:
    """The request with the values of fields that were registered, where one of those that say whose account it is, `said`, is
    asked for.
    """
    if _RIGHTS.search(address_of(request).lower()):
        return request
    ours = _values(registered)
    asked = {one.point: plain(one.point[-1]) for one in _body(request)}
    if not said.keys() & set(asked.values()) or any(map(_RIGHTS.search, asked.values())):
        return request
    return rewrite_many(request, {point: ours[name] for point, name in asked.items() if name in ours})


def _values(registered: Request) -> dict[str, bytes]:
    """What was registered, by the names of its fields; no password, and nothing that was left empty."""
    kinds = fields(registered)
    return {
        plain(one.point[-1]): one.value for one in _body(registered) if one.value and kinds.get(one.point) != "password"
    }


def _body(request: Request) -> list[Found]:
    return [one for one in walk(request).points if one.point[0] == "post" and not one.container]


def _changed(draft: Draft, request: Request, spare: Request | None) -> Draft:
    changed: Draft = msgspec.structs.replace(draft, request=request, spare=spare)
    return changed
