"""Whether something else was written to an object since a request of the record wrote it: its fields are shown with other values.

A POST may add something, and then other values in a list say nothing. Its own form, at its own address, tells that it
changes what is there: it is filled in, with other values now. So does its recorded answer, where it shows the very
object that the request names with what it sends. And where a form below an object's page leads back to that page, which
does not show what was sent, the target never got it, or holds something else by now: whether it adds or replaces, its
owner has to send it to read it. What moves money, goes to somebody or does something (`/bills/7/pay`,
`/customers/7/email`, `/orders/7/cancel`) is not sent once more for that.
"""

import re
from collections.abc import Iterable

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, objects_in
from gatecrash.core.testing.authorization.objects.named import list_above
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.oracles.pages.form_fields import form_fields
from gatecrash.core.testing.places.walked_points import walked

_DOES = re.compile(
    r"pay|transfer|withdr|deposit|buy|purchas|order|check-?_?out|\bbids?\b|donat|refund|charg|book|reserv|redeem|subscri|send|mail|sms|messag"
    r"|notif|remind|contact|invite|share|forward|repl(?:y|ies)|publish|approv|submit|vote|sign|print|ship|start|stop|\brun\b|toggle"
    r"|finish|complet|return|archiv|lock|suspend|expire|cancel|clos|accept|reject|confirm|activat|renew|exten[ds]",
    re.IGNORECASE,
)
_OF_MONEY = re.compile(r"amount|\bsum\b|price|total|currency|iban|card|cvc|recipient|beneficiary|payee", re.IGNORECASE)


def written_since(request: Request, named: Named, read: Iterable[Exchange], answered: Response | None = None) -> bool:
    """Whether the places where its sender reads the object, none of which shows what the request sends, show its fields
    with other values.

    named: what names the object. answered: the recorded answer.
    """
    fields = markable(request, named.point)
    if request.method.upper() == "POST":
        held = [field for field in fields if answered is not None and _holds(answered, named, field, same=True)]
        read = list(read)
        if any(
            is_taken(response_of(each)) and _holds(response_of(each), named, field, same=False)
            for each in read
            for field in held
        ):
            return True
        if fields and any(_is_led_to(each, request, named, answered) for each in read):
            return True
        own = (response_of(page) for page in read if page.request.path == request.path)
        return any(is_taken(page) and _fills_the_form(page, request, named, fields) for page in own)
    return any(is_taken(response_of(each)) and field.stands_in(response_of(each)) for each in read for field in fields)


def _holds(response: Response, named: Named, field: Markable, *, same: bool) -> bool:
    """Whether an answer shows the object by its identifier, and in it the field with what is sent; not same: with something else."""
    ones = (each for each in objects_in(response) if any(str(each.get(name)) == named.value for name in IDENTIFIERS))
    told = (str(each[field.name]) for each in ones if isinstance(each.get(field.name), str | int))
    return any((value == field.value) is same for value in told)


def _is_led_to(read: Exchange, request: Request, named: Named, answered: Response | None) -> bool:
    """Whether it is the object's own page, above the address of the form, to which the recorded answer sends the browser back."""
    if named.point[0] != "path" or answered is None or landing_of(request, answered) != read.request.target:
        return False
    own = list_above(request, named.point) + b"/" + named.value.encode()
    shown = response_of(read)
    if not (read.request.path == own != request.path and is_good(shown) and "html" in media_type(shown)):
        return False
    return not _does_something(request, request.path.removeprefix(own))


def _does_something(request: Request, below: bytes) -> bool:
    """Whether a form does more than to write something down, as its address below the object or its fields say."""
    if _DOES.search(below.decode("latin-1")) or destroys(request):
        return True
    return any(each.point[0] == "post" and _OF_MONEY.search(each.point[-1]) for each in walked(request))


def _fills_the_form(page: Response, request: Request, named: Named, fields: list[Markable]) -> bool:
    """Whether a page has all fields of a form that was sent, those that may be marked filled in, and the same object named."""
    sent = {each.point[-1] for each in walked(request) if tuple(each.point[:-1]) == ("post", "form_urlencoded")}
    if not fields or "html" not in media_type(page):
        return False
    shown = form_fields(text_of(page))
    same = named.point[0] != "post" or shown.get(named.point[-1]) == [named.value]
    return same and sent <= shown.keys() and all("".join(shown.get(each.name, ())).strip() for each in fields)
