"""The same object in another form, as a file or on paper, or in an older version: `/documents/7/download` is whoever's
`/documents/7` is, and `/v1/orders/7` whoever's `/v2/orders/7` is.

What else stands below an object may be for more people than it is: the posts of a profile that only its owner reads.
"""

import re
from collections.abc import Generator, Iterable

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.named import FORMS
from gatecrash.core.testing.authorization.owners.kept_above import is_kept_from
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.probe import Answer, TestRequest

_FORM = re.compile(
    rb"(?:%b)(?:\.[a-z]{2,5})?|(?:invoice|receipt|document|report|statement|export)\.[a-z]{2,5}" % FORMS.encode(),
    re.IGNORECASE,
)


def kept_from_him_itself(
    request: Request, other: Identity, named: Named, newer: Iterable[bytes] = ()
) -> Generator[TestRequest, Answer, str]:
    """What says that an object is not the other's to read, where the request asks for another form of it: its own
    address refuses him and shows it to its owner; empty where nothing does. newer: the request's own in newer versions.
    """
    if named.point[0] != "path":
        return ""
    for target in newer:
        path = target.partition(b"?")[0]
        if (yield from is_kept_from(request, path, other)):
            return f"{path.decode('latin-1')}, the newer version of it, is refused to the other"
    *above, last = request.path.split(b"/")
    if len(above) != int(named.point[1]) + 2 or _FORM.fullmatch(last) is None:
        return ""
    itself = b"/".join(above)
    is_kept = yield from is_kept_from(request, itself, other)
    return f"{itself.decode('latin-1')} is refused to the other" if is_kept else ""
