"""Whether an answer shows that a change was made, though it is not the recorded one: the object that the request names
stands there with all that is sent, under the same names, and only what the request leaves alone is another by now.

Other requests write to the object between the record and a test: a `PATCH` of its note changes what one of its price
is answered with. What an answer says of itself (a message, a status) must be the same.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.markable import markable
from gatecrash.core.testing.authorization.objects.answered_objects import holds
from gatecrash.core.testing.authorization.objects.named import named_fields, named_objects
from gatecrash.core.testing.oracles.leaves import leaves

_OF_THE_ANSWER = re.compile(
    r"messages?|msg|errors?|status(?:_?code)?|ok|success|code|reason|details?|result|info|warnings?|state",
    re.IGNORECASE,
)


def done_as_asked(request: Request, good: Response, seen: Response) -> bool:
    """Whether the answer seen shows the change done as the good one does."""
    if good.status != seen.status:
        return False
    before, now = ({leaf.path: leaf.value for leaf in leaves(each)} for each in (good, seen))
    apart = {path for path in before if now.get(path) != before[path]}
    if (
        not before
        or before.keys() != now.keys()
        or any(not path or _OF_THE_ANSWER.fullmatch(path[-1]) for path in apart)
    ):
        return False
    named = [*named_fields(request), *named_objects(request)][-1:]
    sent = markable(request, named[0].point) if named else []
    shown = (
        holds(each, one.value, field.name, field.value) for each in (good, seen) for one in named for field in sent
    )
    return bool(sent) and all(shown)
