"""The same address in another version of an API: `/v2/members` of `/v1/members`.

newer_versions(b"/v1/members")    b"/v2/members", b"/v3/members", b"/v4/members"
other_versions(request)           the request at the version behind its own, and at the one before
"""

import re

import msgspec

from gatecrash.core.message import Request

_VERSION = re.compile(rb"(?<=/v)\d{1,2}(?=(?:\.\d{1,2})?/)", re.IGNORECASE)
_MOST_AHEAD = 3


def names_version(target: bytes) -> bool:
    """Whether a path names its version."""
    return _VERSION.search(target.partition(b"?")[0]) is not None


def newer_versions(target: bytes) -> tuple[bytes, ...]:
    """The few next ones of an address whose path names its version; none where it names none."""
    path, mark, query = target.partition(b"?")
    found = _VERSION.search(path)
    if found is None:
        return ()
    ahead = range(int(found[0]) + 1, int(found[0]) + 1 + _MOST_AHEAD)
    return tuple(path[: found.start()] + b"%d" % each + path[found.end() :] + mark + query for each in ahead)


def other_versions(request: Request) -> list[Request]:
    """The request at the versions beside the one that its path names: where these ask for credentials, it should."""
    target: bytes = request.target
    found = _VERSION.search(target.partition(b"?")[0])
    if found is None:
        return []
    beside = (each for each in (int(found[0]) + 1, int(found[0]) - 1) if each > 0)
    targets = (target[: found.start()] + b"%d" % each + target[found.end() :] for each in beside)
    return [msgspec.structs.replace(request, target=each) for each in targets]
