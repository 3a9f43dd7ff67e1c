"""Which object of a page is the one that a request is about, and which was there before it."""

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.written_names import by_plain
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object, objects_in
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.words.names import plain


def is_older(shown: Object, body: Object) -> bool:
    """Whether a page's object shows other texts under all the names that were sent: it was there before, as one's own account is."""
    told = by_plain(shown)
    sent = [(plain(name), value) for name, value in body.items() if isinstance(value, str) and plain(name) in told]
    return bool(sent) and all(str(told[name]).lower() != value.lower() for name, value in sent)


def named_by(request: Request, response: Response, body: Object) -> Object | None:
    """The object of an answer that the request names by its identifier, where it has a property that the body sets."""
    named = [each.value for each in named_objects(request) if each.sure]
    return next(
        (
            shown
            for shown in objects_in(response)
            if named
            and any(str(shown.get(name, "")) == named[-1] for name in IDENTIFIERS)
            and {plain(name) for name in shown} & {plain(name) for name in body}
        ),
        None,
    )
