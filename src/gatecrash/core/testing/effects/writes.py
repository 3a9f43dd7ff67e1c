"""What a request leaves behind where it writes: settings, the name its sender signs in with, a value in the place of another."""

import re

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.effects.destruction import DELETES, ENDS_SESSION, destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.testing.operations.graphql import only_queries, words_of
from gatecrash.core.testing.operations.questions import called, is_question
from gatecrash.core.words.deeds import OVERWRITES
from gatecrash.core.words.named import Words

# A theme, a language or an address that the application cannot use may spoil all its pages for whatever is tested afterwards.
_SETTINGS = Words(
    r"(?<![a-z])(?:settings|configure|configuration|config|preferences|prefs|options)(?![a-z])|settings(?![a-z])",
    re.IGNORECASE,
)
# What a link writes, whatever its method should mean: `/settings/save?theme=dark`.
_WRITES = Words(
    r"(?:^|[/._-])(?:save|set|store|update|apply|switch|toggle|change|enable|disable)(?:[._-][a-z]+)?/?$", re.IGNORECASE
)
# The language among them is one's own where the address says no more: `POST /me`.
_OF_ONESELF = Words(r"/(?:me|self|myself)/?$", re.IGNORECASE)
_OVERWRITES = OVERWRITES | {"rename"}
# What one thing has one of: `/users/7/role`.
_ATTRIBUTES = frozenset(
    {
        b"role",
        b"status",
        b"state",
        b"plan",
        b"quota",
        b"limit",
        b"owner",
        b"assignee",
        b"priority",
        b"name",
        b"title",
        b"phone",
    }
    | {b"visibility", b"privacy", b"language", b"locale", b"timezone", b"theme", b"password"}
)
_OWN = frozenset({b"me", b"self", b"myself", b"my", b"account", b"profile"})
_SIGN_IN_NAME = Words(
    r"(?:new[-_]?)?(?:user[-_]?)?(?:e[-_]?mail(?:[-_]?address)?|login)|(?:new[-_]?)?user[-_]?name", re.IGNORECASE
)


def renames_sender(request: Request) -> bool:
    """Whether a request writes what its sender signs in with beside the password: the tests' last value would be a name that the
    logins after them do not know.
    """
    if is_safe(request) or only_queries(request) or signs_in(request) or not request.body:
        return False
    return any(
        found.point[0] == "post" and _SIGN_IN_NAME.fullmatch(found.point[-1]) is not None and found.value
        for found in walk(request).points
    )


def puts_back(request: Request, *, signed_in: bool) -> bool:
    """Whether a request is sent once more as it was recorded behind its tests, so that nothing of them stays.

    signed_in: whether it has a sender who could be renamed.
    """
    of_sender = signed_in and (renames_sender(request) or (_is_written(request) and _is_of_oneself(request)))
    return of_sender or overwrites(request) or (_is_written(request) and _are_settings(request))


def overwrites(request: Request) -> bool:
    """Whether a request leaves the same behind however often it is sent, and the tests' last value where a test is
    the last: PUT and PATCH, and what is called so where one method does for all.
    """
    if not request.body or is_safe(request) or only_queries(request) or is_question(request) or signs_in(request):
        return False
    if destroys(request) in (ENDS_SESSION, DELETES):
        return False
    words = called(request) or words_of(request)
    if words:
        return words[0] in _OVERWRITES
    if request.method.upper() == "POST":
        above, last = [b"", *request.path.lower().rstrip(b"/").split(b"/")][-2:]
        is_one = above in _OWN or look_in_path(above.decode("latin-1")) is not None
        return last.decode("latin-1") in _OVERWRITES or (is_one and last in _ATTRIBUTES)
    # The operations of a JSON patch (RFC 6902) may add something each time.
    return b"json-patch" not in (request.first(b"Content-Type") or b"").lower()


def configures(request: Request) -> bool:
    """Whether a request writes settings, or what its sender has of his own."""
    return _is_written(request) and (_are_settings(request) or _is_of_oneself(request))


def sets_by_link(request: Request) -> bool:
    """Whether a link writes settings, whatever its method should mean: `/settings/save?theme=dark`."""
    return _writes_by_link(request) and _are_settings(request)


def _writes_by_link(request: Request) -> bool:
    written = request.query and request.method.upper() == "GET"
    return bool(written) and _WRITES.search(request.path.decode("latin-1")) is not None


def _is_written(request: Request) -> bool:
    if _writes_by_link(request):
        return True
    return not is_safe(request) and not only_queries(request) and request.method.upper() != "DELETE"


def _are_settings(request: Request) -> bool:
    return _SETTINGS.search(spoken_address(request)) is not None


def _is_of_oneself(request: Request) -> bool:
    return bool(request.body) and not is_question(request) and _OF_ONESELF.search(spoken_address(request)) is not None
