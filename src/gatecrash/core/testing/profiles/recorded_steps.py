"""How the user of a recorded session is let in again: the steps of his login, with all that gives them their values."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import as_step, handed_on
from gatecrash.core.testing.profiles.known_passwords import with_others
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import MANAGER, ProfileIdentity, Step, Take
from gatecrash.core.testing.profiles.recorded_guards import guards_of, handed_out
from gatecrash.core.testing.profiles.recorded_logins import lets_in_a_manager
from gatecrash.core.testing.profiles.recorded_session import RecordedSession, carried_by, given_by

_LEAST_TOKEN: Final = 8
_FORM: Final = b"application/x-www-form-urlencoded"


def identity_of(name: str, sessions: Sequence[RecordedSession], passwords: Sequence[bytes] = ()) -> ProfileIdentity:
    """sessions: those that his logins begin, in order; where the others let him in no more, the first serves alone.
    passwords: all that his account was recorded with, in order.
    """
    first = sessions[0]
    others = zip(*(with_others(each.login, passwords) for each in sessions), strict=False)
    otherwise = [tuple(each.login for each in sessions[:1])] if len(sessions) > 1 else []
    return ProfileIdentity(
        name=name,
        rank=MANAGER if any(lets_in_a_manager(each.name, each.login.response) for each in sessions) else 0,
        values=tuple(placed for each in sessions for placed in each.placed.values()),
        login=_all_steps(sessions, [each.login for each in sessions]),
        registration=() if first.registration is None else (as_step(first.registration.request, None),),
        hosts=",".join(dict.fromkeys(host for each in sessions for host in (each.host, *sorted(each.elsewhere)))),
        known=(first.name,),
        otherwise=tuple(_all_steps(sessions, logins) for logins in (*others, *otherwise)),
    )


def _all_steps(sessions: Iterable[RecordedSession], logins: Iterable[Exchange]) -> tuple[Step, ...]:
    """The steps of these logins, one after the other."""
    found: list[Step] = []
    for session, login in zip(sessions, logins, strict=False):
        take = session.token[0] if session.token is not None and session.placed else None
        found += _steps(msgspec.structs.replace(session, login=login), take)
    return tuple(found)


def _steps(session: RecordedSession, take: Take | None) -> Iterator[Step]:
    """All that lets in: the login, and the renewal of what it gave where that served for nothing else."""
    along = tuple(session.along.values())
    if session.renewal is None:
        yield from _entering(session, (take, *along) if take else along)
        return
    request = session.renewal.request
    step = as_step(request, take)
    takes: list[Take] = list(along)
    header = (request.first(b"Authorization") or b"").decode("latin-1")
    if session.before is not None and header.endswith(session.before[1]):
        word = header.removesuffix(session.before[1]).replace("${", "$${")
        takes.append(session.before[0])
        step = msgspec.structs.replace(
            step, headers=(*step.headers, ("Authorization", f"{word}${{{session.before[0].variable}}}"))
        )
    handed = handed_on(session.login, request)
    known: dict[str, str] = {}
    if handed is not None:
        known[handed[1]] = "renewing"
        body = (step.body or "").replace(handed[1], "${renewing}")
        takes.append(msgspec.structs.replace(handed[0], variable="renewing"))
        step = msgspec.structs.replace(step, body=body)
    guarded = _guarded_by_login(session.login, request)
    takes += (take for take, _ in guarded.values())
    step = _with_guards(step, guarded)
    yield from _entering(session, tuple(takes))
    yield from _guarded_step(session, step, known)


def steps_behind(page: Exchange, login: Exchange, take: Take | None) -> Iterator[Step]:
    """The page of a login's form as any visitor is shown it, and the form with what that had filled in. take: what the login gives."""
    step = as_step(login.request, take)
    pairs = _pairs(login) if _is_form(login) else []
    fields = dict(_tokens(pairs, page))
    yield _fetching(page, step, fields.values())
    variables = {value: fields[key].variable for key, value in pairs if key in fields}
    yield _with_form(step, pairs, variables) if pairs else step


def _guarded_by_login(login: Exchange, request: Request) -> dict[tuple[str, ...], tuple[Take, str]]:
    """The tokens that guard the second step, where the login's own answer handed them out: of a session that is new each time."""
    found = ((point, text, handed_out(text, login, f"beside{n}")) for n, (point, text) in enumerate(guards_of(request)))
    return {point: (take, text) for point, text, take in found if take is not None}


def _guarded_step(session: RecordedSession, step: Step, known: dict[str, str]) -> Iterator[Step]:
    """The second step, behind the page of its own form where that guards it. known: variables by the recorded values."""
    if session.renewal is not None and session.renewal_guard is not None:
        page, guards = session.renewal_guard
        fetched = {
            point: (guards[point], text) for point, text in guards_of(session.renewal.request) if point in guards
        }
        yield _fetching(page, step, [take for take, _ in fetched.values()])
        step = _with_guards(step, fetched)
        if _is_form(session.renewal):
            variables = known | {text: take.variable for take, text in fetched.values()}
            step = _with_form(step, _pairs(session.renewal), variables)
    yield step


def _entering(session: RecordedSession, takes: tuple[Take, ...]) -> Iterator[Step]:
    """What gives the login its values, the page of its form or the step before it, and the login itself."""
    step: Step = msgspec.structs.replace(as_step(session.login.request, None), take=takes)
    if session.choice is not None:
        yield as_step(session.choice.request, None)
    if session.mailed is not None:
        yield from session.mailed.steps(step)
        return
    fetched = dict(_guarded(session))
    guards = [take for take, _ in fetched.values()]
    # Its page may begin another session each time: it is asked once for all that it hands out.
    at_once = _is_form(session.login) and _stand_on_its_page(session, fetched)
    if session.guard is not None and fetched:
        if not at_once:
            yield _fetching(session.guard, step, guards)
        step = _with_guards(step, fetched)
    if _is_form(session.login):
        known = {value: take.variable for take, value in fetched.values()}
        yield from _by_form(session, step, known, guards if at_once else ())
        return
    handed = handed_on(session.first, session.login.request) if session.first is not None else None
    if session.first is not None and handed is not None:
        given, text = handed
        yield as_step(session.first.request, given)
        step = msgspec.structs.replace(step, body=(step.body or "").replace(text, f"${{{given.variable}}}"))
    elif session.page is not None and not fetched and _shares_a_cookie(session.page, session.login):
        yield _fetching(session.page, step, ())
    yield step


def _stand_on_its_page(session: RecordedSession, guards: Iterable[tuple[str, ...]]) -> bool:
    """Whether what guards a form against forged requests is all filled in on its own page."""
    page, guard = session.page, session.guard
    same = page is not None and guard is not None and page.request.url == guard.request.url
    return same and all(point[0] == "post" for point in guards)


def _shares_a_cookie(page: Exchange, login: Exchange) -> bool:
    """Whether a login came in the session that its visitor had at the page of its form: some applications let nobody in without one."""
    had = {**carried_by(page.request), **(given_by(page.response) if page.response is not None else {})}
    return any(point[:3] == COOKIE and had.get(point) == value for point, value in carried_by(login.request).items())


def _guarded(session: RecordedSession) -> Iterator[tuple[tuple[str, ...], tuple[Take, str]]]:
    """The tokens that guard the login, each with where it is read on the page that handed it out."""
    for point, value in guards_of(session.login.request):
        if point in session.guards:
            yield point, (session.guards[point], value)


def _with_guards(step: Step, fetched: dict[tuple[str, ...], tuple[Take, str]]) -> Step:
    body, url, headers = step.body or "", step.url, list(step.headers)
    for point, (take, value) in fetched.items():
        variable = f"${{{take.variable}}}"
        if point[0] == "header":
            name = "-".join(part.capitalize() for part in point[1].split("-"))
            headers = [header for header in headers if header[0].upper() != point[1]] + [(name, variable)]
        else:
            body, url = body.replace(value, variable), url.replace(value, variable)
    changed: Step = msgspec.structs.replace(step, body=body, url=url, headers=tuple(headers))
    return changed


def _fetching(page: Exchange, step: Step, takes: Iterable[Take]) -> Step:
    """The page that handed a token or a session out, asked for by the browser of the login, and with what lets that in at all."""
    browser = tuple(header for header in step.headers if header[0].lower() not in ("content-type", "accept"))
    taken = tuple(takes)
    url = page.request.url.replace("${", "$${")
    return Step(method="GET", url=url, headers=browser, take=taken, visit=not taken)


def _by_form(session: RecordedSession, step: Step, known: dict[str, str], guards: Iterable[Take]) -> Iterator[Step]:
    """A form with what its page had filled in, or behind that page for its visitor's session alone. known: variables
    by the values that were recorded; guards: those of them that are still to be fetched there.
    """
    pairs = _pairs(session.login)
    page = session.page
    fields = dict(_tokens([pair for pair in pairs if pair[1] not in known], page)) if page is not None else {}
    takes = [*guards, *fields.values()]
    if page is not None and (takes or (not known and _shares_a_cookie(page, session.login))):
        yield _fetching(page, step, takes)
    variables = known | {value: fields[key].variable for key, value in pairs if key in fields}
    yield _with_form(step, pairs, variables)


def _is_form(login: Exchange) -> bool:
    return (login.request.first(b"Content-Type") or b"").lower().startswith(_FORM)


def _pairs(login: Exchange) -> list[tuple[str, str]]:
    return parse_qsl(login.request.body.decode("utf-8", "replace"), keep_blank_values=True)


def _with_form(step: Step, pairs: Iterable[tuple[str, str]], variables: dict[str, str]) -> Step:
    """variables: by the recorded values that they stand in the place of."""
    form = tuple(
        (key, f"${{{variables[value]}}}" if value in variables else value.replace("${", "$${")) for key, value in pairs
    )
    named = tuple(header for header in step.headers if header[0].lower() not in ("content-type", "accept"))
    changed: Step = msgspec.structs.replace(step, body=None, form=form, headers=named)
    return changed


def _tokens(pairs: list[tuple[str, str]], page: Exchange) -> Iterator[tuple[str, Take]]:
    """The fields that the page had filled in already, and how their values are read there."""
    text = text_of(page.response)[:MOST_SEARCHED] if page.response is not None else ""
    for number, (key, value) in enumerate(pairs):
        if len(value) < _LEAST_TOKEN:
            continue
        name = re.escape(key)
        for pattern in (
            rf"name=[\"']?{name}[\"']?[^<>]*value=[\"']?([^\"'<> ]+)",
            rf"value=[\"']?([^\"'<> ]+)[\"']?[^<>]*name=[\"']?{name}[\"' />]",
        ):
            if _finds(pattern, text, value):
                yield key, Take(f"field{number}", "pattern", pattern)
                break


def _finds(pattern: str, text: str, value: str) -> bool:
    try:
        found = compile_search(pattern).search(text)
    except InvalidPattern:
        return False
    return found is not None and unescape(found[1]) == value == found[1]
