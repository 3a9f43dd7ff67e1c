"""How the user of a recorded session is let in again: the steps of his login, with all that gives them their values."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import as_step, handed_on
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import MANAGER, ProfileIdentity, Step, Take
from gatecrash.core.testing.profiles.recorded_logins import lets_in_a_manager
from gatecrash.core.testing.profiles.recorded_session import RecordedSession

_LEAST_TOKEN: Final = 8
_FORM: Final = b"application/x-www-form-urlencoded"


def identity_of(name: str, session: RecordedSession) -> ProfileIdentity:
    take = session.token[0] if session.token is not None and session.placed else None
    return ProfileIdentity(
        name=name,
        rank=MANAGER if lets_in_a_manager(session.name, session.login.response) else 0,
        values=tuple(session.placed.values()),
        login=tuple(_steps(session, take)),
        registration=() if session.registration is None else (as_step(session.registration.request, None),),
        hosts=session.host,
        known=(session.name,),
    )


def _steps(session: RecordedSession, take: Take | None) -> Iterator[Step]:
    """All that lets in: the login, and the renewal of what it gave where that served for nothing else."""
    if session.renewal is None:
        yield from _entering(session, (take,) if take else ())
        return
    request = session.renewal.request
    step = as_step(request, take)
    takes: list[Take] = []
    header = (request.first(b"Authorization") or b"").decode("latin-1")
    if session.before is not None and header.endswith(session.before[1]):
        word = header.removesuffix(session.before[1]).replace("${", "$${")
        takes.append(session.before[0])
        step = msgspec.structs.replace(
            step, headers=(*step.headers, ("Authorization", f"{word}${{{session.before[0].variable}}}"))
        )
    handed = handed_on(session.login, request)
    if handed is not None:
        body = (step.body or "").replace(handed[1], "${renewing}")
        takes.append(msgspec.structs.replace(handed[0], variable="renewing"))
        step = msgspec.structs.replace(step, body=body)
    yield from _entering(session, tuple(takes))
    yield step


def _entering(session: RecordedSession, takes: tuple[Take, ...]) -> Iterator[Step]:
    """What gives the login its values, the page of its form or the step before it, and the login itself."""
    login, page = session.login.request, session.page
    step: Step = msgspec.structs.replace(as_step(login, None), take=takes)
    if not (login.first(b"Content-Type") or b"").lower().startswith(_FORM):
        first = session.first
        handed = handed_on(first, login) if first is not None else None
        if first is not None and handed is not None:
            given, text = handed
            yield as_step(first.request, given)
            step = msgspec.structs.replace(step, body=(step.body or "").replace(text, f"${{{given.variable}}}"))
        yield step
        return
    pairs = parse_qsl(login.body.decode("utf-8", "replace"), keep_blank_values=True)
    fields = dict(_tokens(pairs, page)) if page is not None else {}
    browser = tuple(header for header in step.headers if header[0].lower() == "user-agent")
    if page is not None and fields:
        yield Step(
            method="GET", url=page.request.url.replace("${", "$${"), headers=browser, take=tuple(fields.values())
        )
    form = tuple(
        (key, f"${{{fields[key].variable}}}" if key in fields else value.replace("${", "$${")) for key, value in pairs
    )
    named = tuple(header for header in step.headers if header[0].lower() not in ("content-type", "accept"))
    yield msgspec.structs.replace(step, body=None, form=form, headers=named)


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
