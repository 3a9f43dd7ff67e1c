"""A browser beside a walk: what the pages' scripts ask for while they run, in the name of whoever walks.

browse = browsing(way, profile)                     None where there is no browser, or none is wanted
calls = await browse(front, caller)                 see node/browser/walking.py
"""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import orjson

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.entrance import Account, kind_of_name
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity, Step
from gatecrash.core.testing.profiles.template import fill
from gatecrash.core.words.names import plain
from gatecrash.node.browser.walking import WalkCaller, walked
from gatecrash.node.scan.outgoing import Way

Browse = Callable[[Request, WalkCaller], Awaitable[list[Request]]]


def browsing(way: Way, profile: AuthProfile | None) -> Browse | None:
    """profile: whose first identity walks; None for a visitor."""
    if way.browser is None:
        return None
    account = account_of(profile.identities[0]) if profile is not None and profile.identities else None
    return partial(walked, way.browser, account=account)


def account_of(identity: ProfileIdentity) -> Account | None:
    """The name and the password that it signs in with; None where it does so by other means."""
    found: dict[str, str] = {}
    variables = dict(identity.variables)
    for name, value in [*identity.variables, *_sent(identity.login, variables)]:
        found.setdefault(kind_of_name(plain(name)), value)
    user, mail = found.get("user", ""), found.get("mail", "")
    password = found.get("password", "")
    return Account(user=user or mail, mail=mail or user, password=password) if password and (user or mail) else None


def _sent(steps: tuple[Step, ...], variables: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The names and texts that the steps of a login send, of which nothing is taken from an answer before."""
    for step in steps:
        for name, text in (*(step.form or ()), *_members(step.json)):
            try:
                yield name, fill(text, variables)
            except InvalidProfile:
                continue


def _members(document: str | None) -> Iterator[tuple[str, str]]:
    if document is None:
        return
    try:
        todo: list[Any] = [orjson.loads(document)]
    except orjson.JSONDecodeError:
        return
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            yield from ((name, text) for name, text in value.items() if isinstance(text, str))
            todo += [each for each in value.values() if isinstance(each, dict)]
