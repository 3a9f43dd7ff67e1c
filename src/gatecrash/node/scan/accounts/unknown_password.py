"""The password of whoever an auth profile signs in, where a page's form sets one: it stays what it is, or the form is not sent.

Nobody has filled such a form in, so that it would set a password that was made up, and whoever the profile names could not sign in
any more. What he signs in with the profile tells by a variable, under whatever name a step of its login puts it in; a token or a
cookie tells nothing of it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.password_changes import sets_password_of_a_user
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.profiles.known_passwords import password_sent
from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.core.testing.profiles.step_request import request_of
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, is_of_a_page
from gatecrash.node.scan.accounts.own_password import setting_the_same, told_of


def keeping_who_signs_in(draft: Draft, identities: Iterable[ProfileIdentity]) -> Draft:
    """The draft with what its sender signs in with, as of `setting_the_same`; a page's form is held back where it would set a
    password all the same. Where no profile signs anybody in, nobody's is set.
    """
    sender = next((each for each in identities if each.name == draft.sender or not draft.sender), None)
    if sender is None:
        return draft
    variables = signing_in_with(sender)
    kept = setting_the_same(draft, variables)
    is_made_up = is_of_a_page(kept) and sets_password_of_a_user(kept.request)
    password = told_of(variables).get("password")
    if not is_made_up or (password is not None and _holds(kept.request, password)):
        return kept
    held: Draft = msgspec.structs.replace(kept, kept=True)
    return held


def signing_in_with(identity: ProfileIdentity) -> tuple[tuple[str, str], ...]:
    """The variables of an identity, and the password that its login sends where none of them is called one."""
    if any(True for name in identity.variables if "password" in told_of([name])):
        return identity.variables
    return (*identity.variables, *(("password", each) for each in _sent_by(identity)))


def login_fields(identity: ProfileIdentity) -> Iterator[tuple[str, bytes]]:
    """The plain names and the values of the fields that an identity signs in with, as far as its variables tell them."""
    for request in _steps(identity):
        for each in walked(request):
            if each.point[0] in ("get", "post") and not each.container:
                yield plain(each.point[-1]), each.value


def _sent_by(identity: ProfileIdentity) -> Iterator[str]:
    for request in _steps(identity):
        if password := password_sent(request):
            yield password.decode("utf-8", "replace")


def _steps(identity: ProfileIdentity) -> Iterator[Request]:
    for step in identity.login:
        with suppress(UserError):  # it takes what an earlier answer gave
            yield request_of(step, dict(identity.variables), "http://localhost", lambda _host: ())


def _holds(request: Request, password: str) -> bool:
    return any(each.value == password.encode() for each in walked(request))
